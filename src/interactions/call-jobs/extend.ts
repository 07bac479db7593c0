import { RETRYABLE_OUTCOMES, type RetryableOutcome } from "#src/interactions/calls/states.ts";
import type { CallingNumber } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { type Static, Type } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { CallJob, MAX_JSON_ROWS, RowFaultSchema } from "./call-jobs.ts";
import { assertPermits, getJob, lockJobFor } from "./control.ts";
import { readJsonRows } from "./create.ts";
import { beginRetry } from "./retry-task.ts";
import { extendRun, findActiveNumbers, lockList } from "./run-store.ts";
import { assertSomeRows, byInsert, importContacts, type ImportTarget, shareLanes } from "./store-contacts.ts";
import { type CallJobRow, findJob } from "./store.ts";
import { UniqueIds } from "./unique-ids.ts";

/** Body of POST /call-jobs/{jobId}/rows. */
export const AppendRows = Type.Object({
  rows: Type.Array(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      description: "As in POST /call-jobs: customerNumber and what is known of the contact. Checked one by one.",
      examples: [{ customerNumber: "+12025550100", externalId: "crm-17" }],
    }),
    { minItems: 1, maxItems: MAX_JSON_ROWS },
  ),
});
export type AppendRows = Static<typeof AppendRows>;

const jobFields = (CallJob as unknown as { properties: Record<string, never> }).properties;

/** Reply to an append: the job as it is now, and the counts and faults of the rows. */
export const AppendedRows = Type.Object(
  {
    ...jobFields,
    acceptedRows: Type.Integer(),
    duplicateRows: Type.Integer({ description: "Rows whose externalId the job had already; left as they are." }),
    rowErrors: Type.Array(RowFaultSchema, { description: "The first 100, by place in the list that was sent." }),
  },
  { $id: "AppendedRows" },
);

/** Reply to a retry: the job as it is now, and the number of rows that went back into the queue. */
export const RetriedRows = Type.Object(
  {
    ...jobFields,
    retriedRows: Type.Integer({ description: "Rows that are back in the queue." }),
    moreFollow: Type.Boolean({
      description:
        "True for a job of very many rows: the failed ones behind those that were looked at follow within minutes, and retriedRows does not count them.",
    }),
  },
  { $id: "RetriedRows" },
);

/**
 * Adds rows to a job, leaving out those whose externalId it already has. They are stored before numbers and job are
 * locked, so that a long list does not hold up calls. They become visible when the transaction commits. A job that was
 * over starts a new run.
 */
export async function appendRows(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  body: AppendRows,
  bodyText: string,
): Promise<Static<typeof AppendedRows>> {
  await lockList(tx, workspaceId, jobId);
  const job = await readJobFor(tx, workspaceId, jobId, "addRows");
  const target = await targetOfJob(tx, workspaceId, job);
  const unique = new UniqueIds(tx, workspaceId, jobId);
  const list = { batches: readJsonRows(body.rows, bodyText), unique: unique.pass.bind(unique) };
  const storeRows = byInsert(tx, workspaceId);
  const counts = await importContacts(tx, workspaceId, target, list, storeRows, job.total_rows);
  if (unique.duplicates === 0) assertSomeRows(counts, "JSON");
  const locked = await lockJobFor(tx, workspaceId, jobId, "addRows");
  if (counts.total > 0 || counts.rejected > 0) {
    const rows = { added: counts.total, putBack: 0, machines: 0, rejected: counts.rejected };
    await extendRun(tx, workspaceId, jobId, rows, shareLanes(locked.phone_number_ids, locked.max_concurrency));
  }
  return {
    ...(await getJob(tx, workspaceId, jobId)),
    acceptedRows: counts.total,
    duplicateRows: unique.duplicates,
    rowErrors: counts.faults,
  };
}

/**
 * Dials failed rows with these outcomes again, from the first attempt. A job that was over starts a new run. 409 while
 * none of the job's numbers is ACTIVE: the rows would wait in silence. Where very many failed, a task puts the others
 * back.
 */
export async function retryFailed(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  outcomes: readonly RetryableOutcome[] = RETRYABLE_OUTCOMES,
): Promise<Static<typeof RetriedRows>> {
  await lockList(tx, workspaceId, jobId);
  const job = await readJobFor(tx, workspaceId, jobId, "retryFailed");
  await requireActiveNumbers(tx, workspaceId, job);
  const begun = await beginRetry(tx, workspaceId, job, outcomes);
  return { ...(await getJob(tx, workspaceId, jobId)), ...begun };
}

async function readJobFor(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  action: "addRows" | "retryFailed",
): Promise<CallJobRow> {
  const job = await findJob(tx, workspaceId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
  assertPermits(job, action);
  return job;
}

async function targetOfJob(tx: Executor, workspaceId: string, job: CallJobRow): Promise<ImportTarget> {
  return {
    jobId: job.id,
    numbers: await requireActiveNumbers(tx, workspaceId, job),
    maxAttempts: job.retry_config.maxAttempts,
    startAt: job.start_at && job.start_at > now() ? job.start_at : null,
    callingWindow: job.calling_window,
    flowId: job.flow_id,
    flowApiId: job.flow_api_id,
  };
}

/** Returns the job's numbers that may be dialled from; 409 when there is none. */
async function requireActiveNumbers(
  tx: Executor,
  workspaceId: string,
  { phone_number_ids: ids }: CallJobRow,
): Promise<CallingNumber[]> {
  const numbers = await findActiveNumbers(tx, workspaceId, ids);
  if (numbers.length > 0) return numbers;
  throw new AppError("CONFLICT", "None of the job's phone numbers is ACTIVE. Set one to ACTIVE first.");
}
