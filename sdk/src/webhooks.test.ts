import { createHmac, randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { Parley, webhooks, type VerifyOptions, WebhookVerificationError } from "./client.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const OTHER = `whsec_${randomBytes(24).toString("base64")}`;
const BODY = JSON.stringify({ eventId: "e1", eventType: "session.ended", session: { contactName: "Zoë 🙂" } });
const NOW = new Date("2026-11-22T12:00:00Z");
const seconds = (offset = 0) => NOW.getTime() / 1_000 + offset;

/** Headers by the definition of Standard Webhooks, written out here apart from the service's own code. */
function sign(body: string, { secret = SECRET, id = "e1", at = seconds() } = {}): Record<string, string> {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
}

const verify = (headers: Record<string, string | string[]>, body: string, options: Partial<VerifyOptions> = {}) =>
  webhooks.verify(headers, body, { signingSecret: SECRET, now: NOW, ...options });
const refused = (made: Promise<unknown>) => expect(made).rejects.toThrow(WebhookVerificationError);

test("takes what another implementation signs, as text, bytes and Headers, and refuses what it refuses", async () => {
  const peer = new Webhook(SECRET);
  const now = new Date();
  const at = String(Math.floor(now.getTime() / 1_000));
  const headers = {
    "webhook-id": "e1",
    "webhook-timestamp": at,
    "webhook-signature": peer.sign("e1", now, BODY),
  };
  const bytes = new TextEncoder().encode(BODY);
  for (const body of [BODY, bytes, bytes.buffer, Buffer.from(`x${BODY}`).subarray(1)]) {
    const event = await webhooks.verify(new Headers(headers), body, { signingSecret: SECRET });
    expect(event).toEqual(peer.verify(BODY, headers));
  }
  for (const changed of [
    { ...headers, "webhook-id": "e2" },
    { ...headers, "webhook-timestamp": String(Number(at) - 1) },
    { ...headers, "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}` },
    { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") },
    { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, -8) },
  ]) {
    expect(() => peer.verify(BODY, changed)).toThrow();
    await refused(webhooks.verify(changed, BODY, { signingSecret: SECRET }));
  }
  await refused(webhooks.verify(headers, BODY.replace("ended", "ENDED"), { signingSecret: SECRET }));
  await refused(webhooks.verify(headers, BODY, { signingSecret: OTHER }));
});

test("a number with more digits than JavaScript holds is the text of its digits", async () => {
  const text =
    '{"id":12345678901234567890,"list":[-9007199254740993,9223372036854776000,1.5],"phone":"4930123456789012"}';
  const body = `{"eventId":"e1","eventType":"session.ended","session":{"contextData":${text}}}`;
  const contextData = {
    id: "12345678901234567890",
    list: ["-9007199254740993", 9223372036854776000, 1.5],
    phone: "4930123456789012",
  };
  expect(await verify(sign(body), body)).toMatchObject({ session: { contextData } });
  const answer = async () => new Response(`{"id":"r1","contextData":${text}}`);
  expect(await new Parley({ apiKey: "k", fetch: answer }).calls.get("r1")).toMatchObject({ contextData });
});

test("nothing passes without a secret, a signature or the raw body", async () => {
  for (const signingSecret of ["", "whsec_", "hunter2", "whsec_!!", [], [SECRET, ""], undefined]) {
    expect(() => verify(sign(BODY), BODY, { signingSecret: signingSecret as string }), String(signingSecret)).toThrow(
      TypeError,
    );
  }
  const old = webhooks.verify as unknown as (...args: unknown[]) => unknown;
  expect(() => old({}, { mode: "NONE" })).toThrow(TypeError);
  expect(() => old(sign(BODY), JSON.parse(BODY), { signingSecret: SECRET })).toThrow("raw body");
  await refused(verify({}, BODY));
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    await refused(verify({ ...sign(BODY), [name]: "" }, BODY));
  }
  for (const time of ["soon", "1e9", "-5", "NaN", "Infinity"]) {
    await refused(verify({ ...sign(BODY), "webhook-timestamp": time }, BODY));
  }
});

test("an old or early signature is a replay or a wrong clock", async () => {
  for (const offset of [-300, 0, 300]) await verify(sign(BODY, { at: seconds(offset) }), BODY);
  for (const offset of [-301, 301, -86_400]) await refused(verify(sign(BODY, { at: seconds(offset) }), BODY));
  await verify(sign(BODY, { at: seconds(-9) }), BODY, { toleranceSeconds: 10 });
  await refused(verify(sign(BODY, { at: seconds(-11) }), BODY, { toleranceSeconds: 10 }));
  expect(() => verify(sign(BODY), BODY, { toleranceSeconds: Number.NaN })).toThrow(TypeError);
});

test("while secrets are rotated any of both sides' is right", async () => {
  const options = { signingSecret: [SECRET, OTHER] };
  expect(await verify(sign(BODY, { secret: OTHER }), BODY, options)).toMatchObject({ eventId: "e1" });
  const both = [SECRET, OTHER].map((secret) => sign(BODY, { secret })["webhook-signature"]);
  const headers = { ...sign(BODY), "webhook-signature": `v1a,xyz ${both.join(" ")}` };
  expect(await verify(headers, BODY, { signingSecret: OTHER })).toMatchObject({ eventId: "e1" });
  await refused(verify(sign(BODY), BODY, { signingSecret: [OTHER] }));
});

const bearer = { mode: "BEARER", secret: "top-secret" } as const;
const custom = { mode: "CUSTOM_HEADER", headerName: "X-My-Key", headerValue: "abc" } as const;

test.each([
  [{ authorization: "Bearer top-secret" }, bearer, true],
  [{ Authorization: "Bearer top-secret" }, bearer, true],
  [{ authorization: "Bearer top-secre" }, bearer, false],
  [{ authorization: "Bearer top-secret2" }, bearer, false],
  [{ authorization: "bearer top-secret" }, bearer, false],
  [{}, bearer, false],
  [{ "x-my-key": "abc" }, custom, true],
  [{ "x-my-key": "abcabc" }, custom, false],
  [{ "x-my-key": ["abc"] }, custom, true],
  [{ "x-other": "abc" }, custom, false],
])("beside the signature %j has the secret of %j: %s", async (headers, auth, expected) => {
  const all = { ...sign(BODY), ...(headers as Record<string, string | string[]>) };
  const isTaken = await verify(all, BODY, { auth }).then(
    () => true,
    (error: unknown) => !(error instanceof WebhookVerificationError),
  );
  expect(isTaken).toBe(expected);
  // The secret alone proves nothing about the body.
  await refused(verify(headers as Record<string, string>, BODY, { auth }));
});

test("an agreed secret that is empty is a fault of the receiver", () => {
  for (const auth of [{ ...bearer, secret: "" }, { ...custom, headerValue: "" }, { mode: "NONE" }]) {
    expect(() => verify(sign(BODY), BODY, { auth: auth as typeof bearer })).toThrow(TypeError);
  }
});

test("a signed body that is no event is refused, and an event of a newer service is given", async () => {
  for (const body of ["{", "null", "7", "{}", '{"eventType":"x"}']) await refused(verify(sign(body), body));
  const newer = '{"eventId":"e1","eventType":"session.paused"}';
  expect(await verify(sign(newer), newer)).toEqual({ eventId: "e1", eventType: "session.paused" });
});

test("events are told apart by their type", async () => {
  const body = '{"eventId":"e1","eventType":"message.created","message":{"content":"Hi"}}';
  const event = await verify(sign(body), body);
  // Compiles because each type has its own members.
  const text =
    event.eventType === "call_job.completed"
      ? event.job.name
      : event.eventType === "message.created"
        ? event.message.content
        : event.session.id;
  expect(text).toBe("Hi");
});

test("delivery reads what a receiver de-duplicates on", () => {
  const headers = {
    "X-Service-Event-Type": "call_job.completed",
    "x-service-event-id": "e1",
    "x-service-delivery-attempt": "3",
  };
  expect(webhooks.delivery(headers)).toEqual({ eventType: "call_job.completed", eventId: "e1", attempt: 3 });
});
