import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

/**
 * Maps the text of one utterance to its audio, so that after an interruption the model's history holds only the part
 * that was heard.
 */
export class PlayoutMarks {
  readonly #pieces: { text: string; endMs: number }[] = [];
  #lengthMs = 0;

  /** Adds a piece of text, in spoken order, and its length in samples (8 kHz). */
  add(text: string, samples: number): void {
    this.#lengthMs += (samples * 1_000) / VOICE_RATE_HZ;
    this.#pieces.push({ text, endMs: this.#lengthMs });
  }

  /** Adds audio to the last piece, as TTS delivers it bit by bit. */
  extend(samples: number): void {
    const last = this.#pieces.at(-1);
    if (!last) return;
    this.#lengthMs += (samples * 1_000) / VOICE_RATE_HZ;
    last.endMs = this.#lengthMs;
  }

  /** Returns the text heard after `playedMs`. Inside a piece it is cut after the last whole word. */
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

/** Returns a share of a text in whole words. A word counts as heard once it was said to its end. */
function cutAtWord(text: string, share: number): string {
  const end = Math.floor(text.length * share);
  const isWhole = end === 0 || /\s/.test(text.charAt(end)) || /[\s\p{P}]/u.test(text.charAt(end - 1));
  if (isWhole) return text.slice(0, end);
  const space = text.slice(0, end).search(/\s\S*$/);
  return space < 0 ? "" : text.slice(0, space);
}
