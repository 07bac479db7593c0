import { API_PREFIX } from "./calls.ts";
import { ParleyError } from "./errors.ts";
import type { CallJobSummary, RowError } from "./job-types.ts";
import { Pages } from "./pages.ts";
import type { Call, QueryValue, RawBody, Transport } from "./transport.ts";
import type {
  CallJob,
  CallJobOptions,
  CallRow,
  CreateCallJob,
  JobStatus,
  RequestOptions,
  RowFilters,
} from "./types.ts";
import { watchJob, type WatchOptions } from "./watch.ts";

/** Options for waiting for a job. */
export interface JobWaitOptions extends WatchOptions {
  onProgress?: (job: CallJob) => void;
}

/** Forms of a CSV: a Blob or text can be sent again after a fault, a stream cannot. */
export type CsvSource = ReadableStream<Uint8Array> | Blob | string;

const JOBS = `${API_PREFIX}/call-jobs`;

/** Read operations on jobs. */
class JobReads {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Lists jobs, newest first. */
  list(options: RequestOptions & { size?: number; status?: JobStatus[]; name?: string } = {}): Pages<CallJob> {
    const { size, status, name } = options;
    return new Pages(this.transport, JOBS, { size, status, name }, options);
  }

  /** Returns one job with its counts. */
  get(id: string, options: RequestOptions = {}): Promise<CallJob> {
    const { signal, timeoutMs } = options;
    return this.transport.request({ method: "GET", path: pathOf(id), signal, timeoutMs });
  }

  /** Returns the counts of a job's rows by state and by outcome. */
  summary(id: string, { signal, timeoutMs }: RequestOptions = {}): Promise<CallJobSummary> {
    return this.transport.request({ method: "GET", path: `${pathOf(id)}/summary`, signal, timeoutMs });
  }

  /** Lists the rows of a job. */
  rows(id: string, filters: RowFilters = {}, options: RequestOptions = {}): Pages<CallRow> {
    return new Pages(this.transport, `${pathOf(id)}/rows`, filters, options);
  }

  /** Lists the CSV lines that could not become rows. */
  rowErrors(id: string, options: RequestOptions & { size?: number } = {}): Pages<RowError> {
    return new Pages(this.transport, `${pathOf(id)}/row-errors`, { size: options.size }, options);
  }

  /** Watches a job until a run of it has ended. */
  wait(id: string, options: JobWaitOptions = {}): Promise<CallJob> {
    return watchJob(this.transport, () => this.get(id, options), options.onProgress, options);
  }
}

/** Call jobs: many calls in one request. */
export class Jobs extends JobReads {
  /** Creates a job from rows. A repeat after a lost answer makes no second job. */
  create(job: CreateCallJob, options: RequestOptions = {}): Promise<CallJob> {
    return this.#dial(JOBS, { json: job }, options);
  }

  /**
   * Creates a job from a CSV file with the columns customerNumber, contactName, contactEmail, externalId,
   * priority, contextData; other columns become rowData. Uploads have no timeout unless one is given.
   */
  createFromCsv(csv: CsvSource, job: CallJobOptions = {}, options: RequestOptions = {}): Promise<CallJob> {
    return this.#dial(JOBS, toCsvRequest(csv, job), { timeoutMs: 0, ...options });
  }

  /** Starts no more calls of the job; those under way go on. */
  pause(id: string, { signal, timeoutMs }: RequestOptions = {}): Promise<CallJob> {
    return this.transport.request({ method: "POST", path: `${pathOf(id)}/pause`, signal, timeoutMs });
  }

  /** Resumes a paused job. */
  resume(id: string, options: RequestOptions = {}): Promise<CallJob> {
    return this.#dial(`${pathOf(id)}/resume`, {}, options);
  }

  /** Cancels a job: waiting rows are cancelled, calls under way go on. */
  cancel(id: string, { signal, timeoutMs }: RequestOptions = {}): Promise<CallJob> {
    return this.transport.request({ method: "POST", path: `${pathOf(id)}/cancel`, signal, timeoutMs });
  }

  /** Sends a POST that dials, with an Idempotency-Key. */
  #dial(path: string, body: Pick<Call, "json" | "raw" | "query">, options: RequestOptions): Promise<CallJob> {
    return this.transport.request({
      method: "POST",
      path,
      ...body,
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    });
  }
}

function pathOf(id: string): string {
  return `${JOBS}/${encodeURIComponent(id)}`;
}

/**
 * Returns the plain text/csv form when its query can express every option; else multipart, whose `payload` part keeps
 * webhook secrets and inline flows out of URLs, which end up in logs.
 */
export function toCsvRequest(
  csv: CsvSource,
  job: CallJobOptions,
): { raw: RawBody; query?: Record<string, QueryValue> } {
  const query = toQuery(job);
  if (query) return { query, raw: { contentType: "text/csv", content: csv } };
  if (csv instanceof ReadableStream) {
    throw new ParleyError(
      "A job with a webhook secret or an inline flow needs its CSV as a Blob or text, not as a stream.",
    );
  }
  const form = new FormData();
  // First, so that the server knows the job when the first line of the file arrives.
  form.append("payload", JSON.stringify(job));
  form.append("file", typeof csv === "string" ? new Blob([csv], { type: "text/csv" }) : csv, "rows.csv");
  return { raw: { contentType: undefined, content: form } };
}

function toQuery(job: CallJobOptions): Record<string, QueryValue> | undefined {
  const { retryConfig, completionWebhook, callingWindow, fromPhoneNumbers, flow, ...plain } = job;
  const needsForm =
    flow !== undefined ||
    retryConfig?.jitterPercent !== undefined ||
    Object.keys(completionWebhook ?? {}).some((field) => field !== "url");
  if (needsForm) return undefined;
  return {
    ...plain,
    fromPhoneNumber: fromPhoneNumbers,
    callingWindow: callingWindow === undefined ? undefined : JSON.stringify(callingWindow),
    maxAttempts: retryConfig?.maxAttempts,
    retryOn: retryConfig?.retryOn?.join(","),
    delaysSeconds: retryConfig?.delaysSeconds?.join(","),
    completionWebhookUrl: completionWebhook?.url,
  };
}
