import { randomUUID } from "node:crypto";
import fc from "fast-check";
import Telnyx from "telnyx";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { CarrierWebhook, WebhookReading } from "#src/telephony/carriers/account.ts";
import { createTelnyxVerifier } from "#src/telephony/carriers/telnyx/telnyx-signature.ts";
import { TelnyxHarness } from "../../kit/carriers/telnyx-harness.ts";
import { toEvent, WebhookSigner } from "../../kit/carriers/telnyx-phone.ts";

const signer = new WebhookSigner();
const sdk = new Telnyx({ apiKey: "KEY0123456789", publicKey: signer.publicKey });
const verify = createTelnyxVerifier(signer.publicKey);
const BODY = JSON.stringify({ data: toEvent("call.answered", { call_control_id: "v3:1" }) });
const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Returns the verdict of Telnyx's own SDK on a webhook. */
async function sdkTakes(headers: Record<string, string>, body: string): Promise<boolean> {
  return await sdk.webhooks.unwrap(body, { headers }).then(
    () => true,
    () => false,
  );
}

const weTake = (headers: Record<string, string>, body: string) =>
  verify(headers, Buffer.from(body), Date.now()) === null;

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

describe("a signature", () => {
  const good = signer.sign(BODY);
  const signature = good["telnyx-signature-ed25519"] ?? "";
  const flipped = Buffer.from(signature, "base64").map((byte, at) => (at === 10 ? byte ^ 1 : byte));
  const cases: [string, boolean, Record<string, string>, string][] = [
    ["as Telnyx makes it", true, good, BODY],
    ["of four minutes ago", true, signer.sign(BODY, { seconds: nowSeconds() - 240 }), BODY],
    ["of a clock four minutes ahead", true, signer.sign(BODY, { seconds: nowSeconds() + 240 }), BODY],
    ["of six minutes ago", false, signer.sign(BODY, { seconds: nowSeconds() - 360 }), BODY],
    ["of a clock six minutes ahead", false, signer.sign(BODY, { seconds: nowSeconds() + 360 }), BODY],
    ["of another key", false, signer.sign(BODY, { forged: true }), BODY],
    ["of another body", false, good, BODY.replace("answered", "hangup")],
    ["of a body with one more space", false, good, `${BODY} `],
    [
      "with a changed bit",
      false,
      { ...good, "telnyx-signature-ed25519": Buffer.from(flipped).toString("base64") },
      BODY,
    ],
    ["with another timestamp", false, { ...good, "telnyx-timestamp": String(nowSeconds() - 7) }, BODY],
    ["with a timestamp in words", false, { ...good, "telnyx-timestamp": "now" }, BODY],
    ["without its padding", false, { ...good, "telnyx-signature-ed25519": signature.replaceAll("=", "") }, BODY],
    ["that is too short", false, { ...good, "telnyx-signature-ed25519": "AAAA" }, BODY],
    ["that is empty", false, { ...good, "telnyx-signature-ed25519": "" }, BODY],
    ["that is missing", false, without(good, "telnyx-signature-ed25519"), BODY],
    ["without a timestamp", false, without(good, "telnyx-timestamp"), BODY],
  ];
  test.each(cases)("%s: taken is %s, by Telnyx's SDK as by us", async (_name, isTaken, headers, body) => {
    expect(await sdkTakes(headers, body)).toBe(isTaken);
    expect(weTake(headers, body)).toBe(isTaken);
  });

  test("of any body, whole or damaged anywhere, is judged as Telnyx's SDK judges it", async () => {
    const anyBody = fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }));
    const damage = fc.option(fc.tuple(fc.nat(), fc.integer({ min: 32, max: 126 })), { nil: null });
    const property = fc.asyncProperty(anyBody, damage, damage, async (value, inBody, inSignature) => {
      const body = JSON.stringify(value);
      const headers = signer.sign(body);
      const damagedBody = spoil(body, inBody);
      const damagedSignature = spoil(headers["telnyx-signature-ed25519"] ?? "", inSignature);
      const sent = { ...headers, "telnyx-signature-ed25519": damagedSignature };
      // The SDK also parses what it has verified, so it rejects a body that is not JSON; that says nothing of the
      // signature.
      const expected = isParsable(damagedBody) && (await sdkTakes(sent, damagedBody));
      expect(weTake(sent, damagedBody)).toBe(expected);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test("is never believed with a public key that is none", () => {
    for (const key of ["", "AAAA", "not base64 at all", "A".repeat(44)]) {
      expect(createTelnyxVerifier(key)(good, Buffer.from(BODY), Date.now()), key).not.toBeNull();
    }
  });
});

function spoil(text: string, damage: [number, number] | null): string {
  if (!damage || text.length === 0) return text;
  const at = damage[0] % text.length;
  return text.slice(0, at) + String.fromCodePoint(damage[1]) + text.slice(at + 1);
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Passes a signed webhook to the account. */
function read(
  harness: TelnyxHarness,
  path: string,
  body: string,
  change: Partial<CarrierWebhook> = {},
): WebhookReading {
  const url = `${harness.publicUrl}/api/webhooks/carriers/telnyx/${harness.account.id}/${path}`;
  const headers = harness.telnyx.signer.sign(body);
  return harness.account.readWebhook({ method: "POST", url, path, headers, body: Buffer.from(body), ...change });
}

const stateOf = (attemptId: string) => Buffer.from(attemptId).toString("base64");
const wrap = (event: object, meta?: object) => JSON.stringify({ data: event, ...(meta ? { meta } : {}) });

describe("a webhook", () => {
  test("sent again to the address of another call is turned away", async () => {
    await using harness = await TelnyxHarness.start();
    const [mine, other] = [uuidv7(), uuidv7()];
    const event = toEvent("call.answered", { call_control_id: "v3:1", client_state: stateOf(mine) });
    expect(read(harness, `calls/${mine}`, wrap(event))).toMatchObject({ kind: "READ" });
    expect(read(harness, `calls/${other}`, wrap(event))).toMatchObject({ kind: "MALFORMED" });
  });

  test("that names another address than it was sent to is forged", async () => {
    await using harness = await TelnyxHarness.start();
    const message = toEvent("message.finalized", { id: randomUUID(), to: [{ status: "delivered" }] });
    const path = `messages/${uuidv7()}`;
    const hook = `${harness.publicUrl}/api/webhooks/carriers/telnyx/${harness.account.id}`;
    const own = wrap(message, { attempt: 1, delivered_to: `${hook}/${path}` });
    const others = wrap(message, { attempt: 1, delivered_to: `${hook}/messages/${uuidv7()}` });
    expect(read(harness, path, own)).toMatchObject({ kind: "READ" });
    expect(read(harness, path, others)).toMatchObject({ kind: "FORGED" });
  });

  test("of an event that Parley has no use for is taken and tells nothing", async () => {
    await using harness = await TelnyxHarness.start();
    for (const type of ["call.cost", "conference.created", "fax.queued", "number_order.complete"]) {
      const reading = read(harness, "calls", wrap(toEvent(type, { call_control_id: "v3:1" })));
      expect(reading, type).toMatchObject({ kind: "READ", events: [], answer: { status: 200 } });
    }
  });

  test.each([
    ["human", "HUMAN"],
    ["human_business", "HUMAN"],
    ["machine", "MACHINE_VOICEMAIL"],
    ["fax_detected", "FAX"],
    ["silence", "UNCERTAIN"],
    ["something_new", "UNCERTAIN"],
  ])("that says who answered, %s, is understood as %s", async (result, answeredBy) => {
    await using harness = await TelnyxHarness.start();
    const attemptId = uuidv7();
    const ids = { call_control_id: "v3:1", client_state: stateOf(attemptId) };
    read(harness, `calls/${attemptId}`, wrap(toEvent("call.answered", ids)));
    // These events name no call, so only the attempt id identifies it.
    const found = toEvent("call.machine.premium.detection.ended", { client_state: stateOf(attemptId), result });
    const event = { type: "ANSWERED", attemptId, providerCallId: "v3:1", answeredBy };
    expect(read(harness, `calls/${attemptId}`, wrap(found))).toMatchObject({
      events: [{ kind: "CALL", event }],
    });
  });

  test.each([
    ["normal_clearing", "200", "ANSWERED"],
    ["time_limit", "200", "ANSWERED"],
    ["user_busy", "486", "BUSY"],
    ["timeout", "487", "NO_ANSWER"],
    ["no_answer", "unspecified", "NO_ANSWER"],
    ["originator_cancel", "487", "NO_ANSWER"],
    ["call_rejected", "603", "REJECTED"],
    ["not_found", "404", "INVALID_NUMBER"],
    ["unspecified", "480", "UNREACHABLE"],
    ["unspecified", "604", "INVALID_NUMBER"],
    ["unspecified", "unspecified", "CARRIER_FAILURE"],
    ["something_new", "500", "CARRIER_FAILURE"],
  ])("of a call that ended by %s, SIP %s, is the outcome %s", async (cause, sip, outcome) => {
    await using harness = await TelnyxHarness.start();
    const attemptId = uuidv7();
    const ending = { hangup_cause: cause, sip_hangup_cause: sip, hangup_source: "unknown" };
    const body = wrap(toEvent("call.hangup", { call_control_id: "v3:1", client_state: stateOf(attemptId), ...ending }));
    const sipCode = sip === "unspecified" ? null : Number(sip);
    const event = { type: "ENDED", outcome, sipCode, hungUpBy: "CARRIER" };
    expect(read(harness, `calls/${attemptId}`, body)).toMatchObject({ events: [{ kind: "CALL", event }] });
  });

  test("of any shape whatever is read without throwing", async () => {
    await using harness = await TelnyxHarness.start();
    const type = fc.constantFrom("call.initiated", "call.hangup", "message.received", "message.sent", "x");
    const odd = fc.record({ event_type: type, id: fc.jsonValue(), occurred_at: fc.jsonValue(), payload: fc.object() });
    const path = fc.oneof(fc.constantFrom("calls", "messages", "legs", `calls/${uuidv7()}`, ""), fc.string());
    const property = fc.property(fc.oneof(odd, fc.jsonValue()), path, (data, where) => {
      const reading = read(harness, where, JSON.stringify({ data }), { url: `${harness.publicUrl}/hook` });
      expect(["READ", "MALFORMED", "FORGED"]).toContain(reading.kind);
    });
    fc.assert(property, { numRuns: 300 });
    expect(read(harness, "calls", "no json")).toMatchObject({ kind: "MALFORMED" });
    expect(read(harness, "calls", "")).toMatchObject({ kind: "MALFORMED" });
  });
});
