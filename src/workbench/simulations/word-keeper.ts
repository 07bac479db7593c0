import type { ConversationReport } from "./report.ts";

/** Keeps the words of conversations and their tool calls while there is room. */
export class WordKeeper {
  #room: number;
  #lost = 0;

  constructor(maxCharacters: number) {
    this.#room = maxCharacters;
  }

  /** Returns the conversation unchanged, or without its transcript and tool calls when there is no room left. */
  keep(conversation: ConversationReport): ConversationReport {
    if (this.#room <= 0) {
      this.#lost++;
      return { ...conversation, transcript: [], toolCalls: [] };
    }
    const { transcript, toolCalls } = conversation;
    this.#room -= transcript.reduce((sum, { content }) => sum + content.length, JSON.stringify(toolCalls).length);
    return conversation;
  }

  /** Warnings for the report about words that were not kept. */
  get warnings(): string[] {
    if (this.#lost === 0) return [];
    return [`The words of ${this.#lost} conversations were not kept, because all of them are more than fits.`];
  }
}
