import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/**
 * State of a recording. RECORDING until the file is closed; FAILED when the disk or a crash cut it off; ERASING until
 * the file is gone.
 */
export type RecordingState = "RECORDING" | "READY" | "FAILED" | "ERASING" | "ERASED";

/** Place of a recording's file: with all nodes, with the node that made it, or in the bucket. */
export type RecordingPlacement = "FOLDER" | "SPOOL" | "BUCKET";

/** Why a recording is FAILED. */
export const RECORDING_FAULTS = [
  "STORAGE_FULL",
  "STORAGE_READ_ONLY",
  "STORAGE_SLOW",
  "STORAGE_FAILED",
  "INTERRUPTED",
] as const;
export type RecordingFault = (typeof RECORDING_FAULTS)[number];

/** A recording without its peaks. */
export interface RecordingRecord {
  attempt_id: string;
  path: string;
  sealed: boolean;
  state: RecordingState;
  store: RecordingPlacement;
  /** Installation in whose folder it waits for the bucket. */
  spooled_by: string | null;
  byte_length: number | null;
  duration_ms: number | null;
}

/** Columns stored at the end of a recording. */
export interface RecordingEnd {
  byteLength: number;
  durationMs: number;
  peaks: readonly [Uint8Array, Uint8Array];
  failure: { code: RecordingFault; message: string } | null;
}

/** Stores that an attempt is about to be recorded. When another process resumes the attempt, the row starts over. */
export async function insertRecording(
  db: Executor,
  workspaceId: string,
  recording: { attemptId: string; rowId: string; path: string; sealed: boolean; spool: string | null },
): Promise<void> {
  const { attemptId, rowId, path, sealed, spool } = recording;
  await all(
    db,
    sql`insert into call_recordings (workspace_id, attempt_id, row_id, path, sealed, store, spooled_by)
        values (${workspaceId}, ${attemptId}, ${rowId}, ${path}, ${sealed}, ${spool ? "SPOOL" : "FOLDER"}, ${spool})
        on conflict (workspace_id, attempt_id) do update
          set path = excluded.path, sealed = excluded.sealed, store = excluded.store, spooled_by = excluded.spooled_by,
              state = 'RECORDING', byte_length = null, duration_ms = null, agent_peaks = null, customer_peaks = null,
              failure = null, failure_code = null, started_at = now(), finished_at = null`,
  );
}

/**
 * Stores the end of a recording if its state is one of `from`, which leaves out a recording that was erased in the
 * meantime.
 */
export async function endRecording(
  db: Executor,
  workspaceId: string,
  attemptId: string,
  end: RecordingEnd,
  from: RecordingState[],
): Promise<void> {
  const [agent, customer] = end.peaks.map((peaks) => Buffer.from(peaks));
  await all(
    db,
    sql`update call_recordings
           set state = ${end.failure === null ? "READY" : "FAILED"}, byte_length = ${end.byteLength},
               duration_ms = ${Math.round(end.durationMs)}, agent_peaks = ${agent}, customer_peaks = ${customer},
               failure = ${end.failure?.message ?? null}, failure_code = ${end.failure?.code ?? null},
               finished_at = now()
         where workspace_id = ${workspaceId} and attempt_id = ${attemptId} and state = any (${from}::text[])`,
  );
}

/** The newest recording of a row. */
export function newestRecording(
  db: Executor,
  workspaceId: string,
  rowId: string,
): Promise<RecordingRecord | undefined> {
  return first(
    db,
    sql`select attempt_id, path, sealed, state, store, spooled_by, byte_length, duration_ms from call_recordings
         where workspace_id = ${workspaceId} and row_id = ${rowId} order by started_at desc, attempt_id desc limit 1`,
  );
}

/** Returns the stored peaks of a recording; null before its end. */
export function readPeaks(
  db: Executor,
  workspaceId: string,
  attemptId: string,
): Promise<{ agent_peaks: Buffer | null; customer_peaks: Buffer | null } | undefined> {
  return first(
    db,
    sql`select agent_peaks, customer_peaks from call_recordings
         where workspace_id = ${workspaceId} and attempt_id = ${attemptId}`,
  );
}

const MARK = sql`state = 'ERASING', agent_peaks = null, customer_peaks = null, failure = null, failure_code = null,
  erased_at = now()`;

/** Marks the recordings of rows for erasure; true when there are any. */
export async function markOfRows(tx: Executor, workspaceId: string, rowIds: string[]): Promise<boolean> {
  const marked = await all(
    tx,
    sql`update call_recordings set ${MARK}
         where workspace_id = ${workspaceId} and row_id = any (${rowIds}::uuid[]) and state not in ('ERASING', 'ERASED')
        returning attempt_id`,
  );
  return marked.length > 0;
}

/** Marks recordings older than the retention limit, at most 2,000 and 200 of a workspace; returns their workspaces. */
export async function markOlder(tx: Executor, serverDays: number): Promise<string[]> {
  const marked = await all<{ workspace_id: string }>(
    tx,
    sql`update call_recordings set ${MARK}
         where ctid = any (array(
           select c.ctid
             from workspaces w
            cross join lateral (
              select ctid from call_recordings
               where workspace_id = w.id and state in ('READY', 'FAILED')
                 and started_at < now() - make_interval(days => least(w.recording_retention_days, nullif(${serverDays}::int, 0)))
               order by started_at limit 200 for update skip locked) c
            where w.recording_retention_days is not null or ${serverDays}::int > 0
            limit 2000))
        returning workspace_id`,
  );
  return [...new Set(marked.map((row) => row.workspace_id))];
}

/** Lists recordings whose files are still to be deleted, at most 100, by attempt from the one after `after` on. */
export function listErasing(
  db: Executor,
  workspaceId: string,
  after: string,
): Promise<Pick<RecordingRecord, "attempt_id" | "path" | "store" | "spooled_by">[]> {
  return all(
    db,
    sql`select attempt_id, path, store, spooled_by from call_recordings
         where workspace_id = ${workspaceId} and state = 'ERASING' and attempt_id > ${after}
         order by attempt_id limit 100`,
  );
}

/** A recording whose file may have to be moved. */
export type MovableRecording = Pick<RecordingRecord, "attempt_id" | "path" | "state">;

/** Reads the recordings of attempts, whatever their state. */
export function readMovable(db: Executor, workspaceId: string, attemptIds: string[]): Promise<MovableRecording[]> {
  return all(
    db,
    sql`select attempt_id, path, state from call_recordings
         where workspace_id = ${workspaceId} and attempt_id = any (${attemptIds}::uuid[])`,
  );
}

/** Stores that a file is in the bucket; false when the recording was erased meanwhile. */
export async function markMoved(db: Executor, workspaceId: string, attemptId: string): Promise<boolean> {
  const marked = await all(
    db,
    sql`update call_recordings set store = 'BUCKET', spooled_by = null
         where workspace_id = ${workspaceId} and attempt_id = ${attemptId} and state in ('READY', 'FAILED')
        returning attempt_id`,
  );
  return marked.length > 0;
}

/** Stores that the files are gone. */
export async function markErased(db: Executor, workspaceId: string, attemptIds: string[]): Promise<void> {
  await all(
    db,
    sql`update call_recordings set state = 'ERASED'
         where workspace_id = ${workspaceId} and attempt_id = any (${attemptIds}::uuid[]) and state = 'ERASING'`,
  );
}

/**
 * Lists recordings still open a minute after their attempts ended, at most 20. Those in another installation's folder
 * are left to it for an hour.
 */
export function listAbandoned(
  db: Executor,
  spool: string | null,
): Promise<{ workspace_id: string; attempt_id: string; path: string }[]> {
  return all(
    db,
    sql`select c.workspace_id, c.attempt_id, c.path from call_recordings c
          left join call_attempts a on a.workspace_id = c.workspace_id and a.id = c.attempt_id
         where c.state = 'RECORDING' and c.started_at < now() - interval '1 minute'
           and (a.id is null or a.ended_at < now() - case
             when c.spooled_by is null or c.spooled_by = ${spool}::uuid then interval '1 minute' else interval '1 hour' end)
         limit 20`,
  );
}

/** Returns those of the given workspaces that this database has. */
export async function knownWorkspaces(db: Executor, ids: string[]): Promise<string[]> {
  const rows = await all<{ id: string }>(db, sql`select id from workspaces where id = any (${ids}::uuid[])`);
  return rows.map((row) => row.id);
}

/** Returns those of the given attempts whose recording is not erased. */
export async function keptRecordings(db: Executor, workspaceId: string, attemptIds: string[]): Promise<Set<string>> {
  const rows = await all<{ attempt_id: string }>(
    db,
    sql`select attempt_id from call_recordings where workspace_id = ${workspaceId}
           and attempt_id = any (${attemptIds}::uuid[]) and state <> 'ERASED'`,
  );
  return new Set(rows.map((row) => row.attempt_id));
}
