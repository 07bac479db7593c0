import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

/**
 * Marks of one utterance on its way to the person: which part of the text lies where in the sound, so that after an
 * interruption memory holds what was heard and no more.
 */
export class PlayoutMarks {
  readonly #pieces: { text: string; endMs: number }[] = [];
  #lengthMs = 0;

  /** A piece of text, in the order it is said, and how many samples (8 kHz) it became. */
  add(text: string, samples: number): void {
    this.#lengthMs += (samples * 1_000) / VOICE_RATE_HZ;
    this.#pieces.push({ text, endMs: this.#lengthMs });
  }

  /** More sound of the last piece; a synthesiser gives it bit by bit. */
  extend(samples: number): void {
    const last = this.#pieces.at(-1);
    if (!last) return;
    this.#lengthMs += (samples * 1_000) / VOICE_RATE_HZ;
    last.endMs = this.#lengthMs;
  }

  /** The text heard when so much was played. Inside a piece it is cut after the last whole word. */
  textHeard(playedMs: number): string {
    let heard = "";
    let startMs = 0;
    for (const { text, endMs } of this.#pieces) {
      if (playedMs < endMs) return (heard + cutAtWord(text, (playedMs - startMs) / (endMs - startMs))).trimEnd();
      heard += text;
      startMs = endMs;
    }
    return heard.trimEnd();
  }
}

/** The share of a text that consists of whole words. A word counts as heard once it was said to its end. */
function cutAtWord(text: string, share: number): string {
  const end = Math.floor(text.length * share);
  const isWhole = end === 0 || /\s/.test(text.charAt(end)) || /[\s\p{P}]/u.test(text.charAt(end - 1));
  if (isWhole) return text.slice(0, end);
  const space = text.slice(0, end).search(/\s\S*$/);
  return space < 0 ? "" : text.slice(0, space);
}
