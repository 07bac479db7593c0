import fc from "fast-check";
import { expect, test } from "vitest";
import { toStorableJson } from "./storable.ts";

test("no NUL and no half character is left in any text or name, and what has none comes through as it is", () => {
  const anyText = fc.string({
    unit: fc.constantFrom("a", "\0", "\ud83d", "\ude00", "😀", "\\", "u0000", "\\ud800", '"'),
  });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyText,
      fc.constantFrom<unknown>(null, 1, true),
      fc.array(tie("value")),
      fc.dictionary(anyText, tie("value")),
    ),
  }));
  const isGood = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
  const textsOf = (one: unknown): string[] => {
    if (typeof one === "string") return [one];
    if (one === null || typeof one !== "object") return [];
    return Object.entries(one).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
  };
  fc.assert(
    fc.property(value, (one) => {
      const stored: unknown = JSON.parse(toStorableJson(one));
      expect(textsOf(stored).every(isGood)).toBe(true);
      expect(stored).toEqual(textsOf(one).every(isGood) ? one : stored);
    }),
  );
});
