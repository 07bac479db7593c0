import { expect, test } from "vitest";
import { toPlaceCall } from "./place-call.ts";

const EMPTY = { flowApiId: null, fromPhoneNumber: null, contactName: "", rowData: "{}", contextData: "{}" };

test("calls the number that is meant by the ways of writing it, and makes no number of what is none", () => {
  const written = {
    "+49 (0)30 90-1820": "+4930901820",
    "0044 20 7946 0100": "+442079460100",
    "+39 (0)6 6982": "+39066982",
    "\u202A+1 202\u2011555\u20110100\u202C": "+12025550100",
    "+1 202 555 0100 ext. 5": "+12025550100ext5",
  };
  for (const [customerNumber, number] of Object.entries(written))
    expect(toPlaceCall({ ...EMPTY, customerNumber }).customerNumber).toBe(number);
});
