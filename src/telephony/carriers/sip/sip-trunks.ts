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
import { isSameNumber, readCalledNumbers } from "./uri-number.ts";

/** Address and ports of the process's SIP user agent. */
export interface SipPlace {
  /** Address to bind; null: the machine's first address that is not internal. */
  host: string | null;
  /** 0: the system chooses. */
  port: number;
  /** Address given to others instead of `host`. */
  publicHost: string | null;
  /** Ports for audio; null: the system chooses. */
  ports: PortSpan | null;
  /** PEM of further authorities for TLS. */
  ca: Buffer | null;
}

/** A call to a number of a trunk. */
export interface IncomingSipCall {
  /** Id of the number for which the trunk was opened. */
  trunkId: string;
  workspaceId: string;
  providerCallId: string;
  /** E.164, or the number as the trunk sends it; empty when it is withheld. */
  from: string;
  to: string;
  /** Sends 180, so that the caller hears ringing. */
  ring(): void;
  /**
   * Answers as the attempt with this id: its events are emitted from now on, and the carrier's `openMedia` returns its
   * audio. Rejects with an Error for people.
   */
  answer(attemptId: string): Promise<void>;
  decline(why: DeclineReason): void;
  /** Aborts when the caller hangs up before the answer, or after. */
  signal: AbortSignal;
}

/** Dependencies of the trunks of a process. */
export interface SipTrunksOptions {
  place: SipPlace;
  guard: OutboundGuard;
  sockets: MediaSockets;
  /** Stores an event of a call; a rejected event is tried again. */
  deliver(event: CarrierEvent): Promise<void>;
  /** Handles a call to an open trunk. */
  onCall(call: IncomingSipCall): void;
  log: Log;
  /** The machine's resolver when left out. */
  names?: NameServer;
}

interface OpenTrunk {
  trunk: Trunk;
  carrier: SipCarrier;
  settings: string;
}

const DELIVERY_TRIES = 6;
/** Longest wait for the last requests of calls when the process stops. */
const FAREWELL_MS = 1_500;

/** All SIP trunks of a process, over one user agent. Nothing is bound before the first trunk is opened. */
export class SipTrunks {
  readonly #options: SipTrunksOptions;
  readonly #trunks = new Map<string, OpenTrunk>();
  readonly #registry = new SipCallRegistry();
  readonly #host: string;
  readonly #locator: Locator;
  #agent: Promise<SipAgent> | undefined;
  #isClosed = false;
  #isUnregistered = false;

  constructor(options: SipTrunksOptions) {
    this.#options = options;
    this.#host = options.place.host ?? findOwnAddress();
    this.#locator = new Locator(options.guard, familyOf(this.#host), options.names);
  }

  /**
   * Returns the carrier of a number on its trunk; the same until the settings change. Rejects with an Error for people
   * when the port is taken.
   */
  async open(keys: SipTrunkKeys): Promise<SipCarrier> {
    if (this.#isClosed) throw new Error("The SIP user agent is closed.");
    const settings = JSON.stringify(keys);
    const agent = await this.#openAgent();
    const open = this.#trunks.get(keys.id);
    if (open?.settings === settings) return open.carrier;
    // Unregistering may take a while, and calls wait for the carrier.
    if (open) void this.close(keys.id);
    const trunk = new Trunk(keys, agent, this.#locator, (status) => this.#noteStatus(keys, status));
    const parts = { agent, locator: this.#locator, trunk, sockets: this.#options.sockets, rules: this.#rulesOf(keys) };
    const carrier = new SipCarrier({
      ...parts,
      notify: (event) => void this.#deliver(event),
      registry: this.#registry,
    });
    this.#trunks.set(keys.id, { trunk, carrier, settings });
    if (!this.#isUnregistered) trunk.open();
    return carrier;
  }

  /** Number of live SIP calls in this process. */
  get liveCalls(): number {
    return this.#registry.live.length;
  }

  /** Returns the status of a number's trunk; null while it is not open. */
  statusOf(id: string): SipTrunkStatus | null {
    return this.#trunks.get(id)?.trunk.status ?? null;
  }

  /** Returns the address of the user agent; null before the first trunk. */
  async place(): Promise<{ address: string; port: number } | null> {
    return (await this.#agent)?.local ?? null;
  }

  /** Closes a number's trunk; live calls continue. */
  async close(id: string): Promise<void> {
    const open = this.#trunks.get(id);
    this.#trunks.delete(id);
    await open?.trunk.close();
  }

  /** Unregisters all trunks, so that callers are sent elsewhere; live calls go on. */
  unregister(): void {
    this.#isUnregistered = true;
    for (const { trunk } of this.#trunks.values()) void trunk.unregister();
  }

  /** Ends all calls, closes all trunks and then the sockets. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    const agent = await this.#agent?.catch(() => undefined);
    for (const call of this.#registry.live) call.hangUp("Parley stopped.");
    const patience = new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref());
    await Promise.all([
      ...[...this.#trunks.values()].map(({ trunk }) => trunk.close()),
      Promise.race([agent?.flush(), patience]),
    ]);
    this.#trunks.clear();
    agent?.close();
  }

  #openAgent(): Promise<SipAgent> {
    this.#agent ??= this.#createAgent().catch((error: unknown) => {
      // The port may be free at the next call.
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

  /** Returns the owner before the trunk is known, so that an immediate CANCEL is handled. */
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

  /** Finds the trunk of a call by its source address; of several numbers there, the called one. */
  async #findTrunk(invite: ServerTransaction): Promise<OpenTrunk | null> {
    const { address } = invite.flow.remote;
    const open = [...this.#trunks.values()];
    const isAt = await Promise.all(open.map(({ trunk }) => trunk.isAt(address)));
    const there = open.filter((_, i) => isAt[i]);
    for (const called of readCalledNumbers(invite.request)) {
      const byNumber = there.find(({ trunk }) => isSameNumber(called, trunk.keys.number));
      if (byNumber) return byNumber;
    }
    return there.length === 1 ? (there[0] ?? null) : null;
  }

  #announce({ trunk, carrier }: OpenTrunk, invite: ServerTransaction, agent: SipAgent): IncomingCall {
    const { id, workspaceId, number } = trunk.keys;
    const gone = new AbortController();
    const call: IncomingCall = new IncomingCall({
      agent,
      invite,
      sockets: this.#options.sockets,
      rules: this.#rulesOf(trunk.keys),
      credentials: trunk.credentials,
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

  /** Stores an event, with retries: the database may be unavailable for a moment. */
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

/** Returns the first external address of this machine; IPv4, because trunks use it. */
function findOwnAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}
