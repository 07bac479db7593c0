import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/max/metadata";
import { expect, test } from "vitest";
import { readPlannedNumber } from "./number-plans.ts";

const CALLING_CODES = [...Object.keys(metadata.country_calling_codes), ...Object.keys(metadata.nonGeographic)];
function readByLibrary(number: string) {
  const parsed = parsePhoneNumberFromString(number);
  const type = parsed?.getType();
  return {
    country: parsed?.country,
    callingCode: parsed?.countryCallingCode,
    type: type === "FIXED_LINE_OR_MOBILE" ? "FIXED_LINE" : type,
  };
}

/** Digits by a fixed sequence (Lehmer), so that each run compares the same numbers. */
let seed = 1;
function digits(count: number): string {
  let text = "";
  for (let i = 0; i < count; i++) {
    seed = (seed * 48_271) % 2_147_483_647;
    text += seed % 10;
  }
  return text;
}

/** Numbers of every length with every beginning of two digits: the first of them, or the last, and any other. */
function* numbersOf(callingCode: string): Iterable<string> {
  for (let length = 4; callingCode.length + length <= 15; length++) {
    for (let start = 0; start < 100; start++) {
      const national = String(start).padStart(2, "0");
      yield `+${callingCode}${national.padEnd(length, start % 2 === 0 ? "0" : "9")}`;
      yield `+${callingCode}${national}${digits(length - 2)}`;
    }
  }
}

test.each(CALLING_CODES)("numbers of +%s are read as by the library", (callingCode) => {
  const read = [...numbersOf(callingCode)].flatMap((number) => {
    const planned = readPlannedNumber(number);
    return planned ? [{ number, ...planned }] : [];
  });
  expect(read.length).toBeGreaterThan(0);
  expect(read).toEqual(read.map(({ number }) => ({ number, ...readByLibrary(number) })));
});

test("numbers of every area of +1 are read as by the library, and without it", () => {
  for (let area = 200; area < 1_000; area++) {
    for (const number of [`+1${area}5550123`, `+1${area}${2 + (area % 8)}${digits(6)}`]) {
      expect({ number, ...readPlannedNumber(number) }).toEqual({ number, ...readByLibrary(number) });
    }
  }
});

test.each(["+0123456789", "+1 415 555 2671", "14155552671", "+999123456789", "+14155552671 ext. 3", "+7812345678", ""])(
  "%j is left to the library",
  (text) => {
    expect(readPlannedNumber(text)).toBeUndefined();
  },
);
