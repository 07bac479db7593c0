import { expect, test } from "vitest";
import { limitText } from "./text-limits.ts";

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
