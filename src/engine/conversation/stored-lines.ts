import type { ModelMessage, ToolCall } from "#src/engine/models/models.ts";

/** One stored line of a conversation. AGENT is a human operator. */
export interface StoredLine {
  role: "ASSISTANT" | "USER" | "TOOL" | "AGENT" | "SYSTEM";
  content: string;
  toolCallId: string | null;
  /** Shared by the entries of one turn of the agent. */
  turn: number;
}

const LATE = "-answer";

/** Returns the id of the line that brings the answer of an async tool, by the id of the call that it answers. */
export function lateAnswerId(callId: string): string {
  return `${callId}${LATE}`;
}

/** Returns the id of the call that a line of this id answers late; null for any other line. */
export function readLateAnswerId(id: string): string | null {
  return id.endsWith(LATE) ? id.slice(0, -LATE.length) : null;
}

/** Converts stored lines to messages for a model: the tool calls of a turn belong to the agent's text before them. */
export function toModelMessages(history: StoredLine[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let author: { message: ModelMessage; turn: number } | undefined;
  for (const entry of history) {
    // SYSTEM lines are actions on the line and whispers, which nobody said.
    if (entry.role === "SYSTEM") continue;
    if (entry.role === "TOOL") {
      const { call, result } = readToolEntry(entry);
      if (!author || author.turn !== entry.turn) {
        author = { message: { role: "ASSISTANT", content: "" }, turn: entry.turn };
        messages.push(author.message);
      }
      (author.message.toolCalls ??= []).push(call);
      messages.push({ role: "TOOL", content: result, toolCallId: call.id });
      continue;
    }
    const message: ModelMessage = { role: entry.role === "USER" ? "USER" : "ASSISTANT", content: entry.content };
    messages.push(message);
    author = entry.role === "ASSISTANT" ? { message, turn: entry.turn } : undefined;
  }
  return messages;
}

/** Returns the call that a TOOL line holds, as `TranscribedLine` writes it: {name, input, result}. */
export function readToolEntry(entry: StoredLine): { call: ToolCall; result: string } {
  const { name, input, result } = JSON.parse(entry.content) as Omit<ToolCall, "id"> & { result: string };
  return { call: { id: entry.toolCallId ?? "", name, input }, result };
}
