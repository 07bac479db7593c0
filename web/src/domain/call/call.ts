import type { CallRow, TranscriptTurn } from "@parley/sdk";
import { parseExactly } from "#web/api/exact-json.ts";

const ENDED = ["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"];

/** True until the call cannot change any more. */
export function isUnderWay({ status }: { status: string }): boolean {
  return !ENDED.includes(status);
}

/** A tool call, read from a line of the transcript. */
export interface ToolCall {
  name: string;
  input: unknown;
  result: unknown;
}

/** Returns the tool call of a TOOL line; null for any other line. */
export function readToolCall({ role, content }: { role: string; content: string }): ToolCall | null {
  if (role !== "TOOL") return null;
  try {
    const { name, input, result } = parseExactly(content) as Partial<ToolCall>;
    return typeof name === "string" ? { name, input: input ?? null, result: readNested(result) } : null;
  } catch {
    return null;
  }
}

/** Parses a result that is JSON inside a text, as most are. */
function readNested(result: unknown): unknown {
  if (typeof result !== "string" || !/^[[{]/.test(result)) return result ?? null;
  try {
    return parseExactly(result);
  } catch {
    return result;
  }
}

/** Names of the tools that failed in a call, each once. The engine begins each such result with this word. */
export function failedTools(turns: TranscriptTurn[]): string[] {
  const calls = turns.map(readToolCall).filter((call) => call !== null);
  return [...new Set(calls.filter(hasFailed).map(({ name }) => name))];
}

/** True for a tool call that failed. */
export function hasFailed({ result }: ToolCall): boolean {
  return typeof result === "string" && result.startsWith("failed");
}

/** The lines that contain a text, ignoring case; all lines when the text is empty. */
export function findTurns(turns: TranscriptTurn[], text: string): TranscriptTurn[] {
  if (text === "") return turns;
  const wanted = text.toLowerCase();
  return turns.filter(({ content }) => content.toLowerCase().includes(wanted));
}

/** Lines kept above the played one when not all can be shown. */
const LINES_ABOVE = 20;

/** Returns the range of lines to show: the first or last `most` of them, or those around the played one. */
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

/** Returns what a list shows of a call: its outcome once it is over. That of an attempt before is not the call's. */
export function stateOf({ endedAt, outcome, status }: Pick<CallRow, "endedAt" | "outcome" | "status">): string {
  return (endedAt === null ? null : outcome) ?? status;
}
