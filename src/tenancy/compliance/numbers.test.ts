import { expect, test } from "vitest";
import { classifyNumber, readCallerNumber, toDialable, toE164 } from "./numbers.ts";

test.each([
  ["+12025550100", "US", "ALLOWED"],
  ["+442079460101", "GB", "ALLOWED"],
  ["+61255500102", "AU", "ALLOWED"],
  ["+14155552671", "US", "ALLOWED"],
  ["+491711234567", "DE", "ALLOWED"],
  ["+33612345678", "FR", "ALLOWED"],
  // The sandbox number of a country that is not enabled.
  ["+12025550133", "ZZ", "ALLOWED"],
  // Caribbean numbers share +1 and are not US numbers (reliability 0.9).
  ["+18095551234", "DO", "ALLOWED"],
  ["+18765551234", "JM", "ALLOWED"],
  ["+881612345678", "ZZ", "SATELLITE"],
  ["+870773111632", "ZZ", "SATELLITE"],
  ["+979123456789", "ZZ", "PREMIUM"],
  ["+19005551234", "US", "PREMIUM"],
  ["+33899123456", "FR", "PREMIUM"],
  ["+34803123456", "ES", "PREMIUM"],
  ["+1911123", "US", "EMERGENCY"],
  ["+19116666666", "US", "EMERGENCY"],
  ["+44999123", "GB", "EMERGENCY"],
  ["+15551234567", "US", "INVALID"],
  ["+4919012345", "DE", "INVALID"],
  ["+999123456789", "ZZ", "INVALID"],
])("%s is %s %s", (number, country, numberClass) => {
  expect(classifyNumber(number)).toEqual({ country, numberClass });
});

// ITU-T E.123 and E.164; prefixes by the national numbering plans.
test.each([
  ["+14155552671", "GB", "+14155552671"],
  ["14155552671", "US", "+14155552671"],
  ["14155552671", "DE", "+14155552671"],
  ["0014155552671", "US", "+14155552671"],
  ["0014155552671", "DE", "+14155552671"],
  ["01114155552671", "US", "+14155552671"],
  ["00114155552671", "AU", "+14155552671"],
  ["4155552671", "US", "+14155552671"],
  ["03012345678", "DE", "+493012345678"],
  // Not 0491 711234567, which would need its 0.
  ["491711234567", "DE", "+491711234567"],
  ["33123456789", "DE", "+33123456789"],
  ["07911123456", "GB", "+447911123456"],
  ["7911123456", "GB", "+447911123456"],
  ["89111234567", "RU", "+79111234567"],
  // Also a valid number of Peru.
  ["51987654321", "BR", "+5551987654321"],
  ["3331234567", "IT", "+393331234567"],
  ["447911123456", "ZZ", "+447911123456"],
])("a caller written as %s to a number in %s is %s", (written, country, number) => {
  expect(readCallerNumber(written, country)).toBe(number);
});

test.each([
  "",
  "101",
  "1000",
  "000",
  "30100",
  "301000",
  "1234567",
  "+1234567",
  "+0014155552671",
  "9".repeat(19),
  "anonymous",
])("a caller written as %j is unknown", (written) => {
  for (const country of ["US", "DE", "GB", "ZZ"]) expect(readCallerNumber(written, country)).toBeNull();
});

// ITU-T E.123 and E.164; national forms by the numbering plans.
test.each([
  ["(202) 555-0100", "US", "+12025550100"],
  ["12025550100", "US", "+12025550100"],
  ["+49 (0)151 12345678", "US", "+4915112345678"],
  ["0151 12345678", "DE", "+4915112345678"],
  // Not (04915) 112345678 and (0491) 701234567, which would need their 0.
  ["4915112345678", "DE", "+4915112345678"],
  ["49 170 1234567", "DE", "+491701234567"],
  ["04915 12345", "DE", "+49491512345"],
  ["5215512345678", "MX", "+525512345678"],
  // Ten digits have no country's code, though they begin like one.
  ["3912345678", "IT", "+393912345678"],
  ["9123456789", "IN", "+919123456789"],
  ["004915112345678", null, "+4915112345678"],
  ["4915112345678", null, null],
])("a lead's number written as %s in %s is %s", (written, country, number) => {
  expect(toE164(written, country)).toBe(number);
});

// Numbering plans: Mexico since 2019-08-03, Brazil since 2016-11-06.
test.each([
  ["+5215512345678", "+525512345678"],
  ["+525512345678", "+525512345678"],
  ["+553187654321", "+5531987654321"],
  ["+5531987654321", "+5531987654321"],
  // A landline has eight digits.
  ["+553133334444", "+553133334444"],
  ["+5491123456789", "+5491123456789"],
  ["+52155123456", "+52155123456"],
  ["+14155552671", "+14155552671"],
])("%s is dialled as %s", (number, dialable) => {
  expect(toDialable(number)).toBe(dialable);
});
