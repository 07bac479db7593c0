import { FRAME_MS, FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import type { Heard, Line, Spoken } from "#src/audio/line/line.ts";
import { ComfortTone } from "#src/audio/worker/comfort-tone.ts";

const MS_PER_CHARACTER = 50;
const SPEAKING_MS = 1_000;

/**
 * A live line on the clock of the test, on which a person says one thing after the other and then hangs up. It plays
 * frames as a real line does, with the tone for a person who waits, and measures the longest silence that they heard
 * while they did not speak themselves.
 */
export class ClockedLine implements Line, Disposable {
  readonly isLive = true;
  readonly said: string[] = [];
  longestSilenceMs = 0;
  #silentMs = 0;
  #sounding = 0;
  #isOver = false;
  readonly #words: string[];
  readonly #startedMs = performance.now();
  readonly #life = new ComfortTone();
  readonly #ticker: NodeJS.Timeout;

  constructor(words: string[]) {
    this.#words = [...words];
    this.#life.setCallerWaitingSince(0);
    const frame = new Int16Array(FRAME_SAMPLES);
    this.#ticker = setInterval(() => {
      const isOurs = this.#sounding > 0;
      const hasSound = this.#life.fill(frame, isOurs, this.elapsedMs()) || isOurs;
      this.#silentMs = hasSound || this.#isOver ? 0 : this.#silentMs + FRAME_MS;
      this.longestSilenceMs = Math.max(this.longestSilenceMs, this.#silentMs);
    }, FRAME_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticker);
  }

  setCallerWaitingSince(sinceMs: number | null): void {
    this.#life.setCallerWaitingSince(sinceMs);
  }

  async say(text: string): Promise<Spoken> {
    const startMs = this.elapsedMs();
    this.said.push(text);
    await this.#sound(text.length * MS_PER_CHARACTER);
    return { heard: text, startMs, endMs: this.elapsedMs(), interrupted: false, hungUp: false };
  }

  async listen(): Promise<Heard> {
    const startMs = this.elapsedMs();
    const text = this.#words.shift();
    if (text === undefined) {
      this.#isOver = true;
      return { kind: "HUNG_UP", endMs: startMs };
    }
    // The person hears themselves.
    await this.#sound(SPEAKING_MS);
    return { kind: "SPEECH", text, startMs, endMs: this.elapsedMs() };
  }

  async #sound(ms: number): Promise<void> {
    this.#sounding++;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#sounding--;
  }

  sendDigits = async (): Promise<void> => undefined;

  async hangUp(): Promise<void> {
    this.#isOver = true;
  }

  elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }
}
