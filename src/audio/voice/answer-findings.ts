import type { AnswerEvent } from "#src/audio/amd/answer-events.ts";
import type { AnswerFinding, AnswerWatch } from "#src/audio/line/line.ts";

/** What the answer supervisor has found out so far. */
export class AnswerFindings implements AnswerWatch {
  finding: AnswerFinding | null = null;
  messageDue: "BEEP" | "SILENCE" | null = null;
  readonly #listeners = new Set<() => void>();

  onChange(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  /** Takes what the supervisor tells. */
  take(event: AnswerEvent): void {
    if (event.kind === "BEEP") return;
    if (event.kind === "MESSAGE_DUE") this.messageDue = event.after;
    else {
      const { answeredBy, confidence, decidedAfterMs, reason } = event;
      this.finding = { answeredBy, confidence, decidedAfterMs, reason };
    }
    for (const listener of this.#listeners) listener();
  }
}
