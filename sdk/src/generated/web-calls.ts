/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { WebCall, WebCallInput } from "./shapes.ts";

/** Operations of the API that the resource webCalls of the client has. */
export class WebCallsOperations extends Resource {
  /**
   * Make a call over the web, or ring a page.
   * The call is a call row; it begins when its page opens the WebSocket, or accepts the ring. Needs OUTBOUND_CALLS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: WebCallInput, options: RequestOptions = {}): Promise<WebCall> {
    return this.sendRequest({ method: "POST", path: pathOf`/web-calls`, json: body, takesKey: true }, options);
  }
}
