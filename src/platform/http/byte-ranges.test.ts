import { expect, test } from "vitest";
import { readByteRange } from "./byte-ranges.ts";

const READINGS: [string | undefined, ReturnType<typeof readByteRange>][] = [
  [undefined, "WHOLE"],
  ["bytes=0-0", { start: 0, end: 1 }],
  ["bytes=2-4", { start: 2, end: 5 }],
  ["Bytes=9-", { start: 9, end: 10 }],
  ["bytes=5-99999999999999999999999", { start: 5, end: 10 }],
  ["bytes=-3", { start: 7, end: 10 }],
  ["bytes=-11", { start: 0, end: 10 }],
  ["bytes=-99999999999999999999999", { start: 0, end: 10 }],
  ["bytes=10-", "NONE"],
  ["bytes=10-12", "NONE"],
  ["bytes=99999999999999999999999-", "NONE"],
  ["bytes=-0", "NONE"],
  // Not valid, or more than one part: treated as if there were no header.
  ["bytes=4-2", "WHOLE"],
  ["bytes=-", "WHOLE"],
  ["bytes=a-b", "WHOLE"],
  ["bytes=0-1,4-5", "WHOLE"],
  ["bytes=-1-2", "WHOLE"],
  ["seconds=0-1", "WHOLE"],
  ["bytes", "WHOLE"],
];

test.each(READINGS)("of ten bytes, Range %j is %j", (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range);
});

test("no byte of an empty content can be asked for", () => {
  for (const header of ["bytes=0-", "bytes=-1", "bytes=-0"]) expect(readByteRange(header, 0)).toBe("NONE");
  expect(readByteRange(undefined, 0)).toBe("WHOLE");
});
