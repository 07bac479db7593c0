import { FRAME_SAMPLES, SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";
import { countToneSpeechSamples, encodeToneBlocks, TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import type { Reaction } from "#src/engine/personas/reaction.ts";

/** Samples at 8 kHz in pieces of any length, generated during playback. */
export type Sound = Iterator<Int16Array, void>;

const TONE_AMPLITUDE = 6_000;
/** Noise after each utterance: its last tones alone, followed by silence, may sound like a voicemail's beep. */
const BREATH_MS = 100;
const BREATH_AMPLITUDE = 700;
/** A major triad of frequencies that each fill 20 ms with whole periods, so that every frame of it is the same. */
const CHORD_HZ = [400, 500, 600];
const BEEP_HZ = 1_000;
const BEEP_MS = 400;
const BEFORE_BEEP_MS = 300;
/** A fax machine's answer tone (CED, ITU-T T.30), which lasts 2.6 to 4 s. */
const CED_HZ = 2_100;
const CED_MS = 3_000;
const BEFORE_CED_MS = 300;

/** Yields silence of this length. */
export function* keepQuiet(ms: number): Generator<Int16Array, void> {
  const nothing = new Int16Array(FRAME_SAMPLES);
  for (let left = Math.round(ms) * SAMPLES_PER_MS; left > 0; left -= FRAME_SAMPLES) yield nothing.subarray(0, left);
}

/** Yields a spoken reaction in tone speech, for as long as the reaction takes. */
export function* sayReaction(speech: Extract<Reaction, { kind: "SPEAK" }>): Generator<Int16Array, void> {
  const { text, spread, durationMs = 0 } = speech;
  for (const [i, piece] of (spread?.pieces ?? [text]).entries()) {
    if (spread && i > 0)
      yield* spread.filledWith === "MUSIC" ? sound(CHORD_HZ, spread.pauseMs) : keepQuiet(spread.pauseMs);
    yield* say(piece);
  }
  if (spread || text === "") return;
  const onceMs = countToneSpeechSamples(text) / SAMPLES_PER_MS + BREATH_MS;
  for (let times = 1; times < Math.round(durationMs / onceMs); times++) yield* say(text);
}

function* say(text: string): Generator<Int16Array, void> {
  yield* encodeToneBlocks(text);
  yield* breathe();
}

/** Yields noise, the same each time, far weaker than the speech. */
function* breathe(): Generator<Int16Array, void> {
  let state = 1;
  yield Int16Array.from({ length: BREATH_MS * SAMPLES_PER_MS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.round((state / 2 ** 31) * BREATH_AMPLITUDE);
  });
}

/** Yields a voicemail's greeting and its beep. The written greeting ends in a word for the beep; it is not spoken. */
export function* greetWithBeep(greeting: string): Generator<Int16Array, void> {
  yield* say(greeting.replace(/\s+\S+$/, ""));
  yield* keepQuiet(BEFORE_BEEP_MS);
  yield* sound([BEEP_HZ], BEEP_MS);
}

/** Yields a fax machine's answer. */
export function* answerAsFax(): Generator<Int16Array, void> {
  yield* keepQuiet(BEFORE_CED_MS);
  yield* sound([CED_HZ], CED_MS);
}

function* sound(frequenciesHz: number[], ms: number): Generator<Int16Array, void> {
  const amplitude = TONE_AMPLITUDE / frequenciesHz.length;
  const count = Math.round(ms) * SAMPLES_PER_MS;
  for (let at = 0; at < count; at += FRAME_SAMPLES) {
    yield Int16Array.from({ length: Math.min(FRAME_SAMPLES, count - at) }, (_, i) => {
      const turn = (2 * Math.PI * (at + i)) / TONE_RATE_HZ;
      return Math.round(frequenciesHz.reduce((sum, hz) => sum + amplitude * Math.sin(hz * turn), 0));
    });
  }
}
