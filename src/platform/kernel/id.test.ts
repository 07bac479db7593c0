import { expect, test } from "vitest";
import { uuidv7 } from "./id.ts";

const AT_MS = Date.UTC(2030, 0, 1);
const timeOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

test("ids of one process are in order, also within a millisecond and over a small step back of the clock", () => {
  const ids = [AT_MS, AT_MS, AT_MS - 5_000, AT_MS + 1].map((atMs) => uuidv7(atMs));
  expect(ids.toSorted()).toEqual(ids);
});

test("ids follow a clock that is corrected by more", () => {
  uuidv7(AT_MS + 3_600_000);
  expect(timeOf(uuidv7(AT_MS))).toBe(AT_MS);
  expect(Math.abs(timeOf(uuidv7()) - Date.now())).toBeLessThan(60_000);
});
