import type { ModelMessage, ToolCall } from "#src/engine/models/models.ts";

/** One stored line of a conversation. AGENT is a human operator. */
export interface StoredLine {
  role: "ASSISTANT" | "USER" | "TOOL" | "AGENT" | "SYSTEM";
  content: string;
  toolCallId: string | null;
  /** Entries of one turn of the agent share it. */
  turn: number;
}

/** Stored lines as a model sees them: the calls of a turn belong to what the agent wrote before them. */
export function toModelMessages(history: StoredLine[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let author: { message: ModelMessage; turn: number } | undefined;
  for (const entry of history) {
    // What a call's line did, and whispers: nobody said it.
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

/** Returns the call that a TOOL line holds, as the floor wrote it: {name, input, result}. */
export function readToolEntry(entry: StoredLine): { call: ToolCall; result: string } {
  const { name, input, result } = JSON.parse(entry.content) as Omit<ToolCall, "id"> & { result: string };
  return { call: { id: entry.toolCallId ?? "", name, input }, result };
}
