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

test("takes no number out of another figure, and leaves the zero out that is dialled at home alone", () => {
  const text = [
    "8005551234",
    "12005550100",
    "2001-05-12 10:30;+49 30 901820",
    "100000200;0044 (0)20 7946 0100",
    "+49\u00A0(0)30\u00A0901821",
  ].join("\n");
  expect(readNumbers(text)).toEqual({
    numbers: ["+4930901820", "+442079460100", "+4930901821"],
    bad: [
      { line: 1, text: "8005551234" },
      { line: 2, text: "12005550100" },
    ],
  });
});
