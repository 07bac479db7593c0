import { expect, test } from "vitest";
import { leftFailed, readMarks } from "./marks.ts";

const line = (name: string, result: string) => JSON.stringify({ name, input: {}, result });

test("a tool counts once a call, and as failed where any of its answers failed", () => {
  const lines = [
    line("book_demo", "not done yet: the answer will come by itself; go on talking"),
    line("book_demo", "failed: 503"),
    line("book_demo", "ok"),
    line("find_slot", "10:00"),
    line("secret", "failed: (hidden)"),
    line("end_call", "ok"),
    line("request_human", "failed: not stored"),
    "not JSON",
    "null",
    '{"name":5}',
  ];
  expect(readMarks(lines, false)).toEqual([
    { field: "book_demo", kind: "TOOL", value: "FAILED", total: 0 },
    { field: "find_slot", kind: "TOOL", value: "DONE", total: 0 },
    { field: "secret", kind: "TOOL", value: "FAILED", total: 0 },
  ]);
});

test("the wish for a human counts, with tools or without; a call keeps 30 tools", () => {
  expect(readMarks([], true)).toEqual([{ field: "human", kind: "WISH", value: "true", total: 0 }]);
  const many = Array.from({ length: 40 }, (_, i) => line(`tool_${i}`, "ok"));
  expect(readMarks([...many, line("tool_3", "failed")], false)).toHaveLength(30);
});

test("a tool is left failed unless it worked later; tools of the service do not count", () => {
  expect(leftFailed([line("book_demo", "failed: 503"), line("book_demo", "ok")])).toBe(false);
  expect(leftFailed([line("book_demo", "ok"), line("find_slot", "ok"), line("book_demo", "failed: 503")])).toBe(true);
  expect(leftFailed([line("end_call", "failed"), "not JSON"])).toBe(false);
});
