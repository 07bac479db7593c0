import { SESSION_TASK } from "#src/interactions/webhooks/session-webhooks.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { blankDeliveries, blankToolAnswers, type Forgetting, type ReportedCopy } from "./erase-sql.ts";

/** Task that erases the copies of webhooks about an erased contact, and the answers of async tools. */
export const FORGET_TASK = "contact.forget";

/**
 * Longest retry interval while a webhook is still being tried; the first is FIRST_AGAIN_MS, and each is four times the
 * one before. A webhook that is on its way ends within seconds; one whose receiver is down is tried for hours, and its
 * content stays until then.
 */
const AGAIN_MS = 900_000;
const FIRST_AGAIN_MS = 3_000;

/** Schedules the erasure of the webhook copies about these, and of what async tools answered in them. */
export async function forgetDeliveries(
  tx: Executor,
  workspaceId: string,
  subjectId: string,
  reported: ReportedCopy[],
): Promise<void> {
  if (reported.length === 0) return;
  const payload: Forgetting = {
    ids: reported.map(({ id }) => id),
    since: new Date(reported.reduce((least, { since }) => Math.min(least, since.getTime()), Infinity)).toISOString(),
    // Database times are finer than a millisecond.
    until: new Date(reported.reduce((most, { until }) => Math.max(most, until.getTime()), 0) + 1_000).toISOString(),
  };
  await addTask(tx, workspaceId, { kind: FORGET_TASK, subjectId, payload: { ...payload } });
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
