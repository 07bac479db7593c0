import { readFileSync } from "node:fs";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { TwilioHost, until } from "../../kit/carriers/twilio-host.ts";
import { TwilioServer } from "../../kit/carriers/twilio-server.ts";
import { newSid } from "../../kit/carriers/twilio-wire.ts";
import { findContracts } from "../../kit/repository.ts";

/** The document that Twilio publishes. It is not part of this repository. */
const { areThere, why, path } = findContracts("twilio.json");

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Operation {
  parameters?: { name: string; in: string; schema: Schema; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>;
}
interface Document {
  paths: Record<string, Partial<Record<"get" | "post" | "delete", Operation>>>;
  components: { schemas: Record<string, unknown> };
}

const OURS = "+12025550001";
const THEIRS = "+14155552671";
const BASE = "/2010-04-01/Accounts/{AccountSid}";
const { signal } = new AbortController();
/** An empty value takes a binding away, which the document's pattern of the id that stands there leaves out. */
const CLEARABLE = new Set(["VoiceApplicationSid", "SmsApplicationSid", "TrunkSid"]);

const document = areThere ? (JSON.parse(readFileSync(path("twilio.json"), "utf8")) as Document) : null;
const ajv = new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true });
if (document) ajv.addSchema({ $id: "document", components: rebase(document.components) });
let countRequests = 0;
let countExamples = 0;

function rebase<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as T;
}

function compile(schema: Schema): ValidateFunction {
  return ajv.compile(rebase(schema));
}

function findOperation(method: string, path: string): Operation {
  const { paths } = document as Document;
  const wanted = Object.keys(paths).filter((template) => {
    const pattern = template.replaceAll(".", String.raw`\.`).replace(/\{\w+\}/g, "[^/]+");
    return new RegExp(`^${pattern}$`).test(`/2010-04-01/Accounts/AC0${path}`);
  });
  // A name in the address is a better fit than a place for any name.
  const [template] = wanted.sort((a, b) => a.split("{").length - b.split("{").length);
  const operation = template && paths[template]?.[method.toLowerCase() as "get"];
  if (!operation) throw new Error(`The document has no ${method} ${path}`);
  return operation;
}

/** A form holds texts only; the document says what they stand for. */
function readValue(texts: string[], { type }: Schema): unknown {
  const [text = ""] = texts;
  if (type === "array") return texts;
  if (type === "integer" || type === "number") return Number(text);
  return type === "boolean" ? text === "true" : text;
}

function assertFits({ method, path, fields }: TwilioServer["requests"][number]): void {
  const operation = findOperation(method, path);
  const body = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const known: Record<string, Schema> =
    method === "POST" ? (body?.properties ?? {}) : Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  const names = new Set(fields.map(([name]) => name));
  expect(Object.keys(known)).toEqual(expect.arrayContaining([...names]));
  expect([...names]).toEqual(expect.arrayContaining(body?.required ?? []));
  for (const name of names) {
    const schema = known[name] ?? {};
    const texts = fields.filter(([key]) => key === name).map(([, value]) => value);
    if (CLEARABLE.has(name) && texts.join("") === "") continue;
    expect(texts.length === 1 || schema.type === "array").toBe(true);
    const validate = compile(schema);
    expect({ name, errors: validate(readValue(texts, schema)) ? [] : validate.errors }).toEqual({ name, errors: [] });
  }
  countRequests += 1;
}

describe.skipIf(!areThere)(`the document that Twilio publishes${why}`, () => {
  let twilio: TwilioServer;
  let host: TwilioHost;

  beforeEach(async () => {
    twilio = await TwilioServer.start();
    twilio.owned.push(OURS);
    twilio.forSale.push("+16175550123");
    const { accountSid, authToken } = twilio;
    const settings = { accountSid, messagingServiceSid: newSid("MG") };
    host = await TwilioHost.start(twilio.url, { settings, secrets: { authToken } });
  });
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await twilio.close();
  });
  afterAll(() => {
    console.log(`Twilio: ${countRequests} requests and ${countExamples} published answers fit.`);
  });

  const asked = () => ({ attemptId: uuidv7(), workspaceId: "w", from: OURS, to: THEIRS, dialledAt: new Date() });
  const message: OutgoingMessage = {
    workspaceId: "w",
    messageId: uuidv7(),
    channel: "SMS",
    from: OURS,
    to: THEIRS,
    text: "Hi",
    template: null,
    attempt: 1,
  };
  const askedMessage = { ...message, sentAt: new Date() };

  test("every request about calls fits", async () => {
    const { providerCallId } = (await host.dial(OURS, THEIRS)) as { providerCallId: string };
    await host.account.carrier.lookUp({ ...asked(), providerCallId }, signal);
    await host.account.carrier.lookUp({ ...asked(), providerCallId: null }, signal);
    await host.account.carrier.hangUp(providerCallId);
    await until("it ended", () => twilio.calls[0]?.endedAt);
    for (const request of twilio.requests) assertFits(request);
    expect(twilio.requests).toHaveLength(4);
  });

  test("every request about numbers and the account fits", async () => {
    const { numbers } = host.account;
    await host.account.check(signal);
    await numbers.search({ countryCode: "US", areaCode: "617", limit: 3 }, signal);
    await numbers.search({ countryCode: "GB", areaCode: "20", limit: 3 }, signal);
    const bought = await numbers.buy("+16175550123", signal);
    if (bought.kind !== "DONE") throw new Error(bought.message);
    await numbers.findOwned(OURS, signal);
    for (const name of CLEARABLE) twilio.hooksOf(bought.value.number)[name] = newSid("TK");
    await numbers.configure(bought.value, signal);
    await numbers.release(bought.value, signal);
    expect(twilio.requests.map(({ method }) => method)).toContain("DELETE");
    expect(twilio.requests).toHaveLength(12);
    for (const request of twilio.requests) assertFits(request);
  });

  test("every request about messages fits", async () => {
    const { messenger } = host.account;
    const { providerMessageId } = (await messenger.send(message, signal)) as { providerMessageId: string };
    await messenger.send({ ...message, channel: "WHATSAPP" }, signal);
    const template = { name: newSid("HX"), language: "en", variables: { "1": "Ann" } };
    await messenger.send({ ...message, channel: "WHATSAPP", template }, signal);
    await messenger.lookUp({ ...askedMessage, providerMessageId }, signal);
    await messenger.lookUp({ ...askedMessage, providerMessageId: null }, signal);
    for (const request of twilio.requests) assertFits(request);
    expect(twilio.requests).toHaveLength(5);
  });

  const examplesOf = (method: "get" | "post", path: string, status: string) => {
    const reply = document?.paths[`${BASE}${path}`]?.[method]?.responses[status];
    const values = Object.values(reply?.content?.["application/json"]?.examples ?? {});
    expect(values.length).toBeGreaterThan(0);
    countExamples += values.length;
    return values.map(({ value }) => ({ status: Number(status), body: value }));
  };

  test("every published answer about calls is understood", async () => {
    for (const answer of examplesOf("post", "/Calls.json", "201")) {
      twilio.broken = answer;
      expect((await host.dial(OURS, THEIRS)).kind).toBe("ACCEPTED");
    }
    for (const answer of examplesOf("get", "/Calls/{Sid}.json", "200")) {
      twilio.broken = answer;
      const found = await host.account.carrier.lookUp({ ...asked(), providerCallId: newSid("CA") }, signal);
      expect(["RINGING", "ANSWERED", "ENDED"]).toContain(found.kind);
    }
    for (const answer of examplesOf("get", "/Calls.json", "200")) {
      twilio.broken = answer;
      const found = await host.account.carrier.lookUp({ ...asked(), providerCallId: null }, signal);
      expect(found).toEqual({ kind: "ABSENT" });
    }
  });

  test("every published answer about numbers and the account is understood", async () => {
    const { numbers } = host.account;
    for (const answer of examplesOf("post", "/IncomingPhoneNumbers.json", "201")) {
      twilio.broken = answer;
      expect((await numbers.buy(OURS, signal)).kind).toBe("DONE");
    }
    for (const answer of examplesOf("post", "/IncomingPhoneNumbers/{Sid}.json", "200")) {
      twilio.broken = answer;
      const owned = { number: OURS, externalId: newSid("PN"), capabilities: [] };
      expect((await numbers.configure(owned, signal)).kind).toBe("DONE");
    }
    for (const answer of examplesOf("get", "/IncomingPhoneNumbers.json", "200")) {
      twilio.broken = answer;
      expect((await numbers.findOwned(OURS, signal)).kind).toBe("ABSENT");
    }
    const local = "/AvailablePhoneNumbers/{CountryCode}/Local.json";
    for (const answer of examplesOf("get", local, "200")) {
      twilio.broken = answer;
      expect((await numbers.search({ countryCode: "US", areaCode: null, limit: 5 }, signal)).kind).toBe("DONE");
    }
  });

  test("every published answer about messages is understood", async () => {
    for (const answer of examplesOf("post", "/Messages.json", "201")) {
      twilio.broken = answer;
      expect((await host.account.messenger.send(message, signal)).kind).toBe("ACCEPTED");
    }
    for (const answer of examplesOf("get", "/Messages/{Sid}.json", "200")) {
      twilio.broken = answer;
      const found = await host.account.messenger.lookUp({ ...askedMessage, providerMessageId: newSid("SM") }, signal);
      expect(found.kind).toBe("FOUND");
    }
    for (const answer of examplesOf("get", "/Messages.json", "200")) {
      twilio.broken = answer;
      const found = await host.account.messenger.lookUp({ ...askedMessage, providerMessageId: null }, signal);
      expect(found).toEqual({ kind: "ABSENT" });
    }
  });
});
