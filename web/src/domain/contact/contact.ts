import { plural, t } from "#web/i18n/t.ts";

/** A person whom the workspace calls or chats with. */
export interface Contact {
  id: string;
  phone: string | null;
  identifier: string | null;
  email: string | null;
  name: string | null;
  optedOut: boolean;
  optedOutAt: string | null;
  optOutSource: string | null;
  callCount: number;
  chatCount: number;
  lastSeenAt: string | null;
  createdAt: string;
}

/** The server counts the calls of a contact to here, and the chats. */
const MOST_COUNTED = 1_000;

/** Returns the count of a contact's calls or chats as people read it. */
export function formatCount(count: number): string {
  return count < MOST_COUNTED ? String(count) : t`1,000 or more`;
}

/** Returns the number of a contact's calls and chats in words. */
export function sayCounts({ callCount, chatCount }: Pick<Contact, "callCount" | "chatCount">): string {
  const calls = callCount < MOST_COUNTED ? plural(callCount, "{n} call", "{n} calls") : t`1,000 calls or more`;
  const chats = chatCount < MOST_COUNTED ? plural(chatCount, "{n} chat", "{n} chats") : t`1,000 chats or more`;
  return `${calls}, ${chats}`;
}

/** An event in a contact's history. */
export interface TimelineEntry {
  id: string;
  type: "CALL" | "CHAT" | "OPT_OUT";
  channel: "VOICE" | "SMS" | "WHATSAPP" | "CHAT" | null;
  direction: "OUTBOUND" | "INBOUND" | null;
  at: string;
  endedAt: string | null;
  sessionId: string | null;
  callRowId: string | null;
  status: string | null;
  outcome: string | null;
  endReason: string | null;
  source: string | null;
  durationSeconds: number | null;
  messages: { total: number; fromContact: number; delivered: number; failed: number } | null;
}

/** Best available name of a contact: name, phone, e-mail or identifier. */
export function nameOf({ name, phone, email, identifier }: Contact): string {
  return name ?? phone ?? email ?? identifier ?? t`Unknown`;
}
