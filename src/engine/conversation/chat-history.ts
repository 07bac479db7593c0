import type { ModelMessage } from "#src/engine/models/models.ts";
import { languageOfQuestion, readOptOutAnswer } from "#src/engine/opt-out/judge.ts";
import { KEEPS_CONTACT, type OptOutState } from "./opt-out-state.ts";
import type { SessionPlan } from "./plan.ts";
import { readLateAnswerId, readToolEntry, type StoredLine, toModelMessages } from "./stored-lines.ts";

/** One stored line of a chat. */
export type ChatEntry = StoredLine;

/** A stored chat in the form in which the engine continues it. */
interface ReadHistory {
  messages: ModelMessage[];
  optOut: Pick<OptOutState, "asked" | "question" | "denied">;
  /** Messages at the end that no turn of the agent has answered, so the opt-out guard has not judged them. */
  unjudged: number;
}

/**
 * Reads a stored chat: its messages in the form for a model, and the state of the opt-out guard. The guard's own
 * question is left out, and so is a "no" to it, as in a call.
 */
export function readHistory(history: ChatEntry[]): ReadHistory {
  const at = history.findLastIndex(({ role, content }) => role === "ASSISTANT" && languageOfQuestion(content) !== null);
  if (at < 0) return toRead(toModelMessages(history), { asked: false, question: null, denied: false });
  const language = languageOfQuestion(history[at]?.content ?? "") ?? "en";
  const after = history.slice(at + 1);
  const end = after.findIndex(({ role }) => role !== "USER");
  const answers = end < 0 ? after : after.slice(0, end);
  const before = toModelMessages(history.slice(0, at));
  if (end < 0) {
    const messages = [...before, ...toModelMessages(after)];
    return { messages, optOut: { asked: true, question: language, denied: false }, unjudged: after.length };
  }
  const denied = readOptOutAnswer(answers.map(({ content }) => content).join(". "), language) === false;
  const rest = denied ? [{ ...KEEPS_CONTACT }, ...toModelMessages(after.slice(end))] : toModelMessages(after);
  return toRead([...before, ...rest], { asked: true, question: null, denied });
}

/** Counts the calls of the plan's own tools so far. A late answer stands behind its call as a line of its own. */
export function countToolCalls({ grants }: Pick<SessionPlan, "grants">, history: ChatEntry[]): number {
  const names = new Set(grants?.tools.map(({ offer }) => offer.name));
  return history.filter(
    (entry) =>
      entry.role === "TOOL" &&
      readLateAnswerId(entry.toolCallId ?? "") === null &&
      names.has(readToolEntry(entry).call.name),
  ).length;
}

/** True when a turn that is being retried asked for a human operator before its model failed. */
export function askedForHuman(history: ChatEntry[]): boolean {
  const since = history.slice(history.findLastIndex(({ role }) => role === "USER") + 1);
  return since.some((entry) => entry.role === "TOOL" && readToolEntry(entry).call.name === "request_human");
}

function toRead(messages: ModelMessage[], optOut: ReadHistory["optOut"]): ReadHistory {
  return {
    messages,
    optOut,
    unjudged: messages.length - 1 - messages.findLastIndex(({ role }) => role === "ASSISTANT"),
  };
}
