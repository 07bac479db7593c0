import type { ConversationReport } from "./report.ts";

/** Keeps what was said and done in conversations while there is room for it. */
export class WordKeeper {
  #room: number;
  #lost = 0;

  constructor(maxCharacters: number) {
    this.#room = maxCharacters;
  }

  /** The conversation as it is, or without its transcript and tool calls when there is no room left. */
  keep(conversation: ConversationReport): ConversationReport {
    if (this.#room <= 0) {
      this.#lost++;
      return { ...conversation, transcript: [], toolCalls: [] };
    }
    const { transcript, toolCalls } = conversation;
    this.#room -= transcript.reduce((sum, { content }) => sum + content.length, JSON.stringify(toolCalls).length);
    return conversation;
  }

  /** What a report has to say of those that were not kept. */
  get warnings(): string[] {
    if (this.#lost === 0) return [];
    return [`The words of ${this.#lost} conversations were not kept, because all of them are more than fits.`];
  }
}
