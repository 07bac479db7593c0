import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import Telnyx from "telnyx";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { explainDial } from "#src/telephony/carriers/telnyx/telnyx-errors.ts";
import { dialTo, never, TelnyxHarness } from "../../kit/carriers/telnyx-harness.ts";
import type { TelnyxCall } from "../../kit/carriers/telnyx-server.ts";
import { findContracts } from "../../kit/repository.ts";

/** The document that Telnyx publishes. It is not part of this repository. */
const published = findContracts("telnyx.json");

type Schema = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  $ref?: string;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  components: {
    schemas: Record<string, Schema & { example?: unknown }>;
    parameters: Record<string, Parameter>;
    responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>;
  };
}

/** Checks against the document, loaded once. */
class Contract {
  readonly document = JSON.parse(readFileSync(published.path("telnyx.json"), "utf8")) as Document;
  readonly #body = this.#createAjv(false);
  /** A query is all texts, and the official SDK writes a list of one as its one value. */
  readonly #query = this.#createAjv("array");

  #createAjv(coerceTypes: "array" | false) {
    const ajv = new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true, coerceTypes });
    return ajv.addSchema({ $id: "document", components: this.#inPlace(this.document.components) });
  }

  #inPlace(schema: unknown): unknown {
    return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  }

  errorsOf(schema: Schema, value: unknown, place: "BODY" | "QUERY" = "BODY"): unknown[] {
    const validate = (place === "BODY" ? this.#body : this.#query).compile(this.#inPlace(schema) as Schema);
    return validate(structuredClone(value)) ? [] : (validate.errors ?? []);
  }

  resolve(schema: Schema): Schema {
    const name = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined;
    return name === undefined ? schema : this.resolve(this.document.components.schemas[name] ?? {});
  }

  /** Names that the document does not know: its schemas do not forbid them, Telnyx may. */
  strangersIn(schema: Schema, value: unknown, at = ""): string[] {
    const known = this.resolve(schema);
    if (Array.isArray(value)) {
      return value.flatMap((item) => this.strangersIn((known["items"] as Schema) ?? {}, item, `${at}[]`));
    }
    const properties = known["properties"] as Record<string, Schema> | undefined;
    if (typeof value !== "object" || value === null || !properties) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const property = properties[name];
      return property ? this.strangersIn(property, inner, `${at}.${name}`) : [`${at}.${name}`];
    });
  }

  /** The operation that a request is one of. */
  find({ method, path }: TelnyxCall): { name: string; operation: Operation } {
    for (const [template, methods] of Object.entries(this.document.paths)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
      const operation = methods[method.toLowerCase()];
      if (operation && pattern.test(path)) return { name: `${method} ${template}`, operation };
    }
    throw new Error(`The document has no ${method} ${path}.`);
  }

  /** All in which a request is not what the document says. */
  problemsOf(call: TelnyxCall, operation: Operation): unknown[] {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    const ofBody = schema
      ? [this.errorsOf(schema, call.body), this.strangersIn(schema, call.body)]
      : Object.keys(call.body).map((field) => `The operation takes no body: ${field}`);
    const parameters = this.parametersOf(operation).filter((one) => one.in === "query");
    const ofQuery = Object.entries(readDeep(call.query)).flatMap(([name, value]): unknown[] => {
      const known = parameters.find((one) => one.name === name);
      if (!known) return [`The operation has no parameter ${name}.`];
      const isOpen = known.schema["additionalProperties"] === true;
      return [...this.errorsOf(known.schema, value, "QUERY"), ...(isOpen ? [] : this.strangersIn(known.schema, value))];
    });
    return [...ofBody, ...ofQuery].flat();
  }

  parametersOf({ parameters = [] }: Operation): Parameter[] {
    return parameters.map((one) =>
      one.$ref ? (this.document.components.parameters[one.$ref.split("/").at(-1) ?? ""] as Parameter) : one,
    );
  }
}

/** `filter[a][b]=c` as the object that it stands for (OpenAPI's deepObject). */
function readDeep(query: URLSearchParams): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [name, value] of query) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== "");
    const isList = name.endsWith("[]");
    let place = all;
    for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>;
    const last = keys.at(-1) ?? "";
    place[last] = isList ? [...((place[last] as unknown[]) ?? []), value] : value;
  }
  return all;
}

const OURS = "+15125550001";
const TO = "+13125550100";

/** Does everything once that an account can do. */
async function doEverything(harness: TelnyxHarness): Promise<void> {
  const { carrier, messenger, numbers } = harness.account;
  await harness.account.check(never);
  await numbers.search({ countryCode: "US", areaCode: "512", limit: 5 }, never);
  const bought = await numbers.buy("+15125550077", never);
  if (bought.kind !== "DONE") throw new Error(bought.message);
  await numbers.configure(bought.value, never);
  const request = dialTo(TO);
  const dialled = await carrier.dial(request, never);
  const id = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
  await harness.until(() => harness.delivered.length > 0);
  const asked = { ...request, providerCallId: null, dialledAt: new Date() };
  await carrier.lookUp(asked, never);
  await carrier.lookUp({ ...asked, providerCallId: id }, never);
  const order = { destination: "sip:desk@example.com", sipHeaders: { "X-Ticket": "7" }, ringTimeoutSeconds: 20 };
  const whole = { ...order, mode: "WARM", destinationType: "SIP", callerId: "OWN" } as const;
  const rest = { dtmfSequence: null, whisperMessage: null, summary: null, holdAudioUrl: null, fallbackMessage: null };
  const leg = await carrier.dialLeg?.(id, { ...whole, ...rest, transferOnlyIfHuman: false }, never);
  if (leg?.kind === "ANSWERED") await leg.hangUp();
  await carrier.hangUp(id);
  await carrier.lookUp({ ...asked, providerCallId: id }, never);
  await carrier.lookUp(asked, never);
  await takeCalls(harness);
  const message: OutgoingMessage = {
    workspaceId: "w",
    messageId: uuidv7(),
    channel: "SMS",
    from: OURS,
    to: TO,
    text: "Hello",
    template: null,
    attempt: 1,
  };
  const sent = await messenger.send(message, never);
  const whatsApp = { ...message, channel: "WHATSAPP" } as const;
  await messenger.send(whatsApp, never);
  const template = { name: "reminder", language: "en_US", variables: { 1: "Ann" } };
  await messenger.send({ ...whatsApp, template }, never);
  const known = { ...message, providerMessageId: null, sentAt: new Date() };
  await messenger.lookUp(known, never);
  await messenger.lookUp(
    { ...known, providerMessageId: sent.kind === "ACCEPTED" ? sent.providerMessageId : "" },
    never,
  );
  await numbers.release(bought.value, never);
}

async function takeCalls(harness: TelnyxHarness): Promise<void> {
  const to = OURS;
  const taken = { providerCallId: await harness.telnyx.callIn(TO, to), from: TO, to };
  await harness.account.answerCall(taken, uuidv7(), never);
  for (const why of ["BUSY", "UNAVAILABLE"] as const) {
    const providerCallId = await harness.telnyx.callIn(TO, to);
    await harness.account.declineCall({ providerCallId, from: TO, to }, why, never);
  }
}

describe.skipIf(!published.areThere)(`the document that Telnyx publishes${published.why}`, () => {
  const contract = published.areThere ? new Contract() : (undefined as never);

  test("every request that is sent fits it, and holds nothing that it does not name", async () => {
    await using harness = await TelnyxHarness.start();
    await doEverything(harness);
    const names = new Set<string>();
    for (const call of harness.telnyx.received) {
      const { name, operation } = contract.find(call);
      names.add(name);
      expect(contract.problemsOf(call, operation), name).toEqual([]);
    }
    expect([...names].toSorted()).toEqual([
      "DELETE /phone_numbers/{id}",
      "GET /available_phone_numbers",
      "GET /balance",
      "GET /call_control_applications/{id}",
      "GET /call_events",
      "GET /calls/{call_control_id}",
      "GET /connections/{connection_id}/active_calls",
      "GET /detail_records",
      "GET /messages/{id}",
      "GET /messaging_profiles/{id}",
      "GET /phone_numbers",
      "GET /phone_numbers/{id}/messaging",
      "PATCH /call_control_applications/{id}",
      "PATCH /messaging_profiles/{id}",
      "PATCH /phone_numbers/{id}",
      "PATCH /phone_numbers/{id}/messaging",
      "POST /calls",
      "POST /calls/{call_control_id}/actions/answer",
      "POST /calls/{call_control_id}/actions/hangup",
      "POST /calls/{call_control_id}/actions/reject",
      "POST /messages",
      "POST /messages/whatsapp",
      "POST /number_orders",
    ]);
    console.log(`Telnyx: ${harness.telnyx.received.length} requests of ${names.size} operations fit its document.`);
  });

  test("a request that does not fit it is noticed", () => {
    const schema = contract.document.paths["/calls"]?.["post"]?.requestBody?.content["application/json"]?.schema ?? {};
    const good = { to: TO, from: OURS, connection_id: "1" };
    expect(contract.errorsOf(schema, good)).toEqual([]);
    expect(contract.errorsOf(schema, { ...good, stream_bidirectional_mode: "raw" })).not.toEqual([]);
    expect(contract.errorsOf(schema, { to: TO, from: OURS })).not.toEqual([]);
    expect(contract.strangersIn(schema, { ...good, streamUrl: "wss://example.com" })).toEqual([".streamUrl"]);
  });

  test("every event that it shows is understood", async () => {
    await using harness = await TelnyxHarness.start();
    const examples = Object.values(contract.document.components.schemas).flatMap(({ example }) => {
      const event = (example as { data?: unknown } | undefined)?.data ?? example;
      const isEvent = typeof event === "object" && event !== null && "event_type" in event && "payload" in event;
      return isEvent ? [event as { event_type: string }] : [];
    });
    const attemptId = uuidv7();
    const notify = (event: { event_type: string }) => {
      const path = event.event_type.startsWith("message.") ? `messages/${attemptId}` : `calls/${attemptId}`;
      const body = Buffer.from(JSON.stringify({ data: event }));
      const headers = harness.telnyx.signer.sign(body.toString());
      return harness.account.readWebhook({ method: "POST", url: `${harness.publicUrl}/${path}`, path, headers, body });
    };
    const initiated = examples.find(({ event_type }) => event_type === "call.initiated");
    const reported: Record<string, unknown> = {};
    for (const event of examples) {
      // Some name no call, so it must be known by its attempt, whatever came before.
      if (initiated) notify(initiated);
      const reading = notify(event);
      expect(reading.kind, event.event_type).toBe("READ");
      const [webhookEvent] = reading.kind === "READ" ? reading.events : [];
      if (webhookEvent) reported[event.event_type] = webhookEvent.kind === "CALL" ? webhookEvent.event : webhookEvent;
    }
    expect(reported).toMatchObject({
      "call.initiated": { type: "RINGING", attemptId },
      "call.answered": { type: "ANSWERED", answeredBy: "UNCERTAIN" },
      "call.hangup": { type: "ENDED", outcome: "REJECTED", hungUpBy: "AGENT", sipCode: 603 },
      "call.machine.detection.ended": { type: "ANSWERED", answeredBy: "HUMAN" },
      "call.machine.premium.detection.ended": { type: "ANSWERED", answeredBy: "MACHINE_VOICEMAIL" },
      "call.machine.greeting.ended": { type: "ANSWERED" },
      "call.machine.premium.greeting.ended": { type: "ANSWERED", answeredBy: "MACHINE_VOICEMAIL" },
      "message.received": { kind: "MESSAGE_IN", message: { from: "+18665550001", text: "Hello, World!" } },
      "message.sent": { kind: "DELIVERY", report: { status: "SENT", messageId: attemptId } },
    });
    expect(Object.keys(reported)).toHaveLength(9);
    console.log(
      `Telnyx: ${examples.length} events of its document are understood; ${Object.keys(reported).length} tell something.`,
    );
  });

  test("every error that it shows for a call is a refusal in its words", () => {
    const names = ["UnprocessableEntityResponse", "BadRequestResponse"];
    const examples = names.flatMap((name) =>
      Object.values(contract.document.components.responses[name]?.content?.["application/json"]?.examples ?? {}),
    );
    expect(examples.length).toBeGreaterThan(15);
    for (const { value } of examples) {
      const error = (value as { errors: { code: string; title: string }[] }).errors[0];
      const result = explainDial({ kind: "ANSWER", status: 422, headers: {}, json: value });
      expect(result).toMatchObject({ kind: "REFUSED", code: error?.code });
      expect(result.kind === "REFUSED" && result.message).toContain(error?.title);
    }
    console.log(`Telnyx: ${examples.length} errors of its document are refusals.`);
  });

  test("the events of the server that stands for Telnyx in tests fit it", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { person: "HANGS_UP" });
    await harness.account.carrier.dial(dialTo(TO), never);
    await harness.ended();
    const events = harness.telnyx.calls[0]?.events ?? [];
    const schemas = ["CallInitiated", "CallAnswered", "CallHangup"];
    expect(events).toHaveLength(schemas.length);
    for (const [at, name] of schemas.entries()) {
      expect(contract.errorsOf({ $ref: `#/components/schemas/${name}` }, events[at]), name).toEqual([]);
    }
  });
});

test("lists are asked for as Telnyx's own SDK asks for them", async () => {
  await using harness = await TelnyxHarness.start();
  const { carrier, messenger, numbers } = harness.account;
  const { apiKey = "", connectionId = "" } = harness.telnyx.keys;
  const sdk = new Telnyx({ apiKey, baseURL: harness.telnyx.url });
  const lastAsked = (path: string) => {
    const last = harness.telnyx.received.findLast((call) => call.path === path);
    return [...(last?.query ?? [])].map(([name, value]) => `${name}=${value}`).toSorted();
  };
  const at = new Date("2026-11-21T12:00:05.000Z");
  const asked = { ...dialTo(TO), providerCallId: null, dialledAt: at };
  await numbers.search({ countryCode: "US", areaCode: "512", limit: 5 }, never);
  await numbers.findOwned(OURS, never);
  await carrier.lookUp(asked, never);
  const message = { workspaceId: "w", messageId: uuidv7(), providerMessageId: null, channel: "SMS" } as const;
  await messenger.lookUp({ ...message, from: OURS, to: TO, text: "", sentAt: at }, never);
  const paths = ["/available_phone_numbers", "/phone_numbers", "/call_events", "/detail_records"];
  paths.push(`/connections/${connectionId}/active_calls`);
  const ours = paths.map(lastAsked);
  const features = ["voice" as const];
  const search = { country_code: "US", features, limit: 5, national_destination_code: "512" };
  await sdk.availablePhoneNumbers.list({ filter: search });
  await sdk.phoneNumbers.list({ filter: { phone_number: OURS.slice(1) } });
  const since = { gte: "2026-11-21T12:00:00.000Z" };
  const filter = { from: OURS, to: TO, occurred_at: since, type: "webhook" as const };
  await sdk.callEvents.list({ filter, page: { size: 250 } } as Parameters<typeof sdk.callEvents.list>[0]);
  const records = {
    record_type: "messaging" as const,
    direction: "outbound",
    cli: OURS,
    cld: TO,
    created_at: { gte: "2026-11-21" },
  };
  const page = { page: { size: 50 }, sort: ["-created_at"] };
  await sdk.detailRecords.list({ filter: records, ...page } as Parameters<typeof sdk.detailRecords.list>[0]);
  await sdk.connections.listActiveCalls(connectionId, { page: { limit: 250 } } as object);
  expect(ours).toEqual(paths.map(lastAsked));
});
