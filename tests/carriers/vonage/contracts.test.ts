import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CarrierWebhookEvent } from "#src/telephony/carriers/account.ts";
import type { OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { readDialReply } from "#src/telephony/carriers/vonage/vonage-errors.ts";
import { readCallRecord } from "#src/telephony/carriers/vonage/vonage-look-up.ts";
import { collectSamples, readDocument, type Schema } from "../../kit/carriers/vonage-documents.ts";
import { until, VonageHarness } from "../../kit/carriers/vonage-harness.ts";
import { signWebhook, type VonageIdentity } from "../../kit/carriers/vonage-poster.ts";
import type { VonageServerRequest } from "../../kit/carriers/vonage-server.ts";
import { findContracts } from "../../kit/repository.ts";
import { COLD_ORDER } from "../../kit/trial-order.ts";

/** The documents that Vonage publishes, as of 2021. They are not part of this repository. */
const NAMES = [
  "vonage-voice.yml",
  "vonage-numbers.yml",
  "vonage-application.v2.yml",
  "vonage-messages-olympus.yml",
  "vonage-sms.yml",
  "vonage-ncco-schema.json",
];
const published = findContracts(...NAMES);

const NEVER = new AbortController().signal;
const FROM = "+12025550199";
const TO = "+14155550123";

function read(name: string): Schema {
  const text = readFileSync(published.path(name), "utf8");
  return (name.endsWith(".json") ? JSON.parse(text) : parseYaml(text)) as Schema;
}

function assertFits(validate: ValidateFunction, value: unknown): void {
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

/** Sends everything that the adapter can send, once; gives the requests and the answers to webhooks. */
async function sendEverything() {
  await using harness = await VonageHarness.start();
  const { carrier, messenger, numbers } = harness.account;
  const dial = { attemptId: randomUUID(), workspaceId: "w", from: FROM, to: TO };
  const result = await carrier.dial({ ...dial, ringTimeoutSeconds: 30, eventsUrl: "" }, NEVER);
  if (result.kind !== "ACCEPTED") throw new Error(JSON.stringify(result));
  const asked = { ...dial, dialledAt: new Date(), providerCallId: null };
  await carrier.lookUp(asked, NEVER);
  await carrier.lookUp({ ...asked, providerCallId: result.providerCallId }, NEVER);
  const transfer = { ...ORDER, destination: "+14155550188" };
  await carrier.dialLeg?.(result.providerCallId, transfer, AbortSignal.timeout(1_000));
  const sip = { ...ORDER, destinationType: "SIP", destination: "sip:desk@example.com" } as const;
  await carrier.dialLeg?.(result.providerCallId, { ...sip, sipHeaders: { "X-Case": "7" } }, AbortSignal.timeout(1_000));
  await carrier.hangUp(result.providerCallId);
  await numbers.search({ countryCode: "US", areaCode: "212", limit: 3 }, NEVER);
  await numbers.search({ countryCode: "US", areaCode: null, limit: 3 }, NEVER);
  const bought = await numbers.buy("+12125550142", NEVER);
  if (bought.kind !== "DONE") throw new Error(JSON.stringify(bought));
  await numbers.configure(bought.value, NEVER);
  await numbers.release(bought.value, NEVER);
  const message = { ...MESSAGE, messageId: randomUUID() };
  const template = { name: "ns:visit", language: "en-GB", variables: { "1": "Ada" } };
  await messenger.send({ ...message, channel: "SMS" }, NEVER);
  await messenger.send(message, NEVER);
  await messenger.send({ ...message, template }, NEVER);
  await messenger.send({ ...message, template: { ...template, variables: { who: "Ada" } } }, NEVER);
  await messenger.lookUp({ ...message, providerMessageId: null, sentAt: new Date() }, NEVER);
  await harness.account.check(NEVER);
  harness.inboundAttemptId = randomUUID();
  await harness.vonage.callIn(TO, FROM);
  harness.inboundAttemptId = null;
  await harness.vonage.callIn(TO, FROM);
  await until(() => harness.vonage.poster.replies.filter(({ body }) => body.startsWith("[")).length === 2);
  const orders = harness.vonage.poster.replies.flatMap(({ body }) => (body.startsWith("[") ? [body] : []));
  return { requests: [...harness.vonage.requests], orders };
}

const ORDER = { ...COLD_ORDER, destination: "", ringTimeoutSeconds: 20 };

const MESSAGE: Omit<OutgoingMessage, "messageId"> = {
  workspaceId: "w",
  channel: "WHATSAPP",
  from: FROM,
  to: TO,
  text: "Hello.",
  template: null,
  attempt: 1,
};

/** Requests of which the documents of 2021 say nothing. */
const UNDOCUMENTED = new Map([
  ["GET /v2/reports/records", "the Reports document is not among the ones at hand"],
  ["GET /account/get-balance", "the Account document is not among the ones at hand"],
]);

describe.skipIf(!published.areThere)(`Vonage's published documents${published.why}`, () => {
  let sent: Awaited<ReturnType<typeof sendEverything>>;
  const counts = { valid: 0, orders: 0, undocumented: 0, fixtures: 0, ignored: 0 };
  beforeAll(async () => {
    sent = await sendEverything();
  });
  afterAll(() => {
    const { valid, orders, undocumented, fixtures, ignored } = counts;
    console.log(
      `Vonage: ${valid} requests and ${orders} call orders fit the documents (${undocumented} have none); ` +
        `${fixtures} webhook fixtures parsed, ${ignored} of them of channels and products that are not used.`,
    );
  });

  test("every request fits its operation: path, query and body", () => {
    const documents = NAMES.filter((name) => name.endsWith(".yml")).map((name) => readDocument(name, read(name)));
    for (const request of sent.requests) {
      const named = `${request.method} ${request.path}`;
      if (UNDOCUMENTED.has(named)) {
        counts.undocumented++;
        continue;
      }
      const operation = documents.map((document) => document.find(request.method, request.path)).find(Boolean);
      expect(operation, named).toBeDefined();
      const body = bodyOf(request);
      // WhatsApp's own form of a template is newer than the document: the vendor's kit is compared with elsewhere.
      if (isCustom(body)) {
        counts.undocumented++;
        continue;
      }
      expect(operation?.check(Object.fromEntries(request.query), toDocumented(request, body)), named).toEqual([]);
      counts.valid++;
    }
    expect(counts.valid).toBeGreaterThanOrEqual(18);
    expect(new Set(sent.requests.map(({ method, path }) => `${method} ${path}`)).size).toBeGreaterThanOrEqual(14);
  });

  test("every order of ours for a call fits the schema of such orders", () => {
    const { $schema: _old, ...schema } = read("vonage-ncco-schema.json");
    const validate = new Ajv2020.default({ strict: false, validateFormats: false }).compile(schema);
    const dialled = sent.requests.filter(({ method, path }) => method === "POST" && path === "/v1/calls");
    const [taken = "", declined] = sent.orders;
    for (const ncco of [
      ...dialled.map(({ body }) => (JSON.parse(body) as { ncco: unknown }).ncco),
      JSON.parse(taken),
    ]) {
      assertFits(validate, ncco);
      counts.orders++;
    }
    expect(dialled.length).toBe(3);
    // The schema wants at least one order; none at all is how a call is given nothing to do, and ended.
    expect(declined).toBe("[]");
  });

  test("every fixture of a webhook is parsed", async () => {
    await using harness = await VonageHarness.start();
    const identity = harness.vonage.keys as unknown as VonageIdentity;
    const readEvents = (path: string, value: unknown) => {
      const body = JSON.stringify(value);
      const headers = { authorization: `Bearer ${signWebhook(identity, body)}` };
      const webhook = {
        method: "POST",
        url: `${harness.publicUrl}/${path}`,
        path,
        headers,
        body: Buffer.from(body),
      } as const;
      return harness.account.readWebhook(webhook);
    };
    const olympus = read("vonage-messages-olympus.yml");
    const inbound = collectSamples(olympus, { $ref: "#/components/schemas/inbound-message" });
    const seen: CarrierWebhookEvent[] = [];
    for (const sample of inbound) {
      const reading = readEvents("messages", sample);
      expect(reading.kind).toBe("READ");
      const webhookEvents = reading.kind === "READ" ? reading.events : [];
      counts.fixtures++;
      if (webhookEvents.length === 0) counts.ignored++;
      seen.push(...webhookEvents);
    }
    const texts = seen.flatMap((webhookEvents) =>
      webhookEvents.kind === "MESSAGE_IN" ? [webhookEvents.message.text] : [],
    );
    expect(texts).toContain("Hello From Vonage!");
    expect(texts.every((text) => text !== "")).toBe(true);
    expect(inbound.length).toBeGreaterThanOrEqual(17);
    expect(seen.length).toBeGreaterThanOrEqual(8);

    const statuses = ["submitted", "delivered", "read", "rejected", "undeliverable"];
    const [report] = collectSamples(olympus, { $ref: "#/components/schemas/MessageStatus" });
    for (const status of statuses) {
      const reading = readEvents("message-status", { ...(report as object), status });
      const report1 = { providerMessageId: "aaaaaaaa-bbbb-cccc-dddd-0123456789ab" };
      expect(reading).toMatchObject({ kind: "READ", events: [{ kind: "DELIVERY", report: report1 }] });
      counts.fixtures++;
    }
    // The SMS interface is another product with signatures of its own: what it sends is not taken for anything else.
    const sms = read("vonage-sms.yml");
    for (const name of ["InboundMessage", "DeliveryReceipt"]) {
      const [sample] = collectSamples(sms, { $ref: `#/components/schemas/${name}` });
      expect(readEvents("messages", sample).kind).toBe("MALFORMED");
      counts.fixtures++;
      counts.ignored++;
    }
  });

  test("every example of an answer about calls is understood", () => {
    const voice = read("vonage-voice.yml");
    const sampleOf = (name: string) => collectSamples(voice, { $ref: `#/components/schemas/${name}` })[0];
    const callId = "63f61863-4a51-4f6b-86e1-46edebcf9356";
    const created = { kind: "ANSWER", status: 201, headers: {}, json: sampleOf("CreateCallResponse") } as const;
    expect(readDialReply(created)).toEqual({ kind: "ACCEPTED", providerCallId: callId });
    const call = readCallRecord(sampleOf("GetCallResponse") as Record<string, unknown>);
    expect(call).toMatchObject({ callId, from: "+447700900001", to: "+447700900000" });
  });
});

function bodyOf({ body }: VonageServerRequest): unknown {
  if (body === "") return undefined;
  return body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

function isCustom(body: unknown): boolean {
  return (body as { message_type?: unknown } | undefined)?.message_type === "custom";
}

/**
 * The document of the messages interface is the one before version 1, whose fields the vendor's kit sends today: there
 * the ends are objects, and the content stands apart. Nothing else differs.
 */
function toDocumented({ path }: VonageServerRequest, body: unknown): unknown {
  if (path !== "/v1/messages") return body;
  const v1 = body as Record<string, unknown> & { message_type: string };
  const { channel: type, to, from, client_ref, message_type: kind, whatsapp } = v1;
  const content = { type: kind, [kind]: v1[kind] };
  const message = { content, ...(whatsapp ? { whatsapp } : {}) };
  return { to: { type, number: to }, from: { type, number: from }, client_ref, message };
}
