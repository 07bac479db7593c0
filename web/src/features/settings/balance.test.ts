import { expect, test } from "vitest";
import { type Billing, checkAmount, findPriceFaults, readPrice, toPriceChange, toPriceValues } from "./balance.ts";

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

test("a limit that means thousands to some is refused, and a comma before the part of a price is taken", () => {
  const prices = { TELEPHONY_SECOND: "0.00025", SMS_SEGMENT: "0.05" };
  const before = { currency: "EUR", creditLimit: "1.500", lowBalanceThreshold: null, prices } as unknown as Billing;
  const stored = toPriceValues(before);
  const faultsOf = (values: object) =>
    Object.entries(findPriceFaults({ ...stored, ...values }, before))
      .filter(([, fault]) => fault !== null)
      .map(([field]) => field);
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ creditLimit: "2.500", lowBalanceThreshold: "1,000" })).toEqual([
    "creditLimit",
    "lowBalanceThreshold",
  ]);
  expect(faultsOf({ prices: { ...prices, SMS_SEGMENT: "1,000.00" } })).toEqual(["prices.SMS_SEGMENT"]);
  const typed = { ...stored, creditLimit: "2500,5", prices: { ...prices, SMS_SEGMENT: "0,015" } };
  expect(faultsOf(typed)).toEqual([]);
  expect(toPriceChange(typed, before)).toEqual({ creditLimit: "2500.5", prices: { SMS_SEGMENT: "0.015" } });
});
