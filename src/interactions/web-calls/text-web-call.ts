import type { Heard, Line, Spoken } from "#src/audio/line/line.ts";
import type { Page, WebCallMedia } from "./web-call-media.ts";

/** Limit of messages that wait while the agent handles an earlier one. */
const MAX_UNHEARD = 20;

interface Waiting {
  resolve(heard: Heard): void;
  cleanUp(): void;
}

/**
 * A line of typed text. What the agent says is shown, and counts as heard at once; what the person types counts as
 * speech.
 */
export class TextWebCall implements WebCallMedia, Line {
  readonly source = null;
  readonly #page: Page;
  readonly #startedAt = performance.now();
  readonly #heard: Heard[] = [];
  #waiting: Waiting | undefined;
  #left: { kind: "HUNG_UP" | "DROPPED"; endMs: number } | undefined;
  #isOver = false;

  constructor(page: Page) {
    this.#page = page;
  }

  get line(): Line {
    return this;
  }

  elapsedMs(): number {
    return this.#left?.endMs ?? performance.now() - this.#startedAt;
  }

  async say(text: string, signal: AbortSignal): Promise<Spoken> {
    const startMs = this.elapsedMs();
    const times = { startMs, endMs: startMs };
    if (this.#left || this.#isOver || signal.aborted) {
      return { heard: "", ...times, interrupted: true, hungUp: this.#left?.kind === "HUNG_UP" };
    }
    this.#page.send({ type: "text", text });
    return { heard: text, ...times, interrupted: false, hungUp: false };
  }

  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal): Promise<Heard> {
    const ready = this.#heard.shift() ?? this.#left;
    if (ready) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const silence = () => this.#settle({ kind: "SILENCE", endMs: this.elapsedMs() });
      const timer = setTimeout(silence, timeoutMs);
      for (const one of [signal, wake]) one?.addEventListener("abort", silence, { once: true });
      const cleanUp = () => {
        clearTimeout(timer);
        for (const one of [signal, wake]) one?.removeEventListener("abort", silence);
      };
      this.#waiting = { resolve, cleanUp };
      if (this.#isOver || signal.aborted || wake?.aborted) silence();
    });
  }

  async sendDigits(digits: string): Promise<void> {
    if (!this.#left && !this.#isOver) this.#page.send({ type: "digits", digits });
  }

  async hangUp(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#left) this.#page.onHungUp();
  }

  hearText(text: string): boolean {
    const atMs = this.elapsedMs();
    return this.#give({ kind: "SPEECH", text, startMs: atMs, endMs: atMs });
  }

  hearDigits(digits: string): boolean {
    const atMs = this.elapsedMs();
    return this.#give({ kind: "DIGITS", digits, startMs: atMs, endMs: atMs });
  }

  hearFrame(): void {
    // Whoever talks by text has no microphone.
  }

  leave(by: "REMOTE" | "LOST"): void {
    if (this.#left) return;
    this.#left = { kind: by === "REMOTE" ? "HUNG_UP" : "DROPPED", endMs: this.elapsedMs() };
    if (this.#waiting) this.#settle(this.#left);
  }

  showTurns(): void {
    // The page shows its words as they come and go.
  }

  #give(heard: Heard): boolean {
    if (this.#waiting) this.#settle(heard);
    else if (this.#heard.length < MAX_UNHEARD) this.#heard.push(heard);
    else return false;
    return true;
  }

  #settle(heard: Heard): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.cleanUp();
    waiting?.resolve(heard);
  }
}
