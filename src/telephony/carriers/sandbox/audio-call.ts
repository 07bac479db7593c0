import { type MessagePort, MessageChannel } from "node:worker_threads";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import type { TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { MediaMessage, MediaSource } from "#src/audio/line/media-source.ts";
import { AudioPerson, type AudioPersonOptions } from "./audio-person.ts";
import type { DialogueEnd } from "./dialogue.ts";
import { LINE_LOST, ringTarget } from "./transfer-target.ts";

/** Dependencies of an audio call. */
export interface AudioCallParts extends Pick<AudioPersonOptions, "persona" | "behaviour"> {
  /** Called when our side did something on the call. */
  onTouched: () => void;
  /** Called once. */
  onEnd: (end: DialogueEnd) => void;
}

const GIVEN_UP: TransferResult = { kind: "FAILED", reason: "NO_ANSWER", message: "The transfer was given up." };

/**
 * The audio of one answered call: a port for our side's media, with the simulated person at its other end. Received
 * frames are its only clock, so the call takes as long as they take.
 */
export class AudioCall {
  /** Our side's end of the port. */
  readonly source: MediaSource;
  readonly #port: MessagePort;
  readonly #person: AudioPerson;
  readonly #onTouched: () => void;
  readonly #onEnd: (end: DialogueEnd) => void;
  #endedBy: DialogueEnd | undefined;
  #ringing: { untilMs: number; done: () => void } | undefined;

  constructor({ persona, behaviour, onTouched, onEnd }: AudioCallParts) {
    const { port1, port2 } = new MessageChannel();
    this.source = { kind: "PORT", port: port2 };
    this.#port = port1;
    this.#onTouched = onTouched;
    this.#onEnd = onEnd;
    this.#person = new AudioPerson({
      persona,
      behaviour,
      onKey: (digits) => this.#send({ digits }),
      onEnd: (end) => this.#end(end),
    });
    // After a port breaks without a message, the person is alone on the line and hangs up.
    port1.on("message", (message: MediaMessage) => this.#take(message));
    port1.unref();
  }

  /** Call time since the audio began. */
  elapsedMs(): number {
    return this.#person.nowMs;
  }

  /** Ends the call; the first end counts. */
  finish(end: DialogueEnd): void {
    this.#person.finish(end);
  }

  /** Rings the target while the person waits; once it has answered as ordered, the call belongs to the carrier. */
  async transfer(order: TransferOrder, signal: AbortSignal): Promise<TransferResult> {
    const rung = ringTarget(order);
    this.#person.waits = true;
    await this.#ring(rung.ringMs, signal);
    this.#person.waits = false;
    if (this.#endedBy !== undefined) return this.#endedBy === "CARRIER" ? LINE_LOST : { kind: "HUNG_UP" };
    if (signal.aborted) return GIVEN_UP;
    if (rung.result.kind === "TRANSFERRED") this.finish("AGENT");
    return rung.result;
  }

  async #ring(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#endedBy !== undefined || signal.aborted || ms <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ringing = { untilMs: this.#person.nowMs + ms, done: resolve };
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    this.#ringing = undefined;
  }

  #take(message: MediaMessage): void {
    if ("closed" in message) {
      this.finish("AGENT");
      this.#port.close();
      return;
    }
    if (this.#endedBy !== undefined) return;
    this.#onTouched();
    if ("digits" in message) this.#person.hearDigits(message.digits);
    else if (message.length === FRAME_SAMPLES) this.#pass(message);
  }

  #pass(heard: Uint8Array): void {
    const frame = this.#person.pass(heard);
    if (frame) this.#send(frame);
    if (this.#ringing && this.#person.nowMs >= this.#ringing.untilMs) this.#ringing.done();
  }

  #send(message: MediaMessage): void {
    this.#port.postMessage(message);
  }

  /** A broken path sends no message; its port stays open until our side closes it. */
  #end(end: DialogueEnd): void {
    this.#endedBy = end;
    this.#ringing?.done();
    if (end !== "CARRIER") {
      this.#send({ closed: true });
      this.#port.close();
    }
    this.#onEnd(end);
  }
}
