import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { createResting } from "#src/audio/speech-faults/resting.ts";
import { isTransientCode } from "#src/audio/speech-faults/speech-error.ts";
import type { OnSpeechFailover } from "#src/audio/tts/fallback-tts.ts";
import { AudioBacklog } from "./audio-backlog.ts";
import type { Stt, SpeechEvent, SpeechStream, SpeechStreamOptions } from "./stt.ts";

/** Time limits of an STT provider for the answer to a flush, in wall-clock milliseconds. */
export interface HearLimits {
  /** While another provider can take over. */
  flushMs: number;
  lastFlushMs: number;
  /** Time that a failed provider is moved to the end of the order. */
  restMs: number;
}

/** Audio that is repeated to the next provider. */
const BACKLOG_SAMPLES = 12 * VOICE_RATE_HZ;
/** Least delay, in samples, of a FINAL without a flush behind its last word. */
const SETTLED_SAMPLES = VOICE_RATE_HZ / 2;

/**
 * Combines several STT providers: when one is lost or leaves a flush unanswered, the next receives again the audio that
 * was not made final. FAILED is emitted when the last of them failed.
 */
export function createFallbackStt(
  sttProviders: readonly [Stt, ...Stt[]],
  limits: HearLimits,
  onFailover: OnSpeechFailover,
): Stt {
  const resting = createResting(sttProviders, limits.restMs);
  return {
    name: sttProviders[0].name,
    open: (options) =>
      new FallbackStream(resting.order(), options, limits, (failed, next, code, error) => {
        if (isTransientCode(code)) resting.rest(failed);
        if (next) onFailover(failed.name, next.name, error);
      }),
  };
}

type OnGivenUp = (failed: Stt, next: Stt | undefined, code: string, error: Error) => void;

class FallbackStream implements SpeechStream {
  readonly #left: Stt[];
  readonly #options: SpeechStreamOptions;
  readonly #limits: HearLimits;
  readonly #onGivenUp: OnGivenUp;
  #expected: SpeechStreamOptions["expected"];
  readonly #backlog: AudioBacklog;
  #current: Stt | undefined;
  #stream: SpeechStream | null = null;
  /** Position up to which a flush is unanswered; null when none is. */
  #flushedTo: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(order: Stt[], options: SpeechStreamOptions, limits: HearLimits, onGivenUp: OnGivenUp) {
    this.#left = [...order];
    this.#backlog = new AudioBacklog(order.length > 1 ? BACKLOG_SAMPLES : 0);
    this.#options = options;
    this.#expected = options.expected;
    this.#limits = limits;
    this.#onGivenUp = onGivenUp;
    this.#openNext();
  }

  write(samples: Int16Array): void {
    if (this.#hasEnded) return;
    // Nobody is left to hear it again.
    if (this.#left.length > 0) this.#backlog.append(samples);
    this.#stream?.write(samples);
  }

  flush(): void {
    if (this.#hasEnded) return;
    this.#flushedTo = this.#backlog.end;
    this.#startTimer();
    this.#stream?.flush();
  }

  expect(schema: SpeechStreamOptions["expected"]): void {
    this.#expected = schema;
    if (!this.#hasEnded) this.#stream?.expect?.(schema);
  }

  close(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = null;
  }

  #openNext(): void {
    const stt = this.#left.shift();
    if (!stt) return;
    this.#current = stt;
    const onEvent = (event: SpeechEvent) => {
      if (this.#current === stt && !this.#hasEnded) this.#hear(event);
    };
    const isLast = this.#left.length === 0;
    const stream = stt.open({ ...this.#options, expected: this.#expected, isLast, onEvent });
    // The provider may have failed, or its owner hung up, before the stream was returned.
    if (this.#current !== stt || this.#hasEnded) return stream.close();
    this.#stream = stream;
    this.#repeat(stream);
  }

  #repeat(stream: SpeechStream): void {
    const { start, end } = this.#backlog;
    const flushedTo = this.#flushedTo;
    this.#say(stream, start, flushedTo ?? end);
    if (flushedTo === null || this.#stream !== stream) return;
    this.#startTimer();
    stream.flush();
    this.#say(stream, flushedTo, end);
  }

  #say(stream: SpeechStream, from: number, to: number): void {
    for (let at = from; at < to && this.#stream === stream; at += FRAME_SAMPLES) {
      stream.write(this.#backlog.read(at, Math.min(at + FRAME_SAMPLES, to)));
    }
  }

  #hear(event: SpeechEvent): void {
    if (event.kind === "FAILED") return this.#giveUp(event.code, event.message);
    if (event.kind === "FINAL") {
      this.#backlog.acknowledge(this.#flushedTo ?? this.#backlog.end - SETTLED_SAMPLES);
      this.#flushedTo = null;
      clearTimeout(this.#timer);
    }
    this.#options.onEvent(event);
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const { flushMs, lastFlushMs } = this.#limits;
    const ms = this.#left.length > 0 ? flushMs : lastFlushMs;
    const name = this.#current?.name ?? "";
    this.#timer = setTimeout(() => {
      this.#giveUp("TIMEOUT", `${name} did not finish an utterance in ${ms} ms.`);
    }, ms);
  }

  #giveUp(code: string, message: string): void {
    const failed = this.#current as Stt;
    const next = this.#left[0];
    clearTimeout(this.#timer);
    this.#current = undefined;
    this.#stream?.close();
    this.#stream = null;
    this.#onGivenUp(failed, next, code, new Error(message));
    if (next) return this.#openNext();
    this.#hasEnded = true;
    this.#options.onEvent({ kind: "FAILED", code, message });
  }
}
