import { NO_JOB } from "./new-row.ts";

/** SQL that is true for a row `r` of a job whose list is still being read. Such a row cannot be cancelled by itself. */
export const IMPORTING_SQL = `(r.status = 'QUEUED' and r.job_id <> '${NO_JOB}' and exists (select 1 from call_jobs ij
    where ij.workspace_id = r.workspace_id and ij.id = r.job_id and ij.status = 'IMPORTING'))`;
