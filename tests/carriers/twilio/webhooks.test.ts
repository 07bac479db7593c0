import fc from "fast-check";
import twilioSdk from "twilio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CarrierWebhook } from "#src/telephony/carriers/account.ts";
import { isSignedByTwilio } from "#src/telephony/carriers/twilio/twilio-signature.ts";
import { TwilioHost } from "../../kit/carriers/twilio-host.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const ACCOUNT = `AC${"0a".repeat(16)}`;
const CALL = `CA${"1b".repeat(16)}`;
const SMS = `SM${"2c".repeat(16)}`;
const ATTEMPT = "0199aaaa-0000-7000-8000-0000000000aa";
const OURS = "+12025550001";
const THEIRS = "+14155552671";

let host: TwilioHost;
beforeAll(async () => {
  const keys = { settings: { accountSid: ACCOUNT }, secrets: { authToken: TOKEN } };
  host = await TwilioHost.start("http://127.0.0.1:9", keys);
});
afterAll(() => host[Symbol.asyncDispose]());

const sign = (url: string, form: Record<string, unknown>, token = TOKEN) =>
  twilioSdk.getExpectedTwilioSignature(token, url, form);

/** A webhook as Twilio's own library signs it. */
function signed(path: string, form: Record<string, string>): CarrierWebhook {
  const fields = { AccountSid: ACCOUNT, ...form };
  const url = `https://parley.example/api/webhooks/carriers/twilio/${host.account.id}/${path}`;
  const headers = { "x-twilio-signature": sign(url, fields) };
  return { method: "POST", url, path, headers, body: Buffer.from(new URLSearchParams(fields).toString()) };
}
const read = (path: string, form: Record<string, string>) => host.account.readWebhook(signed(path, form));

describe("the official library and we agree", () => {
  const forms = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name !== "__proto__" && !name.includes("\0")),
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 3 }),
    ),
    { maxKeys: 8 },
  );
  const urls = fc.webUrl({ withQueryParameters: true });
  const write = (form: Record<string, string | string[]>) => {
    const pairs = Object.entries(form).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, item]),
    );
    return new URLSearchParams(pairs);
  };
  // A lone surrogate cannot be sent in a form, so what comes of it is signed.
  const wellFormed = (form: Record<string, string | string[]>) =>
    JSON.parse(JSON.stringify(form), (_key, value: unknown) =>
      typeof value === "string" ? value.toWellFormed() : value,
    ) as typeof form;

  test("on what it signs", () => {
    fc.assert(
      fc.property(urls, forms, (url, raw) => {
        const form = Object.fromEntries(
          Object.entries(wellFormed(raw)).map(([name, value]) => [name.toWellFormed(), value]),
        );
        expect(isSignedByTwilio(TOKEN, sign(url, form), url, write(form))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("on what it refuses: another address, another key, a changed, added or missing field", () => {
    const url = "https://parley.example/hook";
    const form = { CallSid: CALL, CallStatus: "completed" };
    const signature = sign(url, form);
    const changed: [string, string, string, Record<string, string>][] = [
      [TOKEN, signature, `${url}/x`, form],
      [TOKEN, signature, "https://other.example/hook", form],
      [TOKEN, signature, "http://parley.example/hook", form],
      [TOKEN.replace("0", "1"), signature, url, form],
      [TOKEN, signature, url, { ...form, CallStatus: "busy" }],
      [TOKEN, signature, url, { ...form, More: "1" }],
      [TOKEN, signature, url, { CallSid: CALL }],
      [TOKEN, signature.slice(0, -2), url, form],
      [TOKEN, "", url, form],
    ];
    for (const [token, given, at, fields] of changed) {
      expect(twilioSdk.validateRequest(token, given, at, fields)).toBe(false);
      expect(isSignedByTwilio(token, given, at, new URLSearchParams(fields))).toBe(false);
    }
  });

  test.each([
    ["https://parley.example:443/hook", "https://parley.example/hook"],
    ["https://parley.example/hook", "https://parley.example:443/hook"],
    ["https://parley.example/hook", "https://parley.example:8443/hook"],
    ["http://parley.example:80/hook", "http://parley.example/hook"],
  ])("on %s signed for %s", (signedUrl, url) => {
    const signature = sign(signedUrl, {});
    expect(twilioSdk.validateRequest(TOKEN, signature, url, {})).toBe(true);
    expect(isSignedByTwilio(TOKEN, signature, url, new URLSearchParams())).toBe(true);
  });

  test("on a GET, which signs its address", () => {
    const url = "https://parley.example/hook?a=1&b=%20";
    expect(isSignedByTwilio(TOKEN, sign(url, {}), url, null)).toBe(true);
    expect(isSignedByTwilio(TOKEN, sign(url, {}), url.replace("1", "2"), null)).toBe(false);
  });
});

describe("the events of calls", () => {
  const stamp = { CallSid: CALL, From: OURS, To: THEIRS, Timestamp: "Sun, 25 Mar 2018 09:53:19 +0000" };
  const base = { attemptId: ATTEMPT, providerCallId: CALL, at: "2018-03-25T09:53:19.000Z" };
  const eventOf = (path: string, form: Record<string, string>) => {
    const reading = read(path, { ...stamp, ...form });
    if (reading.kind !== "READ") throw new Error(reading.message);
    const [webhookEvent] = reading.events;
    return webhookEvent?.kind === "CALL" ? webhookEvent.event : null;
  };

  test.each([
    [{ CallStatus: "initiated", SequenceNumber: "0" }, null],
    [
      { CallStatus: "ringing", SequenceNumber: "1" },
      { type: "RINGING", eventKey: `${CALL}:1` },
    ],
    [
      { CallStatus: "in-progress", SequenceNumber: "2" },
      { type: "ANSWERED", answeredBy: "UNCERTAIN" },
    ],
    [
      { CallStatus: "in-progress", SequenceNumber: "2", AnsweredBy: "machine_end_beep" },
      { answeredBy: "MACHINE_VOICEMAIL" },
    ],
    [
      { CallStatus: "completed", SequenceNumber: "3", SipResponseCode: "200" },
      { outcome: "ANSWERED", hungUpBy: "CUSTOMER", sipCode: 200 },
    ],
    [
      { CallStatus: "completed", AnsweredBy: "fax" },
      { outcome: "FAX", eventKey: `${CALL}:completed` },
    ],
    [{ CallStatus: "completed", AnsweredBy: "machine_start" }, { outcome: "VOICEMAIL" }],
    [
      { CallStatus: "busy", SipResponseCode: "486" },
      { outcome: "BUSY", sipCode: 486 },
    ],
    [
      { CallStatus: "busy", SipResponseCode: "603" },
      { outcome: "REJECTED", hungUpBy: "CUSTOMER" },
    ],
    [
      { CallStatus: "no-answer", SipResponseCode: "487" },
      { outcome: "NO_ANSWER", hungUpBy: "CARRIER" },
    ],
    [{ CallStatus: "canceled" }, { outcome: "NO_ANSWER" }],
    [{ CallStatus: "failed" }, { outcome: "UNREACHABLE", sipCode: null }],
    [{ CallStatus: "failed", SipResponseCode: "404" }, { outcome: "INVALID_NUMBER" }],
    [{ CallStatus: "failed", SipResponseCode: "480" }, { outcome: "UNREACHABLE" }],
    [{ CallStatus: "failed", SipResponseCode: "607" }, { outcome: "REJECTED" }],
    [
      { CallStatus: "failed", SipResponseCode: "503" },
      { outcome: "CARRIER_FAILURE", sipCode: 503 },
    ],
    [{ CallStatus: "failed", SipResponseCode: "9x9" }, { sipCode: null }],
  ] as [Record<string, string>, object | null][])("%j", (form, event) => {
    expect([eventOf(`calls/${ATTEMPT}`, form)]).toMatchObject([event && { ...base, ...event }]);
  });

  test.each([
    ["human", "HUMAN"],
    ["machine_start", "MACHINE_VOICEMAIL"],
    ["machine_end_silence", "MACHINE_VOICEMAIL"],
    ["machine_end_other", "MACHINE_VOICEMAIL"],
    ["fax", "FAX"],
    ["unknown", "UNCERTAIN"],
    ["something_new", "UNCERTAIN"],
  ])("who answered: %s is %s", (AnsweredBy, answeredBy) => {
    const found = eventOf(`calls/${ATTEMPT}/answered-by`, { AnsweredBy, MachineDetectionDuration: "1200" });
    expect(found).toMatchObject({ ...base, type: "ANSWERED", answeredBy, eventKey: `${CALL}:answered-by` });
  });

  test("audio that does not come ends the call as the carrier's failure", () => {
    const form = { StreamEvent: "stream-error", StreamError: "31920 handshake", Timestamp: "2026-11-21T12:00:00.123Z" };
    expect(eventOf(`calls/${ATTEMPT}/stream`, form)).toMatchObject({
      type: "ENDED",
      outcome: "CARRIER_FAILURE",
      at: "2026-11-21T12:00:00.123Z",
      reason: expect.stringContaining("31920") as string,
    });
    expect(eventOf(`calls/${ATTEMPT}/stream`, { ...form, StreamEvent: "stream-started" })).toBeNull();
  });

  test("a repeat has the same key, and nothing else has", () => {
    const key = (form: Record<string, string>) => eventOf(`calls/${ATTEMPT}`, form)?.eventKey;
    const ringing = { CallStatus: "ringing", SequenceNumber: "1" };
    expect(key(ringing)).toBe(key({ ...ringing, Timestamp: "Sun, 25 Mar 2018 09:53:20 +0000" }));
    expect(key(ringing)).not.toBe(key({ CallStatus: "in-progress", SequenceNumber: "2" }));
    expect(key({ ...ringing, CallSid: `CA${"ff".repeat(16)}` })).not.toBe(key(ringing));
  });
});

describe("what people send", () => {
  const text = { MessageSid: SMS, From: THEIRS, To: OURS, Body: "Hi", NumMedia: "0" };
  const messageOf = (form: Record<string, string>) => {
    const reading = read("messages", { ...text, ...form });
    return reading.kind === "READ" ? (reading.events[0] ?? null) : reading;
  };
  const heard = (more: object) => ({
    kind: "MESSAGE_IN",
    message: { provider: "TWILIO", providerMessageId: SMS, ...more },
  });

  test.each([
    [{}, heard({ channel: "SMS", from: THEIRS, to: OURS, text: "Hi" })],
    [{ From: `whatsapp:${THEIRS}`, To: `whatsapp:${OURS}` }, heard({ channel: "WHATSAPP", from: THEIRS, to: OURS })],
    [{ Body: "", NumMedia: "1", MediaContentType0: "image/jpeg" }, heard({ text: "[image/jpeg]" })],
    [{ NumMedia: "1", MediaContentType0: "audio/ogg" }, heard({ text: "Hi\n[audio/ogg]" })],
    [{ Body: "genug", OptOutType: "STOP" }, heard({ text: "STOP" })],
    [{ From: "22395" }, null],
    [{ NumMedia: "1e9", Body: "x" }, heard({})],
    [{ MessageSid: "no" }, { kind: "MALFORMED" }],
    [{ To: "us" }, { kind: "MALFORMED" }],
  ] as [Record<string, string>, object | null][])("a message with %j", (form, webhookEvents) => {
    expect([messageOf(form)]).toMatchObject([webhookEvents]);
  });

  const NOT_DELIVERED = { code: "NOT_DELIVERED" };
  const UNREGISTERED = { code: "TWILIO_30034", message: expect.stringContaining("A2P 10DLC") as string };
  test.each([
    ["sent", "SENT", "", null],
    ["delivered", "DELIVERED", "", null],
    ["read", "READ", "", null],
    ["undelivered", "FAILED", "30034", UNREGISTERED],
    ["failed", "FAILED", "none", NOT_DELIVERED],
  ])("a report that a message is %s", (MessageStatus, status, ErrorCode, error) => {
    const reading = read("messages/m-1", { MessageSid: SMS, MessageStatus, ErrorCode });
    const report = { messageId: "m-1", providerMessageId: SMS, status, error };
    expect(reading).toMatchObject({ kind: "READ", events: [{ kind: "DELIVERY", report }] });
  });

  test.each(["queued", "accepted", "sending", "scheduled"])("a report that a message is %s tells nothing", (word) => {
    expect(read("messages/m-1", { MessageSid: SMS, MessageStatus: word })).toMatchObject({
      kind: "READ",
      events: [],
    });
  });

  test.each([
    [THEIRS, THEIRS],
    ["+266696687", ""],
    ["anonymous", ""],
    ["sip:bob@example.com", ""],
  ])("a call from %s", (From, from) => {
    const reading = read("calls", { CallSid: CALL, From, To: OURS, CallStatus: "ringing" });
    expect(reading).toMatchObject({
      events: [{ kind: "CALL_IN", call: { providerCallId: CALL, from, to: OURS } }],
    });
  });
});

describe("what is not understood", () => {
  const form = { CallSid: CALL, CallStatus: "completed" };

  test.each([
    ["calls/not-a-uuid", form],
    [`calls/${ATTEMPT}/other`, form],
    [`calls/${ATTEMPT}/stream/more`, form],
    ["legs", form],
    ["elsewhere", form],
    ["", form],
    [`calls/${ATTEMPT}`, { CallSid: "CA1", CallStatus: "completed" }],
    [`calls/${ATTEMPT}`, { CallSid: CALL }],
    [`calls/${ATTEMPT}`, { ...form, AccountSid: `AC${"ff".repeat(16)}` }],
    ["messages/a%2Fb", { MessageSid: SMS, MessageStatus: "sent" }],
  ] as [string, Record<string, string>][])("%s with %j is malformed", (path, fields) => {
    expect(read(path, fields).kind).toBe("MALFORMED");
  });

  test("nothing that comes makes it throw", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        (path, bytes, signature) => {
          const webhook = { method: "POST", url: `https://p.example/${path}`, path, body: Buffer.from(bytes) } as const;
          expect(host.account.readWebhook({ ...webhook, headers: { "x-twilio-signature": signature } }).kind).toBe(
            "FORGED",
          );
          const form = Object.fromEntries(new URLSearchParams(Buffer.from(bytes).toString()));
          expect(["READ", "MALFORMED"]).toContain(read(path, form).kind);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a webhook without its signature is forged", () => {
    expect(host.account.readWebhook({ ...signed(`calls/${ATTEMPT}`, form), headers: {} }).kind).toBe("FORGED");
    const get = { ...signed(`calls/${ATTEMPT}`, form), method: "GET" } as const;
    expect(host.account.readWebhook(get).kind).toBe("FORGED");
  });
});
