import { expect, test } from "vitest";
import { toLikelyE164 } from "./e164.ts";

test.each([
  ["0044 20 7946 0100", "+442079460100"],
  ["+44 (0)20-7946 0100", "+442079460100"],
  ["+1 (202) 555.0100", "+12025550100"],
  // ITU-T E.164, Italy: the zero is dialled from abroad as well.
  ["+39 (0)6 6982", "+39066982"],
  // Without a country it could be anybody's.
  ["020 7946 0100", null],
  ["442079460100", null],
  ["+1202", null],
  ["0044 20 7946 0100 ext. 3", null],
  ["", null],
])("%j is likely %j", (written, likely) => {
  expect(toLikelyE164(written)).toBe(likely);
});
