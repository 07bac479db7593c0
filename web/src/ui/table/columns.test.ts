import { expect, test } from "vitest";
import { type Column, widthClass, withoutEmpty } from "./columns.ts";

const column = (id: string, rest: Partial<Column<{ id: string; ms: number | null }>> = {}) => ({
  id,
  header: id,
  cell: () => null,
  ...rest,
});

test("a column that may hide does so while no row has a value, and comes back with the first", () => {
  const columns = [column("name"), column("ms", { isHiddenEmpty: true, value: ({ ms }) => ms })];
  expect(withoutEmpty(columns, [{ id: "a", ms: null }]).map(({ id }) => id)).toEqual(["name"]);
  expect(
    withoutEmpty(columns, [
      { id: "a", ms: null },
      { id: "b", ms: 0 },
    ]).map(({ id }) => id),
  ).toEqual(["name", "ms"]);
});

test("each width has its class", () => {
  expect(
    [undefined, true, "medium" as const, "very" as const].map((isWide) => widthClass(isWide ? { isWide } : {})),
  ).toEqual(["", "wide-only", "medium-wide-only", "very-wide-only"]);
});
