import { expect, it } from "vitest";
import { toneOf } from "./statuses.ts";

it("gives an end that the carrier told of the tone of its outcome", () => {
  expect(["CARRIER_CARRIER_FAILURE", "CARRIER_BUSY", "CARRIER_REJECTED"].map(toneOf)).toEqual([
    "bad",
    "warning",
    "bad",
  ]);
  expect(["CARRIER_FAILURE", "CARRIER_NOT_CONFIGURED"].map(toneOf)).toEqual(["bad", "neutral"]);
});
