import { expect, test } from "vitest";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import { readDialReply } from "./vonage-errors.ts";

const answer = (status: number, json: unknown, headers: Record<string, string> = {}): CarrierReply => {
  return { kind: "ANSWER", status, headers, json };
};
const problem = (title: string, detail: string, more: object = {}) => {
  return { type: "https://developer.vonage.com/api-errors#some-code", title, detail, ...more };
};

const ACCOUNT = { kind: "REFUSED", then: "REQUEUE", blame: "ACCOUNT" };
const NUMBER = { kind: "REFUSED", then: "REQUEUE", blame: "NUMBER" };
const refusals: [string, CarrierReply, object, string][] = [
  ["wrong keys", answer(401, problem("Unauthorized", "Bad token")), ACCOUNT, "enter them again"],
  ["wrong keys, without words", answer(401, null), ACCOUNT, "enter them again"],
  ["no money", answer(402, problem("Payment Required", "Top up")), ACCOUNT, "Top up the account's balance"],
  ["no money in words", answer(400, problem("Low Balance", "Insufficient funds")), ACCOUNT, "not enough money"],
  [
    "a closed destination",
    answer(403, problem("Forbidden", "Destination country not permitted")),
    { then: "TERMINAL" },
    "open it",
  ],
  ["a number of somebody else", answer(403, problem("Forbidden", "from is not owned by you")), NUMBER, "Rent it"],
  ["a trial account", answer(403, problem("Forbidden", "Not whitelisted")), ACCOUNT, "trial account"],
  [
    "a bad caller number",
    answer(400, problem("Bad Request", "x", { invalid_parameters: [{ name: "from.number", reason: "bad" }] })),
    NUMBER,
    "from.number: bad",
  ],
  [
    "a bad called number, by name",
    answer(400, problem("Bad Request", "x", { invalid_parameters: { to: "bad" } })),
    { then: "TERMINAL", outcome: "INVALID_NUMBER" },
    "to: bad",
  ],
  [
    "anything else",
    answer(400, { error_title: "Bad Request" }),
    { then: "TERMINAL", outcome: "CARRIER_FAILURE" },
    "Bad Request",
  ],
  ["too many calls", answer(429, null, { "retry-after": "7" }), { then: "REQUEUE", retryAfterMs: 7_000 }, "429"],
  [
    "nobody there",
    { kind: "FAILED", sent: false, code: "CONNECT", message: "refused" },
    { then: "REQUEUE" },
    "refused",
  ],
];
test.each(refusals)("a dial refused for %s", (_what, reply, expected, words) => {
  const result = readDialReply(reply);
  expect(result).toMatchObject({ kind: "REFUSED", ...expected });
  expect(result.kind === "REFUSED" && result.message).toContain(words);
  expect(Object.hasOwn(result, "blame")).toBe(Object.hasOwn(expected, "blame"));
});

test.each([
  ["a server error", answer(500, null)],
  ["a redirection", answer(302, null)],
  ["silence after the request was sent", { kind: "FAILED", sent: true, code: "TIMEOUT", message: "late" } as const],
  ["success without a call", answer(201, {})],
  ["success without sense", answer(200, "x")],
])("%s proves nothing", (_what, reply) => {
  expect(readDialReply(reply).kind).toBe("UNCERTAIN");
});
