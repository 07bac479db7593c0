/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { NewWebPhone, WebPhone, WebPhoneInput } from "./shapes.ts";

/** Operations of the API that the resource webPhones of the client has. */
export class WebPhonesOperations extends Resource {
  /**
   * Make a token with which a page waits to be rung.
   * Needs OUTBOUND_CALLS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: WebPhoneInput, options: RequestOptions = {}): Promise<NewWebPhone> {
    return this.sendRequest({ method: "POST", path: pathOf`/web-phones`, json: body, takesKey: true }, options);
  }

  /**
   * List the pages that may be rung.
   * Needs OUTBOUND_CALLS_TRIGGER.
   */
  list(options: RequestOptions = {}): Promise<WebPhone[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/web-phones` }, options);
  }

  /**
   * Make the token of a page worthless.
   * Needs OUTBOUND_CALLS_TRIGGER.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/web-phones/${id}` }, options);
  }
}
