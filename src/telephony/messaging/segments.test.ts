import { expect, test } from "vitest";
import { countSegments } from "./segments.ts";

// Sizes by 3GPP TS 23.040 section 9.2.3.24.1: each part of a split message loses 6 octets to its header.
test.each([
  ["a".repeat(160), 1],
  ["a".repeat(161), 2],
  ["a".repeat(306), 2],
  ["a".repeat(307), 3],
  ["€".repeat(80), 1],
  ["€".repeat(81), 2],
  ["ñäöüÆ", 1],
  ["я".repeat(70), 1],
  ["я".repeat(71), 2],
  ["😀".repeat(35), 1],
  ["😀".repeat(36), 2],
  ["", 1],
])("%#: a text takes %2$s segments", (text, segments) => {
  expect(countSegments(text)).toBe(segments);
});
