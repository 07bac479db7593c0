import { randomBytes } from "node:crypto";
import {
  type ClientTransaction,
  deriveRequest,
  InviteClient,
  RequestClient,
  type RequestEvents,
} from "./client-transaction.ts";
import type { Flow } from "./flow.ts";
import { readTag } from "./name-addr.ts";
import type { MalformedMessage } from "./parse-message.ts";
import { createResponse } from "./response.ts";
import { InviteServer, RequestServer, type ServerTransaction } from "./server-transaction.ts";
import { parseCSeq, type SipMessage, type SipRequest, type SipResponse } from "./sip-message.ts";
import { BRANCH_COOKIE, branchOf, parseVia, type Via, writeVia } from "./via.ts";
import { writeMessage } from "./write-message.ts";

/** Most requests remembered at once, each for half a minute. Further requests are answered with 503. */
const MAX_SERVER_TRANSACTIONS = 50_000;

/** Callbacks for the user of the transactions. */
export interface TransactionUser {
  /** Handles a new request, which must be answered. */
  onRequest(transaction: ServerTransaction): void;
  /** Handles the ACK of a 2xx. */
  onAck(request: SipRequest): void;
  /** Handles the CANCEL of an unanswered INVITE, which must be answered now. */
  onCancel(invite: ServerTransaction, cancel: SipRequest): void;
}

/**
 * Matches messages (RFC 3261, 17): responses to requests, copies to earlier messages, a CANCEL and an ACK to their
 * INVITE. It sends all copies that the standard requires.
 */
export class Transactions {
  readonly #user: TransactionUser;
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #servers = new Map<string, ServerTransaction>();
  /** By the values that copies of a request over different paths share (8.2.2.2); the value is the key in #servers. */
  readonly #arrived = new Map<string, string>();

  constructor(user: TransactionUser) {
    this.#user = user;
  }

  /** Sends a request over a flow, with a new Via. */
  send(request: SipRequest, flow: Flow, events: RequestEvents): ClientTransaction {
    const branch = createBranch();
    request.headers.prepend("Via", writeOwnVia(flow, branch));
    return this.#start(request, flow, events, branch);
  }

  /** Cancels an INVITE that was answered provisionally. */
  cancel(invite: ClientTransaction, events: RequestEvents): ClientTransaction {
    const via = parseVia(invite.request.headers.get("Via") ?? "");
    const cancel = deriveRequest(invite.request, "CANCEL");
    return this.#start(cancel, invite.flow, events, (via && branchOf(via)) ?? "");
  }

  /** Sends the ACK of a 2xx, which belongs to no transaction; returns its bytes for copies. */
  sendAck(request: SipRequest, flow: Flow): Buffer {
    request.headers.prepend("Via", writeOwnVia(flow, createBranch()));
    const bytes = writeMessage(request);
    flow.send(bytes);
    return bytes;
  }

  /** Handles a message received over a flow. */
  take(message: SipMessage | MalformedMessage, flow: Flow): void {
    if (message.kind === "RESPONSE") this.#takeResponse(message);
    else if (message.kind === "REQUEST") this.#takeRequest(message, flow);
    else if (message.status !== null && message.request) respondOnce(message.request, flow, message.status);
  }

  /** Handles a failed flow: its unanswered requests get no answer any more. */
  breakOff(flow: Flow, message: string): void {
    const broken = [...this.#clients.values()].filter((transaction) => transaction.flow.key === flow.key);
    for (const transaction of broken) transaction.breakOff(message);
  }

  /** Drops all transactions and stops all timers. */
  close(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.drop();
  }

  #start(request: SipRequest, flow: Flow, events: RequestEvents, branch: string): ClientTransaction {
    const key = `${branch} ${request.method}`;
    const Transaction = request.method === "INVITE" ? InviteClient : RequestClient;
    const transaction = new Transaction(request, flow, events, () => this.#clients.delete(key));
    this.#clients.set(key, transaction);
    transaction.start();
    return transaction;
  }

  #takeResponse(response: SipResponse): void {
    const via = parseVia(response.headers.get("Via") ?? "");
    const cseq = parseCSeq(response.headers.get("CSeq"));
    // Exactly one Via: a response forwarded by mistake holds more (8.1.3.3).
    if (!via || !cseq || response.headers.getAll("Via").length !== 1) return;
    this.#clients.get(`${branchOf(via) ?? ""} ${cseq.method}`)?.receive(response);
  }

  #takeRequest(message: SipRequest, source: Flow): void {
    const via = parseVia(message.headers.get("Via") ?? "");
    if (!via) return;
    const { request, flow } = markSource(message, via, source);
    const key = keyOf(request, via);
    const known = this.#servers.get(key);
    if (request.method === "ACK") {
      if (known && known.request.method === "INVITE") known.acknowledge();
      // The ACK of a 2xx has its own branch.
      this.#user.onAck(request);
    } else if (known) known.repeat();
    else if (request.method === "CANCEL") this.#takeCancel(request, via, flow);
    else this.#open(request, key, flow);
  }

  #takeCancel(request: SipRequest, via: Via, flow: Flow): void {
    const invite = this.#servers.get(keyOf({ ...request, method: "INVITE" }, via));
    this.#addServer(request, keyOf(request, via), flow).respond(
      createResponse(request, invite ? 200 : 481, { toTag: createTag() }),
    );
    if (invite) this.#user.onCancel(invite, request);
  }

  #open(request: SipRequest, key: string, flow: Flow): void {
    if (this.#servers.size >= MAX_SERVER_TRANSACTIONS) return respondOnce(request, flow, 503);
    const isInDialog = readTag(request.headers.get("To")) !== null;
    const arrival = arrivalOf(request);
    if (!isInDialog && this.#arrived.has(arrival)) return respondOnce(request, flow, 482);
    const transaction = this.#addServer(request, key, flow, isInDialog ? null : arrival);
    // Requests within a call are answered at once.
    if (request.method === "INVITE" && !isInDialog) transaction.respond(createResponse(request, 100));
    this.#user.onRequest(transaction);
  }

  #addServer(request: SipRequest, key: string, flow: Flow, arrival: string | null = null): ServerTransaction {
    const Transaction = request.method === "INVITE" ? InviteServer : RequestServer;
    const transaction = new Transaction(request, flow, () => {
      this.#servers.delete(key);
      if (arrival !== null) this.#arrived.delete(arrival);
    });
    this.#servers.set(key, transaction);
    if (arrival !== null) this.#arrived.set(arrival, key);
    return transaction;
  }
}

/** Creates a tag that nobody can guess, so that a message naming it comes from somebody who received it. */
export function createTag(): string {
  return randomBytes(12).toString("hex");
}

function createBranch(): string {
  return `${BRANCH_COOKIE}${randomBytes(16).toString("hex")}`;
}

function writeOwnVia({ transport, local }: Flow, branch: string): string {
  const params = new Map([
    ["branch", branch],
    ["rport", null],
  ]);
  return writeVia({ transport, host: local.address, port: local.port, params });
}

/** Answers without a transaction: copies are answered again. */
function respondOnce(request: SipRequest, flow: Flow, status: number): void {
  if (request.method !== "ACK") flow.send(writeMessage(createResponse(request, status, { toTag: createTag() })));
}

/**
 * Records the request's source in Via (RFC 3261, 18.2.1; RFC 3581), and returns the flow back to it: over UDP to the
 * source port only when the sender asked for that.
 */
function markSource(request: SipRequest, via: Via, flow: Flow): { request: SipRequest; flow: Flow } {
  const { address, port } = flow.remote;
  const wantsPort = via.params.has("rport");
  const marked = new Map(via.params);
  if (wantsPort) marked.set("rport", String(port));
  if (wantsPort || via.host !== address) marked.set("received", address);
  const [, ...others] = request.headers.getAll("Via");
  request.headers.set("Via", writeVia({ ...via, params: marked }));
  for (const other of others) request.headers.add("Via", other);
  const back = via.port ?? 5060;
  if (flow.transport !== "UDP" || wantsPort || back === port) return { request, flow };
  return { request, flow: flow.toPort?.(back) ?? flow };
}

/** Returns the key that identifies a transaction (17.2.3); senders of the old standard have no unique branch. */
function keyOf(request: SipRequest, via: Via): string {
  const branch = branchOf(via);
  const method = request.method === "ACK" ? "INVITE" : request.method;
  if (branch?.startsWith(BRANCH_COOKIE)) return `${branch} ${via.host} ${via.port ?? ""} ${method}`;
  const { headers, uri } = request;
  const cseq = parseCSeq(headers.get("CSeq"));
  return JSON.stringify([
    method,
    uri,
    headers.get("Call-ID"),
    cseq?.number,
    readTag(headers.get("From")),
    via.host,
    branch,
  ]);
}

function arrivalOf({ headers, method }: SipRequest): string {
  const cseq = parseCSeq(headers.get("CSeq"));
  return JSON.stringify([readTag(headers.get("From")), headers.get("Call-ID"), cseq?.number, method]);
}
