import type { Turn } from "#src/engine/conversation/plan.ts";
import { readLateAnswerId } from "#src/engine/conversation/stored-lines.ts";
import type { PersonaNote } from "#src/engine/personas/reaction.ts";
import type { ConversationReport, SimulatedCall } from "./report.ts";
import type { MissingVariable } from "./template-watch.ts";
import type { MockedCall } from "./tool-mocks.ts";

/** A finished conversation, with the facts that the judge needs beyond the report. */
export interface ConversationRecord extends Omit<ConversationReport, "passed" | "failures"> {
  mocked: MockedCall[];
  missing: MissingVariable[];
  /** 1-based line in which the person asked not to be called again. */
  optOutTurn: number | null;
  /**
   * Milliseconds of real time without any event, after which the conversation was ended; null when it ended by itself.
   */
  stalledMs: number | null;
}

/** Returns the calls of a conversation in the order of its transcript; calls that it does not show come last. */
export function listCalls(transcript: Turn[], mocked: MockedCall[]): SimulatedCall[] {
  const byId = new Map(mocked.map((call) => [call.callId, call]));
  const shown = new Set<string>();
  const calls = transcript.flatMap((turn): SimulatedCall[] => {
    if (turn.role !== "TOOL") return [];
    const id = turn.toolCallId ?? "";
    const answered = readLateAnswerId(id);
    if (answered !== null && shown.has(answered)) return [];
    shown.add(id);
    const own = byId.get(id);
    if (own) return [toCall(own, turn.index + 1)];
    const { name, input, result } = JSON.parse(turn.content) as Omit<SimulatedCall, "turn" | "failed">;
    return [{ turn: turn.index + 1, name, input, result, failed: result.startsWith("failed:") }];
  });
  return [...calls, ...mocked.filter(({ callId }) => !shown.has(callId)).map((call) => toCall(call, null))];
}

function toCall({ name, input, result, failed }: MockedCall, turn: number | null): SimulatedCall {
  return { turn, name, input, result, failed };
}

/** Returns the longest time in which nobody spoke, from the answer to the end of the call. */
export function measureSilence(transcript: Turn[], callMs: number): number {
  let longest = 0;
  let quietSince = 0;
  for (const { role, startMs, endMs } of transcript) {
    if (role !== "ASSISTANT" && role !== "USER") continue;
    longest = Math.max(longest, startMs - quietSince);
    quietSince = Math.max(quietSince, endMs);
  }
  return Math.max(longest, callMs - quietSince);
}

/**
 * Returns the 1-based line in which the person asks not to be called again, by their words or by the persona's own
 * notes; null when they do not.
 */
export async function findOptOut(
  transcript: Turn[],
  language: string,
  notes: readonly PersonaNote[],
): Promise<number | null> {
  // The words of five languages are loaded when they are first needed: no start waits for them.
  const { findOptOutWords } = await import("./opt-out-words.ts");
  const noted = notes.find(({ code }) => code === "OPTED_OUT");
  return findOptOutWords(transcript, language) ?? (noted ? findAnswer(transcript, noted.turn) : null);
}

/**
 * Returns the 1-based line of the person's answer after so many turns of the agent, where several agent lines may be
 * one turn.
 */
function findAnswer(transcript: Turn[], agentTurn: number): number | null {
  let turns = 0;
  let isAgents = false;
  for (const { role, index } of transcript) {
    if (role === "ASSISTANT" && !isAgents) turns++;
    if (role === "ASSISTANT" || role === "USER") isAgents = role === "ASSISTANT";
    if (role === "USER" && turns >= agentTurn) return index + 1;
  }
  return null;
}
