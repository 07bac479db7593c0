/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { AppendedRows, CallJob, CallJobPage, CallJobSummary, CallRow, CallRowPage, CreateCallJob, CreatedCallJob, JobsAddRowsBody, JobsCreateQuery, JobsListQuery, JobsPreflightBody, JobsRetryFailedQuery, JobsRowErrorsQuery, JobsRowErrorsReply, JobsRowsQuery, PatchCallJob, Preflight, RetriedRows, RowError } from "./shapes.ts";

/** Operations of the API that the resource jobs of the client has. */
export class JobsOperations extends Resource {
  /**
   * Create a call job from JSON or CSV.
   * JSON body, text/csv with the settings in the query, or multipart with `file` and `payload` (settings as JSON, a field or a file). A CSV is UTF-8, or UTF-16 with a byte order mark; its separator is told from the header or from a first line `sep=;`. Takes an Idempotency-Key. Bad rows are reported by line and do not stop the rest; more than 10,000 lines are imported after the answer (status IMPORTING). Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: CreateCallJob, query: JobsCreateQuery = {}, options: RequestOptions = {}): Promise<CreatedCallJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs`, query, json: body, takesKey: true }, options);
  }

  /**
   * List call jobs, newest first.
   * Needs CALL_JOBS_READ.
   */
  list(query: JobsListQuery = {}, options: RequestOptions = {}): Pages<CallJob, CallJobPage> {
    return this.readPages({ path: pathOf`/call-jobs`, query }, options);
  }

  /**
   * Read a call job.
   * Needs CALL_JOBS_READ.
   */
  get(jobId: string, options: RequestOptions = {}): Promise<CallJob> {
    return this.sendRequest({ method: "GET", path: pathOf`/call-jobs/${jobId}` }, options);
  }

  /**
   * Change a call job while it runs.
   * Fields that are sent take the place of the stored ones, each as a whole; null clears. 409 once the job is over, and for what can no longer change; 422 for another startAt, flow, number or status. Needs CALL_JOBS_WRITE.
   */
  update(jobId: string, body: PatchCallJob, options: RequestOptions = {}): Promise<CallJob> {
    return this.sendRequest({ method: "PATCH", path: pathOf`/call-jobs/${jobId}`, json: body }, options);
  }

  /**
   * Sum up a call job: rows by status and outcome, waiting retries, its numbers.
   * Needs CALL_JOBS_READ.
   */
  summary(jobId: string, options: RequestOptions = {}): Promise<CallJobSummary> {
    return this.sendRequest({ method: "GET", path: pathOf`/call-jobs/${jobId}/summary` }, options);
  }

  /**
   * List the rows of a call job, in the order they came.
   * Needs CALL_JOBS_READ.
   */
  rows(jobId: string, query: JobsRowsQuery = {}, options: RequestOptions = {}): Pages<CallRow, CallRowPage> {
    return this.readPages({ path: pathOf`/call-jobs/${jobId}/rows`, query }, options);
  }

  /**
   * Add rows to a call job.
   * Rows whose externalId the job has already are left out. A job that was COMPLETED starts a new run and completes once more. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  addRows(jobId: string, body: JobsAddRowsBody, options: RequestOptions = {}): Promise<AppendedRows> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/${jobId}/rows`, json: body, takesKey: true }, options);
  }

  /**
   * List the lines that were not taken.
   * Needs CALL_JOBS_READ.
   */
  rowErrors(jobId: string, query: JobsRowErrorsQuery = {}, options: RequestOptions = {}): Pages<RowError, JobsRowErrorsReply> {
    return this.readPages({ path: pathOf`/call-jobs/${jobId}/row-errors`, query }, options);
  }

  /**
   * Pause a call job: live calls go on, no new ones start.
   * Needs CALL_JOBS_WRITE.
   */
  pause(jobId: string, options: RequestOptions = {}): Promise<CallJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/${jobId}/pause` }, options);
  }

  /**
   * Let a paused call job go on.
   * Needs CALL_JOBS_WRITE.
   */
  resume(jobId: string, options: RequestOptions = {}): Promise<CallJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/${jobId}/resume` }, options);
  }

  /**
   * Cancel a call job: what waits is never dialled.
   * Needs CALL_JOBS_WRITE.
   */
  cancel(jobId: string, options: RequestOptions = {}): Promise<CallJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/${jobId}/cancel` }, options);
  }

  /**
   * Dial the failed rows of a call job again, with fresh attempts.
   * Never rows in which a person was reached or opted out, that were blocked, whose variables the retention deleted, or of which nobody can tell whether they rang. A job that was COMPLETED starts a new run and completes once more. Of very many rows the first are back when this answers, and moreFollow is true. 409 while none of the job's phone numbers is ACTIVE. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  retryFailed(jobId: string, query: JobsRetryFailedQuery = {}, options: RequestOptions = {}): Promise<RetriedRows> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/${jobId}/retry-failed`, query, takesKey: true }, options);
  }

  /**
   * Tell who a call job would skip, and why, before it is made.
   * Takes the JSON body of POST /call-jobs and writes nothing. Needs CALL_JOBS_WRITE.
   */
  preflight(body: JobsPreflightBody, options: RequestOptions = {}): Promise<Preflight> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/preflight`, json: body }, options);
  }

  /**
   * Tell which waiting rows of a call job would be skipped now, and why.
   * Writes nothing. Needs CALL_JOBS_READ.
   */
  preflightWaiting(jobId: string, options: RequestOptions = {}): Promise<Preflight> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-jobs/${jobId}/preflight` }, options);
  }
}
