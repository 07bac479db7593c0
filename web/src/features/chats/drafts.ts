import { whenPersonChanges } from "#web/api/session.ts";

const drafts = new Map<string, string>();
whenPersonChanges(() => drafts.clear());

/** Returns the unsent text of a chat; it stays while the page is open. */
export function readDraft(chatId: string): string {
  return drafts.get(chatId) ?? "";
}

/** Stores the unsent text of a chat. */
export function keepDraft(chatId: string, text: string): void {
  if (text === "") drafts.delete(chatId);
  else drafts.set(chatId, text);
}
