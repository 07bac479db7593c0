import { judgeOptOut, optOutPhrases } from "#src/engine/opt-out/judge.ts";
import { noteRefusal } from "#src/interactions/contacts/contacts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { limitText } from "#src/telephony/messaging/text-limits.ts";
import { isOnDoNotCall, noteStop, takeBackStop } from "#src/tenancy/compliance/do-not-call.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { assertPermits } from "./chat-actions.ts";
import { appendMessages, endChat, ensureTurn } from "./chat-log.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { MAX_TEXT, Template, templateRequired, toTemplate } from "./chats.ts";
import { stopAgent } from "./control.ts";
import { appendSessionUpdate } from "./event-store.ts";
import { assertSendable, recipientOf } from "./gate.ts";
import { answerKeyword, type Keyword, readKeyword } from "./keywords.ts";
import { findByClientId } from "./message-store.ts";
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
 * Writes a message into a chat, in the caller's transaction. The agent answers a person's message in a task, unless a
 * human operator has taken over. 409 once the chat is over.
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
  assertPermits(chat, "write");
  return role === "USER" ? takeFromPerson(tx, chat, body) : takeFromOperator(tx, chat, body);
}

function assertSame(earlier: ChatMessageRow, role: string, content: string): ChatMessageRow {
  if (earlier.role === role && earlier.content === content) return earlier;
  throw new AppError("CONFLICT", "Another message of this chat has that clientMessageId.");
}

/** Delivery data of a person's message that a provider brought. */
interface Arrival {
  providerMessageId: string | null;
  /** False when the agent must not answer it. */
  isAnswered: boolean;
}

/** Stores a person's message in a chat whose row is locked and which is not over. */
export async function takeFromPerson(
  tx: Executor,
  chat: ChatRow,
  body: PostMessage,
  { providerMessageId, isAnswered }: Arrival = { providerMessageId: null, isAnswered: true },
): Promise<ChatMessageRow> {
  if (body.template) throw fieldError("template", "NOT_ALLOWED", "belongs to a message that is sent.");
  const keyword = await readWish(tx, chat, body.content);
  const needsAnswer = isAnswered && chat.ai_mode === "ACTIVE" && keyword === null;
  const { content, clientMessageId = null } = body;
  const draft = { role: "USER", content, clientMessageId, providerMessageId, needsAnswer } as const;
  const [message] = (await appendMessages(tx, chat, [draft], null)) as [ChatMessageRow];
  if (needsAnswer) await ensureTurn(tx, chat);
  if (keyword === "STOP") await optOut(tx, chat, message.position);
  else if (keyword) await reply(tx, chat, keyword, message.position, false);
  else if (!needsAnswer) await heedRefusal(tx, chat, message);
  return message;
}

/** Returns the keyword of a message. START counts only after a STOP; otherwise the agent answers it. */
async function readWish(tx: Executor, chat: ChatRow, text: string): Promise<Keyword | null> {
  const keyword = chat.channel === "CHAT" ? null : readKeyword(text);
  if (keyword !== "START") return keyword;
  return (await takeBackStop(tx, chat.workspace_id, chat.contact_phone as string)) ? "START" : null;
}

/** Applies a certain opt-out when the agent takes no turn, for example because an operator answers. */
async function heedRefusal(tx: Executor, chat: ChatRow, { content: said, position }: ChatMessageRow): Promise<void> {
  const { verdict, language } = judgeOptOut(said, chat.plan.flow.language);
  if (verdict !== "CERTAIN") return;
  const { workspace_id: workspaceId, contact_phone: phone, contact_id: contactId } = chat;
  const isUnread = phone === null || !(await isOnDoNotCall(tx, workspaceId, phone));
  if (phone !== null || contactId !== null) await noteRefusal(tx, workspaceId, { phone, contactId });
  const content = optOutPhrases(language ?? chat.plan.flow.language).done;
  // The confirmation is sent once only.
  if (isUnread) await appendMessages(tx, chat, [{ role: "ASSISTANT", content, confirmsOptOut: true }], position);
  await endChat(tx, chat, { status: "CLOSED", end_reason: "CUSTOMER_OPTED_OUT", error: null });
}

/** Records the STOP in the ledger, confirms it if it is new, and ends the chat, all in one transaction. */
async function optOut(tx: Executor, chat: ChatRow, anchor: number): Promise<void> {
  const isUnread = await noteStop(tx, chat.workspace_id, chat.contact_phone as string);
  if (isUnread) await reply(tx, chat, "STOP", anchor, true);
  await endChat(tx, chat, { status: "CLOSED", end_reason: "CUSTOMER_OPTED_OUT", error: null });
}

async function reply(
  tx: Executor,
  chat: ChatRow,
  keyword: Keyword,
  anchor: number,
  confirmsOptOut: boolean,
): Promise<void> {
  const { name } = await getWorkspace(tx, chat.workspace_id);
  const content = answerKeyword(keyword, chat.plan.flow.language, name);
  await appendMessages(tx, chat, [{ role: "ASSISTANT", content, confirmsOptOut }], anchor);
}

async function takeFromOperator(tx: Executor, chat: ChatRow, body: PostMessage): Promise<ChatMessageRow> {
  if (body.template && chat.channel !== "WHATSAPP") {
    throw fieldError("template", "NOT_ALLOWED", "belongs to a chat of channel WHATSAPP.");
  }
  if (chat.channel !== "CHAT") await assertSendable(tx, chat.workspace_id, recipientOf(chat));
  if (!body.template && isWindowClosed(chat)) throw templateRequired();
  const { content, clientMessageId = null } = body;
  if (!body.template) assertFits(chat, content);
  const draft = { role: "AGENT", content, clientMessageId, template: toTemplate(body.template) } as const;
  const [message] = await appendMessages(tx, chat, [draft], null);
  // The operator who writes has taken over.
  if (chat.human_requested_at !== null) {
    await stopAgent(tx, chat, chat.assignee);
    await appendSessionUpdate(tx, chat.workspace_id, chat.id);
  }
  return message as ChatMessageRow;
}

/** Throws the 422 for a text that the chat's provider does not take in one message. */
function assertFits({ provider, channel }: ChatRow, content: string): void {
  const limit = limitText(provider, channel, content);
  if (content.length <= limit) return;
  const said = `has ${content.length} characters, and one ${channel} message over ${provider} takes ${limit} of such a text.`;
  throw fieldError("content", "TOO_LONG", `${said} Send it as several messages.`);
}

/** True when WhatsApp accepts templates only. */
export function isWindowClosed(chat: ChatRow): boolean {
  return chat.channel === "WHATSAPP" && (chat.window_expires_at?.getTime() ?? 0) <= nowMs();
}
