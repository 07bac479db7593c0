import { extractChat } from "#src/conversation/chat-turn.ts";
import type { TaskEnd, TaskHandler } from "#src/queue/queue.ts";
import { recordUsage } from "#src/usage/usage.ts";
import { announceChat, endChat } from "./chat-log.ts";
import type { ChatRow } from "./chat-row.ts";
import { appendSessionUpdate } from "./event-store.ts";
import { listConversation } from "./message-store.ts";
import { type ChatParts, portsOf } from "./parts.ts";
import { toEntries, toSessionPlan } from "./plan.ts";
import { hasEnded } from "./states.ts";
import { findChat, lockChat, readIdleMs, setFinished } from "./store.ts";

const DONE: TaskEnd = { kind: "DONE" };

/** Fills the outputs of a chat that has ended, then announces its end; both happen once, in one transaction. */
export function createFinishHandler(parts: ChatParts): TaskHandler {
  return async ({ workspaceId, subjectId: sessionId }, signal) => {
    const { db } = parts.database;
    const chat = await findChat(db, workspaceId, sessionId);
    if (!chat || chat.finished_at) return DONE;
    const history = await listConversation(db, workspaceId, sessionId, chat.message_count);
    const ports = await portsOf(parts, chat);
    const extraction = await extractChat(toSessionPlan(chat), toEntries(history), ports, chat.end_reason, signal);
    if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: "The server stopped." };
    await db.transaction().execute(async (tx) => {
      const locked = (await lockChat(tx, workspaceId, sessionId)) as ChatRow;
      const { outputs, extractedFields, inputTokens, outputTokens } = extraction;
      if (!(await setFinished(tx, workspaceId, sessionId, outputs, extractedFields))) return;
      await appendSessionUpdate(tx, workspaceId, sessionId);
      const entry = { subjectType: "CHAT", subjectId: sessionId, simulated: chat.simulated } as const;
      await recordUsage(tx, workspaceId, [
        { ...entry, kind: "MODEL_INPUT_TOKEN", quantity: inputTokens },
        { ...entry, kind: "MODEL_OUTPUT_TOKEN", quantity: outputTokens },
      ]);
      await announceChat(tx, locked, "session.ended");
    });
    return DONE;
  };
}

/** Ends a chat in which nobody has written for its idle time, and otherwise looks again when that may be over. */
export function createIdleHandler({ database }: ChatParts): TaskHandler {
  return ({ workspaceId, subjectId: sessionId }) =>
    database.db.transaction().execute(async (tx): Promise<TaskEnd> => {
      const chat = await lockChat(tx, workspaceId, sessionId);
      if (!chat || hasEnded(chat.status)) return DONE;
      const leftMs = await readIdleMs(tx, workspaceId, sessionId);
      if (leftMs > 0) return { kind: "RETRY", afterMs: Math.ceil(leftMs), error: "Somebody has written since." };
      await endChat(tx, chat, { status: "EXPIRED", end_reason: "LIMIT_IDLE", error: null });
      return DONE;
    });
}
