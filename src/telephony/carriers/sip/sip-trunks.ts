import { networkInterfaces } from "node:os";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { MediaRules, MediaSockets, PortSpan } from "./call-media.ts";
import { type DeclineReason, IncomingCall } from "./incoming-call.ts";
import { Locator, type NameServer } from "./locate.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import { type DialogOwner, familyOf, refuse, SipAgent } from "./sip-agent.ts";
import { SipCallRegistry } from "./sip-call-registry.ts";
import { SipCarrier } from "./sip-carrier.ts";
import { type SipTrunkKeys, type SipTrunkStatus, Trunk } from "./trunk.ts";

/** Where the SIP user agent of the process is. */
export interface SipPlace {
  /** Address to bind; null: the machine's first that is not its own alone. */
  host: string | null;
  /** 0: the system chooses. */
  port: number;
  /** What others are told instead of `host`. */
  publicHost: string | null;
  /** For audio; null: the system chooses. */
  ports: PortSpan | null;
  /** PEM of further authorities for TLS. */
  ca: Buffer | null;
}

/** A call of somebody to a number of a trunk. */
export interface IncomingSipCall {
  /** The number's id, as the trunk was opened with. */
  trunkId: string;
  workspaceId: string;
  providerCallId: string;
  /** E.164, or what the trunk tells; empty when it is withheld. */
  from: string;
  to: string;
  /** Lets the caller hear that it rings. */
  ring(): void;
  /**
   * Answers as the attempt with this id: its events are told from now on, and the carrier's `openMedia` gives its audio.
   * Rejects with an Error for people.
   */
  answer(attemptId: string): Promise<void>;
  decline(why: DeclineReason): void;
  /** Aborts when the caller hangs up before the answer, or after. */
  signal: AbortSignal;
}

/** What the trunks of a process are made of. */
export interface SipTrunksOptions {
  place: SipPlace;
  guard: OutboundGuard;
  sockets: MediaSockets;
  /** Stores an event of a call; what it rejects is tried again. */
  deliver(event: CarrierEvent): Promise<void>;
  /** A call to a trunk that is open. */
  onCall(call: IncomingSipCall): void;
  log: Log;
  /** Of the machine when left out. */
  names?: NameServer;
}

interface OpenTrunk {
  trunk: Trunk;
  carrier: SipCarrier;
  settings: string;
}

const DELIVERY_TRIES = 6;

/** All SIP trunks of a process, over one user agent. Nothing is bound before the first trunk is opened. */
export class SipTrunks {
  readonly #options: SipTrunksOptions;
  readonly #trunks = new Map<string, OpenTrunk>();
  readonly #registry = new SipCallRegistry();
  readonly #host: string;
  readonly #locator: Locator;
  #agent: Promise<SipAgent> | undefined;
  #isClosed = false;

  constructor(options: SipTrunksOptions) {
    this.#options = options;
    this.#host = options.place.host ?? findOwnAddress();
    this.#locator = new Locator(options.guard, familyOf(this.#host), options.names);
  }

  /**
   * The carrier of a number on its trunk; the same until the settings change. Rejects with an Error for people when the
   * port is taken.
   */
  async open(keys: SipTrunkKeys): Promise<SipCarrier> {
    if (this.#isClosed) throw new Error("The SIP user agent is closed.");
    const settings = JSON.stringify(keys);
    const agent = await this.#openAgent();
    const open = this.#trunks.get(keys.id);
    if (open?.settings === settings) return open.carrier;
    // Its farewell may take a while, and calls wait for the carrier.
    if (open) void this.close(keys.id);
    const trunk = new Trunk(keys, agent, this.#locator, (status) => this.#noteStatus(keys, status));
    const parts = { agent, locator: this.#locator, trunk, sockets: this.#options.sockets, rules: this.#rulesOf(keys) };
    const carrier = new SipCarrier({
      ...parts,
      notify: (event) => void this.#deliver(event),
      registry: this.#registry,
    });
    this.#trunks.set(keys.id, { trunk, carrier, settings });
    trunk.open();
    return carrier;
  }

  /** How many calls over SIP live in this process. */
  get liveCalls(): number {
    return this.#registry.live.length;
  }

  /** What is known of a number's trunk; null while it is not open. */
  statusOf(id: string): SipTrunkStatus | null {
    return this.#trunks.get(id)?.trunk.status ?? null;
  }

  /** Where the user agent is; null before the first trunk. */
  async place(): Promise<{ address: string; port: number } | null> {
    return (await this.#agent)?.local ?? null;
  }

  /** Takes leave of a number's trunk; calls that live go on. */
  async close(id: string): Promise<void> {
    const open = this.#trunks.get(id);
    this.#trunks.delete(id);
    await open?.trunk.close();
  }

  /** Ends all calls, takes leave of all trunks and closes the sockets. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    const agent = await this.#agent?.catch(() => undefined);
    for (const call of this.#registry.live) call.hangUp("Parley stopped.");
    await Promise.all([...this.#trunks.values()].map(({ trunk }) => trunk.close()));
    this.#trunks.clear();
    agent?.close();
  }

  #openAgent(): Promise<SipAgent> {
    this.#agent ??= this.#createAgent().catch((error: unknown) => {
      // The port may be free when the next call asks.
      this.#agent = undefined;
      throw new Error(`The SIP user agent cannot be opened: ${toError(error).message}`, { cause: error });
    });
    return this.#agent;
  }

  async #createAgent(): Promise<SipAgent> {
    const { place, log } = this.#options;
    const { port, publicHost, ca } = place;
    const agent = new SipAgent({
      settings: { host: this.#host, publicHost, port, ca },
      locator: this.#locator,
      log,
      onInvite: (transaction) => this.#takeInvite(transaction, agent),
    });
    await agent.open();
    return agent;
  }

  #rulesOf({ settings }: SipTrunkKeys): MediaRules {
    const { publicHost, ports } = this.#options.place;
    const { codecs = ["PCMU", "PCMA"], srtp = "OPTIONAL", rtpSources = [] } = settings;
    return { host: this.#host, publicHost, ports, codecs, srtp, ranges: rtpSources };
  }

  /** The owner comes first, so that a caller who hangs up at once is heard. */
  #takeInvite(invite: ServerTransaction, agent: SipAgent): DialogOwner | null {
    const pending: { call: IncomingCall | null; isCancelled: boolean } = { call: null, isCancelled: false };
    void this.#findTrunk(invite).then((open) => {
      if (pending.isCancelled) return refuse(invite, 487);
      if (!open) return refuse(invite, 403);
      pending.call = this.#announce(open, invite, agent);
    });
    return {
      onRequest: (transaction) => refuse(transaction, 481),
      onAck: () => undefined,
      onCancel: () => {
        pending.isCancelled = true;
        pending.call?.onCancel();
      },
    };
  }

  /** A call is a trunk's when it comes from its address; of several numbers the one that was called. */
  async #findTrunk(invite: ServerTransaction): Promise<OpenTrunk | null> {
    const { address } = invite.flow.remote;
    const open = [...this.#trunks.values()];
    const isAt = await Promise.all(open.map(({ trunk }) => trunk.isAt(address)));
    const there = open.filter((_, i) => isAt[i]);
    const { headers, uri } = invite.request;
    const called = `${uri} ${headers.get("To") ?? ""}`;
    const byNumber = there.find(({ trunk }) => called.includes(trunk.keys.number.replace(/^\+/, "")));
    return byNumber ?? (there.length === 1 ? (there[0] ?? null) : null);
  }

  #announce({ trunk, carrier }: OpenTrunk, invite: ServerTransaction, agent: SipAgent): IncomingCall {
    const { id, workspaceId, number } = trunk.keys;
    const gone = new AbortController();
    const call: IncomingCall = new IncomingCall({
      agent,
      invite,
      sockets: this.#options.sockets,
      rules: this.#rulesOf(trunk.keys),
      user: number,
      onGone: () => gone.abort(new Error("The caller hung up.")),
    });
    this.#options.onCall({
      trunkId: id,
      workspaceId,
      providerCallId: call.providerCallId,
      from: call.from,
      to: number,
      ring: () => call.ring(),
      answer: (attemptId) => carrier.answer(call, attemptId),
      decline: (why) => call.decline(why),
      signal: gone.signal,
    });
    return call;
  }

  /** The database may be away for a moment. */
  async #deliver(event: CarrierEvent): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#options.deliver(event);
      } catch (error) {
        if (tries === DELIVERY_TRIES) {
          const { type, attemptId } = event;
          return this.#options.log.error("An event of a SIP call was not stored.", {
            type,
            attemptId,
            error: toError(error),
          });
        }
        await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** tries).unref());
      }
    }
  }

  #noteStatus({ id, settings }: SipTrunkKeys, status: SipTrunkStatus): void {
    const { registration, isReachable, message } = status;
    const isFine = message === null && isReachable !== false;
    const fields = { numberId: id, host: settings.host, registration, isReachable, fault: message };
    if (isFine) this.#options.log.info("A SIP trunk works.", fields);
    else this.#options.log.warn("A SIP trunk does not work.", fields);
  }
}

/** The first address of this machine that others can reach; IPv4, because trunks speak it. */
function findOwnAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}
