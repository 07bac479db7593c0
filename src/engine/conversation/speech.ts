import { cutText } from "#src/audio/line/cut-text.ts";
import type { Spoken } from "#src/audio/line/line.ts";
import { Notifier } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Citation } from "./plan.ts";
import { SENTENCE_END } from "./sentence-ends.ts";
import { toSpeakable } from "./speakable.ts";
import type { TranscribedLine } from "./transcribed-line.ts";

const LONGEST_WAIT_MS = 60_000;
/** Longest part, in characters, in which text without sentence ends is said. */
const MAX_PART_CHARACTERS = 400;

/** Settings of one spoken turn. */
interface SpeechOptions {
  citations: Citation[];
  /** Call time, in milliseconds, from which no further part is begun because the call has reached its limit. */
  untilMs: number;
  /**
   * True for a chat: the complete turn is written at once and unchanged. False: it is said sentence by sentence, as
   * speakable text.
   */
  isText: boolean;
}

/**
 * Says a turn while the model still writes it: sentence by sentence, as one turn of the transcript. After an
 * interruption nothing further is said.
 */
export class Speech {
  readonly #transcribed: TranscribedLine;
  readonly #options: SpeechOptions;
  readonly #more = new Notifier();
  readonly #onCut: () => void;
  #waiting = "";
  #ended = false;
  #cut: Spoken | null = null;
  #running: Promise<void> | undefined;
  #error: Error | undefined;
  #endsWith: "ALL" | "SENTENCES" = "ALL";
  /** The next part, when its audio is being synthesised already; later words do not join it. */
  #prepared = "";
  #isSaying = false;
  #quietSince = performance.now();

  /**
   * `onCut` is called when the person interrupts or hangs up, when the call reaches its limit, and when the line fails.
   */
  constructor(transcribed: TranscribedLine, options: SpeechOptions, onCut: () => void) {
    this.#transcribed = transcribed;
    this.#options = options;
    this.#onCut = onCut;
  }

  /** True once speech has begun. */
  get hasBegun(): boolean {
    return this.#running !== undefined;
  }

  /** Wall-clock milliseconds since anything was last said. */
  get quietMs(): number {
    return this.#isSaying ? 0 : performance.now() - this.#quietSince;
  }

  /** Adds words. */
  add(text: string): void {
    this.#waiting += text;
    if (this.#running === undefined && this.#next() === "") return;
    this.#running ??= this.#run();
    this.#prepareNext();
    this.#more.notify();
  }

  /** Number of added characters that will never be said. */
  get unsaidCharacters(): number {
    return this.#ended && this.#endsWith === "SENTENCES" ? this.#waiting.length : 0;
  }

  /**
   * Marks the text as complete. Resolves when all of it is said, or all whole SENTENCES, with what was cut off, or
   * null. Throws what the line throws.
   */
  async end(endsWith: "ALL" | "SENTENCES" = "ALL"): Promise<Spoken | null> {
    this.#ended = true;
    this.#endsWith = endsWith;
    if (this.#running === undefined && this.#next() !== "") this.#running = this.#run();
    this.#more.notify();
    await this.#running;
    if (this.#error) throw this.#error;
    return this.#cut;
  }

  async #run(): Promise<void> {
    try {
      for (let goesOn = false; ;) {
        const text = this.#takeNext();
        if (text === "" && this.#ended) return;
        if (text === "") {
          await this.#more.wait(LONGEST_WAIT_MS);
          continue;
        }
        if (this.#transcribed.elapsedMs() >= this.#options.untilMs) return this.#onCut();
        const words = this.#options.isText ? text : toSpeakable(text);
        if (words === "") continue;
        this.#isSaying = true;
        const saying = this.#transcribed.say(words, goesOn, this.#options.citations);
        this.#prepareNext();
        const spoken = await saying;
        this.#isSaying = false;
        this.#quietSince = performance.now();
        goesOn ||= spoken.heard !== "";
        if (!spoken.interrupted && !spoken.hungUp) continue;
        this.#cut = spoken;
        this.#onCut();
        return;
      }
    } catch (error) {
      this.#error = toError(error);
      this.#onCut();
    }
  }

  /** Synthesises the next part while this one is heard, on lines where synthesis takes time. */
  #prepareNext(): void {
    const { prepare } = this.#transcribed;
    if (!prepare || !this.#isSaying || this.#prepared !== "") return;
    this.#prepared = this.#cutNext();
    if (this.#prepared !== "") prepare(toSpeakable(this.#prepared));
  }

  #takeNext(): string {
    const text = this.#prepared === "" ? this.#cutNext() : this.#prepared;
    this.#prepared = "";
    return text;
  }

  #cutNext(): string {
    const text = this.#next();
    this.#waiting = this.#waiting.slice(this.#waiting.indexOf(text) + text.length);
    return text;
  }

  /** Returns the text that can be said now: whole sentences, or the rest at the end. */
  #next(): string {
    const { isText } = this.#options;
    if (isText && !this.#ended) return "";
    const isLast = isText || this.#waiting.length <= MAX_PART_CHARACTERS;
    if (this.#ended && this.#endsWith === "ALL" && isLast) return this.#waiting.trim();
    let end = 0;
    for (const mark of this.#waiting.matchAll(SENTENCE_END)) {
      const at = mark.index + mark[0].length;
      // "3." at the very end may become 3.5.
      if (at < this.#waiting.length || !/\d[.]$/.test(this.#waiting)) end = at;
    }
    if (end === 0 && !isText && this.#waiting.length > MAX_PART_CHARACTERS) end = cutPart(this.#waiting);
    return this.#waiting.slice(0, end).trim();
  }
}

/** Returns the position at which text without a sentence end is cut: at a word, if there is one. */
function cutPart(text: string): number {
  return cutText(text, MAX_PART_CHARACTERS / text.length).length || MAX_PART_CHARACTERS;
}
