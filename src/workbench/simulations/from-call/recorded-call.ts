import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { FilledOutput, Turn } from "#src/engine/conversation/plan.ts";
import { readLateAnswerId } from "#src/engine/conversation/stored-lines.ts";

/** A tool call from a transcript. */
export interface RecordedToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  result: string;
  /** Call time from the call to its answer, where that came later. */
  tookMs: number;
  /** True when the transcript does not show the call's input. */
  isHidden: boolean;
}

/** Facts of a past call. */
export interface RecordedCall {
  transcript: Turn[];
  outcome: string | null;
  endReason: string | null;
  answeredBy: AnsweredBy;
  fields: Record<string, unknown>;
  outputs: Record<string, FilledOutput>;
  contact: { name: string | null; phone: string | null; email: string | null };
  rowData: Record<string, unknown>;
  contextData: Record<string, unknown>;
  /** Time of the answer, ISO 8601. */
  at: string;
}

const HIDDEN = "(hidden)";
const PENDING = /^(?:not done yet|started):/;
const SAID_ALREADY = "\n\nSaid to the person already: ";

/** Returns the tool calls of a transcript, each with its last answer. */
export function readToolCalls(transcript: readonly Turn[]): RecordedToolCall[] {
  const calls = new Map<string, RecordedToolCall & { startMs: number }>();
  for (const { role, content, toolCallId, startMs } of transcript) {
    if (role !== "TOOL") continue;
    const read = readContent(content);
    if (!read) continue;
    const id = toolCallId ?? `turn-${startMs}`;
    const answered = readLateAnswerId(id);
    const first = answered === null ? undefined : calls.get(answered);
    if (first) Object.assign(first, { result: read.result, tookMs: Math.max(0, startMs - first.startMs) });
    else calls.set(id, { id, ...read, tookMs: 0, isHidden: read.result.endsWith(HIDDEN), startMs });
  }
  return [...calls.values()].map(({ startMs: _startMs, ...call }) => call);
}

/** True for a result that never arrived. */
export function isPending(result: string): boolean {
  return PENDING.test(result);
}

function readContent(content: string): Pick<RecordedToolCall, "name" | "input" | "result"> | null {
  try {
    const { name, input, result } = JSON.parse(content) as Record<string, unknown>;
    if (typeof name !== "string" || typeof result !== "string") return null;
    const isMapping = input !== null && typeof input === "object" && !Array.isArray(input);
    return { name, input: isMapping ? (input as Record<string, unknown>) : {}, result: withoutNotes(result) };
  } catch {
    return null;
  }
}

function withoutNotes(result: string): string {
  const at = result.indexOf(SAID_ALREADY);
  return at < 0 ? result : result.slice(0, at);
}
