import { randomBytes } from "node:crypto";
import { toError } from "#src/platform/kernel/errors.ts";
import { Authentication, type Credentials } from "./authentication.ts";
import type { Flow, Hop } from "./flow.ts";
import { parseNameAddr } from "./name-addr.ts";
import type { SipAgent } from "./sip-agent.ts";
import type { SipResponse } from "./sip-message.ts";
import { parseSipUri, sameUri } from "./sip-uri.ts";
import { createTag } from "./transactions.ts";
import { askTrunk } from "./trunk-request.ts";

/** Short enough that a trunk which lost our registration cannot reach us for minutes only. */
const ASKED_S = 600;
const SHORTEST_S = 30;
const LONGEST_S = 86_400;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 120_000;
/** Wrong credentials do not fix themselves, and some trunks block clients that retry too often. */
const REFUSED_RETRY_MS = 300_000;
const FAREWELL_MS = 1_500;

/** State of our registration with the trunk. */
export interface RegistrationState {
  kind: "REGISTERING" | "REGISTERED" | "REFUSED" | "UNREACHABLE";
  /** SIP status of the last answer; null: none came. */
  status: number | null;
  /** For people. */
  message: string;
}

/** Dependencies of a registration. */
export interface RegistrationOptions {
  agent: SipAgent;
  /** Best first. Rejects with an Error for people. */
  findHops(): Promise<readonly Hop[]>;
  host: string;
  user: string;
  /** User part of our Contact. */
  contactUser: string;
  credentials: Credentials;
  onState(state: RegistrationState): void;
}

/** Keeps our address registered with the trunk (RFC 3261, 10). */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #authentication: Authentication;
  readonly #callId = randomBytes(16).toString("hex");
  readonly #tag = createTag();
  #sequence = 0;
  #expiresS = ASKED_S;
  #retryMs = FIRST_RETRY_MS;
  #flow: Flow | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isClosed = false;
  #state: RegistrationState = { kind: "REGISTERING", status: null, message: "The trunk is being asked." };

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#authentication = new Authentication(options.credentials);
  }

  get state(): RegistrationState {
    return this.#state;
  }

  /** The flow over which the trunk contacts us. */
  get flow(): Flow | null {
    return this.#flow;
  }

  /** Registers now, whatever the timer says; does nothing while a registration is in progress. */
  async refresh(): Promise<void> {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    clearTimeout(this.#timer);
    try {
      await this.#registerOnce();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Unregisters from the trunk; waits only a moment for its answer. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#state.kind !== "REGISTERED" || !this.#flow) return;
    const asked = this.#ask(this.#flow, 0);
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref())]);
  }

  async #registerOnce(): Promise<void> {
    let hops: readonly Hop[] = [];
    let message = "The trunk did not answer.";
    try {
      hops = await this.#options.findHops();
    } catch (error) {
      message = toError(error).message;
    }
    for (const hop of hops) {
      if (this.#isClosed) return;
      try {
        const flow = await this.#options.agent.connect(hop, AbortSignal.timeout(10_000));
        const response = await this.#askPatiently(flow);
        if (response && response.status !== 503) return this.#take(response, flow);
        if (response) message = `The trunk answered ${response.status}.`;
      } catch (error) {
        message = toError(error).message;
      }
    }
    this.#fail({ kind: "UNREACHABLE", status: null, message }, this.#backOff());
  }

  /** Registers, and once more with the longer interval that a trunk asks for (10.3, step 7). */
  async #askPatiently(flow: Flow): Promise<SipResponse | null> {
    const response = await this.#ask(flow, this.#expiresS);
    if (response?.status !== 423) return response;
    const least = readSeconds(response.headers.get("Min-Expires"));
    if (least === null || least <= this.#expiresS || least > LONGEST_S) return response;
    this.#expiresS = least;
    return this.#ask(flow, least);
  }

  #ask(flow: Flow, expiresS: number): Promise<SipResponse | null> {
    const { agent, host, user, contactUser } = this.#options;
    const self = `<sip:${encodeURIComponent(user)}@${host}>`;
    return askTrunk(agent, flow, this.#authentication, {
      method: "REGISTER",
      uri: `sip:${host}`,
      self,
      to: self,
      callId: this.#callId,
      fromTag: this.#tag,
      nextSequence: () => ++this.#sequence,
      headers: [
        ["Contact", agent.contactFor(flow, contactUser)],
        ["Expires", String(expiresS)],
      ],
    });
  }

  #take(response: SipResponse, flow: Flow): void {
    const { status, reason } = response;
    if (this.#isClosed) {
      // It was closed while it registered.
      if (status < 300) void this.#ask(flow, 0);
      return;
    }
    if (status < 300) {
      this.#flow = flow;
      this.#retryMs = FIRST_RETRY_MS;
      const grantedS = Math.min(Math.max(this.#readGranted(response, flow), SHORTEST_S), LONGEST_S);
      this.#schedule(grantedS > 120 ? (grantedS - 60) * 1_000 : grantedS * 500);
      this.#notify({ kind: "REGISTERED", status, message: "The trunk knows where we are." });
    } else {
      const words = `The trunk refused the registration: ${status} ${reason}.`;
      const isOurs = status === 401 || status === 403 || status === 404 || status === 407;
      const message = isOurs ? `${words} Check the username and password of the trunk.` : words;
      this.#fail({ kind: "REFUSED", status, message }, isOurs ? REFUSED_RETRY_MS : this.#backOff());
    }
  }

  /** Returns the seconds granted to our contact; the trunk may list other registered contacts. */
  #readGranted({ headers }: SipResponse, flow: Flow): number {
    const ours = parseSipUri(parseNameAddr(this.#options.agent.contactFor(flow, this.#options.contactUser))?.uri ?? "");
    const contacts = headers.getAll("Contact").flatMap((value) => parseNameAddr(value) ?? []);
    const own = contacts.find(({ uri }) => {
      const parsed = parseSipUri(uri);
      return ours && parsed && sameUri(ours, parsed);
    });
    const alone = contacts.length === 1 ? contacts[0] : undefined;
    const reported = readSeconds((own ?? alone)?.params.get("expires") ?? undefined);
    return reported ?? readSeconds(headers.get("Expires")) ?? this.#expiresS;
  }

  #fail(state: RegistrationState, retryMs: number): void {
    if (this.#isClosed) return;
    this.#schedule(retryMs);
    this.#notify(state);
  }

  #backOff(): number {
    const waitMs = this.#retryMs * (0.75 + Math.random() / 2);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    return waitMs;
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), ms);
    this.#timer.unref();
  }

  #notify(state: RegistrationState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

function readSeconds(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
