import type { ChatSession } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import type { Column } from "#web/ui/table/columns.ts";

const column = (id: keyof ChatSession, header: string): Column<ChatSession> => {
  const value = (chat: ChatSession) => (chat[id] ?? null) as string | number | null;
  return { id, header, value, cell: value };
};

/** The columns of exported chats. */
export const CHAT_COLUMNS: Column<ChatSession>[] = [
  column("id", t`Id`),
  column("channel", t`Channel`),
  column("status", t`Status`),
  column("contactName", t`Contact`),
  column("contactPhone", t`Number`),
  column("contactEmail", t`E-mail`),
  column("contactIdentifier", t`Identifier`),
  column("flowApiId", t`Flow`),
  column("messageCount", t`Messages`),
  column("createdAt", t`Started`),
  column("lastMessageAt", t`Last message`),
  column("endReason", t`Ended`),
];
