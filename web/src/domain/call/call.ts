import type { TranscriptTurn } from "@parley/sdk";
import { parseExactly } from "#web/api/exact-json.ts";

const ENDED = ["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"];

/** True until the call cannot change any more. */
export function isUnderWay({ status }: { status: string }): boolean {
  return !ENDED.includes(status);
}

/** True while nobody is being dialled, and somebody will be. */
export function isWaiting({ status }: { status: string }): boolean {
  return status === "QUEUED" || status.startsWith("WAITING_");
}

/** A tool call as a line of the transcript tells it. */
export interface ToolCall {
  name: string;
  input: unknown;
  result: unknown;
}

/** The tool call in a line of role TOOL; null when the line is something else. */
export function readToolCall({ role, content }: { role: string; content: string }): ToolCall | null {
  if (role !== "TOOL") return null;
  try {
    const { name, input, result } = parseExactly(content) as Partial<ToolCall>;
    return typeof name === "string" ? { name, input: input ?? null, result: readNested(result) } : null;
  } catch {
    return null;
  }
}

/** Results are JSON inside of a text more often than not. */
function readNested(result: unknown): unknown {
  if (typeof result !== "string" || !/^[[{]/.test(result)) return result ?? null;
  try {
    return parseExactly(result);
  } catch {
    return result;
  }
}

/** The lines in which a text stands, whatever the case of its letters; all of them when it is empty. */
export function findTurns(turns: TranscriptTurn[], text: string): TranscriptTurn[] {
  if (text === "") return turns;
  const wanted = text.toLowerCase();
  return turns.filter(({ content }) => content.toLowerCase().includes(wanted));
}

/** Lines that are kept above the one that is played, when all cannot be shown. */
const LINES_ABOVE = 20;

/** Which of the lines to show, from and up to: the first or last `most` of them, or those around the one that is played. */
export function windowOf(
  turns: TranscriptTurn[],
  { most, isTail, current }: { most: number; isTail: boolean; current: number },
): [number, number] {
  const from = isTail ? Math.max(0, turns.length - most) : 0;
  const to = Math.min(turns.length, from + most);
  const played = current < 0 ? -1 : turns.findIndex(({ index }) => index === current);
  if (played < 0 || (played >= from && played < to)) return [from, to];
  const around = Math.max(0, played - LINES_ABOVE);
  return [around, Math.min(turns.length, around + most)];
}
