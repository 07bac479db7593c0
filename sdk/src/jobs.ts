import { ParleyError } from "./errors.ts";
import { JobsOperations } from "./generated/jobs.ts";
import type { CallJob, CreatedCallJob } from "./generated/shapes.ts";
import { pathOf, type RequestOptions } from "./resource.ts";
import type { QueryValue, RawBody } from "./transport.ts";
import type { CallJobOptions } from "./types.ts";
import { readJobStates, readToEnd, type WatchOptions } from "./watch.ts";

/** Options for waiting for a job. */
export interface JobWaitOptions extends WatchOptions {
  onProgress?: (job: CallJob) => void;
}

/** Forms of a CSV: a Blob or text can be sent again after a fault, a stream cannot. */
export type CsvSource = ReadableStream<Uint8Array> | Blob | string;

/** One line that ends as a file's name does is no table. */
const FILE_NAME = /^[^\n]+\.(?:csv|xlsx|txt)$/i;

/** Call jobs: many calls in one request. */
export class Jobs extends JobsOperations {
  /**
   * Creates a job from a CSV file with the columns customerNumber, contactName, contactEmail, externalId,
   * priority, contextData; other columns become rowData. Uploads have no timeout unless one is given.
   */
  async createFromCsv(csv: CsvSource, job: CallJobOptions = {}, options: RequestOptions = {}): Promise<CreatedCallJob> {
    if (typeof csv === "string" && FILE_NAME.test(csv)) {
      throw new ParleyError(`${csv} is taken for the text of a CSV: pass await fileFrom(name) of @parley/sdk/node.`);
    }
    const call = { method: "POST", path: pathOf`/call-jobs`, takesKey: true, timeoutMs: 0 } as const;
    const source = csv instanceof ReadableStream && !sendsStreams() ? await new Response(csv).blob() : csv;
    return this.sendRequest({ ...call, ...toCsvRequest(source, job) }, options);
  }

  /** Gives every state of a job as it is read, until a run of it has ended: `for await (const job of progress(id))`. */
  progress(jobId: string, options: WatchOptions = {}): AsyncGenerator<CallJob, CallJob, undefined> {
    return readJobStates(this.transport, jobId, (looking) => this.get(jobId, looking), options);
  }

  /** Watches a job until a run of it has ended, and returns it. */
  wait(jobId: string, options: JobWaitOptions = {}): Promise<CallJob> {
    return readToEnd(this.progress(jobId, options), options.onProgress);
  }
}

/** False in browsers, which send a stream over HTTP/2 alone; Node, Bun and Deno send it over any connection. */
function sendsStreams(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
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
    flow != null ||
    retryConfig?.jitterPercent != null ||
    Object.keys(completionWebhook ?? {}).some((field) => field !== "url");
  if (needsForm) return undefined;
  return {
    ...plain,
    fromPhoneNumber: fromPhoneNumbers ?? undefined,
    callingWindow: callingWindow == null ? undefined : JSON.stringify(callingWindow),
    maxAttempts: retryConfig?.maxAttempts,
    retryOn: retryConfig?.retryOn?.join(","),
    delaysSeconds: retryConfig?.delaysSeconds?.join(","),
    completionWebhookUrl: completionWebhook?.url,
  };
}
