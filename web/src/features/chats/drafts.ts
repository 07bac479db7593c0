import { whenPersonChanges } from "#web/api/session.ts";

const drafts = new Map<string, string>();
whenPersonChanges(() => drafts.clear());

/** What was typed into a chat and not sent; it stays while the page is open. */
export function readDraft(chatId: string): string {
  return drafts.get(chatId) ?? "";
}

/** Keeps what is typed into a chat. */
export function keepDraft(chatId: string, text: string): void {
  if (text === "") drafts.delete(chatId);
  else drafts.set(chatId, text);
}
