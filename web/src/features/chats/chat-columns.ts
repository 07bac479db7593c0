import type { ChatSession } from "@parley/sdk";
import type { Column } from "#web/ui/table/columns.ts";

const column = (id: keyof ChatSession, header: string): Column<ChatSession> => {
  const value = (chat: ChatSession) => (chat[id] ?? null) as string | number | null;
  return { id, header, value, cell: value };
};

/** The columns of exported chats. */
export const CHAT_COLUMNS: Column<ChatSession>[] = [
  column("id", "Id"),
  column("channel", "Channel"),
  column("status", "Status"),
  column("contactName", "Contact"),
  column("contactPhone", "Number"),
  column("contactEmail", "E-mail"),
  column("contactIdentifier", "Identifier"),
  column("flowApiId", "Flow"),
  column("messageCount", "Messages"),
  column("createdAt", "Started"),
  column("lastMessageAt", "Last message"),
  column("endReason", "Ended"),
];
