import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { DialPlan, FakeCarrier, PlacedCall } from "./fake-carrier.ts";
import { TwilioCall } from "./twilio-call.ts";
import { newSid, postForm, type PostedForm, readAttribute, sidOfNumber, writeDate } from "./twilio-wire.ts";

const ACCEPTED: DialPlan = { answer: "ACCEPT", person: "PICKS_UP", webhooks: "NORMAL" };

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface StoredMessage {
  id: string;
  from: string;
  to: string;
  text: string;
  status: string;
  errorCode: number | null;
  createdAt: number;
  fields: Record<string, string>;
}

const refuse = (status: number, code: number, message: string): Answer => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

/** Twilio as far as a client sees it: REST over HTTP, signed webhooks, media streams, and a ledger of its actions. */
export class TwilioServer implements FakeCarrier, AsyncDisposable {
  readonly accountSid = newSid("AC");
  readonly authToken = newSid("").slice(0, 32);
  readonly owned = ["+14155552600"];
  readonly forSale: string[] = [];
  readonly calls: TwilioCall[] = [];
  readonly posted: PostedForm[] = [];
  /** Called for each dial before it is answered. */
  onPlaced: () => void = () => undefined;
  /** Forms of every request, with their path. */
  readonly requests: { method: string; path: string; fields: [string, string][] }[] = [];
  accountStatus = "active";
  accountType = "Full";
  /** Answers every request with this until it is set to null. */
  broken: Answer | null = null;
  readonly #plans = new Map<string, DialPlan>();
  readonly #messages: StoredMessage[] = [];
  readonly #hooks = new Map<string, Record<string, string>>();
  readonly #stopped = new Set<string>();
  readonly #server: Server;
  #url = "";

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<TwilioServer> {
    const twilio = new TwilioServer();
    await new Promise<void>((resolve) => twilio.#server.listen(0, "127.0.0.1", resolve));
    const { port } = twilio.#server.address() as { port: number };
    twilio.#url = `http://127.0.0.1:${port}`;
    return twilio;
  }

  get url(): string {
    return this.#url;
  }

  get keys(): Record<string, string> {
    return { accountSid: this.accountSid, authToken: this.authToken };
  }

  get placed(): readonly PlacedCall[] {
    return this.calls
      .filter(({ order }) => order.direction === "outbound-api")
      .map(({ sid, order: { from, to } }) => ({ callId: sid, from, to }));
  }

  get messages(): readonly { id: string; from: string; to: string; text: string }[] {
    return this.#messages.map(({ id, from, to, text }) => ({ id, from, to, text }));
  }

  plan(to: string, plan: Partial<DialPlan>): void {
    this.#plans.set(to, { ...ACCEPTED, ...plan });
  }

  /** Returns the addresses for the webhooks of a number. */
  hooksOf(number: string): Record<string, string> {
    return this.#hooks.get(number) ?? {};
  }

  async callIn(from: string, to: string): Promise<string> {
    const { VoiceUrl, StatusCallback } = this.hooksOf(to);
    if (VoiceUrl === undefined) throw new Error(`${to} has no VoiceUrl`);
    const call = this.#createCall({ from, to, direction: "inbound", statusUrl: StatusCallback ?? null });
    this.calls.push(call);
    call.status = "ringing";
    const form = { ...call.formBase(), CallSid: call.sid, AccountSid: this.accountSid };
    const posted = await postForm(this.authToken, VoiceUrl, form);
    this.posted.push(posted);
    call.order.markup = posted.answer;
    if (readAttribute(posted.answer, "Reject", "reason") !== null || posted.status !== 200) call.endedAt = Date.now();
    else void call.dialogue(5_000);
    return call.sid;
  }

  async writeIn(from: string, to: string, text: string): Promise<void> {
    const { SmsUrl } = this.hooksOf(to.replace("whatsapp:", ""));
    if (SmsUrl === undefined) throw new Error(`${to} has no SmsUrl`);
    const sid = newSid("SM");
    const word = text.trim().toUpperCase();
    if (word === "STOP") this.#stopped.add(from);
    if (word === "START") this.#stopped.delete(from);
    const optOut = word === "STOP" || word === "START" ? { OptOutType: word } : {};
    const ids = { MessageSid: sid, SmsSid: sid, SmsMessageSid: sid, AccountSid: this.accountSid };
    const form = { ...ids, From: from, To: to, Body: text, NumMedia: "0", NumSegments: "1", ...optOut };
    this.posted.push(await postForm(this.authToken, SmsUrl, form));
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.hangUp();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece as string;
    const url = new URL(request.url ?? "/", this.#url);
    const form = new URLSearchParams(request.method === "POST" ? body : url.search);
    const base = `/2010-04-01/Accounts/${this.accountSid}`;
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : "?";
    this.requests.push({ method: request.method ?? "", path, fields: [...form] });
    const answer = this.broken ?? this.#authenticate(request) ?? this.#route(request.method ?? "", path, form);
    if (answer === "NEVER") return;
    const { status, headers } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(answer.body));
  }

  #authenticate(request: IncomingMessage): Answer | null {
    const wanted = `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString("base64")}`;
    return request.headers.authorization === wanted ? null : refuse(401, 20003, "Authenticate");
  }

  #route(method: string, path: string, form: URLSearchParams): Answer | "NEVER" {
    const [, room = "", sid] = /^\/?([A-Za-z]*)(?:\/(.+))?\.json$/.exec(path) ?? [];
    if (path === ".json") return { status: 200, body: this.#account() };
    if (room === "Calls") return this.#routeCalls(method, sid, form);
    if (room === "Messages") return this.#routeMessages(method, sid, form);
    if (room === "IncomingPhoneNumbers") return this.#routeNumbers(method, sid, form);
    if (room === "AvailablePhoneNumbers" && sid?.endsWith("/Local")) return this.#offer(form);
    return refuse(404, 20404, `The requested resource ${path} was not found`);
  }

  #account(): Record<string, unknown> {
    const { accountSid, accountStatus, accountType } = this;
    return { sid: accountSid, friendly_name: "Trial runs", status: accountStatus, type: accountType };
  }

  #routeCalls(method: string, sid: string | undefined, form: URLSearchParams): Answer | "NEVER" {
    if (sid === undefined) return method === "POST" ? this.#place(form) : this.#listCalls(form);
    const call = this.calls.find((candidate) => candidate.sid === sid);
    if (!call) return refuse(404, 20404, `The requested resource /Calls/${sid}.json was not found`);
    if (method === "GET") return { status: 200, body: call.toJson() };
    if (!call.hangUp()) return refuse(400, 21220, "Call is not in-progress. Cannot redirect.");
    return { status: 200, body: call.toJson() };
  }

  #place(form: URLSearchParams): Answer | "NEVER" {
    const to = form.get("To") ?? "";
    const from = form.get("From") ?? "";
    const plan = this.#plans.get(to) ?? ACCEPTED;
    if (plan.answer === "CREDENTIALS") return refuse(401, 20003, "Authenticate");
    if (plan.answer === "THROTTLE") {
      return { ...refuse(429, 20429, "Too Many Requests"), headers: { "retry-after": "2" } };
    }
    if (plan.answer === "INVALID")
      return refuse(400, 21211, `The phone number you are attempting to call, ${to}, is not valid.`);
    if (!this.owned.includes(from)) {
      return refuse(400, 21210, `The source phone number provided, ${from}, is not yet verified for your account.`);
    }
    const call = this.#createCall({
      from,
      to,
      direction: "outbound-api",
      markup: form.get("Twiml") ?? "",
      statusUrl: form.get("StatusCallback"),
      events: form.getAll("StatusCallbackEvent"),
      answeredByUrl: form.get("AsyncAmd") === "true" ? form.get("AsyncAmdStatusCallback") : null,
      plan,
    });
    this.calls.push(call);
    void call.run();
    this.onPlaced();
    if (plan.answer === "TIMEOUT") return "NEVER";
    return plan.answer === "ERROR" ? refuse(503, 20500, "Internal Server Error") : { status: 201, body: call.toJson() };
  }

  #createCall(
    order: Partial<TwilioCall["order"]> & Pick<TwilioCall["order"], "from" | "to" | "direction">,
  ): TwilioCall {
    const { accountSid, authToken } = this;
    const silent = { markup: "", statusUrl: null, events: ["completed"], answeredByUrl: null, plan: ACCEPTED };
    const onPosted = (posted: PostedForm) => void this.posted.push(posted);
    return new TwilioCall({ accountSid, authToken, onPosted, ...silent, ...order });
  }

  #listCalls(form: URLSearchParams): Answer {
    const [to, from] = [form.get("To"), form.get("From")];
    const found = this.calls.filter(({ order }) => (!to || order.to === to) && (!from || order.from === from));
    return { status: 200, body: { calls: found.map((call) => call.toJson()).reverse() } };
  }

  #routeMessages(method: string, sid: string | undefined, form: URLSearchParams): Answer {
    if (method === "POST") return this.#take(form);
    if (sid === undefined) {
      const [to, from] = [form.get("To"), form.get("From")];
      const found = this.#messages.filter((message) => message.to === to && message.from === from);
      return { status: 200, body: { messages: found.map((message) => this.#show(message)).reverse() } };
    }
    const message = this.#messages.find(({ id }) => id === sid);
    return message ? { status: 200, body: this.#show(message) } : refuse(404, 20404, "Not found");
  }

  #take(form: URLSearchParams): Answer {
    const fields = Object.fromEntries(form);
    const { To: to = "", From: from = "" } = fields;
    if (this.#stopped.has(to)) return refuse(400, 21610, "Attempt to send to unsubscribed recipient");
    const text = fields.Body ?? `Template ${fields.ContentSid}`;
    const message = {
      id: newSid("SM"),
      from,
      to,
      text,
      status: "queued",
      errorCode: null,
      createdAt: Date.now(),
      fields,
    };
    this.#messages.push(message);
    void this.#deliver(message);
    return { status: 201, body: this.#show(message) };
  }

  async #deliver(message: StoredMessage): Promise<void> {
    for (const status of ["sent", "delivered"]) {
      message.status = status;
      const url = message.fields.StatusCallback;
      if (url === undefined) continue;
      const ids = { MessageSid: message.id, SmsSid: message.id, AccountSid: this.accountSid };
      const form = { ...ids, From: message.from, To: message.to, MessageStatus: status, SmsStatus: status };
      this.posted.push(await postForm(this.authToken, url, { ...form, ApiVersion: "2010-04-01" }));
    }
  }

  #show({ id, from, to, text, status, errorCode, createdAt }: StoredMessage): Record<string, unknown> {
    const date_created = writeDate(createdAt);
    const base = { sid: id, account_sid: this.accountSid, from, to, body: text, status, direction: "outbound-api" };
    return { ...base, error_code: errorCode, error_message: null, date_created, date_sent: null };
  }

  #routeNumbers(method: string, sid: string | undefined, form: URLSearchParams): Answer {
    if (sid === undefined) return method === "POST" ? this.#buy(form) : this.#listNumbers(form);
    const number = this.owned.find((candidate) => sidOfNumber(candidate) === sid);
    if (number === undefined) return refuse(404, 20404, "Not found");
    if (method === "DELETE") {
      this.owned.splice(this.owned.indexOf(number), 1);
      return { status: 204, body: null };
    }
    return { status: 200, body: this.#hook(number, form) };
  }

  #buy(form: URLSearchParams): Answer {
    const number = form.get("PhoneNumber") ?? "";
    const at = this.forSale.indexOf(number);
    if (at < 0) return refuse(400, 21422, `${number} is not available.`);
    this.forSale.splice(at, 1);
    this.owned.push(number);
    return { status: 201, body: this.#hook(number, form) };
  }

  #hook(number: string, form: URLSearchParams): Record<string, unknown> {
    this.#hooks.set(number, { ...this.#hooks.get(number), ...Object.fromEntries(form) });
    return this.#showNumber(number);
  }

  #listNumbers(form: URLSearchParams): Answer {
    const wanted = form.get("PhoneNumber");
    const found = this.owned.filter((number) => !wanted || number.includes(wanted));
    return { status: 200, body: { incoming_phone_numbers: found.map((number) => this.#showNumber(number)) } };
  }

  #showNumber(number: string): Record<string, unknown> {
    const hooks = this.hooksOf(number);
    const bound = { voice_application_sid: hooks.VoiceApplicationSid ?? null, trunk_sid: hooks.TrunkSid ?? null };
    const urls = { voice_url: hooks.VoiceUrl ?? null, sms_url: hooks.SmsUrl ?? null };
    const capabilities = { voice: true, sms: true, mms: false, fax: false };
    return { sid: sidOfNumber(number), phone_number: number, capabilities, ...bound, ...urls };
  }

  #offer(form: URLSearchParams): Answer {
    const part = form.get("AreaCode") ?? form.get("Contains") ?? "";
    const found = this.forSale.filter((number) => number.includes(part)).slice(0, Number(form.get("PageSize") ?? 50));
    const capabilities = { voice: true, SMS: true, MMS: false };
    return {
      status: 200,
      body: { available_phone_numbers: found.map((phone_number) => ({ phone_number, capabilities })) },
    };
  }
}
