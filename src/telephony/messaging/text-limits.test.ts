import { expect, test } from "vitest";
import { limitText, splitText } from "./text-limits.ts";

// Twilio: Body of POST /Messages.json. Vonage: text of POST /v1/messages. Telnyx: Character and Rate Limits.
test.each([
  ["twilio", "SMS", "plain", 1_600],
  ["TWILIO", "WHATSAPP", "plain", 1_600],
  ["VONAGE", "SMS", "plain", 1_000],
  ["VONAGE", "WHATSAPP", "plain", 4_096],
  ["TELNYX", "SMS", "It's 5 o'clock, $3 @ noon!\n", 1_530],
  ["TELNYX", "SMS", "für", 670],
  ["TELNYX", "SMS", "[brackets]", 670],
  ["TELNYX", "WHATSAPP", "für", 4_096],
  ["SANDBOX", "SMS", "plain", Number.POSITIVE_INFINITY],
  ["API", "CHAT", "plain", Number.POSITIVE_INFINITY],
])("%s takes %s like %j up to %d", (provider, channel, text, limit) => {
  expect(limitText(provider, channel, text)).toBe(limit);
});

test.each<[string, number, string[]]>([
  ["Short.", 6, ["Short."]],
  ["One two. Three four. Five six.", 21, ["One two. Three four.", "Five six."]],
  ["One two. Three four. Five six.", 20, ["One two. Three four.", "Five six."]],
  ["One two. Three four. Five six.", 19, ["One two. Three", "four. Five six."]],
  ["First point\n\nSecond point", 15, ["First point", "Second point"]],
  ["one two three four", 9, ["one two", "three", "four"]],
  ["東京です。大阪です。京都です。", 10, ["東京です。大阪です。", "京都です。"]],
  ["abcdefgh", 3, ["abc", "def", "gh"]],
  ["😀😀😀", 3, ["😀", "😀", "😀"]],
])("%j by %d is split into %j", (text, limit, parts) => {
  expect(splitText(text, limit)).toEqual(parts);
});

test("a long text loses nothing but space at its cuts", () => {
  const text = Array.from({ length: 400 }, (_, i) => `Word ${i}${i % 7 === 0 ? "." : ""}`).join(" ");
  const parts = splitText(text, 670);
  expect(parts.every(({ length }) => length <= 670)).toBe(true);
  expect(parts.join(" ")).toBe(text);
});
