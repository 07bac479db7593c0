import type { CallNews, FromWorker } from "./messages.ts";

type NewsMessage = Extract<FromWorker, { kind: "NEWS" }>;

/** Samples that a new batch has room for: the chunks of 40 calls. */
const FIRST_SAMPLES = 32_000;

/**
 * Collects the news of all calls of a moment for one message. Sound goes as one row of samples for all calls: an array
 * of its own for each costs ten times as much to hand to another thread (bench/media).
 */
export class NewsBatch {
  #news: NewsMessage["news"] = [];
  #audio = new Int16Array(FIRST_SAMPLES);
  #samples = 0;

  /** Adds the news of a call; samples are copied. */
  add(callId: number, event: CallNews): void {
    if (event.kind !== "AUDIO") {
      this.#news.push([callId, event]);
      return;
    }
    const { samples, atMs } = event;
    if (this.#samples + samples.length > this.#audio.length) this.#grow(samples.length);
    this.#audio.set(samples, this.#samples);
    this.#samples += samples.length;
    this.#news.push([callId, { kind: "SOUND", count: samples.length, atMs }]);
  }

  /** Gives what was collected, and begins anew. */
  take(): NewsMessage {
    const message = { kind: "NEWS", news: this.#news, audio: this.#audio.slice(0, this.#samples) } as const;
    this.#news = [];
    this.#samples = 0;
    return message;
  }

  #grow(count: number): void {
    const before = this.#audio;
    this.#audio = new Int16Array(Math.max(before.length * 2, this.#samples + count));
    this.#audio.set(before);
  }
}

/** Hands out the news of a message as they were added; samples are views of one row, which nobody else uses. */
export function readNews({ news, audio }: NewsMessage, onNews: (callId: number, event: CallNews) => void): void {
  let at = 0;
  for (const [callId, event] of news) {
    if (event.kind !== "SOUND") {
      onNews(callId, event);
      continue;
    }
    const samples = audio.subarray(at, at + event.count);
    at += event.count;
    onNews(callId, { kind: "AUDIO", samples, atMs: event.atMs });
  }
}
