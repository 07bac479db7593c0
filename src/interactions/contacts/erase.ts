import { forgetContactResults } from "#src/authoring/tool-runs/tool-runs.ts";
import { eraseRecordings } from "#src/interactions/recordings/recordings.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { afterAnyCrashMs, inBites } from "#src/platform/queue/bites.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import {
  blankCalls,
  blankChats,
  blankLeads,
  blankReplies,
  dropInspected,
  dropReviews,
  dropSimulations,
  type ErasedSession,
  findLive,
  forgetNumber,
} from "./erase-sql.ts";
import { endErasure, insertErasure, isErasing, listErased, noteErased } from "./erasure-store.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { type ContactRow, deleteContact, lockContact } from "./store.ts";

/** Task that goes on with the erasure of a contact with more calls or chats than one transaction erases. */
export const ERASE_TASK = "contact.erase";

/** Calls, and chats, of one transaction: some hundred milliseconds of writing. */
const BITE = 200;
/** Pause before the task looks again for what is still open. */
const OPEN_MS = 5_000;

/**
 * Erases a contact in the caller's transaction. Transcripts, messages and personal data are removed from their calls
 * and chats, which stay as counts and costs. The do-not-call entry stays, because it must outlast them. 404 when there
 * is no such contact, 409 while a call, chat or message with them is open. ERASING: they have more calls or chats than
 * one transaction erases, and a task goes on; until it is done the contact stands, and nobody dials or writes to them.
 */
export async function eraseContact(tx: Executor, workspaceId: string, id: string): Promise<"ERASED" | "ERASING"> {
  const contact = await lockContact(tx, workspaceId, id);
  if (!contact) throw new AppError("NOT_FOUND");
  if (await isErasing(tx, workspaceId, id)) return "ERASING";
  const live = await findLive(tx, workspaceId, { contactId: id, phone: contact.phone });
  if (live) throw new AppError("CONFLICT", live);
  const { erased, hasMore } = await eraseSome(tx, workspaceId, contact);
  if (!hasMore) {
    await eraseRest(tx, workspaceId, contact, erased);
    return "ERASED";
  }
  await insertErasure(tx, workspaceId, contact);
  await noteErased(tx, workspaceId, id, erased);
  await addTask(tx, workspaceId, { kind: ERASE_TASK, subjectId: id, payload: {} });
  return "ERASING";
}

/** Makes the rows due that waited while the number was held. */
export type ReleaseRows = (tx: Executor, workspaceId: string, number: string) => Promise<void>;

/** Returns the task. One that was interrupted goes on with what is left. It waits for what was opened since it was asked for. */
export function createEraseTask({ db }: Database, releaseRows: ReleaseRows): TaskHandler {
  const run: TaskHandler = async ({ workspaceId, subjectId: contactId }, signal) => {
    let open: string | null = null;
    const eraseNext = async () => {
      const { state, live } = await db.transaction().execute(async (tx) => {
        const step = await goOn(tx, workspaceId, contactId);
        const held = step.state === "DONE" ? await endErasure(tx, workspaceId, contactId) : undefined;
        if (held?.phone) await releaseRows(tx, workspaceId, held.phone);
        return step;
      });
      open = live;
      return state === "MORE" ? {} : null;
    };
    const end = await inBites({}, eraseNext, signal);
    return open === null ? end : { kind: "LATER", afterMs: OPEN_MS, error: open };
  };
  return Object.assign(run, { afterCrashMs: afterAnyCrashMs });
}

/** State of an erasure after a step; with what keeps it open, where that is all that is left. */
interface Step {
  state: "MORE" | "OPEN" | "DONE";
  live: string | null;
}

async function goOn(tx: Executor, workspaceId: string, contactId: string): Promise<Step> {
  const contact = await lockContact(tx, workspaceId, contactId);
  if (!contact) {
    // A server of the version before erased the rest, in one transaction.
    await forgetDeliveries(tx, workspaceId, contactId, await listErased(tx, workspaceId, contactId));
    return { state: "DONE", live: null };
  }
  const { erased, hasMore } = await eraseSome(tx, workspaceId, contact);
  await noteErased(tx, workspaceId, contactId, erased);
  if (hasMore) return { state: "MORE", live: null };
  const live = await findLive(tx, workspaceId, { contactId, phone: contact.phone }, true);
  if (live !== null) return { state: "OPEN", live };
  await eraseRest(tx, workspaceId, contact, await listErased(tx, workspaceId, contactId));
  return { state: "DONE", live: null };
}

/** Empties calls and chats that are over; `hasMore` when others may be left. */
async function eraseSome(
  tx: Executor,
  workspaceId: string,
  { id, phone }: ContactRow,
): Promise<{ erased: ErasedSession[]; hasMore: boolean }> {
  const calls = phone === null ? [] : await blankCalls(tx, workspaceId, phone, BITE);
  await eraseRecordings(
    tx,
    workspaceId,
    calls.map((call) => call.id),
  );
  const chats = await blankChats(tx, workspaceId, id, BITE);
  return { erased: [...calls, ...chats], hasMore: calls.length === BITE || chats.length === BITE };
}

/** Erases what else is known of a contact whose calls and chats are empty, and the contact. */
async function eraseRest(
  tx: Executor,
  workspaceId: string,
  { id, phone, identifier, name, email }: ContactRow,
  erased: ErasedSession[],
): Promise<void> {
  if (phone !== null) {
    await forgetNumber(tx, workspaceId, phone);
    await dropSimulations(tx, workspaceId, phone);
  }
  await dropInspected(tx, workspaceId);
  await blankLeads(tx, workspaceId, phone);
  await dropReviews(tx, workspaceId, { contactId: id, phone });
  const keys = new Set([phone, identifier, ...erased.map((one) => one.identifier)]);
  for (const key of keys) if (key !== null) await forgetContactResults(tx, workspaceId, key);
  const told = erased.map((one) => one.id);
  await blankReplies(tx, workspaceId, [...keys, name, email], told);
  await deleteContact(tx, workspaceId, id);
  await forgetDeliveries(tx, workspaceId, id, erased);
  const chats = erased.filter((one) => one.is_chat).length;
  const data = { calls: erased.length - chats, chats };
  await appendEvents(tx, workspaceId, [{ type: "contact.erased", subjectId: id, data }]);
}
