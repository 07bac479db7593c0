import { extractChat } from "#src/engine/conversation/chat-turn.ts";
import type { TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { recordTokens } from "#src/tenancy/usage/usage.ts";
import { announceChat, endChat } from "./chat-log.ts";
import { type ChatRow, subjectOf } from "./chat-row.ts";
import { appendSessionUpdate } from "./event-store.ts";
import { listConversation } from "./message-store.ts";
import { type ChatParts, portsOf, zoneOfChat } from "./parts.ts";
import { toEntries, toSessionPlan } from "./plan.ts";
import { hasEnded } from "./states.ts";
import { findChat, insertChatVisits, lockChat, readIdleMs, setFinished } from "./store.ts";

/** Number of tries with an unavailable model, over about seven minutes. Then the end is announced without fields. */
const MAX_TRIES = 9;
const FIRST_WAIT_MS = 2_500;
const LONGEST_WAIT_MS = 120_000;
const DONE: TaskEnd = { kind: "DONE" };

/** Fills the outputs of a chat that has ended, then announces its end. Both happen once, in one transaction. */
export function createFinishHandler(parts: ChatParts): TaskHandler {
  return async ({ workspaceId, subjectId: sessionId, attempt }, signal) => {
    const { db } = parts.database;
    const chat = await findChat(db, workspaceId, sessionId);
    if (!chat || chat.finished_at) return DONE;
    const history = await listConversation(db, workspaceId, sessionId, chat.message_count);
    const ports = await portsOf(parts, chat);
    const plan = { ...toSessionPlan(chat), timeZone: await zoneOfChat(db, chat) };
    const ended = { endReason: chat.end_reason, saidAt: chat.last_message_at ?? chat.created_at };
    const extraction = await extractChat(plan, toEntries(history), ports, ended, signal);
    if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: "The server stopped." };
    if (extraction.pending.length > 0 && attempt < MAX_TRIES) {
      await recordTokens(db, workspaceId, subjectOf(chat), extraction);
      const error = `Not filled yet: ${extraction.pending.join(", ")}.`;
      return { kind: "RETRY", afterMs: Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)), error };
    }
    await db.transaction().execute(async (tx) => {
      const locked = (await lockChat(tx, workspaceId, sessionId)) as ChatRow;
      const { extractedFields } = extraction;
      const outputs = Object.fromEntries(
        Object.entries(extraction.outputs).map(([name, { pending: _, ...output }]) => [name, output]),
      );
      if (!(await setFinished(tx, workspaceId, sessionId, outputs, extractedFields))) return;
      await appendSessionUpdate(tx, workspaceId, sessionId);
      await insertChatVisits(tx, locked);
      await recordTokens(tx, workspaceId, subjectOf(chat), extraction);
      await announceChat(tx, locked, "session.ended");
    });
    return DONE;
  };
}

/** Ends a chat that has been idle for its idle time; otherwise runs again when that time may be over. */
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
