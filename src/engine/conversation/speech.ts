import type { Spoken } from "#src/audio/line/line.ts";
import { Notifier } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Citation } from "./plan.ts";
import { toSpeakable } from "./speakable.ts";
import type { TranscribedLine } from "./transcribed-line.ts";

/** The end of a sentence: its mark, with closing quotes, before a space or at the end of what has come. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*(?=\s|$)/gu;
const LONGEST_WAIT_MS = 60_000;
/** Words without an end are said in parts of this length at most. */
const MAX_PART_CHARACTERS = 400;

/** How a turn is said. */
interface SpeechOptions {
  citations: Citation[];
  /** Call time at which the call is too long: what is not begun then is not said. */
  untilMs: number;
  /** Written at once when the turn is complete, as it is; otherwise said sentence by sentence, as it can be spoken. */
  isText: boolean;
}

/**
 * Speaks a turn while the model still writes it: sentence by sentence, as one turn of the transcript. What is cut off
 * ends it; nothing that comes later is said.
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
  /** What is said next, when its sound is being made already: it is said as it is then, whatever comes after it. */
  #prepared = "";
  #isSaying = false;
  #quietSince = performance.now();

  /** `onCut` is called once when the person interrupts or hangs up. */
  constructor(transcribed: TranscribedLine, options: SpeechOptions, onCut: () => void) {
    this.#transcribed = transcribed;
    this.#options = options;
    this.#onCut = onCut;
  }

  /** True when anything of it has begun to be said. */
  get hasBegun(): boolean {
    return this.#running !== undefined;
  }

  /** How long nothing of it has been said, in wall-clock milliseconds. */
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

  /** How many of the characters that were added will never be said. */
  get unsaidCharacters(): number {
    return this.#ended && this.#endsWith === "SENTENCES" ? this.#waiting.length : 0;
  }

  /**
   * No more words come; resolves when all are said, or all whole SENTENCES. Null: nothing was cut off. Throws what the
   * line throws.
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
        this.#isSaying = true;
        const words = this.#options.isText ? text : toSpeakable(text);
        if (words === "") continue;
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

  /** Makes the next sound while this one is heard, on lines where that takes time. */
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

  /** The words that can be said now: whole sentences, or whatever is left at the end. */
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

/** Where to cut words that have no end: at a space, if there is one. */
function cutPart(text: string): number {
  const space = text.lastIndexOf(" ", MAX_PART_CHARACTERS);
  return space > 0 ? space : MAX_PART_CHARACTERS;
}
