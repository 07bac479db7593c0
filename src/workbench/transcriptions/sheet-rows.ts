import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { JobRow } from "./store.ts";

/** Kind of the spreadsheet column that names a recording. */
export type MatchBy = "EXTERNAL_ID" | "FILE_NAME";

/** The cells of one recording. */
export interface SheetRow {
  matchBy: MatchBy;
  matchKey: string;
  cells: Record<string, string>;
}

const BATCH_ROWS = 1_000;

/** Replaces the job's spreadsheet; the caller has locked the job. */
export async function replaceSheet(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  spreadsheet: NonNullable<JobRow["spreadsheet"]>,
  rows: SheetRow[],
): Promise<void> {
  await all(tx, sql`delete from transcription_sheet_rows where workspace_id = ${workspaceId} and job_id = ${jobId}`);
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows
      .slice(start, start + BATCH_ROWS)
      .map(({ matchBy, matchKey, cells }) => ({ match_by: matchBy, match_key: matchKey, cells }));
    await all(
      tx,
      sql`insert into transcription_sheet_rows (workspace_id, job_id, match_by, match_key, cells)
          select ${workspaceId}::uuid, ${jobId}::uuid, match_by, match_key, cells
          from json_to_recordset(${JSON.stringify(batch)}::json) as x(match_by text, match_key text, cells json)`,
    );
  }
  await all(
    tx,
    sql`update transcription_jobs set spreadsheet = ${JSON.stringify(spreadsheet)}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${jobId}`,
  );
}

/** Returns the cells of a recording: those of its externalId, or else those of its file name. */
export async function findSheetCells(
  db: Executor,
  workspaceId: string,
  jobId: string,
  keys: { externalId: string | null; fileName: string | null },
): Promise<Record<string, string>> {
  const row = await first<{ cells: Record<string, string> }>(
    db,
    sql`select cells from transcription_sheet_rows
        where workspace_id = ${workspaceId} and job_id = ${jobId}
          and ((match_by = 'EXTERNAL_ID' and match_key = ${keys.externalId}::text)
            or (match_by = 'FILE_NAME' and match_key = ${keys.fileName}::text))
        order by match_by limit 1`,
  );
  return row?.cells ?? {};
}
