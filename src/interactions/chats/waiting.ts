import type { Executor } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { ChatMessageRow, ChatRecord } from "./chat-row.ts";
import { toMessage, toSession } from "./chat-session.ts";
import { findMessage, listTurn } from "./message-store.ts";
import { findChat } from "./store.ts";

/** Longest time that a request waits for the agent. Then it returns the messages so far. */
const LONGEST_WAIT_MS = 20_000;
const LONGEST_PAUSE_MS = 150;

/** Polls a condition, in growing pauses, until it holds or the time is over. */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (let pauseMs = 5; performance.now() < deadline; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.4)) {
    if (await isSo()) return;
    await sleep(pauseMs);
  }
}

/** Returns the session and the agent's opening, if it came in time. */
export async function awaitOpening(db: Executor, workspaceId: string, sessionId: string) {
  await waitFor(async () => !(await readChat(db, workspaceId, sessionId)).opening_due);
  return readReply(db, workspaceId, sessionId, 0);
}

/** Returns the session, a message and the agent's answer, if it came in time. */
export async function awaitAnswer(db: Executor, workspaceId: string, messageId: string) {
  const read = async () => (await findMessage(db, workspaceId, messageId)) as ChatMessageRow;
  await waitFor(async () => !(await read()).needs_answer);
  const message = await read();
  return readReply(db, workspaceId, message.session_id, message.position);
}

/** Returns the session, with its outputs if they were filled in time. */
export async function awaitFinish(db: Executor, workspaceId: string, sessionId: string) {
  await waitFor(async () => (await readChat(db, workspaceId, sessionId)).finished_at !== null);
  return toSession(await readChat(db, workspaceId, sessionId));
}

async function readReply(db: Executor, workspaceId: string, sessionId: string, anchor: number) {
  const session = toSession(await readChat(db, workspaceId, sessionId));
  const messages = await listTurn(db, workspaceId, sessionId, anchor);
  return { session, messages: messages.map(toMessage) };
}

/** One chat; 404 when there is none. */
export async function readChat(db: Executor, workspaceId: string, sessionId: string): Promise<ChatRecord> {
  const chat = await findChat(db, workspaceId, sessionId);
  if (!chat) throw new AppError("NOT_FOUND");
  return chat;
}
