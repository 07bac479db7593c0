import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test.each([
  ["one two three", 0.5, "one"],
  ["one two three", 7 / 13, "one two"],
  ["one", 0.9, ""],
  ["one two", 1, "one two"],
  ["我想预约星期一的门诊。", 0.55, "我想预约"],
  ["来週の月曜日に予約します。", 0.6, "来週の月曜日に"],
  ["สวัสดีครับ ยินดีต้อนรับ", 0.4, "สวัสดี"],
  ["你好,Anna 女士,请问您来吗?", 0.6, "你好,Anna 女士"],
  ["你好。", -1, ""],
])("of %j a share of %d is %j", (text, fraction, heard) => {
  expect(cutText(text, fraction)).toBe(heard);
});

test("is never longer than the share, and a beginning of the text", () => {
  const alphabet = fc.constantFrom("a", "b", " ", "我", "想", "约", "。", "ส", "วั", "来", "の", "😀");
  fc.assert(
    fc.property(
      fc.string({ unit: alphabet, maxLength: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (text, share) => {
        const heard = cutText(text, share);
        expect(text.startsWith(heard)).toBe(true);
        expect(heard.length).toBeLessThanOrEqual(Math.floor(text.length * share));
        expect(heard.isWellFormed()).toBe(true);
      },
    ),
  );
});
