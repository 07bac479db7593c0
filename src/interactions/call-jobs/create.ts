import type { Contact } from "#src/interactions/calls/new-row.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { rawItems, rawSlice } from "#src/platform/http/json.ts";
import { openSpooled, type Spooled } from "#src/platform/http/upload.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { type JobSettings, type MadeJob, makeJob } from "./call-jobs.ts";
import { readContact, type RowFault } from "./contact.ts";
import { getJob } from "./control.ts";
import { PARSED_BYTES, readCsv } from "./csv.ts";
import {
  assertSomeRows,
  byInsert,
  type ImportCounts,
  importContacts,
  openJobLanes,
  targetOf,
} from "./store-contacts.ts";
import { insertChunk, openJob } from "./store.ts";
import { UniqueIds } from "./unique-ids.ts";
import type { WebhookParts } from "./webhook.ts";

/** Files with more lines are imported after the reply. */
export const INLINE_ROWS = 10_000;
/** Task that imports a stored CSV. */
export const IMPORT_TASK = "call_job.import";
/** Rows between two yields to the event loop. */
const BATCH_ROWS = 500;

/** Creates a job from the rows of a JSON body. `bodyText` keeps every contextData byte for byte. */
export async function createFromJson(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  body: JobSettings & { rows: Record<string, unknown>[] },
  bodyText: string,
) {
  const made = await makeJob(tx, parts, workspaceId, body, "RUNNING");
  return fill(tx, workspaceId, made, readJsonRows(body.rows, bodyText), "JSON");
}

/** Checks the rows of a JSON list one by one. */
export async function* readJsonRows(
  rows: Record<string, unknown>[],
  bodyText: string,
): AsyncIterable<(Contact | RowFault)[]> {
  const withContext = rows.some((row) => row.contextData !== undefined && row.contextData !== null);
  const texts = withContext ? rawItems(bodyText, ["rows"]) : [];
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    yield rows.slice(start, start + BATCH_ROWS).map((row, i) => {
      const { customerNumber, contactName, contactEmail, externalId, timeZone, priority, rowData, contextData } = row;
      const text =
        contextData === undefined || contextData === null ? null : rawSlice(texts[start + i] ?? "", ["contextData"]);
      const line = start + i + 1;
      return readContact({
        line,
        customerNumber,
        contactName,
        contactEmail,
        externalId,
        timeZone,
        priority,
        rowData,
        contextText: text ?? null,
      });
    });
  }
}

/** Creates a job from a spooled CSV. Small ones are imported at once, large ones by a task. */
export async function createFromCsv(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  settings: JobSettings,
  spooled: Spooled,
) {
  if (spooled.lineBreaks <= INLINE_ROWS) {
    const made = await makeJob(tx, parts, workspaceId, settings, "RUNNING");
    return fill(tx, workspaceId, made, readCsv(openSpooled(spooled, PARSED_BYTES), BATCH_ROWS), "FILE");
  }
  await assertReadable(spooled);
  const made = await makeJob(tx, parts, workspaceId, settings, "IMPORTING");
  await storeFile(tx, workspaceId, made.id, spooled);
  await addTask(tx, workspaceId, { kind: IMPORT_TASK, subjectId: made.id, payload: {} });
  return reply(tx, workspaceId, made, { total: 0, rejected: 0, faults: [] });
}

/** Reads the header and the first rows of a large file. The rest is read after the reply. */
async function assertReadable(spooled: Spooled): Promise<void> {
  for await (const batch of readCsv(openSpooled(spooled, PARSED_BYTES), 1)) if (batch.length > 0) return;
  assertSomeRows({ total: 0, rejected: 0, faults: [] }, "FILE");
}

async function storeFile(tx: Executor, workspaceId: string, jobId: string, spooled: Spooled): Promise<void> {
  let position = 0;
  for await (const piece of openSpooled(spooled)) await insertChunk(tx, workspaceId, jobId, position++, piece);
}

async function fill(
  tx: Executor,
  workspaceId: string,
  made: MadeJob,
  batches: AsyncIterable<(Contact | RowFault)[]>,
  list: "FILE" | "JSON",
) {
  const ids = new UniqueIds(tx, workspaceId, made.id);
  const rows = { batches, unique: ids.report.bind(ids) };
  const counts = await importContacts(tx, workspaceId, targetOf(made), rows, byInsert(tx, workspaceId));
  assertSomeRows(counts, list);
  await openJob(tx, workspaceId, made.id, counts);
  await openJobLanes(
    tx,
    workspaceId,
    made.id,
    made.numbers.map((number) => number.id),
    made.maxConcurrency,
  );
  return reply(tx, workspaceId, made, counts);
}

async function reply(tx: Executor, workspaceId: string, made: MadeJob, counts: ImportCounts) {
  const job = await getJob(tx, workspaceId, made.id);
  const webhook = job.completionWebhook ? { ...job.completionWebhook, signingSecret: made.signingSecret } : null;
  return { ...job, completionWebhook: webhook, acceptedRows: counts.total, rowErrors: counts.faults };
}
