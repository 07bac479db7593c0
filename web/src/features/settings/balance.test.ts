import { expect, test } from "vitest";
import { checkAmount, readPrice } from "./balance.ts";

test("a price of tokens is read for a million of them, any other for its unit", () => {
  expect(readPrice("MODEL_CACHED_INPUT_TOKEN", "0.000000125")).toEqual({ amount: "0.125", unit: "1,000,000 tokens" });
  expect(readPrice("MODEL_OUTPUT_TOKEN", "0.000002")).toEqual({ amount: "2", unit: "1,000,000 tokens" });
  expect(readPrice("TELEPHONY_SECOND", "0.00025")).toEqual({ amount: "0.00025", unit: "second" });
  expect(readPrice("NEW_KIND", "0.000000001")).toEqual({ amount: "0.000000001", unit: "unit" });
});

test("an amount that means a thousand to some and one to others is not booked", () => {
  for (const text of ["1,000", "1.000", "-2.500", "1,000.00", "1.000,00", "1 000", "", "ten"])
    expect(checkAmount(text), text).not.toBeNull();
  for (const text of ["1000", "-12,5", " 1000.00 ", "0.0125"]) expect(checkAmount(text), text).toBeNull();
});
