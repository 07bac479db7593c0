/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { AsyncEchoAccepted, Echo, TestEndpointsDeleteAsyncEchoQuery, TestEndpointsGetAsyncEchoQuery, TestEndpointsPatchAsyncEchoQuery, TestEndpointsPostAsyncEchoQuery, TestEndpointsPutAsyncEchoQuery } from "./shapes.ts";

/** Operations of the API that the resource testEndpoints of the client has. */
export class TestEndpointsOperations extends Resource {
  /**
   * Echo a GET request.
   * Takes any body. Credentials in headers are masked.
   */
  getSyncEcho(options: RequestOptions = {}): Promise<Echo> {
    return this.sendRequest({ method: "GET", path: pathOf`/test/sync-echo` }, options);
  }

  /**
   * Echo a POST request.
   * Takes any body. Credentials in headers are masked.
   */
  postSyncEcho(body?: unknown, options: RequestOptions = {}): Promise<Echo> {
    return this.sendRequest({ method: "POST", path: pathOf`/test/sync-echo`, json: body }, options);
  }

  /**
   * Echo a PUT request.
   * Takes any body. Credentials in headers are masked.
   */
  putSyncEcho(body?: unknown, options: RequestOptions = {}): Promise<Echo> {
    return this.sendRequest({ method: "PUT", path: pathOf`/test/sync-echo`, json: body }, options);
  }

  /**
   * Echo a PATCH request.
   * Takes any body. Credentials in headers are masked.
   */
  patchSyncEcho(body?: unknown, options: RequestOptions = {}): Promise<Echo> {
    return this.sendRequest({ method: "PATCH", path: pathOf`/test/sync-echo`, json: body }, options);
  }

  /**
   * Echo a DELETE request.
   * Takes any body. Credentials in headers are masked.
   */
  deleteSyncEcho(body?: unknown, options: RequestOptions = {}): Promise<Echo> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/test/sync-echo`, json: body }, options);
  }

  /**
   * Echo a GET request later, by a callback.
   * delaySeconds, toolTaskId, secret and callbackUrl are taken from the query, else from the headers X-Tool-Task-Id, X-Tool-Secret and X-Callback-Url, else from the JSON body. Without a callback URL the result goes to the service's own tool-task webhook, and can be read at /tool-tasks/{toolTaskId}.
   * Takes X-Tool-Task-Id, X-Tool-Secret, X-Callback-Url in the headers of the options.
   */
  getAsyncEcho(query: TestEndpointsGetAsyncEchoQuery = {}, options: RequestOptions = {}): Promise<AsyncEchoAccepted> {
    return this.sendRequest({ method: "GET", path: pathOf`/test/async-echo`, query }, options);
  }

  /**
   * Echo a POST request later, by a callback.
   * delaySeconds, toolTaskId, secret and callbackUrl are taken from the query, else from the headers X-Tool-Task-Id, X-Tool-Secret and X-Callback-Url, else from the JSON body. Without a callback URL the result goes to the service's own tool-task webhook, and can be read at /tool-tasks/{toolTaskId}.
   * Takes X-Tool-Task-Id, X-Tool-Secret, X-Callback-Url in the headers of the options.
   */
  postAsyncEcho(body?: unknown, query: TestEndpointsPostAsyncEchoQuery = {}, options: RequestOptions = {}): Promise<AsyncEchoAccepted> {
    return this.sendRequest({ method: "POST", path: pathOf`/test/async-echo`, query, json: body }, options);
  }

  /**
   * Echo a PUT request later, by a callback.
   * delaySeconds, toolTaskId, secret and callbackUrl are taken from the query, else from the headers X-Tool-Task-Id, X-Tool-Secret and X-Callback-Url, else from the JSON body. Without a callback URL the result goes to the service's own tool-task webhook, and can be read at /tool-tasks/{toolTaskId}.
   * Takes X-Tool-Task-Id, X-Tool-Secret, X-Callback-Url in the headers of the options.
   */
  putAsyncEcho(body?: unknown, query: TestEndpointsPutAsyncEchoQuery = {}, options: RequestOptions = {}): Promise<AsyncEchoAccepted> {
    return this.sendRequest({ method: "PUT", path: pathOf`/test/async-echo`, query, json: body }, options);
  }

  /**
   * Echo a PATCH request later, by a callback.
   * delaySeconds, toolTaskId, secret and callbackUrl are taken from the query, else from the headers X-Tool-Task-Id, X-Tool-Secret and X-Callback-Url, else from the JSON body. Without a callback URL the result goes to the service's own tool-task webhook, and can be read at /tool-tasks/{toolTaskId}.
   * Takes X-Tool-Task-Id, X-Tool-Secret, X-Callback-Url in the headers of the options.
   */
  patchAsyncEcho(body?: unknown, query: TestEndpointsPatchAsyncEchoQuery = {}, options: RequestOptions = {}): Promise<AsyncEchoAccepted> {
    return this.sendRequest({ method: "PATCH", path: pathOf`/test/async-echo`, query, json: body }, options);
  }

  /**
   * Echo a DELETE request later, by a callback.
   * delaySeconds, toolTaskId, secret and callbackUrl are taken from the query, else from the headers X-Tool-Task-Id, X-Tool-Secret and X-Callback-Url, else from the JSON body. Without a callback URL the result goes to the service's own tool-task webhook, and can be read at /tool-tasks/{toolTaskId}.
   * Takes X-Tool-Task-Id, X-Tool-Secret, X-Callback-Url in the headers of the options.
   */
  deleteAsyncEcho(body?: unknown, query: TestEndpointsDeleteAsyncEchoQuery = {}, options: RequestOptions = {}): Promise<AsyncEchoAccepted> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/test/async-echo`, query, json: body }, options);
  }
}
