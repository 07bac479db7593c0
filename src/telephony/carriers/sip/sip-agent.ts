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

/** What we understand; a request with another method is refused. */
export const ALLOWED = "INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, NOTIFY, REFER";
/** Methods that exist, but not for us. */
const FOREIGN_METHODS = new Set(["REGISTER", "SUBSCRIBE", "MESSAGE", "PUBLISH", "PRACK"]);
const OWN_METHODS = new Set(ALLOWED.split(", "));
const EXTENSIONS = new Set(["timer"]);
const USER_AGENT = "Parley";

/** Who takes the requests of a dialog. */
export interface DialogOwner {
  onRequest(transaction: ServerTransaction): void;
  onAck(request: SipRequest): void;
  /** An INVITE of this owner's that is not answered is taken back. */
  onCancel(invite: ServerTransaction, cancel: SipRequest): void;
}

/** What an agent is made of. */
export interface SipAgentOptions {
  settings: TransportSettings;
  locator: Locator;
  log: Log;
  /** A new call. It is answered by the owner it gives, or was answered already (null). */
  onInvite(transaction: ServerTransaction): DialogOwner | null;
}

/** The SIP user agent of the process: sends requests, and gives those that come to the call they are for. */
export class SipAgent {
  readonly #options: SipAgentOptions;
  readonly #transports: SipTransports;
  readonly #transactions: Transactions;
  /** By Call-ID and both tags: several phones may answer one call of ours. */
  readonly #owners = new Map<string, DialogOwner>();
  readonly #ringing = new Map<ServerTransaction, DialogOwner>();
  readonly #lost = new Set<(flow: Flow) => void>();

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

  /** What we are reached at. */
  get local(): { address: string; port: number } {
    return this.#transports.local;
  }

  /** Rejects when the port is taken. */
  open(): Promise<void> {
    return this.#transports.open();
  }

  close(): void {
    this.#transactions.close();
    this.#transports.close();
  }

  /** Is told of connections that were lost, until the function it gives is called. */
  onLost(notify: (flow: Flow) => void): () => void {
    this.#lost.add(notify);
    return () => void this.#lost.delete(notify);
  }

  /** A way to a hop. Rejects with an Error for people. */
  flowGrants(hop: Hop, signal: AbortSignal): Promise<Flow> {
    return this.#transports.flowGrants(hop, signal);
  }

  /** Where a URI leads, as far as the guard allows; `instead` for what is the same place, or cannot be reached. */
  async wayTo(uri: string, instead: Flow): Promise<Flow> {
    const parsed = parseSipUri(uri);
    if (!parsed) return instead;
    const transport = readTransport(parsed.params.get("transport")) ?? instead.transport;
    const host = parsed.params.get("maddr") ?? parsed.host;
    const isSame =
      host === instead.remote.address && (isReliable(instead) || (parsed.port ?? 5060) === instead.remote.port);
    if (isSame && transport === instead.transport) return instead;
    try {
      const [hop] = await this.#options.locator.locate({ host, port: parsed.port, transport });
      const isThere = hop?.address === instead.remote.address && isReliable(instead);
      if (!hop || isThere) return instead;
      return await this.flowGrants(hop, AbortSignal.timeout(5_000));
    } catch (error) {
      // Many a trunk names an address of its own network; what it sends us from is the way back.
      this.#options.log.debug("A SIP address is not reached; the known way is used.", {
        error: toError(error).message,
      });
      return instead;
    }
  }

  /** Sends a request; what it needs of ours is put in. */
  send(request: SipRequest, flow: Flow, events: RequestEvents): ClientTransaction {
    request.headers.set("User-Agent", USER_AGENT);
    return this.#transactions.send(request, flow, events);
  }

  /** Takes an INVITE back that was answered provisionally. */
  cancel(invite: ClientTransaction): void {
    this.#transactions.cancel(invite, { onResponse: () => undefined, onFailure: () => undefined });
  }

  /** Sends the ACK of a 2xx; gives its bytes for copies. */
  sendAck(request: SipRequest, flow: Flow): Buffer {
    return this.#transactions.sendAck(request, flow);
  }

  /** Sends a response once more, outside its transaction. */
  sendCopy(response: SipResponse, flow: Flow): void {
    flow.send(writeMessage(response));
  }

  /** How a far end that has this flow reaches us. */
  contactFor(flow: Flow, user: string): string {
    const transport = flow.transport === "UDP" ? "" : `;transport=${flow.transport.toLowerCase()}`;
    return `<sip:${user}@${writeHostPort(flow.local.address, flow.local.port)}${transport}>`;
  }

  /** Requests of this dialog are the owner's, until the function that is given is called. */
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
    // An INVITE that is answered is gone after half a minute; one that rings longer than this is nobody's.
    setTimeout(() => this.#ringing.delete(transaction), LONGEST_RINGING_MS).unref();
  }
}

const LONGEST_RINGING_MS = 300_000;

/** What OPTIONS is answered with. */
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

/** The family of an address that is bound. */
export function familyOf(host: string): 4 | 6 {
  return isIPv6(host) ? 6 : 4;
}
