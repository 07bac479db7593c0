import { expect, test } from "vitest";
import { findNearest } from "./nearest-name.ts";

test("the nearest name is the one that a person meant", () => {
  const known = [
    "masterPrompt",
    "firstMessage",
    "maxConcurrency",
    "retryConfig",
    "rowData",
    "status",
    "fromPhoneNumber",
  ];
  const meant = {
    retryconfig: "retryConfig",
    retry_config: "retryConfig",
    first_message: "firstMessage",
    maxConcurency: "maxConcurrency",
    rowdata: "rowData",
    satus: "status",
    stauts: "status",
    promt: "masterPrompt",
    prompt: "masterPrompt",
  };
  for (const [name, expected] of Object.entries(meant))
    expect([name, findNearest(name, known)]).toEqual([name, expected]);
});

test("nothing is suggested where nothing is near, or two are", () => {
  expect(findNearest("colour", ["status", "rowData"])).toBeNull();
  expect(findNearest("number", ["customerNumber", "fromPhoneNumber"])).toBeNull();
  expect(findNearest("", ["a"])).toBeNull();
  expect(findNearest("__proto__", ["rowData"])).toBeNull();
  expect(findNearest("a".repeat(100_000), ["a"])).toBeNull();
});
