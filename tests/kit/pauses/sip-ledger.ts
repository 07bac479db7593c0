import { createSocket, type Socket } from "node:dgram";
import type { Ring } from "./dial-ledger.ts";

const RINGS_MS = 400;
/** Timer H: time for which a copy of an INVITE belongs to the earlier call (RFC 3261, 17.2.1). */
const COPIES_MS = 32_000;
const RINGING = "180 Ringing";
const BUSY = "486 Busy Here";

/** A SIP trunk that rings for a moment, is busy then, and records every call: copies of one INVITE count as one. */
export class SipLedger implements AsyncDisposable {
  readonly port: number;
  readonly #socket: Socket;
  readonly #note: (ring: Ring) => void;
  /** Current answer to each INVITE, by Call-ID. */
  readonly #open = new Map<string, string>();

  private constructor(socket: Socket, note: (ring: Ring) => void) {
    this.#socket = socket;
    this.#note = note;
    this.port = socket.address().port;
    socket.on("message", (bytes, from) => this.#take(bytes.toString(), from.port));
  }

  static async start(note: (ring: Ring) => void): Promise<SipLedger> {
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    return new SipLedger(socket, note);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #take(text: string, port: number): void {
    const method = text.split(" ", 1)[0] ?? "";
    if (method === "ACK" || method.startsWith("SIP/2.0")) return;
    if (method !== "INVITE") return this.#answer(text, port, "200 OK");
    const callId = fieldOf(text, "Call-ID");
    const known = this.#open.get(callId);
    this.#answer(text, port, known ?? RINGING);
    if (known !== undefined) return;
    this.#open.set(callId, RINGING);
    const to = /sip:(\+?\d+)@/.exec(fieldOf(text, "To"))?.[1] ?? "";
    this.#note({ carrier: "BYO_SIP", atMs: Date.now(), attemptId: fieldOf(text, "X-Parley-Attempt"), to });
    setTimeout(() => {
      this.#open.set(callId, BUSY);
      this.#answer(text, port, BUSY);
      setTimeout(() => this.#open.delete(callId), COPIES_MS).unref();
    }, RINGS_MS);
  }

  #answer(text: string, port: number, status: string): void {
    const copied = text
      .split("\r\n")
      .filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line))
      .join("\r\n");
    const to = fieldOf(text, "To");
    const reply = `SIP/2.0 ${status}\r\n${copied}\r\nTo: ${to}${to.includes("tag=") ? "" : ";tag=far"}\r\nContent-Length: 0\r\n\r\n`;
    this.#socket.send(reply, port, "127.0.0.1", () => undefined);
  }
}

function fieldOf(text: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*?)\\r?$`, "im").exec(text)?.[1] ?? "";
}
