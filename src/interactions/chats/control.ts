import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { assertPermits, type ChatAction, isDoneOnChat } from "./chat-actions.ts";
import { announceChat, endChat, ensureTurn } from "./chat-log.ts";
import type { ChatRow } from "./chat-row.ts";
import { appendSessionUpdate } from "./event-store.ts";
import { dropUnanswered, findLastMessage, setNeedsAnswer } from "./message-store.ts";
import { lockChat, setHumanRequested, setMode, setTurnTask } from "./store.ts";

/** Ends a chat on request. Idempotent: a chat that is over stays as it is. */
export async function closeChat(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const chat = await lockFor(tx, workspaceId, id, "close");
  if (isDoneOnChat(chat, "close")) return;
  await endChat(tx, chat, { status: "CLOSED", end_reason: "CLOSED_BY_REQUEST", error: null });
}

/** Hands a chat to a human operator. The agent takes no more turns, and one in progress is discarded. Idempotent. */
export async function takeOver(
  tx: Executor,
  workspaceId: string,
  id: string,
  assignee: string | undefined,
): Promise<void> {
  const chat = await lockFor(tx, workspaceId, id, "takeOver");
  await stopAgent(tx, chat, assignee ?? chat.assignee);
  await appendSessionUpdate(tx, workspaceId, id);
  await appendEvents(tx, workspaceId, [{ type: "chat.taken_over", subjectId: id, data: {} }]);
}

/**
 * Hands a chat whose row is locked to human operators, at its agent's request. The chat waits until one takes over or
 * writes; the dashboard, the event log and the session webhooks are notified. A request that nobody answers stays on
 * record. Outside the flow's hours the agent goes on answering meanwhile.
 */
export async function requestHuman(tx: Executor, chat: ChatRow, isOpen: boolean): Promise<void> {
  const { workspace_id: workspaceId, id } = chat;
  if (!isOpen && chat.human_requested_at !== null) return;
  if (isOpen) await stopAgent(tx, chat, null);
  await setHumanRequested(tx, workspaceId, id);
  await appendSessionUpdate(tx, workspaceId, id);
  const data = { channel: chat.channel, isOpen };
  await appendEvents(tx, workspaceId, [{ type: "chat.human_requested", subjectId: id, data }]);
  await announceChat(tx, isOpen ? { ...chat, status: "HANDED_OFF" } : chat, "session.human_requested");
}

/**
 * Puts a human operator in the agent's place, in a chat whose row is locked. No message waits for the agent any more, and
 * a turn of its that is under way is discarded and not taken again.
 */
export async function stopAgent(tx: Executor, chat: ChatRow, assignee: string | null): Promise<void> {
  const { workspace_id: workspaceId, id } = chat;
  await setMode(tx, workspaceId, id, "MANUAL", assignee);
  await dropUnanswered(tx, workspaceId, id);
  await setTurnTask(tx, workspaceId, id, null);
}

/** Returns a chat to the agent, which answers the person's last message if nobody has. Idempotent. */
export async function handBack(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const chat = await lockFor(tx, workspaceId, id, "handBack");
  if (isDoneOnChat(chat, "handBack")) return;
  await setMode(tx, workspaceId, id, "FLOW", null);
  await appendSessionUpdate(tx, workspaceId, id);
  await appendEvents(tx, workspaceId, [{ type: "chat.handed_back", subjectId: id, data: {} }]);
  const last = await findLastMessage(tx, workspaceId, id);
  if (last?.role !== "USER") return;
  await setNeedsAnswer(tx, workspaceId, last.id, true);
  await ensureTurn(tx, { ...chat, turn_task_id: null });
}

/** Locks a chat for an action; 404 when there is none, 409 when it does not permit the action. */
async function lockFor(tx: Executor, workspaceId: string, id: string, action: ChatAction): Promise<ChatRow> {
  const chat = await lockChat(tx, workspaceId, id);
  if (!chat) throw new AppError("NOT_FOUND");
  assertPermits(chat, action);
  return chat;
}
