import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { VonageHarness } from "../../kit/carriers/vonage-harness.ts";
import { signWebhook, type VonageIdentity } from "../../kit/carriers/vonage-poster.ts";

const NAMES = ["status", "uuid", "call_uuid", "to", "from", "detail", "timestamp", "message_uuid", "channel", "text"];
const WORDS = [
  "ringing",
  "answered",
  "completed",
  "sms",
  "whatsapp",
  "14155550123",
  "wss://x",
  "\0",
  "\ud800",
  "__proto__",
];
const value = fc.oneof(fc.constantFrom(...WORDS), fc.jsonValue(), fc.string());
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES, "message", "message_type", "error", "__proto__"), value),
  fc.jsonValue(),
);
const path = fc.oneof(
  fc.constantFrom("calls", "calls-in", "messages", "message-status", `calls/${randomUUID()}`, `legs/${randomUUID()}`),
  fc.constantFrom(`calls/${randomUUID()}/media`, "calls/1", "messages/x", "", "/", "calls/%00", "..", "constructor"),
);

test("nothing that is signed, and nothing that is not, makes a webhook throw or tell what no event can be", async () => {
  await using harness = await VonageHarness.start();
  const identity = harness.vonage.keys as unknown as VonageIdentity;
  const kinds = new Set<string>();
  fc.assert(
    fc.property(path, body, fc.boolean(), (where, json, isSigned) => {
      const text = JSON.stringify(json);
      const token = signWebhook(isSigned ? identity : { ...identity, signatureSecret: "x" }, text);
      const headers = { authorization: `Bearer ${token}` };
      const webhook = {
        method: "POST",
        url: `http://x/${where}`,
        path: where,
        headers,
        body: Buffer.from(text),
      } as const;
      const reading = harness.account.readWebhook(webhook);
      kinds.add(reading.kind);
      if (!isSigned) return reading.kind === "FORGED";
      return reading.kind !== "FORGED" && !JSON.stringify(reading).includes(String.raw`\u0000`);
    }),
    { numRuns: 2_000 },
  );
  expect([...kinds].toSorted()).toEqual(["FORGED", "MALFORMED", "READ"]);
});

test("bytes that are no text, and headers of any kind, are turned away", async () => {
  await using harness = await VonageHarness.start();
  const check = fc.check(
    fc.property(fc.uint8Array(), fc.string(), (bytes, authorization) => {
      const headers = { authorization };
      const webhook = { method: "POST", url: "http://x", path: "calls", headers, body: Buffer.from(bytes) } as const;
      return harness.account.readWebhook(webhook).kind === "FORGED";
    }),
  );
  expect(check.failed).toBe(false);
});

test("answers of a carrier that make no sense settle nothing", async () => {
  const signal = new AbortController().signal;
  await using harness = await VonageHarness.start();
  const { carrier, messenger, numbers } = harness.account;
  const attempt = { attemptId: randomUUID(), workspaceId: "w", from: "+12025550199", to: "+14155550123" };
  const asked = { ...attempt, providerCallId: "../../etc", dialledAt: new Date() };
  expect(await carrier.lookUp(asked, signal)).toEqual({ kind: "ABSENT" });
  expect(harness.vonage.requests.at(-1)?.path).toBe("/v1/calls/..%2F..%2Fetc");
  expect(carrier.openMedia?.("unknown")).toBeNull();
  const heard = await carrier.openLine("unknown").listen(1_000, AbortSignal.timeout(1_000));
  expect(heard.kind).toBe("DROPPED");
  expect(messenger.assumesOpenWindow).toBe(false);
  expect(await numbers.search({ countryCode: "ZZ", areaCode: "1", limit: 1 }, signal)).toMatchObject({ kind: "DONE" });
});
