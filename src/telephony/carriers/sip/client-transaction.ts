import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { type Flow, isReliable } from "./flow.ts";
import { SipHeaders, type SipRequest, type SipResponse } from "./sip-message.ts";
import { PATIENCE_MS, Retransmission, T2_MS, T4_MS } from "./timing.ts";
import { writeMessage } from "./write-message.ts";

/** Callbacks for the progress of a request. */
export interface RequestEvents {
  /** Called for every provisional response and the final one; for an INVITE also for each further 2xx. */
  onResponse(response: SipResponse): void;
  /** No answer: TIMEOUT after 32 s, BROKEN when the flow failed. Never called after a final response. */
  onFailure(kind: "TIMEOUT" | "BROKEN", message: string): void;
  /** False when an INVITE must not be sent once more; absent: it may. */
  mayRepeat?(): boolean;
}

/** A sent request, until no response to it is possible any more. */
export interface ClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  receive(response: SipResponse): void;
  /** The flow failed. */
  breakOff(message: string): void;
  /** Stops its timers without any further callback. */
  drop(): void;
}

/** Shared part of the client transactions: repeats the request until a response comes, the flow fails or 32 s pass. */
abstract class RepeatedRequest implements ClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  protected readonly events: RequestEvents;
  protected readonly again: Retransmission;
  /** TRYING is called CALLING in an INVITE's transaction, which alone can be ACCEPTED. */
  protected state: "TRYING" | "PROCEEDING" | "ACCEPTED" | "COMPLETED" | "TERMINATED" = "TRYING";
  readonly #onEnd: () => void;
  readonly #bytes: Buffer;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: SipRequest, flow: Flow, events: RequestEvents, onEnd: () => void, longestPauseMs?: number) {
    this.request = request;
    this.flow = flow;
    this.events = events;
    this.#onEnd = onEnd;
    this.#bytes = writeMessage(request);
    this.again = new Retransmission(() => this.repeat(), longestPauseMs);
  }

  start(): void {
    this.#timer = setTimeout(() => this.#fail("TIMEOUT", "The far end did not answer."), PATIENCE_MS);
    if (!isReliable(this.flow)) this.again.start();
    this.flow.send(this.#bytes);
  }

  abstract receive(response: SipResponse): void;

  breakOff(message: string): void {
    // After the final response there is nothing to lose; a ringing call may still be ended by BYE or CANCEL elsewhere.
    if (this.state === "TRYING" || this.state === "PROCEEDING") this.#fail("BROKEN", message);
  }

  drop(): void {
    this.stop();
    if (this.state === "TERMINATED") return;
    this.state = "TERMINATED";
    this.#onEnd();
  }

  /** Sends one more copy. */
  protected repeat(): void {
    this.flow.send(this.#bytes);
  }

  /** Waits `ms` for late copies of the final response. */
  protected linger(state: "ACCEPTED" | "COMPLETED", ms: number): void {
    this.stop();
    this.state = state;
    this.#timer = setTimeout(() => this.drop(), ms);
    this.#timer.unref();
  }

  protected stop(): void {
    this.again.stop();
    clearTimeout(this.#timer);
  }

  #fail(kind: "TIMEOUT" | "BROKEN", message: string): void {
    this.drop();
    this.events.onFailure(kind, message);
  }
}

/** Client transaction of an INVITE (RFC 3261, 17.1.1; RFC 6026, 7.2). It acknowledges all final responses but a 2xx. */
export class InviteClient extends RepeatedRequest {
  readonly #since = new Elapsed();

  /** A copy delayed by a pause of this process would be a new call to a far end that forgot the first (17.1.1.2). */
  protected override repeat(): void {
    if (this.#since.ms < PATIENCE_MS && (this.events.mayRepeat?.() ?? true)) super.repeat();
  }

  receive(response: SipResponse): void {
    if (this.state === "TERMINATED") return;
    if (this.state === "COMPLETED") {
      if (response.status >= 300) this.#acknowledge(response);
      return;
    }
    if (response.status < 200) {
      if (this.state === "ACCEPTED") return;
      this.stop();
      this.state = "PROCEEDING";
    } else if (response.status < 300) {
      if (this.state !== "ACCEPTED") this.linger("ACCEPTED", PATIENCE_MS);
    } else {
      if (this.state === "ACCEPTED") return;
      this.#acknowledge(response);
      this.linger("COMPLETED", isReliable(this.flow) ? 0 : PATIENCE_MS);
    }
    this.events.onResponse(response);
  }

  #acknowledge(response: SipResponse): void {
    const ack = deriveRequest(this.request, "ACK");
    ack.headers.set("To", response.headers.get("To") ?? "");
    this.flow.send(writeMessage(ack));
  }
}

/** Client transaction of any other request (RFC 3261, 17.1.2). */
export class RequestClient extends RepeatedRequest {
  constructor(request: SipRequest, flow: Flow, events: RequestEvents, onEnd: () => void) {
    super(request, flow, events, onEnd, T2_MS);
  }

  receive(response: SipResponse): void {
    if (this.state === "COMPLETED" || this.state === "TERMINATED") return;
    if (response.status >= 200) {
      this.linger("COMPLETED", isReliable(this.flow) ? 0 : T4_MS);
    } else {
      this.state = "PROCEEDING";
      if (!isReliable(this.flow)) this.again.slowDown();
    }
    this.events.onResponse(response);
  }
}

/** Headers of an INVITE that its CANCEL and its ACK repeat (RFC 3261, 9.1 and 17.1.1.3). */
const REPEATED = ["From", "To", "Call-ID", "Max-Forwards", "Route"];

/** Returns the CANCEL of an INVITE, or the ACK of its refusal, with the same branch. */
export function deriveRequest(invite: SipRequest, method: "CANCEL" | "ACK"): SipRequest {
  const headers = new SipHeaders();
  headers.add("Via", invite.headers.get("Via") ?? "");
  for (const name of REPEATED) for (const value of invite.headers.getAll(name)) headers.add(name, value);
  const [number = "1"] = (invite.headers.get("CSeq") ?? "").split(" ");
  headers.set("CSeq", `${number} ${method}`);
  return { kind: "REQUEST", method, uri: invite.uri, headers, body: Buffer.alloc(0) };
}
