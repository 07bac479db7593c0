import type { CallRow, TranscriptTurn } from "@parley/sdk";

/** How long the person waited for an answer, by stage, in milliseconds. */
export interface TurnLatency {
  endpointingMs: number;
  sttMs: number;
  modelMs: number;
  toolsMs: number;
  ttsMs: number;
  transportMs: number;
  totalMs: number;
}

/** A line of the transcript with what is known of its making. */
export interface Turn extends TranscriptTurn {
  latency?: TurnLatency;
  whisper?: boolean;
  citations?: { title?: string; itemId?: string; [field: string]: unknown }[];
}

/** A call as the console shows it. */
export interface Call extends Omit<CallRow, "transcript"> {
  transcript: Turn[];
}

const ENDED = ["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"];

/** True until the call cannot change any more. */
export function isUnderWay({ status }: { status: string }): boolean {
  return !ENDED.includes(status);
}

/** A tool call as a line of the transcript tells it. */
export interface ToolCall {
  name: string;
  input: unknown;
  result: unknown;
}

/** The tool call in a line of role TOOL; null when the line is something else. */
export function readToolCall(turn: Turn): ToolCall | null {
  if (turn.role !== "TOOL") return null;
  try {
    const { name, input, result } = JSON.parse(turn.content) as Partial<ToolCall>;
    return typeof name === "string" ? { name, input: input ?? null, result: readNested(result) } : null;
  } catch {
    return null;
  }
}

/** Results are JSON inside of a text more often than not. */
function readNested(result: unknown): unknown {
  if (typeof result !== "string" || !/^[[{]/.test(result)) return result ?? null;
  try {
    return JSON.parse(result);
  } catch {
    return result;
  }
}
