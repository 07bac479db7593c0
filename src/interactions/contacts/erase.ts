import pg from "pg";
import { forgetContactResults } from "#src/authoring/tool-runs/tool-runs.ts";
import { eraseRecordings } from "#src/interactions/recordings/recordings.ts";
import { SESSION_TASK } from "#src/interactions/webhooks/session-webhooks.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import {
  blankCalls,
  blankChats,
  blankDeliveries,
  blankLeads,
  blankReplies,
  blankToolAnswers,
  dropInspected,
  dropReviews,
  dropSimulations,
  findLive,
  forgetCalls,
  forgetChats,
  forgetLeads,
  forgetNumber,
  type Forgetting,
  forgetUnanswered,
  listForgetful,
  type ReportedCopy,
} from "./erase-sql.ts";
import { deleteContact, lockContact } from "./store.ts";

/** Task that erases the copies of webhooks about an erased contact, and the answers of async tools. */
export const FORGET_TASK = "contact.forget";

/**
 * Longest retry interval while a webhook is still being tried; the first is FIRST_AGAIN_MS, and each is four times the
 * one before. A webhook that is on its way ends within seconds; one whose receiver is down is tried for hours, and its
 * content stays until then.
 */
const AGAIN_MS = 900_000;
const FIRST_AGAIN_MS = 3_000;

/**
 * Erases a contact in the caller's transaction. Transcripts, messages and personal data are removed from their calls
 * and chats, which stay as counts and costs. The do-not-call entry stays, because it must outlast them. 404 when there
 * is no such contact, 409 while a call, chat or message with them is open.
 */
export async function eraseContact(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const contact = await lockContact(tx, workspaceId, id);
  if (!contact) throw new AppError("NOT_FOUND");
  const { phone } = contact;
  const live = await findLive(tx, workspaceId, { contactId: id, phone });
  if (live) throw new AppError("CONFLICT", live);
  const calls = phone === null ? [] : await blankCalls(tx, workspaceId, phone);
  if (phone !== null) {
    await forgetNumber(tx, workspaceId, phone);
    await dropSimulations(tx, workspaceId, phone);
  }
  await dropInspected(tx, workspaceId);
  await blankLeads(tx, workspaceId, phone);
  await dropReviews(tx, workspaceId, { contactId: id, phone });
  await eraseRecordings(
    tx,
    workspaceId,
    calls.map((call) => call.id),
  );
  const chats = await blankChats(tx, workspaceId, id);
  const keys = new Set([phone, contact.identifier, ...chats.map((chat) => chat.identifier)]);
  for (const key of keys) if (key !== null) await forgetContactResults(tx, workspaceId, key);
  const told = [...calls, ...chats].map((one) => one.id);
  await blankReplies(tx, workspaceId, [...keys, contact.name, contact.email], told);
  await deleteContact(tx, workspaceId, id);
  await forgetDeliveries(tx, workspaceId, id, [...calls, ...chats]);
  const data = { calls: calls.length, chats: chats.length };
  await appendEvents(tx, workspaceId, [{ type: "contact.erased", subjectId: id, data }]);
}

/** Schedules the erasure of the webhook copies about these, and of what async tools answered in them. */
async function forgetDeliveries(
  tx: Executor,
  workspaceId: string,
  subjectId: string,
  reported: ReportedCopy[],
): Promise<void> {
  if (reported.length === 0) return;
  const payload: Forgetting = {
    ids: reported.map(({ id }) => id),
    since: new Date(Math.min(...reported.map(({ since }) => since.getTime()))).toISOString(),
    // Database times are finer than a millisecond.
    until: new Date(Math.max(...reported.map(({ until }) => until.getTime())) + 1_000).toISOString(),
  };
  await addTask(tx, workspaceId, { kind: FORGET_TASK, subjectId, payload: { ...payload } });
}

/** Conversations forgotten in one transaction. */
const BITE = 100;
/** Transactions of one run for each kind, so that busy workspaces keep up. */
const MOST_BITES = 20;

/** Forgets so many conversations of a kind that are older than so many days, and returns their number. */
type Forget = (tx: Executor, workspaceId: string, days: number, limit: number) => Promise<number>;

const andDeliveries =
  (forget: (...args: Parameters<Forget>) => Promise<ReportedCopy[]>): Forget =>
  async (tx, workspaceId, ...rest) => {
    const copies = await forget(tx, workspaceId, ...rest);
    await forgetDeliveries(tx, workspaceId, workspaceId, copies);
    return copies.length;
  };

const KINDS: readonly Forget[] = [
  andDeliveries(forgetCalls),
  andDeliveries(forgetUnanswered),
  andDeliveries(forgetChats),
  forgetLeads,
];

/**
 * Forgets calls and chats past the retention limit of their workspace, and returns their number. A kind of a workspace
 * whose statement the database refuses holds up no other; its fault is thrown at the end.
 */
export async function forgetConversations({ db }: Database, signal?: AbortSignal): Promise<number> {
  let forgotten = 0;
  let fault: pg.DatabaseError | null = null;
  const takeBite = (workspaceId: string, days: number, forget: Forget) =>
    db.transaction().execute((tx) => forget(tx, workspaceId, days, BITE));
  for (const { id: workspaceId, days } of await listForgetful(db)) {
    for (const forget of KINDS) {
      try {
        for (let bites = 0, taken = BITE; taken === BITE && bites < MOST_BITES && !signal?.aborted; bites++) {
          taken = await takeBite(workspaceId, days, forget);
          forgotten += taken;
        }
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        fault ??= error;
      }
    }
  }
  if (fault) throw fault;
  return forgotten;
}

/**
 * Erases the copies of webhooks about erased sessions, once they have been delivered or given up, and the answers of their
 * async tools; it never gives up.
 */
export function createForgetHandler({ db }: Database): TaskHandler {
  const againMs = (attempt: number) => Math.min(AGAIN_MS, FIRST_AGAIN_MS * 4 ** (attempt - 1));
  const forget: TaskHandler = async ({ workspaceId, payload, attempt, createdAt }) => {
    const asked = readForgetting(payload);
    const isTried = await db.transaction().execute((tx) => blankDeliveries(tx, workspaceId, SESSION_TASK, asked));
    const isAwaited = await db.transaction().execute((tx) => blankToolAnswers(tx, workspaceId, asked, createdAt));
    if (!isTried && !isAwaited) return { kind: "DONE" };
    const error = isTried ? "A webhook is still tried." : "The answer of a tool is still waited for.";
    return { kind: "RETRY", afterMs: againMs(attempt), error };
  };
  return Object.assign(forget, { afterCrashMs: againMs });
}

/** Reads the payload. Tasks of earlier versions name sessions and no time span. */
function readForgetting({ sessionIds, ...payload }: Record<string, unknown>): Forgetting {
  if (!sessionIds) return payload as unknown as Forgetting;
  return { ids: sessionIds as string[], since: "-infinity", until: "infinity" };
}
