import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import type { Tts } from "./tts.ts";

/** One phrase may take this part of the whole. */
const MAX_SHARE = 8;
/** What the bookkeeping of one phrase takes, roughly. */
const OVERHEAD_BYTES = 200;

/** Phrases that were said before, by engine, voice, language and text; those not said for longest make room. */
export class PhraseCache {
  readonly #maxBytes: number;
  readonly #phrases = new Map<string, Int16Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How much is held. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The synthesiser, except that a phrase it has said whole is repeated from memory; `scope` tells accounts apart. Whoever says a phrase first
   * hears it as it comes; what was cut short or called off is not kept.
   */
  wrap(tts: Tts, scope = ""): Tts {
    const { name } = tts;
    const speak = (...args: Parameters<Tts["speak"]>) => this.#speak(tts, scope, ...args);
    return { name, speak };
  }

  async *#speak(
    tts: Tts,
    scope: string,
    ...[text, options, signal]: Parameters<Tts["speak"]>
  ): AsyncGenerator<Int16Array, void> {
    const key = JSON.stringify([scope, tts.name, options.voiceId, options.language, text]);
    const known = this.#recall(key);
    if (known) return yield* repeat(known, signal);
    const pieces: Int16Array[] = [];
    let bytes = 0;
    for await (const piece of tts.speak(text, options, signal)) {
      bytes += piece.byteLength;
      if (bytes <= this.#maxBytes / MAX_SHARE) pieces.push(piece.slice());
      else pieces.length = 0;
      yield piece;
    }
    if (!signal.aborted && pieces.length > 0) this.#keep(key, join(pieces));
  }

  #recall(key: string): Int16Array | undefined {
    const samples = this.#phrases.get(key);
    if (!samples) return undefined;
    // A Map keeps the order in which keys came: the one said last goes to the end.
    this.#phrases.delete(key);
    this.#phrases.set(key, samples);
    return samples;
  }

  #keep(key: string, samples: Int16Array): void {
    this.#drop(key);
    this.#phrases.set(key, samples);
    this.#bytes += sizeOf(key, samples);
    for (const oldest of this.#phrases.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const samples = this.#phrases.get(key);
    if (samples && this.#phrases.delete(key)) this.#bytes -= sizeOf(key, samples);
  }
}

function sizeOf(key: string, samples: Int16Array): number {
  return samples.byteLength + key.length * 2 + OVERHEAD_BYTES;
}

function join(pieces: Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** A second at a time, each a copy: what a listener does to it is its own affair. */
async function* repeat(samples: Int16Array, signal: AbortSignal): AsyncGenerator<Int16Array, void> {
  for (let at = 0; at < samples.length && !signal.aborted; at += VOICE_RATE_HZ) {
    yield samples.slice(at, at + VOICE_RATE_HZ);
  }
}
