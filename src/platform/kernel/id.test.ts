import { expect, test } from "vitest";
import { isUuid, uuidv7, writeUuidv7 } from "./id.ts";

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

test("an id that is written as bytes is one of those that are returned as text", () => {
  const bytes = Buffer.alloc(20, 0xff);
  const before = uuidv7(AT_MS);
  writeUuidv7(bytes, 2, AT_MS);
  const hex = bytes.toString("hex", 2, 18);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  expect([before, id, uuidv7(AT_MS)].toSorted()[1]).toBe(id);
  expect(isUuid(id) && /^[89ab]/.test(id.slice(19)) && id[14] === "7").toBe(true);
  expect([...bytes.subarray(0, 2), ...bytes.subarray(18)]).toEqual([255, 255, 255, 255]);
});
