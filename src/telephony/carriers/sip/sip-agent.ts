import { isIPv6 } from "node:net";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { ClientTransaction, RequestEvents } from "./client-transaction.ts";
import type { Dialog } from "./dialog.ts";
import { type Flow, type Hop, isReliable, type SipTransportName } from "./flow.ts";
import type { Locator } from "./locate.ts";
import { readTag } from "./name-addr.ts";
import { createResponse, type ResponseParts } from "./response.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import type { SipHeaders, SipRequest, SipResponse } from "./sip-message.ts";
import { parseSipUri, writeHostPort } from "./sip-uri.ts";
import { createTag, Transactions } from "./transactions.ts";
import { SipTransports, type TransportSettings } from "./transports.ts";
import { writeMessage } from "./write-message.ts";

/** Supported methods; a request with another method is refused. */
export const ALLOWED = "INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, NOTIFY, REFER";
/** Methods that exist, but are not supported. */
const FOREIGN_METHODS = new Set(["REGISTER", "SUBSCRIBE", "MESSAGE", "PUBLISH", "PRACK"]);
const OWN_METHODS = new Set(ALLOWED.split(", "));
const EXTENSIONS = new Set(["timer"]);
const USER_AGENT = "Parley";

/** Handles the requests of a dialog. */
export interface DialogOwner {
  onRequest(transaction: ServerTransaction): void;
  onAck(request: SipRequest): void;
  /** An unanswered INVITE of this owner is cancelled. */
  onCancel(invite: ServerTransaction, cancel: SipRequest): void;
}

/** Dependencies of an agent. */
export interface SipAgentOptions {
  settings: TransportSettings;
  locator: Locator;
  log: Log;
  /** Handles a new call. The returned owner answers it; null when it was answered already. */
  onInvite(transaction: ServerTransaction): DialogOwner | null;
}

/** The SIP user agent of the process: sends requests, and passes received ones to the call that they belong to. */
export class SipAgent {
  readonly #options: SipAgentOptions;
  readonly #transports: SipTransports;
  readonly #transactions: Transactions;
  /** By Call-ID and both tags: several phones may answer one call of ours. */
  readonly #owners = new Map<string, DialogOwner>();
  readonly #ringing = new Map<ServerTransaction, DialogOwner>();
  readonly #lost = new Set<(flow: Flow) => void>();
  /** Ways that are being looked up, each for a request that is to be sent. */
  readonly #ways = new Set<Promise<Flow>>();

  constructor(options: SipAgentOptions) {
    this.#options = options;
    this.#transactions = new Transactions({
      onRequest: (transaction) => this.#take(transaction),
      onAck: (request) => this.#ownerOf(request.headers)?.onAck(request),
      onCancel: (invite, cancel) => this.#ringing.get(invite)?.onCancel(invite, cancel),
    });
    const events = {
      onMessage: this.#transactions.take.bind(this.#transactions),
      onBroken: (flow: Flow, message: string) => {
        this.#transactions.breakOff(flow, message);
        for (const notify of this.#lost) notify(flow);
      },
    };
    this.#transports = new SipTransports(options.settings, events, options.log);
  }

  /** Address and port for others to contact us. */
  get local(): { address: string; port: number } {
    return this.#transports.local;
  }

  /** Rejects when the port is taken. */
  open(): Promise<void> {
    return this.#transports.open();
  }

  /** Resolves once the requests within calls that were asked for have been sent. Never rejects. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#ways);
  }

  close(): void {
    this.#transactions.close();
    this.#transports.close();
  }

  /** Registers a callback for lost connections; returns a function that removes it. */
  onLost(notify: (flow: Flow) => void): () => void {
    this.#lost.add(notify);
    return () => void this.#lost.delete(notify);
  }

  /** Returns a flow to a hop. Rejects with an Error for people. */
  connect(hop: Hop, signal: AbortSignal): Promise<Flow> {
    return this.#transports.connect(hop, signal);
  }

  /** Returns the flow to a URI, if the guard allows it; `instead` when it is the same place or cannot be reached. */
  wayTo(uri: string, known: Flow): Promise<Flow> {
    const way = this.#findWay(uri, known);
    this.#ways.add(way);
    void way.finally(() => this.#ways.delete(way));
    return way;
  }

  async #findWay(uri: string, known: Flow): Promise<Flow> {
    const instead = await this.#reopen(known);
    const parsed = parseSipUri(uri);
    if (!parsed) return instead;
    const transport = readTransport(parsed.params.get("transport")) ?? instead.transport;
    const host = parsed.params.get("maddr") ?? parsed.host;
    const isSame =
      host === instead.remote.address && (isReliable(instead) || (parsed.port ?? 5060) === instead.remote.port);
    const isOpen = instead.isOpen !== false;
    if (isOpen && isSame && transport === instead.transport) return instead;
    try {
      const [hop] = await this.#options.locator.locate({ host, port: parsed.port, transport });
      const isThere = isOpen && hop?.address === instead.remote.address && isReliable(instead);
      if (!hop || isThere) return instead;
      return await this.connect(hop, AbortSignal.timeout(5_000));
    } catch (error) {
      // Many trunks name an address of their own network; the source of their messages is then the way back.
      this.#options.log.debug("A SIP address is not reached; the known way is used.", {
        error: toError(error).message,
      });
      return instead;
    }
  }

  /** Connects again to the hop of a lost connection: a call outlives it (RFC 3261, 18). */
  async #reopen(flow: Flow): Promise<Flow> {
    if (flow.isOpen !== false || !flow.hop) return flow;
    return this.connect(flow.hop, AbortSignal.timeout(5_000)).catch(() => flow);
  }

  /** Sends a request with our User-Agent. */
  send(request: SipRequest, flow: Flow, events: RequestEvents): ClientTransaction {
    request.headers.set("User-Agent", USER_AGENT);
    return this.#transactions.send(request, flow, events);
  }

  /** Cancels an INVITE that was answered provisionally. */
  cancel(invite: ClientTransaction): void {
    this.#transactions.cancel(invite, { onResponse: () => undefined, onFailure: () => undefined });
  }

  /** Sends the ACK of a 2xx; returns its bytes for copies. */
  sendAck(request: SipRequest, flow: Flow): Buffer {
    return this.#transactions.sendAck(request, flow);
  }

  /** Sends a response once more, outside its transaction. */
  sendCopy(response: SipResponse, flow: Flow): void {
    flow.send(writeMessage(response));
  }

  /** Returns our Contact for a far end that has this flow. */
  contactFor(flow: Flow, user: string): string {
    const transport = flow.transport === "UDP" ? "" : `;transport=${flow.transport.toLowerCase()}`;
    return `<sip:${user}@${writeHostPort(flow.local.address, flow.local.port)}${transport}>`;
  }

  /** Routes the requests of this dialog to the owner; returns a function that ends this. */
  own({ callId, localTag, remoteTag }: Dialog, owner: DialogOwner): () => void {
    const key = `${callId} ${localTag} ${remoteTag}`;
    this.#owners.set(key, owner);
    return () => {
      if (this.#owners.get(key) === owner) this.#owners.delete(key);
    };
  }

  #ownerOf(headers: SipHeaders): DialogOwner | undefined {
    const tags = `${readTag(headers.get("To")) ?? ""} ${readTag(headers.get("From")) ?? ""}`;
    return this.#owners.get(`${headers.get("Call-ID") ?? ""} ${tags}`);
  }

  #take(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { headers, method } = request;
    if (!OWN_METHODS.has(method) && !FOREIGN_METHODS.has(method)) return refuse(transaction, 501, [["Allow", ALLOWED]]);
    const unknown = headers.getAll("Require").filter((name) => !EXTENSIONS.has(name.toLowerCase()));
    if (unknown.length > 0)
      return refuse(
        transaction,
        420,
        unknown.map((name) => ["Unsupported", name]),
      );
    if (readTag(headers.get("To")) !== null) {
      const owner = this.#ownerOf(headers);
      if (owner) owner.onRequest(transaction);
      else refuse(transaction, 481);
      return;
    }
    if (method === "INVITE") this.#ring(transaction);
    else if (method === "OPTIONS")
      transaction.respond(createResponse(request, 200, { toTag: createTag(), headers: ABILITIES }));
    else if (method === "REFER") refuse(transaction, 603);
    else if (FOREIGN_METHODS.has(method) && method !== "PRACK") refuse(transaction, 405, [["Allow", ALLOWED]]);
    else refuse(transaction, 481);
  }

  #ring(transaction: ServerTransaction): void {
    const owner = this.#options.onInvite(transaction);
    if (!owner) return;
    this.#ringing.set(transaction, owner);
    // An answered INVITE is gone after half a minute; nobody handles one that rings longer than this.
    setTimeout(() => this.#ringing.delete(transaction), LONGEST_RINGING_MS).unref();
  }
}

const LONGEST_RINGING_MS = 300_000;

/** Headers of our answer to OPTIONS. */
const ABILITIES: [string, string][] = [
  ["Allow", ALLOWED],
  ["Accept", "application/sdp"],
  ["Supported", "timer"],
];

/** Refuses a request. */
export function refuse(transaction: ServerTransaction, status: number, headers: ResponseParts["headers"] = []): void {
  transaction.respond(createResponse(transaction.request, status, { toTag: createTag(), headers }));
}

function readTransport(text: string | null | undefined): SipTransportName | null {
  const name = text?.toUpperCase();
  return name === "UDP" || name === "TCP" || name === "TLS" ? name : null;
}

/** Returns the IP version of a bound address. */
export function familyOf(host: string): 4 | 6 {
  return isIPv6(host) ? 6 : 4;
}
