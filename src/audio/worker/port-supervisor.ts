import type { MessagePort } from "node:worker_threads";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { FrameQueue } from "./frame-queue.ts";
import type { Supervisor } from "./media-call.ts";

/**
 * A supervisor who listens in through a port. Each message to the port is 160 bytes of the agent, then 160 of the
 * person. The port sends frames of 160 bytes, and {heardBy} to change the audience.
 */
export class PortSupervisor implements Supervisor {
  #heardBy: Supervisor["heardBy"];
  readonly #port: MessagePort;
  readonly #queue = new FrameQueue();

  constructor(port: MessagePort, heardBy: Supervisor["heardBy"], onGone: () => void) {
    this.#heardBy = heardBy;
    this.#port = port;
    port.on("message", (message: unknown) => this.#take(message));
    port.once("close", onGone);
  }

  get heardBy(): Supervisor["heardBy"] {
    return this.#heardBy;
  }

  write(heard: Int16Array, said: Int16Array): void {
    const bytes = new Uint8Array(2 * FRAME_SAMPLES);
    muLawCodec.encodeInto(said, FRAME_SAMPLES, bytes, 0);
    muLawCodec.encodeInto(heard, FRAME_SAMPLES, bytes, FRAME_SAMPLES);
    this.#port.postMessage(bytes);
  }

  read(frame: Int16Array): boolean {
    return this.#queue.shift(frame);
  }

  /** Closes the port when the call is over. */
  close(): void {
    this.#port.close();
  }

  #take(message: unknown): void {
    if (message instanceof Uint8Array) return this.#queue.push(message);
    const heardBy = (message as { heardBy?: unknown } | null)?.heardBy;
    if (heardBy === "NOBODY" || heardBy === "AGENT" || heardBy === "BOTH") this.#heardBy = heardBy;
  }
}
