import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countAll, countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import type { Comparison } from "./compare.ts";
import type { FlowSnapshots } from "./prepare-flow.ts";
import type { FlowReference } from "./prepared-flow.ts";
import type { ReplaySource } from "./replay-suite.ts";
import type { SuiteReport } from "./report.ts";
import type { RunSource } from "./run-source.ts";

export const RUN_STATES = ["QUEUED", "RUNNING", "PASSED", "FAILED", "CANCELLED", "ERROR"] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A run without its large columns. */
export interface RunRow {
  id: string;
  kind: string;
  suite_name: string;
  flow_key: string;
  flow: FlowReference;
  state: RunState;
  total: number;
  done: number;
  failed: number;
  compare_with: string | null;
  compares: boolean;
  compared_with: string | null;
  error: { code: string; message: string } | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

/** A run with its results. */
export interface FullRunRow extends RunRow {
  report: SuiteReport | null;
  comparison: Comparison | null;
}

/** A begun run with its input. */
export interface BegunRow extends RunRow {
  source: RunSource | ReplaySource;
  prepared: FlowSnapshots;
}

/** A run to be stored. */
export interface NewRun {
  id: string;
  kind: string;
  suiteName: string;
  flowKey: string;
  flow: FlowReference;
  source: RunSource | ReplaySource;
  prepared: FlowSnapshots;
  phones: string[];
  total: number;
  compareWith: string | null;
  compares: boolean;
}

/** Result of a run. */
export interface RunEnd {
  state: Exclude<RunState, "QUEUED" | "RUNNING">;
  report: SuiteReport | null;
  comparedWith: string | null;
  comparison: Comparison | null;
  error: { code: string; message: string } | null;
}

const SLIM = sql.raw(
  "id, kind, suite_name, flow_key, flow, state, total, done, failed, compare_with, compares, compared_with, error, created_at, started_at, ended_at",
);

/** Stores a queued run. */
export async function insertRun(tx: Executor, workspaceId: string, run: NewRun): Promise<RunRow> {
  const rows = await all<RunRow>(
    tx,
    sql`insert into simulations (workspace_id, id, kind, suite_name, flow_key, flow, source, prepared, phones, total,
          compare_with, compares)
        values (${workspaceId}, ${run.id}, ${run.kind}, ${run.suiteName}, ${run.flowKey}, ${JSON.stringify(run.flow)},
          ${JSON.stringify(run.source)}, ${JSON.stringify(run.prepared)}, ${run.phones}, ${run.total},
          ${run.compareWith}, ${run.compares})
        returning ${SLIM}`,
  );
  return rows[0] as RunRow;
}

/** Returns a page of runs, newest first, with one more than asked for. */
export function listRuns(
  tx: Executor,
  workspaceId: string,
  page: PageRequest,
  suite: string | undefined,
): Promise<RunRow[]> {
  return all(
    tx,
    sql`select ${SLIM} from simulations
        where workspace_id = ${workspaceId} and (${suite ?? null}::text is null or suite_name = ${suite ?? null})
          and ${isBefore(page)}
        order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of stored runs. */
export function countRuns(tx: Executor, workspaceId: string, suite: string | undefined): Promise<number> {
  return countOf(
    tx,
    sql`simulations
        where workspace_id = ${workspaceId} and (${suite ?? null}::text is null or suite_name = ${suite ?? null})`,
  );
}

/** Returns the number of a workspace's open runs. */
export function countOpenRuns(tx: Executor, workspaceId: string): Promise<number> {
  return countAll(tx, sql`simulations where workspace_id = ${workspaceId} and ended_at is null`);
}

/** Returns one run with its report. */
export function findRun(tx: Executor, workspaceId: string, id: string): Promise<FullRunRow | undefined> {
  return first(
    tx,
    sql`select ${SLIM}, report, comparison from simulations where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Returns the request that a run of a suite was started with. */
export async function findSource(tx: Executor, workspaceId: string, id: string): Promise<RunSource | undefined> {
  const row = await first<{ source: RunSource }>(
    tx,
    sql`select source from simulations where workspace_id = ${workspaceId} and id = ${id} and kind = 'SUITE'`,
  );
  return row?.source;
}

/** Returns one run, locked for the change that follows. */
export function lockRun(tx: Executor, workspaceId: string, id: string): Promise<RunRow | undefined> {
  return first(tx, sql`select ${SLIM} from simulations where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Returns the last run of the same suite and flow that ended by itself and chose no fewer scenarios (`only`). */
export function findRunBefore(tx: Executor, workspaceId: string, run: BegunRow): Promise<FullRunRow | undefined> {
  const chosen = "only" in run.source && run.source.only !== null ? JSON.stringify(run.source.only) : null;
  return first(
    tx,
    sql`select ${SLIM}, report, comparison from simulations
        where workspace_id = ${workspaceId} and suite_name = ${run.suite_name} and flow_key = ${run.flow_key}
          and kind = ${run.kind} and id < ${run.id} and state in ('PASSED', 'FAILED')
          and (source ->> 'only' is null or (source -> 'only')::jsonb @> ${chosen}::jsonb)
        order by id desc limit 1`,
  );
}

/** Begins a run, or begins it again after a crash. Returns undefined when it is over. */
export function beginRun(tx: Executor, workspaceId: string, id: string): Promise<BegunRow | undefined> {
  return first(
    tx,
    sql`update simulations set state = 'RUNNING', started_at = coalesce(started_at, now()), done = 0, failed = 0
        where workspace_id = ${workspaceId} and id = ${id} and ended_at is null returning ${SLIM}, source, prepared`,
  );
}

/** Stores the progress of a run. Returns false when it is over, because it was cancelled. */
export async function noteProgress(
  tx: Executor,
  workspaceId: string,
  id: string,
  { done, failed }: { done: number; failed: number },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update simulations set done = ${done}, failed = ${failed}
        where workspace_id = ${workspaceId} and id = ${id} and ended_at is null returning id`,
  );
  return rows.length > 0;
}

/** Ends a run. Returns undefined when it was over already. */
export function endRun(tx: Executor, workspaceId: string, id: string, end: RunEnd): Promise<RunRow | undefined> {
  return first(
    tx,
    sql`update simulations set state = ${end.state}, report = ${end.report && toStorableJson(end.report)},
          done = case when ${end.report === null} then done else total end,
          failed = case when ${end.report === null} then failed
                        else ${(end.report?.conversations ?? 0) - (end.report?.passedConversations ?? 0)} end,
          compared_with = ${end.comparedWith}, comparison = ${end.comparison && toStorableJson(end.comparison)},
          error = ${end.error && toStorableJson(end.error)}, started_at = coalesce(started_at, now()), ended_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and ended_at is null returning ${SLIM}`,
  );
}
