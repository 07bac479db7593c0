import { parseNameAddr, readTag } from "./name-addr.ts";
import { parseCSeq, SipHeaders, type SipRequest, type SipResponse } from "./sip-message.ts";
import { parseSipUri } from "./sip-uri.ts";

/** Both ends of a call, and the route between them (RFC 3261, 12). */
export class Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** Request-URI of our requests. */
  target: string;
  readonly #local: string;
  readonly #remote: string;
  readonly #routes: readonly string[];
  #localSequence: number;
  #remoteSequence: number | null;

  private constructor(parts: {
    message: SipRequest | SipResponse;
    localValue: string;
    remoteValue: string;
    target: string;
    localSequence: number;
    remoteSequence: number | null;
    routes: string[];
  }) {
    this.callId = parts.message.headers.get("Call-ID") ?? "";
    this.#local = parts.localValue;
    this.#remote = parts.remoteValue;
    this.localTag = readTag(parts.localValue) ?? "";
    this.remoteTag = readTag(parts.remoteValue) ?? "";
    this.target = parts.target;
    this.#routes = parts.routes;
    this.#localSequence = parts.localSequence;
    this.#remoteSequence = parts.remoteSequence;
  }

  /** Creates the dialog of an answer to our INVITE. */
  static ofAnswer(invite: SipRequest, response: SipResponse): Dialog {
    const { headers } = response;
    return new Dialog({
      message: response,
      localValue: invite.headers.get("From") ?? "",
      remoteValue: headers.get("To") ?? "",
      target: readContact(headers) ?? invite.uri,
      localSequence: parseCSeq(invite.headers.get("CSeq"))?.number ?? 1,
      remoteSequence: null,
      routes: headers.getAll("Record-Route").toReversed(),
    });
  }

  /** Creates the dialog of an INVITE to us, answered with this tag; null when it names no address of its sender. */
  static ofInvite(invite: SipRequest, localTag: string): Dialog | null {
    const { headers } = invite;
    const target = readContact(headers);
    if (target === null) return null;
    return new Dialog({
      message: invite,
      localValue: `${headers.get("To") ?? ""};tag=${localTag}`,
      remoteValue: headers.get("From") ?? "",
      target,
      localSequence: 0,
      remoteSequence: parseCSeq(headers.get("CSeq"))?.number ?? 0,
      routes: headers.getAll("Record-Route"),
    });
  }

  /** URI that the next request is sent to first. */
  get nextHop(): string {
    const first = this.#firstRoute();
    return first ?? this.target;
  }

  /** True when a request is newer than those before it (12.2.2). */
  isNew(request: SipRequest): boolean {
    const number = parseCSeq(request.headers.get("CSeq"))?.number ?? 0;
    if (this.#remoteSequence !== null && number <= this.#remoteSequence) return false;
    this.#remoteSequence = number;
    return true;
  }

  /** Updates the target: the sender may have moved (target refresh). */
  refresh(headers: SipHeaders): void {
    this.target = readContact(headers) ?? this.target;
  }

  /** Creates a request within the dialog. `sequence`: that of the INVITE which an ACK is for; others get the next. */
  createRequest(method: string, sequence?: number): SipRequest {
    const headers = new SipHeaders();
    headers.add("Max-Forwards", "70");
    headers.add("From", this.#local);
    headers.add("To", this.#remote);
    headers.add("Call-ID", this.callId);
    headers.add("CSeq", `${sequence ?? ++this.#localSequence} ${method}`);
    const first = this.#firstRoute();
    const isLoose = first === null || parseSipUri(first)?.params.has("lr") === true;
    for (const route of isLoose ? this.#routes : this.#routes.slice(1)) headers.add("Route", route);
    // A strict router must be the Request-URI itself, with our target last in the route (12.2.1.1).
    if (!isLoose) headers.add("Route", `<${this.target}>`);
    return { kind: "REQUEST", method, uri: isLoose ? this.target : first, headers, body: Buffer.alloc(0) };
  }

  #firstRoute(): string | null {
    const [first] = this.#routes;
    return first === undefined ? null : (parseNameAddr(first)?.uri ?? null);
  }
}

function readContact(headers: SipHeaders): string | null {
  const uri = parseNameAddr(headers.get("Contact") ?? "")?.uri ?? "";
  return parseSipUri(uri) ? uri : null;
}
