import type { Column } from "#web/table/columns.ts";
import type { Chat } from "./chat.ts";

const column = (id: keyof Chat & string, header: string): Column<Chat> => {
  const value = (chat: Chat) => (chat[id] ?? null) as string | number | null;
  return { id, header, value, cell: value };
};

/** The columns of exported chats. */
export const CHAT_COLUMNS: Column<Chat>[] = [
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
