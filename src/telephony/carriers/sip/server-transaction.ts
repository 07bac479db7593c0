import { type Flow, isReliable } from "./flow.ts";
import type { SipRequest, SipResponse } from "./sip-message.ts";
import { PATIENCE_MS, Retransmission, T2_MS, T4_MS } from "./timing.ts";
import { writeMessage } from "./write-message.ts";

/** A received request, until no copy of it can come any more. */
export interface ServerTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  /** Sends a response; after the final one it does nothing. */
  respond(response: SipResponse): void;
  /** Handles a copy of the request. */
  repeat(): void;
  /** Handles the ACK of a refusal. */
  acknowledge(): void;
  drop(): void;
}

/**
 * Server transaction of an INVITE (RFC 3261, 17.2.1; RFC 6026, 7.1). A 2xx is sent once: the dialog sends its copies
 * until the ACK, which it receives too.
 */
export class InviteServer implements ServerTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly #onEnd: () => void;
  readonly #again: Retransmission;
  #last: Buffer | null = null;
  #state: "PROCEEDING" | "ACCEPTED" | "COMPLETED" | "CONFIRMED" | "TERMINATED" = "PROCEEDING";
  #timer: NodeJS.Timeout | undefined;

  constructor(request: SipRequest, flow: Flow, onEnd: () => void) {
    this.request = request;
    this.flow = flow;
    this.#onEnd = onEnd;
    this.#again = new Retransmission(() => this.#send(), T2_MS);
  }

  respond(response: SipResponse): void {
    if (this.#state !== "PROCEEDING") return;
    this.#last = writeMessage(response);
    this.#send();
    if (response.status < 200) return;
    this.#state = response.status < 300 ? "ACCEPTED" : "COMPLETED";
    if (this.#state === "COMPLETED" && !isReliable(this.flow)) this.#again.start();
    this.#endAfter(PATIENCE_MS);
  }

  repeat(): void {
    if (this.#state === "PROCEEDING" || this.#state === "COMPLETED") this.#send();
  }

  acknowledge(): void {
    if (this.#state !== "COMPLETED") return;
    this.#again.stop();
    this.#state = "CONFIRMED";
    this.#endAfter(isReliable(this.flow) ? 0 : T4_MS);
  }

  drop(): void {
    this.#again.stop();
    clearTimeout(this.#timer);
    if (this.#state === "TERMINATED") return;
    this.#state = "TERMINATED";
    this.#onEnd();
  }

  #send(): void {
    if (this.#last) this.flow.send(this.#last);
  }

  #endAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.drop(), ms);
    this.#timer.unref();
  }
}

/** Server transaction of any other request (RFC 3261, 17.2.2). */
export class RequestServer implements ServerTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly #onEnd: () => void;
  #last: Buffer | null = null;
  #isFinal = false;
  #timer: NodeJS.Timeout;

  constructor(request: SipRequest, flow: Flow, onEnd: () => void) {
    this.request = request;
    this.flow = flow;
    this.#onEnd = onEnd;
    // A request that is never answered must not be kept for ever.
    this.#timer = setTimeout(() => this.drop(), PATIENCE_MS);
    this.#timer.unref();
  }

  respond(response: SipResponse): void {
    if (this.#isFinal) return;
    this.#last = writeMessage(response);
    this.flow.send(this.#last);
    if (response.status < 200) return;
    this.#isFinal = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.drop(), isReliable(this.flow) ? 0 : PATIENCE_MS);
    this.#timer.unref();
  }

  repeat(): void {
    if (this.#last) this.flow.send(this.#last);
  }

  acknowledge(): void {
    // Only an INVITE is acknowledged.
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#onEnd();
  }
}
