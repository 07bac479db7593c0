import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { announceChat, endChat, ensureTurn } from "./chat-log.ts";
import type { ChatRow } from "./chat-row.ts";
import { appendSessionUpdate } from "./event-store.ts";
import { dropUnanswered, findLastMessage, setNeedsAnswer } from "./message-store.ts";
import { hasEnded } from "./states.ts";
import { lockChat, setHumanRequested, setMode, setTurnTask } from "./store.ts";

/** Ends a chat on request. Idempotent: a chat that is over stays as it is. */
export async function closeChat(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const chat = await lock(tx, workspaceId, id);
  if (hasEnded(chat.status)) return;
  await endChat(tx, chat, { status: "CLOSED", end_reason: "CLOSED_BY_REQUEST", error: null });
}

/** Hands a chat to a human operator. The agent takes no more turns, and one in progress is discarded. Idempotent. */
export async function takeOver(
  tx: Executor,
  workspaceId: string,
  id: string,
  assignee: string | undefined,
): Promise<void> {
  const chat = await lockOpen(tx, workspaceId, id);
  await setMode(tx, workspaceId, id, "MANUAL", assignee ?? chat.assignee);
  await dropUnanswered(tx, workspaceId, id);
  await setTurnTask(tx, workspaceId, id, null);
  await appendSessionUpdate(tx, workspaceId, id);
}

/**
 * Hands a chat whose row is locked to human operators, at its agent's request. The chat waits until one takes over or
 * writes; the dashboard, the event log and the session webhooks are notified. A request that nobody answers stays on
 * record.
 */
export async function requestHuman(tx: Executor, chat: ChatRow): Promise<void> {
  const { workspace_id: workspaceId, id } = chat;
  await setMode(tx, workspaceId, id, "MANUAL", null);
  await setHumanRequested(tx, workspaceId, id);
  await dropUnanswered(tx, workspaceId, id);
  await setTurnTask(tx, workspaceId, id, null);
  await appendSessionUpdate(tx, workspaceId, id);
  await appendEvents(tx, workspaceId, [
    { type: "chat.human_requested", subjectId: id, data: { channel: chat.channel } },
  ]);
  await announceChat(tx, { ...chat, status: "HANDED_OFF" }, "session.human_requested");
}

/** Returns a chat to the agent, which answers the person's last message if nobody has. Idempotent. */
export async function handBack(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const chat = await lockOpen(tx, workspaceId, id);
  if (chat.mode === "FLOW") return;
  if (chat.flow_id === null && !chat.is_inline) {
    throw new AppError("CONFLICT", "The chat has no flow, so no agent can go on with it.");
  }
  await setMode(tx, workspaceId, id, "FLOW", null);
  await appendSessionUpdate(tx, workspaceId, id);
  const last = await findLastMessage(tx, workspaceId, id);
  if (last?.role !== "USER") return;
  await setNeedsAnswer(tx, workspaceId, last.id, true);
  await ensureTurn(tx, { ...chat, turn_task_id: null });
}

async function lockOpen(tx: Executor, workspaceId: string, id: string): Promise<ChatRow> {
  const chat = await lock(tx, workspaceId, id);
  if (hasEnded(chat.status)) throw new AppError("CONFLICT", `The chat is over; its currentState is ${chat.status}.`);
  return chat;
}

async function lock(tx: Executor, workspaceId: string, id: string): Promise<ChatRow> {
  const chat = await lockChat(tx, workspaceId, id);
  if (!chat) throw new AppError("NOT_FOUND");
  return chat;
}
