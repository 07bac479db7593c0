import { TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import type { RecordedTurn } from "./recording.ts";
import type { SpeechEngine } from "./speech-engine.ts";

const SAMPLES_PER_MS = TONE_RATE_HZ / 1000;

/** Turns of a call at the times at which an engine says them. */
export interface PacedTurns<T extends RecordedTurn> {
  turns: T[];
  durationMs: number;
  /** Says each turn without synthesising it again. */
  speech: SpeechEngine;
}

/**
 * Places the turns of a call that was held in another voice: each lasts as long as the engine takes to say it, and the
 * next begins as long after its end, or before it, as on the call.
 */
export async function paceTurns<T extends RecordedTurn>(
  turns: readonly T[],
  durationMs: number,
  speech: SpeechEngine,
): Promise<PacedTurns<T>> {
  const spoken = rememberSpeech(speech);
  const paced: T[] = [];
  let before: { was: RecordedTurn; is: RecordedTurn } | null = null;
  for (const turn of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    if (turn.role !== "ASSISTANT" && turn.role !== "USER") continue;
    const samples = await spoken.speak(turn.content, turn.role);
    const startMs: number = before
      ? Math.max(before.is.startMs, before.is.endMs + turn.startMs - before.was.endMs)
      : turn.startMs;
    const placed: T = { ...turn, startMs, endMs: startMs + samples.length / SAMPLES_PER_MS };
    paced.push(placed);
    before = { was: turn, is: placed };
  }
  const restMs = before ? Math.max(0, durationMs - before.was.endMs) : durationMs;
  const endMs = Math.max(0, ...paced.map((turn) => turn.endMs));
  return { turns: paced, durationMs: endMs + restMs, speech: spoken };
}

/** Keeps what an engine said, for a recording that is placed before it is read. */
function rememberSpeech(speech: SpeechEngine): SpeechEngine {
  const said = new Map<string, Promise<Int16Array>>();
  return {
    name: speech.name,
    speak(text, speaker) {
      const key = `${speaker} ${text}`;
      const known = said.get(key) ?? speech.speak(text, speaker);
      said.set(key, known);
      return known;
    },
  };
}
