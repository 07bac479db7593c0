/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Results, ResultsCsvQuery, ResultsGetQuery } from "./shapes.ts";

/** Operations of the API that the resource results of the client has. */
export class ResultsOperations extends Resource {
  /**
   * Add up what calls came to.
   * Calls that are over, counted under the quarter of an hour of their last dial. People and machines are counted apart. A call that ends is added within seconds; `waiting` counts those that are not yet. Needs CALL_HISTORY_READ.
   */
  get(query: ResultsGetQuery = {}, options: RequestOptions = {}): Promise<Results> {
    return this.sendRequest({ method: "GET", path: pathOf`/results`, query }, options);
  }

  /**
   * Write a table of the results as CSV.
   * Calls that are over, counted under the quarter of an hour of their last dial. People and machines are counted apart. A call that ends is added within seconds; `waiting` counts those that are not yet. Needs CALL_HISTORY_READ.
   */
  csv(query: ResultsCsvQuery, options: RequestOptions = {}): Promise<string> {
    return this.sendRequest({ method: "GET", path: pathOf`/results/csv`, query, answer: "TEXT" }, options);
  }
}
