import type { MediaEvent } from "#src/audio/worker/media-call.ts";
import type { MediaHandle } from "./media-handle.ts";

/** Event of the media about an utterance that was played or dropped. */
export type PlayedEvent = MediaEvent & { kind: "PLAYED" };

/** Utterances that the media plays, from their begin to their PLAYED event. */
export class UtterancePlayer {
  readonly #media: Pick<MediaHandle, "begin" | "clear">;
  readonly #playing = new Map<number, (played: PlayedEvent) => void>();
  #count = 0;

  constructor(media: Pick<MediaHandle, "begin" | "clear">) {
    this.#media = media;
  }

  /** True once an utterance was begun. */
  get hasBegun(): boolean {
    return this.#count > 0;
  }

  /** Begins an utterance; `ended` resolves once it was played or dropped. The signal drops it. */
  begin(signal: AbortSignal): { id: number; ended: Promise<PlayedEvent> } {
    const id = ++this.#count;
    return { id, ended: this.#play(id, signal) };
  }

  /** Takes the event of an utterance that was played or dropped. */
  take(played: PlayedEvent): void {
    this.#playing.get(played.id)?.(played);
  }

  async #play(id: number, signal: AbortSignal): Promise<PlayedEvent> {
    const { promise, resolve } = Promise.withResolvers<PlayedEvent>();
    this.#playing.set(id, resolve);
    const onAbort = () => this.#media.clear();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#media.begin(id);
    try {
      return await promise;
    } finally {
      this.#playing.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }
}
