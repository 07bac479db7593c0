import fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test.each([
  ["short", 10, ["short"]],
  ["   ", 10, []],
  ["One two. Three four. Five", 21, ["One two. Three four.", "Five"]],
  ["One two, three four five", 12, ["One two,", "three four", "five"]],
  ["One two. Three four. Five six.", 20, ["One two. Three four.", "Five six."]],
  ["One two. Three four. Five six.", 19, ["One two. Three", "four. Five six."]],
  ["First point\n\nSecond point", 15, ["First point", "Second point"]],
  ["今天很好。明天下雨，后天晴。", 8, ["今天很好。", "明天下雨，", "后天晴。"]],
  ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
  ["ab😀😀", 3, ["ab", "😀", "😀"]],
])("%j at %i", (text, max, parts) => expect(splitText(text, max)).toEqual(parts));

const grapheme = fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 });
const unit = fc.oneof({ weight: 5, arbitrary: grapheme }, { weight: 1, arbitrary: fc.constantFrom("。", "，") });

test("nothing but spaces is lost, no part is too long, and none is empty", () => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), fc.integer({ min: 2, max: 40 }), (text, max) => {
      const parts = splitText(text, max);
      expect(parts.filter((part) => part.length > max || part.trim() === "")).toEqual([]);
      expect(parts.join("").replaceAll(/\s/g, "")).toBe(text.toWellFormed().replaceAll(/\s/g, ""));
    }),
  );
});
