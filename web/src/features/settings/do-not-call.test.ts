import { expect, test } from "vitest";
import { readNumbers } from "./do-not-call.ts";

test("reads one number of each line however it is written, once, and tells the lines without", () => {
  const text =
    "phone,name\n+49 30 901820,Ada\r\n0049 (30) 90-1820\n\n\"+1 (202) 555-0100\";Bob\n030 901820\n=cmd|' /C calc'!A0\n";
  expect(readNumbers(text)).toEqual({
    numbers: ["+4930901820", "+12025550100"],
    bad: [
      { line: 6, text: "030 901820" },
      { line: 7, text: "=cmd|' /C calc'!A0" },
    ],
  });
});
