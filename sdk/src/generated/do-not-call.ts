/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { DoNotCallAdded, DoNotCallEntry, DoNotCallImport, DoNotCallImported, DoNotCallListQuery, DoNotCallNumbers, DoNotCallPage, DoNotCallRemoveQuery } from "./shapes.ts";

/** Operations of the API that the resource doNotCall of the client has. */
export class DoNotCallOperations extends Resource {
  /**
   * List the numbers that are neither called nor written to, by number.
   * Needs CALL_JOBS_READ.
   */
  list(query: DoNotCallListQuery = {}, options: RequestOptions = {}): Pages<DoNotCallEntry, DoNotCallPage> {
    return this.readPages({ path: pathOf`/do-not-call`, query }, options);
  }

  /**
   * Add numbers; they hold from the next claim and the next message on.
   * Their source is OPERATOR. A number that is listed already keeps its source and note. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  add(body: DoNotCallNumbers, options: RequestOptions = {}): Promise<DoNotCallAdded> {
    return this.sendRequest({ method: "POST", path: pathOf`/do-not-call`, json: body, takesKey: true }, options);
  }

  /**
   * Read the entry of a number.
   * 404 when the number may be called. Needs CALL_JOBS_READ.
   */
  get(number: string, options: RequestOptions = {}): Promise<DoNotCallEntry> {
    return this.sendRequest({ method: "GET", path: pathOf`/do-not-call/${number}` }, options);
  }

  /**
   * Take a number out of the ledger, with a reason that is audited.
   * What the person asked for themselves (STOP_KEYWORD, SPOKEN_REFUSAL) is taken out only with `consent`: how and when they agreed to be contacted again; without it, 409. Needs CALL_JOBS_WRITE.
   */
  remove(number: string, query: DoNotCallRemoveQuery, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/do-not-call/${number}`, query }, options);
  }

  /**
   * Export the whole ledger as CSV: number, source, note, createdAt.
   * Needs CALL_JOBS_READ.
   */
  export(options: RequestOptions = {}): Promise<string> {
    return this.sendRequest({ method: "GET", path: pathOf`/do-not-call/export`, answer: "TEXT" }, options);
  }

  /**
   * Import numbers from the text of a CSV.
   * Columns `number` (with its country; spaces and brackets do not matter) and optionally `note`, separated by commas, semicolons or tabs. Lines that hold no number are reported and left out; the others are listed. At most 50,000 lines. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  import(body: DoNotCallImport, options: RequestOptions = {}): Promise<DoNotCallImported> {
    return this.sendRequest({ method: "POST", path: pathOf`/do-not-call/import`, json: body, takesKey: true }, options);
  }
}
