import { expect, test } from "vitest";
import { parseCondition, sayCondition } from "./success-condition.ts";

test.each([
  ["attending=true", { field: "attending", operator: "EQUALS", value: true }],
  ["guests>1", { field: "guests", operator: "ABOVE", value: 1 }],
  ["visit.guests<2.5", { field: "visit.guests", operator: "BELOW", value: 2.5 }],
  ["plan=A,B", { field: "plan", operator: "ONE_OF", value: ["A", "B"] }],
  ["reason!=late", { field: "reason", operator: "NOT_EQUALS", value: "late" }],
  ["code=0012", { field: "code", operator: "EQUALS", value: "0012" }],
  ["slot", { field: "slot", operator: "IS_SET" }],
  ["-slot", { field: "slot", operator: "IS_NOT_SET" }],
] as const)("%s is read, and written as it was", (text, condition) => {
  const [read] = parseCondition(text);
  expect(read).toEqual(condition);
  expect(sayCondition(condition as never)).toBe(text);
});

test("conditions add up", () => {
  expect(parseCondition("b", parseCondition("a=1"))).toHaveLength(2);
});

test.each(["", "=1", "a=", "-a=1", "a b=1", "!a"])('"%s" is no condition', (text) => {
  expect(() => parseCondition(text)).toThrow("It is a field");
});
