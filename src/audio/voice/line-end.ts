import type { MediaEvent } from "#src/audio/worker/media-call.ts";

/** Party that ended the media: the far end, or nobody, because it was lost. */
type ClosedBy = (MediaEvent & { kind: "CLOSED" })["by"];

/** End of a line, which comes once. */
export class LineEnd {
  readonly #gone = new AbortController();
  #by: ClosedBy | null = null;

  /** Aborts when the line is closed. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  get isClosed(): boolean {
    return this.#by !== null;
  }

  /** True when the person ended the call. */
  get wasHungUp(): boolean {
    return this.#by === "REMOTE";
  }

  /** Notes that the line is closed. */
  close(by: ClosedBy): void {
    this.#by = by;
    this.#gone.abort();
  }
}
