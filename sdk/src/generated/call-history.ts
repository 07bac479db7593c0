/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { CallHistoryListQuery, CallHistoryPage, CallRow } from "./shapes.ts";

/** Operations of the API that the resource callHistory of the client has. */
export class CallHistoryOperations extends Resource {
  /**
   * List calls, newest first.
   * Needs CALL_HISTORY_READ.
   */
  list(query: CallHistoryListQuery = {}, options: RequestOptions = {}): Pages<CallRow, CallHistoryPage> {
    return this.readPages({ path: pathOf`/call-history`, query }, options);
  }
}
