import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DialPlan, FakeCarrier, PlacedCall } from "./fake-carrier.ts";
import { PhoneCall, toEvent, WebhookSigner } from "./telnyx-phone.ts";

type Json = Record<string, unknown>;

/** A request as it arrived. */
export interface TelnyxCall {
  method: string;
  /** Path below /v2, without its query. */
  path: string;
  query: URLSearchParams;
  body: Json;
}

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const CONNECTION_ID = "2468013579";
const PROFILE_ID = "4000eba1-a0c0-4563-9925-b25e842a7cb6";
const USUAL: DialPlan = { answer: "ACCEPT", person: "PICKS_UP", webhooks: "NORMAL" };
/** Time for which a repeated command is recognised as one. */
const COMMAND_MS = 60_000;

const ok = (data: unknown): Reply => ({ status: 200, body: { data } });
const list = (data: unknown[]): Reply => ({ status: 200, body: { data, meta: { total_results: data.length } } });
const fault = (status: number, code: string, title: string, detail: string, pointer?: string): Reply => ({
  status,
  body: { errors: [{ code, title, detail, ...(pointer ? { source: { pointer } } : {}) }] },
});
const NOT_FOUND = fault(404, "10005", "Resource not found", "The requested resource or URL could not be found.");

/** Telnyx's API version 2 as far as an account of Parley uses it, with a ledger of the calls it placed. */
export class TelnyxServer implements FakeCarrier {
  readonly url: string;
  readonly keys: Record<string, string>;
  readonly signer = new WebhookSigner();
  owned = ["+15125550001", "+15125550002"];
  forSale = ["+15125550077", "+15125550078"];
  readonly placed: PlacedCall[] = [];
  readonly messages: { id: string; from: string; to: string; text: string; body: Json }[] = [];
  /** Every request that was accepted, for checks against the published document. */
  readonly received: TelnyxCall[] = [];
  /** Numbers that have sent STOP. */
  readonly stopped = new Set<string>();
  /** Delivery result of the messages that follow. */
  delivery: "delivered" | "delivery_failed" | "LOST" = "delivered";
  /** Number of times that an order still stays unfinished. */
  ordersPending = 0;
  credit = "12.50";
  application: Json = {
    id: CONNECTION_ID,
    record_type: "call_control_application",
    application_name: "voice",
    active: true,
    webhook_event_url: "https://example.com/old",
    webhook_api_version: "1",
    outbound: { outbound_voice_profile_id: "1293384261075731499" },
  };
  profile: Json = { id: PROFILE_ID, record_type: "messaging_profile", webhook_url: null };
  readonly numberSettings = new Map<string, Json>();
  /** Answers a request in place of the server; undefined leaves it to the server. */
  override: (call: TelnyxCall) => Reply | "SILENT" | undefined = () => undefined;
  readonly calls: PhoneCall[] = [];
  readonly #plans = new Map<string, DialPlan>();
  readonly #commands = new Map<string, { call: PhoneCall; atMs: number }>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
    this.keys = {
      apiKey: "KEY0123456789ABCDEF_fake",
      publicKey: this.signer.publicKey,
      connectionId: CONNECTION_ID,
      messagingProfileId: PROFILE_ID,
      apiUrl: this.url,
    };
  }

  /** Starts a server on a port of its own. */
  static async start(): Promise<TelnyxServer> {
    const server = createServer((request, response) => {
      void telnyx.#serve(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const telnyx: TelnyxServer = new TelnyxServer(server);
    return telnyx;
  }

  plan(to: string, plan: Partial<DialPlan>): void {
    this.#plans.set(to, { ...USUAL, ...plan });
  }

  async callIn(from: string, to: string): Promise<string> {
    const fallbackUrl = String(this.application["webhook_event_url"]);
    const plan = this.#plans.get(from) ?? USUAL;
    const connectionId = CONNECTION_ID;
    const options = { from, to, connectionId, direction: "incoming", plan, command: {}, fallbackUrl } as const;
    const call = new PhoneCall(this.signer, options);
    this.calls.push(call);
    call.begin();
    return call.id;
  }

  async writeIn(from: string, to: string, text: string, type: "SMS" | "WHATSAPP" = "SMS"): Promise<void> {
    const said = type === "SMS" ? { text } : { body: { type: "text", text: { body: text } } };
    const message = {
      id: randomUUID(),
      record_type: "message",
      direction: "inbound",
      type,
      from: { phone_number: from, carrier: "", line_type: "Wireless" },
      to: [{ phone_number: to, status: "webhook_delivered" }],
      ...said,
    };
    await this.signer.post(String(this.profile["webhook_url"]), toEvent("message.received", message));
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.stop();
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const url = new URL(request.url ?? "/", "http://server");
    const text = Buffer.concat(pieces).toString();
    const body = text === "" ? {} : (JSON.parse(text) as Json);
    const call = {
      method: request.method ?? "GET",
      path: url.pathname.replace(/^\/v2/, ""),
      query: url.searchParams,
      body,
    };
    const isLetIn = request.headers.authorization === `Bearer ${this.keys.apiKey}`;
    const denied = fault(401, "10009", "Authentication failed", "The required authentication headers were invalid.");
    if (isLetIn) this.received.push(call);
    const reply = isLetIn ? (this.override(call) ?? this.#answer(call)) : denied;
    if (reply === "SILENT") return;
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body));
  }

  #answer(call: TelnyxCall): Reply | "SILENT" {
    const [room = "", id = "", ...rest] = call.path.slice(1).split("/").map(decodeURIComponent);
    if (room === "calls") return id === "" ? this.#dial(call.body) : this.#command(call, id, rest);
    if (room === "connections") return id === CONNECTION_ID ? this.#listActive() : NOT_FOUND;
    if (room === "call_events") return this.#listEvents(call.query);
    if (room === "messages") return call.method === "POST" ? this.#send(call.body) : this.#showMessage(id);
    if (room === "detail_records") return this.#listRecords(call.query);
    if (room === "balance") return ok({ record_type: "balance", available_credit: this.credit, currency: "USD" });
    if (room === "call_control_applications") return this.#show(call, id, this.application);
    if (room === "messaging_profiles") return this.#show(call, id, this.profile);
    return this.#sell(call, room, id, rest);
  }

  #dial(body: Json): Reply | "SILENT" {
    const { to, from } = body as { to: string; from: string };
    const plan = this.#plans.get(to) ?? USUAL;
    if (plan.answer === "CREDENTIALS") return fault(401, "10009", "Authentication failed", "Invalid key.");
    if (plan.answer === "THROTTLE") {
      return { ...fault(429, "10011", "Too many requests", "Slow down."), headers: { "retry-after": "3" } };
    }
    if (plan.answer === "INVALID") {
      return fault(422, "10016", "Phone number must be in +E164 format", "The 'to' parameter is no number.", "/to");
    }
    if (!this.owned.includes(from)) {
      return fault(403, "10010", "Authorization failed", "Caller Origination Number is Invalid D35", "/from");
    }
    const repeated = this.#commands.get(String(body["command_id"]));
    const isRepeat = repeated !== undefined && Date.now() - repeated.atMs < COMMAND_MS;
    const call = isRepeat ? repeated.call : this.#place(body, plan);
    if (plan.answer === "TIMEOUT") return "SILENT";
    if (plan.answer === "ERROR") return fault(503, "10007", "Unexpected error", "Try later.");
    return ok({ ...describe(call), is_alive: false });
  }

  #place(command: Json, plan: DialPlan): PhoneCall {
    const { to, from } = command as { to: string; from: string };
    const connectionId = CONNECTION_ID;
    const options = { from, to, connectionId, direction: "outgoing", plan, command, fallbackUrl: null } as const;
    const call = new PhoneCall(this.signer, options);
    this.calls.push(call);
    this.placed.push({ callId: call.id, from, to });
    this.#commands.set(String(command["command_id"]), { call, atMs: Date.now() });
    // After the answer has been sent.
    setTimeout(() => call.begin(), 5);
    return call;
  }

  #command({ method, body }: TelnyxCall, id: string, [actions, action]: string[]): Reply {
    const call = this.calls.find((one) => one.id === id);
    if (!call) return fault(422, "90015", "Invalid Call Control ID", "The call_control_id was not valid.");
    if (method === "GET") return ok(describe(call));
    if (actions !== "actions") return NOT_FOUND;
    if (!call.isAlive) return fault(422, "90018", "Call has already ended", "This call is no longer active.");
    const ours = call.options.direction === "outgoing" ? "caller" : "callee";
    if (action === "hangup") call.end("normal_clearing", ours, "200");
    else if (action === "reject")
      call.end(body["cause"] === "USER_BUSY" ? "user_busy" : "call_rejected", "callee", "603");
    else if (action === "answer") call.answer(body);
    else return NOT_FOUND;
    return ok({ result: "ok" });
  }

  #listActive(): Reply {
    return list(this.calls.filter((call) => call.isAlive).map((call) => ({ ...describe(call), call_duration: 1 })));
  }

  #listEvents(query: URLSearchParams): Reply {
    const [leg, from, to] = ["leg_id", "from", "to"].map((name) => query.get(`filter[${name}]`));
    const since = query.get("filter[occurred_at][gte]") ?? "";
    const calls = this.calls.filter(({ legId, options }) =>
      leg ? legId === leg : options.from === from && options.to === to,
    );
    const events = calls.flatMap(({ events: own, legId, sessionId }) =>
      own.map((event) => ({
        record_type: "call_event",
        call_leg_id: legId,
        call_session_id: sessionId,
        event_timestamp: String(event["occurred_at"]),
        name: event["event_type"],
        type: "webhook",
        metadata: { event },
      })),
    );
    return list(events.filter((event) => event.event_timestamp >= since));
  }

  #send(body: Json): Reply {
    const { from, to } = body as { from: string; to: string };
    if (!this.owned.includes(from)) {
      return fault(
        400,
        "40305",
        "Invalid 'from' address",
        "The 'from' address should be one of this account.",
        "/from",
      );
    }
    if (this.stopped.has(to)) {
      return fault(400, "40300", "Blocked due to STOP message", `Messages cannot be sent from '${from}' to '${to}'.`);
    }
    const id = randomUUID();
    this.messages.push({ id, from, to, text: wordsOf(body), body });
    if (this.delivery !== "LOST") setTimeout(() => void this.#report(id), 5);
    return ok(this.#describeMessage(id, "queued"));
  }

  async #report(id: string): Promise<void> {
    const url = String(this.messages.find((message) => message.id === id)?.body["webhook_url"]);
    await this.signer.post(url, toEvent("message.sent", this.#describeMessage(id, "sent")));
    await this.signer.post(url, toEvent("message.finalized", this.#describeMessage(id, this.delivery)));
  }

  #describeMessage(id: string, status: string): Json {
    const { from, to, body } = this.messages.find((message) => message.id === id) ?? { body: {} as Json };
    const failed = [{ code: "40001", title: "Not routable", detail: "The number is a landline." }];
    return {
      id,
      record_type: "message",
      direction: "outbound",
      type: body["type"],
      text: body["text"],
      webhook_url: body["webhook_url"],
      from: { phone_number: from },
      to: [{ phone_number: to, status }],
      errors: status === "delivery_failed" ? failed : [],
    };
  }

  #showMessage(id: string): Reply {
    const isKnown = this.messages.some((message) => message.id === id);
    return isKnown ? ok(this.#describeMessage(id, this.delivery === "LOST" ? "sent" : this.delivery)) : NOT_FOUND;
  }

  #listRecords(query: URLSearchParams): Reply {
    const [from, to] = ["cli", "cld"].map((name) => query.get(`filter[${name}]`));
    const records = this.messages
      .filter((message) => message.from === from && message.to === to)
      .map(({ id }) => ({ record_type: "message_detail_record", uuid: id, created_at: new Date().toISOString() }));
    return list(records);
  }

  #show({ method, body }: TelnyxCall, id: string, thing: Json): Reply {
    if (id !== thing["id"]) return NOT_FOUND;
    if (method === "PATCH") Object.assign(thing, body);
    return ok(thing);
  }

  #sell({ method, query, body }: TelnyxCall, room: string, id: string, [part]: string[]): Reply {
    if (room === "available_phone_numbers") {
      const cost = { monthly_cost: "1.00", upfront_cost: "1.00", currency: "USD" };
      const features = [{ name: "voice" }, { name: "sms" }, { name: "mms" }];
      return list(this.forSale.map((number) => ({ phone_number: number, features, cost_information: cost })));
    }
    if (room === "number_orders") return this.#order((body["phone_numbers"] as Json[])[0]?.["phone_number"] as string);
    if (room !== "phone_numbers") return NOT_FOUND;
    if (id === "") {
      const found = this.owned.filter((number) => number.slice(1).includes(query.get("filter[phone_number]") ?? ""));
      return list(found.map((number) => ({ id: idOf(number), phone_number: number, status: "active" })));
    }
    const number = this.owned.find((one) => idOf(one) === id);
    if (!number) return NOT_FOUND;
    if (part === "messaging" && method === "GET") return ok({ features: { sms: { domestic_two_way: true } } });
    if (method === "PATCH") this.numberSettings.set(number, { ...this.numberSettings.get(number), ...body });
    if (method === "DELETE") this.owned = this.owned.filter((one) => one !== number);
    return ok({ id, phone_number: number, status: method === "DELETE" ? "deleted" : "active" });
  }

  #order(number: string): Reply {
    const id = randomUUID();
    if (!this.forSale.includes(number)) {
      return fault(400, "10015", "Bad Request", "The number is not available.", "/phone_numbers/0");
    }
    this.forSale = this.forSale.filter((one) => one !== number);
    this.owned.push(number);
    const status = this.ordersPending-- > 0 ? "pending" : "success";
    return ok({ id, record_type: "number_order", status, requirements_met: true });
  }
}

function wordsOf(body: Json): string {
  if (typeof body["text"] === "string") return body["text"];
  const content = body["whatsapp_message"] as { text?: { body: string }; template?: { name: string } } | undefined;
  return content?.text?.body ?? content?.template?.name ?? "";
}

function idOf(number: string): string {
  return `9${number.slice(1)}`;
}

function describe(call: PhoneCall): Json {
  return {
    record_type: "call",
    call_control_id: call.id,
    call_leg_id: call.legId,
    call_session_id: call.sessionId,
    client_state: call.clientState ?? "",
    is_alive: call.isAlive,
    ...(call.endedAt ? { end_time: call.endedAt } : {}),
  };
}
