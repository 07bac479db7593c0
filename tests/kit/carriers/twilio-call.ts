import type { DialPlan } from "./fake-carrier.ts";
import { TwilioStream } from "./twilio-stream.ts";
import { newSid, postForm, type PostedForm, readAttribute, writeDate } from "./twilio-wire.ts";

const RING_MS = 40;
const LONGEST_CONVERSATION_MS = 8_000;
const SHORT_CALL_MS = 100;
/** Time that the person waits for the agent's first word: a machine under load is slow to speak. */
const PATIENCE_MS = 20_000;
const LATE_MS = 2_000;

/** Settings of a call. */
export interface CallOrder {
  accountSid: string;
  authToken: string;
  from: string;
  to: string;
  direction: "outbound-api" | "inbound";
  markup: string;
  /** Address for progress reports; null: no reports. `events` lists the events to report. */
  statusUrl: string | null;
  events: readonly string[];
  answeredByUrl: string | null;
  plan: DialPlan;
  onPosted: (posted: PostedForm) => void;
}

/** One call at the carrier, from ringing to its last report. */
export class TwilioCall {
  readonly sid = newSid("CA");
  readonly createdAt = Date.now();
  readonly order: CallOrder;
  status = "queued";
  answeredBy: string | null = null;
  endedAt: number | null = null;
  stream: TwilioStream | null = null;
  readonly #hungUp = Promise.withResolvers<void>();
  readonly #held: (() => Promise<void>)[] = [];
  #sequence = 0;

  constructor(order: CallOrder) {
    this.order = order;
  }

  /** Returns the call as the API shows it. */
  toJson(): Record<string, unknown> {
    const { accountSid, from, to, direction } = this.order;
    const times = {
      start_time: this.stream ? writeDate(this.createdAt) : null,
      end_time: this.endedAt && writeDate(this.endedAt),
    };
    const created = { date_created: writeDate(this.createdAt), date_updated: writeDate(this.endedAt ?? Date.now()) };
    const base = { sid: this.sid, account_sid: accountSid, from, to, direction, status: this.status };
    return { ...base, answered_by: this.answeredBy, ...times, ...created, api_version: "2010-04-01" };
  }

  /** Ends the call from our side of the API; false when it is over already. */
  hangUp(): boolean {
    if (this.endedAt !== null) return false;
    this.#hungUp.resolve();
    return true;
  }

  /** Runs a dialled call, from its first ring to its last report. */
  async run(): Promise<void> {
    const { person, ringMs = RING_MS } = this.order.plan;
    await this.#report("initiated", "initiated");
    await this.#report("ringing", "ringing");
    const isHungUp = await Promise.race([this.#hungUp.promise.then(() => true), wait(ringMs).then(() => false)]);
    if (isHungUp) return this.#end("canceled", "487");
    if (person === "BUSY") return this.#end("busy", "486");
    if (person === "NO_ANSWER") return this.#end("no-answer", "487");
    this.#notify(this.#report("in-progress", "answered"));
    await (person === "HANGS_UP" ? this.dialogue(SHORT_CALL_MS, 0) : this.dialogue(LONGEST_CONVERSATION_MS));
  }

  /** Runs the part after the answer: the markup's stream, then the end. */
  async dialogue(talkMs: number, patienceMs = PATIENCE_MS): Promise<void> {
    const { accountSid, markup, answeredByUrl } = this.order;
    this.status = "in-progress";
    const url = readAttribute(markup, "Stream", "url");
    if (url === null) return this.#end("completed", "200");
    const stream = (this.stream = new TwilioStream({ accountSid, callSid: this.sid, url, talkMs, patienceMs }));
    const isOpen = await stream.opened;
    this.#notify(this.#reportStream(isOpen ? "stream-started" : "stream-error"));
    if (!isOpen) return this.#end("completed", "200");
    if (answeredByUrl !== null) {
      this.answeredBy = "human";
      this.#notify(this.#post(answeredByUrl, { AnsweredBy: "human", MachineDetectionDuration: "1200" }));
    }
    await Promise.race([stream.closed, this.#hungUp.promise.then(() => stream.stop())]);
    this.#notify(this.#reportStream("stream-stopped"));
    await this.#end("completed", "200");
  }

  async #end(status: string, sipCode: string): Promise<void> {
    this.endedAt = Date.now();
    await this.#report(status, "completed", { SipResponseCode: sipCode, CallDuration: "1", Duration: "1" });
    for (const post of this.#held.splice(0).reverse()) await post();
  }

  /** Sends a report without waiting for it. */
  #notify(report: Promise<void>): void {
    void report;
  }

  async #report(status: string, event: string, more: Record<string, string> = {}): Promise<void> {
    this.status = status === "initiated" ? "queued" : status;
    const { statusUrl, events } = this.order;
    const SequenceNumber = String(this.#sequence++);
    if (statusUrl === null || !events.includes(event)) return;
    const CallbackSource = "call-progress-events";
    const answered = this.answeredBy === null ? {} : { AnsweredBy: this.answeredBy };
    const progress = { CallStatus: status, SequenceNumber, CallbackSource, ...answered, ...more };
    await this.#post(statusUrl, { ...this.formBase(), Timestamp: writeDate(Date.now()), ...progress });
  }

  async #reportStream(event: string): Promise<void> {
    const url = readAttribute(this.order.markup, "Stream", "statusCallback");
    if (url === null) return;
    const error = event === "stream-error" ? { StreamError: "31921 Stream - WebSocket - Close Error" } : {};
    const form = { StreamEvent: event, StreamSid: this.stream?.streamSid ?? newSid("MZ"), ...error };
    await this.#post(url, { ...form, Timestamp: new Date().toISOString() });
  }

  /** Returns the fields that every webhook about a call has. */
  formBase(): Record<string, string> {
    const { from, to, direction } = this.order;
    const numbers = { From: from, To: to, Caller: from, Called: to };
    return { ...numbers, Direction: direction, ApiVersion: "2010-04-01", CallStatus: this.status };
  }

  async #post(url: string, fields: Record<string, string>): Promise<void> {
    const { authToken, accountSid, plan, onPosted } = this.order;
    const form = { CallSid: this.sid, AccountSid: accountSid, ...fields };
    const key = plan.webhooks === "FORGED" ? "00000000000000000000000000000000" : authToken;
    const post = async () => onPosted(await postForm(key, url, form));
    if (plan.webhooks === "LOST") return;
    if (plan.webhooks === "REVERSED") return void this.#held.push(post);
    if (plan.webhooks === "LATE") return void wait(LATE_MS).then(post);
    await post();
    if (plan.webhooks === "TWICE") await post();
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
