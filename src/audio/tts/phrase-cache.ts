import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import type { Tts } from "./tts.ts";

/** Divisor of the capacity that limits one phrase. */
const MAX_SHARE = 8;
/** Approximate bookkeeping bytes of one phrase. */
const OVERHEAD_BYTES = 200;

/** Cache of synthesised phrases, by provider, voice, language and text; evicts those not used for longest. */
export class PhraseCache {
  readonly #maxBytes: number;
  readonly #phrases = new Map<string, Int16Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Wraps a TTS so that a phrase it has said whole is repeated from memory; `scope` separates accounts. A phrase said
   * for the first time is passed on as it arrives. Phrases that were cut short or aborted are not kept.
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
    // A Map keeps insertion order, so the phrase said last moves to the end.
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

/** Yields a second at a time, each a copy, because the listener may modify it. */
async function* repeat(samples: Int16Array, signal: AbortSignal): AsyncGenerator<Int16Array, void> {
  for (let at = 0; at < samples.length && !signal.aborted; at += VOICE_RATE_HZ) {
    yield samples.slice(at, at + VOICE_RATE_HZ);
  }
}
