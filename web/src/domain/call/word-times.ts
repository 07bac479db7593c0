/** A word with the space behind it, and the moment of the recording at which it begins. */
export interface SpokenWord {
  text: string;
  startMs: number;
}

/** Loudness of one speaker: the loudest sample of each interval. */
export interface Loudness {
  intervalMs: number;
  peaks: number[];
}

/** Share of the loudest sound of a line above which somebody speaks. */
const VOICED = 0.12;

/**
 * Returns the words of a line with the moments at which they begin: each gets its share, by its letters, of the time
 * in which the speaker is heard. Without loudness, or when nothing is heard, it is a share of the whole time.
 */
export function timeWords(text: string, fromMs: number, toMs: number, loudness: Loudness | null): SpokenWord[] {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const weights = words.map((word) => word.trim().length + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const moments = (loudness && findVoiced(loudness, fromMs, toMs)) ?? [{ fromMs, toMs: Math.max(fromMs, toMs) }];
  const lengthMs = moments.reduce((sum, moment) => sum + moment.toMs - moment.fromMs, 0);
  let before = 0;
  return words.map((word, index) => {
    const startMs = momentAt(moments, (lengthMs * before) / whole);
    before += weights[index] ?? 0;
    return { text: word, startMs };
  });
}

/** Returns how many of the words have begun at a moment. */
export function countBegun(words: SpokenWord[], atMs: number): number {
  const next = words.findIndex(({ startMs }) => startMs > atMs);
  return next === -1 ? words.length : next;
}

interface Span {
  fromMs: number;
  toMs: number;
}

/** Returns the spans in which the speaker is heard; null when there are none. */
function findVoiced({ intervalMs, peaks }: Loudness, fromMs: number, toMs: number): Span[] | null {
  const [first, last] = [Math.floor(fromMs / intervalMs), Math.min(peaks.length, Math.ceil(toMs / intervalMs))];
  const heard = peaks.slice(first, last);
  const least = heard.reduce((most, peak) => Math.max(most, peak), 0) * VOICED;
  const spans = heard.flatMap((peak, index) => {
    const startMs = (first + index) * intervalMs;
    return peak > least ? [{ fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs, startMs + intervalMs) }] : [];
  });
  return spans.length === 0 ? null : spans;
}

/** Returns the moment after so much time in the spans. */
function momentAt(spans: Span[], passedMs: number): number {
  let leftMs = passedMs;
  for (const { fromMs, toMs } of spans) {
    if (leftMs < toMs - fromMs) return fromMs + leftMs;
    leftMs -= toMs - fromMs;
  }
  return spans.at(-1)?.toMs ?? 0;
}
