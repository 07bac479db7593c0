import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { FrameTransport } from "#src/audio/worker/media-call.ts";

/** Next line of a caller: spoken once the agent has been silent for a while, or at a given time into its speech. */
export interface CallerLine {
  samples: Int16Array;
  /** Milliseconds into the agent's speech; null: waits until the agent is silent. */
  overAgentAfterMs: number | null;
}

const FRAME_MS = 20;
/** Silence after which the agent has finished; sentences of one text are closer together. */
const AGENT_SILENT_MS = 900;
const FIRST_WORD_MS = 600;
/** Mean square above which a frame is no silence. */
const LOUD = 100 ** 2;

/** A caller on a mu-law telephone, who hears the agent as audio only and speaks recorded lines. */
export class RecordedCaller implements FrameTransport {
  readonly #lines: CallerLine[];
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #bytes = new Uint8Array(FRAME_SAMPLES);
  #voice: Int16Array | null = null;
  #at = 0;
  /** Milliseconds that the agent has been silent, and that it had been speaking, from audio only. */
  #silentMs = AGENT_SILENT_MS - FIRST_WORD_MS;
  #speakingMs = 0;
  /** True when the agent has spoken since the caller did, or nobody has spoken yet. */
  #isAsked = true;

  constructor(lines: CallerLine[]) {
    this.#lines = [...lines];
  }

  /** True when all lines were said. */
  get isDone(): boolean {
    return this.#lines.length === 0 && this.#voice === null;
  }

  read(frame: Int16Array): boolean {
    this.#voice ??= this.#begin();
    if (!this.#voice) return false;
    this.#frame.fill(0);
    this.#frame.set(this.#voice.subarray(this.#at, this.#at + FRAME_SAMPLES));
    this.#at += FRAME_SAMPLES;
    if (this.#at >= this.#voice.length) this.#voice = null;
    this.#carry(this.#frame, frame);
    return true;
  }

  #begin(): Int16Array | null {
    const next = this.#lines[0];
    if (!next || !this.#isAsked) return null;
    const isDue =
      next.overAgentAfterMs === null
        ? this.#silentMs >= AGENT_SILENT_MS
        : this.#speakingMs >= next.overAgentAfterMs && this.#silentMs === 0;
    if (!isDue) return null;
    this.#lines.shift();
    this.#isAsked = false;
    this.#at = 0;
    return next.samples;
  }

  write(frame: Int16Array): void {
    this.#carry(frame, this.#frame);
    if (this.#frame.reduce((sum, sample) => sum + sample ** 2, 0) > LOUD * FRAME_SAMPLES) {
      if (this.#silentMs >= AGENT_SILENT_MS) this.#speakingMs = 0;
      this.#silentMs = 0;
      this.#speakingMs += FRAME_MS;
      if (!this.#voice) this.#isAsked = true;
    } else {
      this.#silentMs += FRAME_MS;
    }
  }

  #carry(from: Int16Array, to: Int16Array): void {
    muLawCodec.encodeInto(from, FRAME_SAMPLES, this.#bytes, 0);
    muLawCodec.decodeInto(this.#bytes, 0, FRAME_SAMPLES, to);
  }

  sendDigits(): void {}

  close(): void {}
}
