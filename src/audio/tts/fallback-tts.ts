import { createResting } from "#src/audio/speech-faults/resting.ts";
import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Tts } from "./tts.ts";

/** Time limits of a TTS provider, in wall-clock milliseconds, without the time that the listener takes. */
export interface SpeakLimits {
  /** To the first sound, while another provider can take over. */
  firstPieceMs: number;
  /** Between two pieces, and to the first piece of the last provider. */
  stallMs: number;
  /** For all pieces of a text. */
  totalMs: number;
  /** Time that a failed provider is moved to the end of the order. */
  restMs: number;
}

/** Called when a TTS or STT provider was given up for the next one. */
export type OnSpeechFailover = (failed: string, next: string, error: Error) => void;

/**
 * Combines several TTS providers: the first that answers in time speaks. A provider that fails after its first sound is
 * not replaced, because the person has heard it; its failure is thrown. A voice id applies to the first of the list
 * only.
 */
export function createFallbackTts(
  ttsProviders: readonly [Tts, ...Tts[]],
  limits: SpeakLimits,
  onFailover: OnSpeechFailover,
): Tts {
  const [first] = ttsProviders;
  const resting = createResting(ttsProviders, limits.restMs);
  return {
    name: first.name,
    warm: () => resting.order()[0]?.warm?.(),
    async *speak(text, options, signal) {
      const order = resting.order();
      for (const [i, tts] of order.entries()) {
        const next = order[i + 1];
        const own = tts === first ? options : { ...options, voiceId: null };
        const speech = new TimedSpeech(tts, text.trim() !== "", limits, next === undefined);
        try {
          yield* speech.run((stop) => tts.speak(text, own, stop), signal);
          return;
        } catch (thrown) {
          if (signal.aborted) return;
          // A flow's wrong voice must not slow the other flows down.
          if (!(thrown instanceof SpeechError) || thrown.isTransient) resting.rest(tts);
          if (speech.wasHeard || !next) throw thrown;
          onFailover(tts.name, next.name, toError(thrown));
        }
      }
    },
  };
}

/** One provider saying one text against the clock. */
class TimedSpeech {
  readonly #name: string;
  readonly #isExpected: boolean;
  readonly #limits: SpeakLimits;
  readonly #isLast: boolean;
  wasHeard = false;

  constructor({ name }: Tts, isExpected: boolean, limits: SpeakLimits, isLast: boolean) {
    this.#name = name;
    this.#isExpected = isExpected;
    this.#limits = limits;
    this.#isLast = isLast;
  }

  async *run(
    speak: (signal: AbortSignal) => AsyncIterable<Int16Array>,
    signal: AbortSignal,
  ): AsyncGenerator<Int16Array, void> {
    const stop = new AbortController();
    const pieces = speak(AbortSignal.any([signal, stop.signal]))[Symbol.asyncIterator]();
    let leftMs = this.#limits.totalMs;
    try {
      for (;;) {
        const since = performance.now();
        const piece = await this.#wait(pieces.next(), leftMs, signal);
        leftMs -= performance.now() - since;
        if (piece === null || piece.done) break;
        this.wasHeard ||= piece.value.length > 0;
        yield piece.value;
      }
      if (this.#isExpected && !this.wasHeard && !signal.aborted) {
        throw new SpeechError("UNREADABLE", `${this.#name} said nothing.`);
      }
    } catch (error) {
      stop.abort(error);
      throw error;
    } finally {
      // A provider that ignores its signal is not waited for.
      stop.abort();
      pieces.return?.().catch(() => undefined);
    }
  }

  /** Waits for the next piece; null when the signal aborted. */
  async #wait(
    next: Promise<IteratorResult<Int16Array>>,
    leftMs: number,
    signal: AbortSignal,
  ): Promise<IteratorResult<Int16Array> | null> {
    const { firstPieceMs, stallMs } = this.#limits;
    const patienceMs = this.wasHeard || this.#isLast ? stallMs : firstPieceMs;
    const ms = Math.max(0, Math.min(patienceMs, leftMs));
    const late = Promise.withResolvers<null>();
    const onAbort = () => late.resolve(null);
    const timer = setTimeout(
      () => late.reject(new SpeechError("TIMEOUT", `${this.#name} was silent for ${Math.round(ms)} ms.`)),
      ms,
    );
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    next.catch(() => undefined);
    try {
      return await Promise.race([next, late.promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }
}
