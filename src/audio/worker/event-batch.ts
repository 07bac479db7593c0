import type { CallMediaEvent, FromWorker } from "./messages.ts";

type EventsMessage = Extract<FromWorker, { kind: "EVENTS" }>;

/** Capacity of a new batch in samples: the chunks of 40 calls. */
const FIRST_SAMPLES = 32_000;

/**
 * Collects the events of all calls of a moment for one message. The audio of all calls goes as one row of samples: an
 * array for each costs ten times as much to transfer to another thread (bench/media).
 */
export class EventBatch {
  #events: EventsMessage["events"] = [];
  #audio = new Int16Array(FIRST_SAMPLES);
  #samples = 0;

  /** Adds an event of a call; samples are copied. */
  add(callId: number, event: CallMediaEvent): void {
    if (event.kind !== "AUDIO") {
      this.#events.push([callId, event]);
      return;
    }
    const { samples, atMs, saidPeak } = event;
    if (this.#samples + samples.length > this.#audio.length) this.#grow(samples.length);
    this.#audio.set(samples, this.#samples);
    this.#samples += samples.length;
    this.#events.push([callId, { kind: "SOUND", count: samples.length, atMs, saidPeak }]);
  }

  /** Returns the collected events, and starts a new batch. */
  take(): EventsMessage {
    const message = { kind: "EVENTS", events: this.#events, audio: this.#audio.slice(0, this.#samples) } as const;
    this.#events = [];
    this.#samples = 0;
    return message;
  }

  #grow(count: number): void {
    const before = this.#audio;
    this.#audio = new Int16Array(Math.max(before.length * 2, this.#samples + count));
    this.#audio.set(before);
  }
}

/** Emits the events of a message in order; samples are views of one row, which is not used elsewhere. */
export function readEvents(
  { events, audio }: EventsMessage,
  onMediaEvent: (callId: number, event: CallMediaEvent) => void,
): void {
  let at = 0;
  for (const [callId, event] of events) {
    if (event.kind !== "SOUND") {
      onMediaEvent(callId, event);
      continue;
    }
    const samples = audio.subarray(at, at + event.count);
    at += event.count;
    onMediaEvent(callId, { kind: "AUDIO", samples, atMs: event.atMs, saidPeak: event.saidPeak });
  }
}
