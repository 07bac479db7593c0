import type { Database, Executor } from "#src/db/database.ts";
import { appendEvents } from "#src/events/events.ts";
import { AppError } from "#src/kernel/errors.ts";
import { addTask, type TaskHandler } from "#src/queue/queue.ts";
import { eraseRecordings } from "#src/recordings/recordings.ts";
import { forgetContactResults } from "#src/tool-runs/tool-runs.ts";
import { SESSION_TASK } from "#src/webhooks/session-webhooks.ts";
import { blankCalls, blankChats, blankDeliveries, dropSimulations, findLive } from "./erase-sql.ts";
import { deleteContact, lockContact } from "./store.ts";

/** Task that forgets what webhooks were sent about an erased contact. */
export const FORGET_TASK = "contact.forget";

/** A webhook whose receiver is away is tried for hours; what it is to be sent stays until then. */
const AGAIN_MS = 900_000;

/**
 * Erases a contact in the caller's transaction: what was said, written and known is gone from their calls and chats,
 * which stay as counts and costs. The do-not-call entry stays, for it must outlast them. 404 when there is no such
 * contact, 409 while something with them is live or waits.
 */
export async function eraseContact(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const contact = await lockContact(tx, workspaceId, id);
  if (!contact) throw new AppError("NOT_FOUND");
  const { phone } = contact;
  const live = await findLive(tx, workspaceId, { contactId: id, phone });
  if (live) throw new AppError("CONFLICT", live);
  const calls = phone === null ? { rowIds: [], sessionIds: [] } : await blankCalls(tx, workspaceId, phone);
  if (phone !== null) await dropSimulations(tx, workspaceId, phone);
  await eraseRecordings(tx, workspaceId, calls.rowIds);
  const chats = await blankChats(tx, workspaceId, id);
  const keys = new Set([phone, contact.identifier, ...chats.map((chat) => chat.identifier)]);
  for (const key of keys) if (key !== null) await forgetContactResults(tx, workspaceId, key);
  await deleteContact(tx, workspaceId, id);
  const sessionIds = [...calls.sessionIds, ...chats.map((chat) => chat.id)];
  if (sessionIds.length > 0) {
    await addTask(tx, workspaceId, { kind: FORGET_TASK, subjectId: id, payload: { sessionIds } });
  }
  const data = { calls: calls.rowIds.length, chats: chats.length };
  await appendEvents(tx, workspaceId, [{ type: "contact.erased", subjectId: id, data }]);
}

/** Forgets what webhooks were sent about erased sessions, once they have been sent it. */
export function createForgetHandler({ db }: Database): TaskHandler {
  return async ({ workspaceId, payload }) => {
    const sessionIds = payload.sessionIds as string[];
    const goesOn = await db.transaction().execute((tx) => blankDeliveries(tx, workspaceId, SESSION_TASK, sessionIds));
    return goesOn ? { kind: "RETRY", afterMs: AGAIN_MS, error: "A webhook is still tried." } : { kind: "DONE" };
  };
}
