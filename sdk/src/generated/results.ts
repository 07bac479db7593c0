/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { CallRow, ResultBoard, ResultBoardChange, ResultBoardInput, ResultCallsPage, Results, ResultsCallsQuery, ResultsCsvQuery, ResultsGetQuery, ResultsUpdateBoardQuery } from "./shapes.ts";

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

  /**
   * List the calls that a figure of the results counts.
   * Takes the filters of the results, and one figure: a step of the funnel, an outcome and a reason; or the value of a field; or a weekday and hour. The calls with the latest last dial come first. Needs CALL_HISTORY_READ.
   */
  calls(query: ResultsCallsQuery = {}, options: RequestOptions = {}): Pages<CallRow, ResultCallsPage> {
    return this.readPages({ path: pathOf`/results/calls`, query }, options);
  }

  /**
   * List saved boards of results.
   * Needs CALL_HISTORY_READ.
   */
  boards(options: RequestOptions = {}): Promise<ResultBoard[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/results/boards` }, options);
  }

  /**
   * Save a board of results.
   * Needs CALL_JOBS_WRITE or FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  createBoard(body: ResultBoardInput, options: RequestOptions = {}): Promise<ResultBoard> {
    return this.sendRequest({ method: "POST", path: pathOf`/results/boards`, json: body, takesKey: true }, options);
  }

  /**
   * Change a board of results; sent fields are merged.
   * Needs CALL_JOBS_WRITE or FLOWS_WRITE.
   */
  updateBoard(boardId: string, body: ResultBoardChange, query: ResultsUpdateBoardQuery = {}, options: RequestOptions = {}): Promise<ResultBoard> {
    return this.sendRequest({ method: "PUT", path: pathOf`/results/boards/${boardId}`, query, json: body }, options);
  }

  /**
   * Delete a board of results.
   * Needs CALL_JOBS_WRITE or FLOWS_WRITE.
   */
  deleteBoard(boardId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/results/boards/${boardId}` }, options);
  }
}
