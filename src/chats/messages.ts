import { addToDoNotCall } from "#src/compliance/do-not-call.ts";
import type { Executor } from "#src/db/database.ts";
import { nullable, oneOf, type Static, Type } from "#src/http/schemas.ts";
import { AppError, fieldError } from "#src/kernel/errors.ts";
import { appendMessages, endChat, ensureTurn } from "./chat-log.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { MAX_TEXT, Template, templateRequired, toTemplate } from "./chats.ts";
import { assertSendable, recipientOf } from "./gate.ts";
import { findByClientId } from "./message-store.ts";
import { hasEnded } from "./states.ts";
import { confirmStop, isStopWord } from "./stop-words.ts";
import { lockChat } from "./store.ts";

/** Body of POST /chat-sessions/{id}/messages. */
export const PostMessage = Type.Object(
  {
    content: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      pattern: "\\S",
      description: "Text with something in it.",
    }),
    role: Type.Optional(
      nullable(
        oneOf(["USER", "AGENT"], "USER: what the person wrote. AGENT: what a human operator writes. Default USER."),
      ),
    ),
    clientMessageId: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 200, description: "A repeat of the same id is the same message." }),
      ),
    ),
    template: Type.Optional(nullable(Template)),
  },
  { $id: "PostMessage" },
);
export type PostMessage = Static<typeof PostMessage>;

/**
 * Writes a message into a chat, in the caller's transaction. A person's message is answered by the agent in a task,
 * unless a human operator has taken over. 409 once the chat is over.
 */
export async function postMessage(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  body: PostMessage,
): Promise<ChatMessageRow> {
  const chat = await lockChat(tx, workspaceId, sessionId);
  if (!chat) throw new AppError("NOT_FOUND");
  const role = body.role ?? "USER";
  const earlier = body.clientMessageId && (await findByClientId(tx, workspaceId, sessionId, body.clientMessageId));
  if (earlier) return assertSame(earlier, role, body.content);
  if (hasEnded(chat.status)) throw new AppError("CONFLICT", `The chat is over; its currentState is ${chat.status}.`);
  return role === "USER" ? takeFromPerson(tx, chat, body) : takeFromOperator(tx, chat, body);
}

function assertSame(earlier: ChatMessageRow, role: string, content: string): ChatMessageRow {
  if (earlier.role === role && earlier.content === content) return earlier;
  throw new AppError("CONFLICT", "Another message of this chat has that clientMessageId.");
}

async function takeFromPerson(tx: Executor, chat: ChatRow, body: PostMessage): Promise<ChatMessageRow> {
  if (body.template) throw fieldError("template", "NOT_ALLOWED", "belongs to a message that is sent.");
  const stops = chat.channel !== "CHAT" && isStopWord(body.content);
  const needsAnswer = chat.ai_mode === "ACTIVE" && !stops;
  const draft = { role: "USER", content: body.content, clientMessageId: body.clientMessageId ?? null } as const;
  const [message] = (await appendMessages(tx, chat, [{ ...draft, needsAnswer }], null)) as [ChatMessageRow];
  if (needsAnswer) await ensureTurn(tx, chat);
  if (stops) await optOut(tx, chat, message.position);
  return message;
}

/** The ledger is written, the person told so, and the chat over, all at once. */
async function optOut(tx: Executor, chat: ChatRow, anchor: number): Promise<void> {
  await addToDoNotCall(tx, chat.workspace_id, [chat.contact_phone as string], "SPOKEN_REFUSAL");
  const content = confirmStop(chat.plan.flow.language);
  await appendMessages(tx, chat, [{ role: "ASSISTANT", content, confirmsOptOut: true }], anchor);
  await endChat(tx, chat, { status: "CLOSED", end_reason: "CUSTOMER_OPTED_OUT", error: null });
}

async function takeFromOperator(tx: Executor, chat: ChatRow, body: PostMessage): Promise<ChatMessageRow> {
  if (body.template && chat.channel !== "WHATSAPP") {
    throw fieldError("template", "NOT_ALLOWED", "belongs to a chat of channel WHATSAPP.");
  }
  if (chat.channel !== "CHAT") await assertSendable(tx, chat.workspace_id, recipientOf(chat));
  if (!body.template && isWindowClosed(chat)) throw templateRequired();
  const { content, clientMessageId = null } = body;
  const draft = { role: "AGENT", content, clientMessageId, template: toTemplate(body.template) } as const;
  const [message] = await appendMessages(tx, chat, [draft], null);
  return message as ChatMessageRow;
}

/** True where WhatsApp takes templates only. */
export function isWindowClosed(chat: ChatRow): boolean {
  return chat.channel === "WHATSAPP" && (chat.window_expires_at?.getTime() ?? 0) <= Date.now();
}
