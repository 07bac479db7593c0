import { randomBytes } from "node:crypto";
import { Authentication, type Credentials } from "./authentication.ts";
import { type Flow, type Hop, isReliable } from "./flow.ts";
import type { Locator } from "./locate.ts";
import { Registration } from "./registration.ts";
import type { SdpCodec } from "./sdp-codecs.ts";
import type { SipAgent } from "./sip-agent.ts";
import { writeHostPort } from "./sip-uri.ts";
import { createTag } from "./transactions.ts";
import { askTrunk } from "./trunk-request.ts";

/** Milliseconds for which a hop that did not answer is tried last. */
const DEAD_MS = 120_000;
/** Routers drop a UDP mapping after half a minute of silence. */
const KEEP_ALIVE_MS = 25_000;
/** Trying more addresses than this only costs the call time. */
const MAX_HOPS = 6;
const REGISTRATION_WAIT_MS = 5_000;

/** Settings of a number's trunk. */
export interface SipTrunkSettings {
  host: string;
  port: number | null;
  transport: "UDP" | "TCP" | "TLS";
  username: string | null;
  password: string | null;
  registrationRequired: boolean;
  /** OPTIONAL when left out: encrypted when the far end supports it. */
  srtp?: "OFF" | "OPTIONAL" | "REQUIRED";
  /** Best first; PCMU, PCMA when left out. */
  codecs?: readonly SdpCodec[];
  /** Ranges (CIDR) allowed to send audio besides the host in the trunk's SDP, for trunks behind NAT; default none. */
  rtpSources?: readonly string[];
}

/** A trunk as it is opened for one number. */
export interface SipTrunkKeys {
  /** The number's id. */
  id: string;
  workspaceId: string;
  /** E.164. */
  number: string;
  settings: SipTrunkSettings;
}

/** Status of a trunk. */
export interface SipTrunkStatus {
  /** OFF: the trunk needs none. */
  registration: "OFF" | "REGISTERING" | "REGISTERED" | "REFUSED" | "UNREACHABLE";
  /** True when its last request was answered; null: none was sent yet. */
  isReachable: boolean | null;
  /** For people; null while all is well. */
  message: string | null;
}

/** The connection to one trunk: its address, its availability and our registration with it. */
export class Trunk {
  readonly keys: SipTrunkKeys;
  readonly #agent: SipAgent;
  readonly #locator: Locator;
  readonly #onStatus: (status: SipTrunkStatus) => void;
  readonly #deadUntil = new Map<string, number>();
  readonly #registration: Registration | null;
  readonly #settled = Promise.withResolvers<void>();
  readonly #forget: () => void;
  #keepAlive: NodeJS.Timeout | undefined;
  #isReachable: boolean | null = null;
  #message: string | null = null;
  #pings = 0;
  /** True once the trunk has answered OPTIONS; some never do. */
  #answersPings = false;

  constructor(keys: SipTrunkKeys, agent: SipAgent, locator: Locator, onStatus: (status: SipTrunkStatus) => void) {
    this.keys = keys;
    this.#agent = agent;
    this.#locator = locator;
    this.#onStatus = onStatus;
    this.#registration = this.#createRegistration();
    this.#forget = agent.onLost((flow) => {
      if (this.#registration?.flow?.key === flow.key) void this.#registration.refresh();
    });
  }

  /** Starts registering and sending keep-alives, as far as the settings ask for it. */
  open(): void {
    if (this.#registration) void this.#registration.refresh();
    if (!this.#registration && this.keys.settings.transport === "UDP") return;
    this.#keepAlive = setInterval(() => void this.#ping(), KEEP_ALIVE_MS);
    this.#keepAlive.unref();
  }

  get credentials(): Credentials | null {
    const { username, password } = this.keys.settings;
    return username === null ? null : { username, password: password ?? "" };
  }

  get status(): SipTrunkStatus {
    const { kind, message } = this.#registration?.state ?? { kind: "OFF" as const, message: "" };
    const isFine = kind === "OFF" || kind === "REGISTERED";
    const words = isFine || kind === "REGISTERING" ? this.#message : message;
    return { registration: kind, isReachable: this.#isReachable, message: words };
  }

  /** The part after the @ of the trunk's addresses. */
  get domain(): string {
    const { host, port, transport } = this.keys.settings;
    const isUsual = port === null || port === (transport === "TLS" ? 5061 : 5060);
    return writeHostPort(host.replace(/^\[|\]$/g, ""), isUsual ? null : port);
  }

  /** Returns the address of a phone number at this trunk. */
  addressOf(e164: string): string {
    const { transport } = this.keys.settings;
    return `sip:${e164}@${this.domain}${transport === "UDP" ? "" : `;transport=${transport.toLowerCase()}`}`;
  }

  /** Returns the hops to send to; hops that recently did not answer come last. Rejects with an `UnreachableHost`. */
  async findHops(): Promise<Hop[]> {
    const hops = await this.#locate();
    const isDead = (hop: Hop): boolean => (this.#deadUntil.get(placeOf(hop)) ?? 0) > Date.now();
    return [...hops.filter((hop) => !isDead(hop)), ...hops.filter(isDead)].slice(0, MAX_HOPS);
  }

  /** Records that a hop did not answer. */
  noteDead(hop: Hop, message: string): void {
    this.#deadUntil.set(placeOf(hop), Date.now() + DEAD_MS);
    this.#note(false, message);
  }

  /** Records that the trunk answered. */
  noteAlive(): void {
    this.#note(true, null);
  }

  /** True when a message from this address may be the trunk's. */
  async isAt(address: string): Promise<boolean> {
    // The registrar has our address, wherever the trunk's name leads by now.
    if (this.#registration?.flow?.remote.address === address) return true;
    try {
      return (await this.#locate()).some((hop) => hop.address === address);
    } catch {
      return false;
    }
  }

  /** Waits a moment for a registration in progress; returns why no call can be made yet, or null. */
  async whenReady(): Promise<{ message: string; isRefused: boolean } | null> {
    if (!this.#registration) return null;
    const timer = new Promise((resolve) => setTimeout(resolve, REGISTRATION_WAIT_MS).unref());
    await Promise.race([this.#settled.promise, timer]);
    const { kind, message } = this.#registration.state;
    return kind === "REGISTERED" ? null : { message, isRefused: kind === "REFUSED" };
  }

  /** Unregisters, so that callers are sent elsewhere; live calls go on, and calls can still be dialled. */
  async unregister(): Promise<void> {
    await this.#registration?.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#forget();
    await this.unregister();
  }

  #locate(): Promise<Hop[]> {
    const { host, port, transport } = this.keys.settings;
    return this.#locator.locate({ host, port, transport });
  }

  #createRegistration(): Registration | null {
    const { settings, number } = this.keys;
    const { credentials } = this;
    if (!settings.registrationRequired || !credentials) return null;
    return new Registration({
      agent: this.#agent,
      findHops: () => this.findHops(),
      host: this.domain,
      user: credentials.username,
      contactUser: number,
      credentials,
      onState: (state) => {
        this.#settled.resolve();
        this.#note(state.kind === "UNREACHABLE" ? false : true, null);
      },
    });
  }

  async #ping(): Promise<void> {
    try {
      const flow = this.#registration?.flow ?? (await this.#tryFirst());
      const response = await this.#askWhetherThere(flow);
      if (response) {
        this.#answersPings = true;
        return this.noteAlive();
      }
      this.#note(false, "The trunk does not answer OPTIONS.");
      if (!isReliable(flow)) return;
      // A connection that a router has dropped without a word seems open for a quarter of an hour.
      if (this.#answersPings) flow.close?.();
      void this.#registration?.refresh();
    } catch (error) {
      this.#note(false, (error as Error).message);
    }
  }

  async #tryFirst(): Promise<Flow> {
    const [hop] = await this.findHops();
    if (!hop) throw new Error("The trunk has no address.");
    return this.#agent.connect(hop, AbortSignal.timeout(10_000));
  }

  #askWhetherThere(flow: Flow) {
    return askTrunk(this.#agent, flow, new Authentication(null), {
      method: "OPTIONS",
      uri: `sip:${this.domain}`,
      self: `<sip:${this.keys.number}@${this.domain}>`,
      to: `<sip:${this.domain}>`,
      callId: randomBytes(16).toString("hex"),
      fromTag: createTag(),
      nextSequence: () => ++this.#pings,
      headers: [
        ["Contact", this.#agent.contactFor(flow, this.keys.number)],
        ["Accept", "application/sdp"],
      ],
    });
  }

  #note(isReachable: boolean, message: string | null): void {
    const before = JSON.stringify(this.status);
    this.#isReachable = isReachable;
    this.#message = message;
    const { status } = this;
    if (JSON.stringify(status) !== before) this.#onStatus(status);
  }
}

function placeOf({ transport, address, port }: Hop): string {
  return `${transport} ${address} ${port}`;
}
