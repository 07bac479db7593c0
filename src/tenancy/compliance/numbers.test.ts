import { expect, test } from "vitest";
import { classifyNumber } from "./numbers.ts";

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
