import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { powerOf } from "#src/audio/codec/power.ts";
import { explainSpeechFailure, SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { AudioBacklog } from "./audio-backlog.ts";
import type { SpeechEvent, SpeechStream } from "./stt.ts";

/** Longest part: a longer utterance is transcribed in parts. */
const MAX_SAMPLES = 20 * VOICE_RATE_HZ;
/** Audio kept from before the first sound: speech begins softly. */
const LEAD_SAMPLES = 0.4 * VOICE_RATE_HZ;
/** Mean square above which something is said (rms 150 of 32,767). */
const LOUD = 150 ** 2;
/** Utterances that wait for the provider; pauses beyond that are heard together, once one was answered. */
const MAX_WAITING = 3;
const RETRY_MS = 200;

/** Turns one utterance into text. */
export interface UtteranceHearer {
  name: string;
  hear(samples: Int16Array, signal: AbortSignal): Promise<{ text: string; confidence: number | null }>;
}

/**
 * STT stream for providers that take one utterance at a time: collects audio from the first sound to the flush. A flush
 * without a sound is answered at once, without a request.
 */
export class UtteranceStream implements SpeechStream {
  readonly #hearer: UtteranceHearer;
  readonly #onEvent: (event: SpeechEvent) => void;
  readonly #backlog = new AudioBacklog(MAX_SAMPLES);
  readonly #stop = new AbortController();
  #hasSound = false;
  #waiting = 0;
  /** True when a flush came while the queue was full. */
  #isDue = false;
  #queue: Promise<void> = Promise.resolve();

  constructor(hearer: UtteranceHearer, onEvent: (event: SpeechEvent) => void) {
    this.#hearer = hearer;
    this.#onEvent = onEvent;
  }

  write(samples: Int16Array): void {
    for (let at = 0; at < samples.length && !this.#stop.signal.aborted; at += LEAD_SAMPLES) {
      this.#collect(samples.subarray(at, at + LEAD_SAMPLES));
    }
  }

  flush(): void {
    if (this.#stop.signal.aborted) return;
    this.#isDue = this.#waiting >= MAX_WAITING;
    if (!this.#isDue) this.#hear(true);
  }

  close(): void {
    this.#stop.abort();
  }

  #collect(samples: Int16Array): void {
    const { start, end } = this.#backlog;
    if (end - start + samples.length > MAX_SAMPLES) {
      if (this.#waiting >= MAX_WAITING)
        return this.#fail(new SpeechError("BUSY", `${this.#hearer.name} does not keep up with the speech.`));
      this.#hear(false);
    }
    this.#backlog.append(samples);
    this.#hasSound ||= isLoud(samples);
    if (!this.#hasSound) this.#backlog.acknowledge(this.#backlog.end - LEAD_SAMPLES);
  }

  /** Transcribes the collected audio, in order. Emits nothing when no flush asked for it and there are no words. */
  #hear(isAsked: boolean): void {
    const { start, end } = this.#backlog;
    const samples = this.#hasSound ? this.#backlog.read(start, end) : null;
    this.#backlog.acknowledge(end);
    this.#hasSound = false;
    this.#waiting++;
    this.#queue = this.#queue.then(() => this.#answer(samples, isAsked)).finally(() => this.#endAnswer());
  }

  #endAnswer(): void {
    this.#waiting--;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.flush();
  }

  async #answer(samples: Int16Array | null, isAsked: boolean): Promise<void> {
    try {
      const { text, confidence } = samples ? await this.#ask(samples) : { text: "", confidence: null };
      if (!this.#stop.signal.aborted && (isAsked || text)) this.#onEvent({ kind: "FINAL", text, confidence });
    } catch (error) {
      this.#fail(explainSpeechFailure(this.#hearer.name, error));
    }
  }

  async #ask(samples: Int16Array): Promise<{ text: string; confidence: number | null }> {
    const { signal } = this.#stop;
    try {
      return await this.#hearer.hear(samples, signal);
    } catch (thrown) {
      const error = explainSpeechFailure(this.#hearer.name, thrown);
      if (signal.aborted || !error.isTransient) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return await this.#hearer.hear(samples, signal);
    }
  }

  #fail(error: SpeechError): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#onEvent({ kind: "FAILED", code: error.code, message: error.message });
  }
}

function isLoud(samples: Int16Array): boolean {
  // In stretches of 10 ms, so that the end of a syllable counts and a click does not.
  for (let at = 0; at < samples.length; at += 80) {
    if (powerOf(samples.subarray(at, at + 80)) > LOUD) return true;
  }
  return false;
}
