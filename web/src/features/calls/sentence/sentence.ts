import type { TranscriptTurn } from "@parley/sdk";

/** Lines shown before the chosen one. */
const LINES_BEFORE = 3;

/** Returns the words of the agent that a line is about: its own, or the answer to what the person said. */
export function answerAt(transcript: TranscriptTurn[], index: number): TranscriptTurn | undefined {
  return transcript.find((turn) => turn.index >= index && turn.role === "ASSISTANT");
}

/** Returns the chosen line with those before it, without calls of tools and notes to the agent. */
export function linesAround(transcript: TranscriptTurn[], index: number): TranscriptTurn[] {
  const last = answerAt(transcript, index)?.index ?? index;
  const spoken = transcript.filter(({ role, whisper }) => (role === "ASSISTANT" || role === "USER") && !whisper);
  const end = spoken.findIndex((turn) => turn.index >= last);
  return end < 0 ? [] : spoken.slice(Math.max(0, end - LINES_BEFORE), end + 1);
}

/** Returns the sentences to expect of a field: its lines that are not empty. */
export function toSayings(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
