import type { MessagePort } from "node:worker_threads";
import { FRAME_SAMPLES, FRAME_MS } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { FrameQueue } from "./frame-queue.ts";
import type { FrameTransport, TransportEvents } from "./media-call.ts";

/** Frames without a message (5 s) after which a port is dead: it crosses no network, so nothing is late. */
const LOST_AFTER_FRAMES = 250;
const KEYS = /^[0-9A-D*#]{1,64}$/;

/** Transport over a port of this process: the sandbox, the web phone, sockets of carriers. */
export class PortTransport implements FrameTransport {
  readonly #port: MessagePort;
  readonly #events: TransportEvents;
  readonly #queue = new FrameQueue();
  #quietFrames = 0;
  #isClosed = false;

  constructor(port: MessagePort, events: TransportEvents) {
    this.#port = port;
    this.#events = events;
    port.on("message", (message: unknown) => this.#take(message));
    port.once("close", () => this.#end("LOST"));
  }

  get heldMs(): number {
    return this.#queue.length * FRAME_MS;
  }

  read(frame: Int16Array): boolean {
    if (++this.#quietFrames > LOST_AFTER_FRAMES) this.#end("LOST");
    return this.#queue.shift(frame);
  }

  write(frame: Int16Array): void {
    if (this.#isClosed) return;
    // A port takes ownership of its message, so each frame is a new one.
    const bytes = new Uint8Array(FRAME_SAMPLES);
    muLawCodec.encodeInto(frame, FRAME_SAMPLES, bytes, 0);
    this.#port.postMessage(bytes);
  }

  sendDigits(digits: string): void {
    if (!this.#isClosed) this.#port.postMessage({ digits });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#port.postMessage({ closed: true });
    this.#port.close();
  }

  #take(message: unknown): void {
    if (this.#isClosed) return;
    this.#quietFrames = 0;
    if (message instanceof Uint8Array) this.#queue.push(message);
    else if (typeof message === "object" && message !== null) this.#control(message as Record<string, unknown>);
    else this.#queue.push(message);
  }

  #control({ digits, closed }: Record<string, unknown>): void {
    if (closed === true) return this.#end("REMOTE");
    if (typeof digits !== "string" || !KEYS.test(digits)) return;
    for (const digit of digits) this.#events.onDigit(digit);
  }

  #end(by: "REMOTE" | "LOST"): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#port.close();
    this.#events.onClosed(by);
  }
}
