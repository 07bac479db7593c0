import type { AnswerEvent } from "#src/audio/amd/amd-events.ts";
import type { AmdVerdict, AmdWatch } from "#src/audio/line/line.ts";

/** Latest results of the answering machine detection (AMD). */
export class AmdVerdicts implements AmdWatch {
  verdict: AmdVerdict | null = null;
  messageDue: "BEEP" | "SILENCE" | null = null;
  readonly #listeners = new Set<() => void>();

  onChange(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  /** Takes an event of the detector. */
  take(event: AnswerEvent): void {
    if (event.kind === "BEEP") return;
    if (event.kind === "MESSAGE_DUE") this.messageDue = event.after;
    else {
      const { answeredBy, confidence, decidedAfterMs, reason } = event;
      this.verdict = { answeredBy, confidence, decidedAfterMs, reason };
    }
    for (const listener of this.#listeners) listener();
  }
}
