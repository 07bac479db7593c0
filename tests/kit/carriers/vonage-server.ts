import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DialPlan, FakeCarrier, PlacedCall } from "./fake-carrier.ts";
import { VonageCall } from "./vonage-call.ts";
import { VonagePoster } from "./vonage-poster.ts";

type Json = Record<string, unknown>;

/** A request that the server received, as tests read it. */
export interface VonageServerRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string;
  body: string;
}

interface TakenMessage {
  id: string;
  from: string;
  to: string;
  text: string;
  clientRef: string | null;
  status: string;
  receivedAt: Date;
  body: Json;
}

const NORMAL: DialPlan = { answer: "ACCEPT", person: "PICKS_UP", webhooks: "NORMAL" };
const API_KEY = "abcd1234";
const API_SECRET = "a-secret-of-the-account";

const bare = (number: string) => number.replace(/^\+/, "");

/** Vonage as far as the adapter needs it, with a ledger: the APIs of calls, messages, numbers and applications. */
export class VonageServer implements FakeCarrier {
  readonly url: string;
  readonly keys: Record<string, string>;
  owned = ["+12025550199", "+447700900100"];
  forSale = ["+12125550142", "+12125550143"];
  readonly placed: PlacedCall[] = [];
  /** Called for each dial before it is answered. */
  onPlaced: () => void = () => undefined;
  readonly messages: TakenMessage[] = [];
  readonly requests: VonageServerRequest[] = [];
  readonly calls = new Map<string, VonageCall>();
  readonly poster: VonagePoster;
  /** The application as it is stored. */
  application: Json;
  /** Application that each number is linked to. */
  readonly linked = new Map<string, string>();
  balance = 12.5;
  readonly #server: Server;
  readonly #publicKey: KeyObject;
  readonly #plans = new Map<string, DialPlan>();
  readonly #hanging = new Set<ServerResponse>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
    this.#publicKey = createPublicKey(pair.publicKey.export({ type: "spki", format: "pem" }));
    const identity = { apiKey: API_KEY, applicationId: randomUUID(), signatureSecret: `signing-${randomUUID()}` };
    const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    this.keys = { ...identity, apiSecret: API_SECRET, privateKey };
    this.poster = new VonagePoster(identity);
    const keys = { public_key: pair.publicKey.export({ type: "spki", format: "pem" }).toString() };
    this.application = { id: identity.applicationId, name: "Parley", keys, capabilities: { vbc: {} } };
  }

  static async start(): Promise<VonageServer> {
    const server = createServer((request, response) => void vonage.#take(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const vonage: VonageServer = new VonageServer(server);
    return vonage;
  }

  plan(to: string, plan: Partial<DialPlan>): void {
    this.#plans.set(bare(to), { ...NORMAL, ...plan });
  }

  async callIn(from: string, to: string): Promise<string> {
    const url = this.#hook("voice", "answer_url");
    const options = { from: bare(from), to: bare(to), direction: "inbound", plan: NORMAL, ncco: [] } as const;
    const eventUrl = this.#hook("voice", "event_url");
    const ringing = new VonageCall({ ...options, eventUrl, poster: this.poster, detectsMachines: false });
    this.calls.set(ringing.uuid, ringing);
    const { uuid, conversationUuid } = ringing;
    const reply = await this.poster.send(url, {
      from: bare(from),
      to: bare(to),
      uuid,
      conversation_uuid: conversationUuid,
    });
    const ncco = reply.status === 200 ? (JSON.parse(reply.body) as Json[]) : [];
    Object.assign(ringing.options, { ncco });
    if (ncco.length > 0) ringing.answer();
    else ringing.hangUp("platform");
    return uuid;
  }

  async writeIn(from: string, to: string, text: string): Promise<void> {
    await this.poster.send(this.#hook("messages", "inbound_url"), {
      channel: "sms",
      message_uuid: randomUUID(),
      to: bare(to),
      from: bare(from),
      timestamp: new Date().toISOString(),
      text,
      message_type: "text",
      sms: { num_messages: "1" },
    });
  }

  async close(): Promise<void> {
    this.poster.close();
    for (const call of this.calls.values()) call.close();
    for (const response of this.#hanging) response.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", this.url);
    const { method = "GET", headers } = incoming;
    const body = Buffer.concat(pieces).toString();
    const request = { method, path, query, authorization: headers.authorization ?? "", body };
    this.requests.push(request);
    const isCalls = /^\/v1\/(calls|messages)/.test(path);
    if (!(isCalls ? this.#isApplication(request) : this.#isAccount(request))) return refuse(response, path);
    this.#route(request, response);
  }

  #route(request: VonageServerRequest, response: ServerResponse): void {
    const { method, path } = request;
    const [, callId] = /^\/v1\/calls\/([^/]+)$/.exec(path) ?? [];
    if (path === "/v1/calls") return method === "POST" ? this.#dial(request, response) : this.#list(request, response);
    if (callId) return this.#handleCall(decodeURIComponent(callId), request, response);
    if (path === "/v1/messages") return this.#takeMessage(request, response);
    if (path === "/v2/reports/records") return this.#report(request, response);
    if (path === `/v2/applications/${this.keys.applicationId}`) {
      if (method === "PUT") this.application = { ...this.application, ...(JSON.parse(request.body) as Json) };
      return answer(response, 200, this.application);
    }
    if (path === "/account/get-balance") return answer(response, 200, { value: this.balance, autoReload: false });
    if (path === "/account/numbers") return this.#listNumbers(this.owned, request, response);
    if (path === "/number/search") return this.#listNumbers(this.forSale, request, response);
    if (path.startsWith("/number/"))
      return this.#orderNumber(path.slice(8), new URLSearchParams(request.body), response);
    answer(response, 404, problem("not-found", "Not Found", "There is nothing here."));
  }

  #dial({ body }: VonageServerRequest, response: ServerResponse): void {
    const json = JSON.parse(body) as Json;
    const [target] = json.to as Json[];
    const to = String(target?.number ?? target?.uri);
    const from = String((json.from as Json).number);
    const plan = this.#plans.get(to) ?? NORMAL;
    if (refusePlan(response, plan)) return;
    if (plan.answer === "INVALID") return answer(response, 400, invalid("to.0.number", "is not a phone number"));
    if (!this.owned.includes(`+${from}`)) {
      return answer(response, 400, invalid("from.number", "does not belong to the application"));
    }
    const [eventUrl = null] = (json.event_url as string[] | undefined) ?? [];
    const detectsMachines = json.machine_detection === "continue";
    const ncco = json.ncco as Json[];
    const options = { from, to, direction: "outbound", plan, eventUrl, ncco, detectsMachines } as const;
    const call = new VonageCall({ ...options, poster: this.poster });
    this.calls.set(call.uuid, call);
    this.placed.push({ callId: call.uuid, from: `+${from}`, to: /^\d+$/.test(to) ? `+${to}` : to });
    call.begin();
    this.onPlaced();
    if (plan.answer === "TIMEOUT") return void this.#hanging.add(response);
    if (plan.answer === "ERROR") return answer(response, 503, problem("internal", "Unavailable", "Try again."));
    const { uuid, conversationUuid } = call;
    answer(response, 201, { uuid, conversation_uuid: conversationUuid, status: "started", direction: "outbound" });
  }

  #list({ query }: VonageServerRequest, response: ServerResponse): void {
    const since = Date.parse(query.get("date_start") ?? "1970-01-01T00:00:00Z");
    const from = Number(query.get("record_index") ?? 0);
    const size = Number(query.get("page_size") ?? 10);
    const calls = [...this.calls.values()].filter((call) => call.startedAt.getTime() >= since);
    const ordered = query.get("order") === "desc" ? calls.toReversed() : calls;
    const page = ordered.slice(from, from + size).map((call) => call.toRecord());
    answer(response, 200, { count: calls.length, page_size: size, record_index: from, _embedded: { calls: page } });
  }

  #handleCall(callId: string, { method, body }: VonageServerRequest, response: ServerResponse): void {
    const call = this.calls.get(callId);
    if (!call) return answer(response, 404, problem("not-found", "Not Found", "No such call."));
    if (method === "GET") return answer(response, 200, call.toRecord());
    if ((JSON.parse(body) as Json).action === "hangup") call.hangUp("platform");
    response.writeHead(204).end();
  }

  #takeMessage({ body }: VonageServerRequest, response: ServerResponse): void {
    const json = JSON.parse(body) as Json;
    const plan = this.#plans.get(String(json.to)) ?? NORMAL;
    if (refusePlan(response, plan)) return;
    if (plan.answer === "INVALID")
      return answer(response, 422, problem("1170", "Invalid or Missing Msisdn Param", "to"));
    const id = randomUUID();
    const text = typeof json.text === "string" ? json.text : "";
    const clientRef = typeof json.client_ref === "string" ? json.client_ref : null;
    const ends = { from: `+${String(json.from)}`, to: `+${String(json.to)}` };
    const message = { id, ...ends, text, clientRef, status: "submitted", receivedAt: new Date(), body: json };
    this.messages.push(message);
    void this.#deliver(message, plan);
    if (plan.answer === "TIMEOUT") return void this.#hanging.add(response);
    if (plan.answer === "ERROR") return answer(response, 503, problem("1030", "Internal error", "Try again."));
    answer(response, 202, { message_uuid: id });
  }

  async #deliver(message: TakenMessage, plan: DialPlan): Promise<void> {
    const states = plan.person === "BUSY" ? ["rejected"] : ["submitted", "delivered"];
    message.status = states.at(-1) ?? "submitted";
    const url = this.#findHook("messages", "status_url");
    for (const status of plan.webhooks === "REVERSED" ? states.toReversed() : states) {
      if (url) await this.poster.post(url, toStatus(message, status), plan.webhooks);
    }
  }

  #report({ query }: VonageServerRequest, response: ServerResponse): void {
    const ids = query.get("id")?.split(",");
    const since = Date.parse(query.get("date_start") ?? "1970-01-01T00:00:00Z");
    const to = query.get("to");
    const listed = this.messages.filter((message) => to === null || bare(message.to) === to);
    const found = listed.filter(({ id, receivedAt }) => ids?.includes(id) ?? receivedAt.getTime() >= since);
    const withText = query.get("include_message") === "true";
    const records = found.map((message) => ({
      message_id: message.id,
      from: bare(message.from),
      to: bare(message.to),
      provider: message.body.channel,
      status: message.status,
      error_code: message.status === "rejected" ? "1240" : "0",
      date_received: message.receivedAt.toISOString(),
      ...(withText ? { message_body: message.text } : {}),
    }));
    answer(response, 200, { request_status: "SUCCESS", items_count: records.length, records });
  }

  #listNumbers(numbers: readonly string[], { query }: VonageServerRequest, response: ServerResponse): void {
    const pattern = query.get("pattern") ?? "";
    const found = numbers.map(bare).filter((number) => number.startsWith(pattern));
    if (found.length === 0) return answer(response, 200, {});
    const entries = found.slice(0, Number(query.get("size") ?? 10)).map((msisdn) => ({
      country: countryOf(msisdn),
      msisdn,
      type: "landline",
      cost: "0.90",
      features: ["VOICE", "SMS"],
    }));
    answer(response, 200, { count: found.length, numbers: entries });
  }

  #orderNumber(order: string, form: URLSearchParams, response: ServerResponse): void {
    const number = `+${form.get("msisdn") ?? ""}`;
    const isRight = form.get("country") === countryOf(bare(number));
    const from = order === "buy" ? this.forSale : this.owned;
    if (!isRight || !from.includes(number)) {
      const label = this.owned.includes(number) ? "you already own this number" : "method failed";
      return answer(response, 420, { "error-code": "420", "error-code-label": label });
    }
    if (order === "buy") {
      this.forSale = this.forSale.filter((entry) => entry !== number);
      this.owned = [...this.owned, number];
    }
    if (order === "cancel") this.owned = this.owned.filter((entry) => entry !== number);
    if (order === "update") this.linked.set(number, form.get("app_id") ?? "");
    answer(response, 200, { "error-code": "200", "error-code-label": "success" });
  }

  #isAccount({ authorization }: VonageServerRequest): boolean {
    const pair = `${this.keys.apiKey}:${this.keys.apiSecret}`;
    return authorization === `Basic ${Buffer.from(pair).toString("base64")}`;
  }

  #isApplication({ authorization }: VonageServerRequest): boolean {
    const [head, payload, signature] = authorization.replace(/^Bearer /, "").split(".");
    if (!head || !payload || !signature) return false;
    const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Json;
    const bytes = Buffer.from(`${head}.${payload}`);
    if (read(head).alg !== "RS256") return false;
    if (!verify("sha256", bytes, this.#publicKey, Buffer.from(signature, "base64url"))) return false;
    const claims = read(payload);
    const now = Date.now() / 1_000;
    const isFresh = Number(claims.iat) <= now + 30 && Number(claims.exp) > now && typeof claims.jti === "string";
    return isFresh && claims.application_id === this.keys.applicationId;
  }

  #findHook(area: string, name: string): string | null {
    const capability = (this.application.capabilities as Json)[area] as Json | undefined;
    const hook = (capability?.webhooks as Json | undefined)?.[name] as { address: string } | undefined;
    return hook?.address ?? null;
  }

  #hook(area: string, name: string): string {
    const url = this.#findHook(area, name);
    if (url === null) throw new Error(`The application has no ${name}.`);
    return url;
  }
}

function toStatus(message: TakenMessage, status: string): object {
  const error = {
    type: "https://developer.vonage.com/api-errors/messages#1240",
    title: 1240,
    detail: "Illegal Number",
  };
  return {
    message_uuid: message.id,
    channel: message.body.channel,
    to: bare(message.to),
    from: bare(message.from),
    timestamp: new Date().toISOString(),
    status,
    ...(message.clientRef === null ? {} : { client_ref: message.clientRef }),
    ...(status === "rejected" ? { error } : {}),
  };
}

function countryOf(msisdn: string): string {
  return msisdn.startsWith("44") ? "GB" : "US";
}

function refusePlan(response: ServerResponse, { answer: kind }: DialPlan): boolean {
  if (kind === "CREDENTIALS") refuse(response, "/v1/calls");
  if (kind === "THROTTLE") {
    response.setHeader("retry-after", "2");
    answer(response, 429, problem("throttled", "Rate Limit Hit", "Please wait, then retry your request"));
  }
  return kind === "CREDENTIALS" || kind === "THROTTLE";
}

function refuse(response: ServerResponse, path: string): void {
  if (path.startsWith("/number") || path.startsWith("/account")) {
    return answer(response, 401, { "error-code": "401", "error-code-label": "authentication failed" });
  }
  answer(response, 401, problem("unauthorized", "Unauthorized", "You did not provide correct credentials."));
}

function problem(code: string, title: string, detail: string): Json {
  return { type: `https://developer.vonage.com/api-errors#${code}`, title, detail, instance: randomUUID() };
}

function invalid(name: string, reason: string): Json {
  return { ...problem("invalid", "Bad Request", "The request failed."), invalid_parameters: [{ name, reason }] };
}

function answer(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}
