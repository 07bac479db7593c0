/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { SessionWebhook, SessionWebhookInput, SessionWebhookPage, SessionWebhooksListQuery, SessionWebhooksUpdateQuery, Warned } from "./shapes.ts";

/** Operations of the API that the resource sessionWebhooks of the client has. */
export class SessionWebhooksOperations extends Resource {
  /**
   * List session webhooks.
   * Needs FLOWS_READ.
   */
  list(query: SessionWebhooksListQuery = {}, options: RequestOptions = {}): Pages<SessionWebhook, SessionWebhookPage> {
    return this.readPages({ path: pathOf`/session-webhooks`, query }, options);
  }

  /**
   * Create a session webhook.
   * The reply shows signingSecret, which is never shown again. Needs FLOWS_WRITE.
   */
  create(body: SessionWebhookInput, options: RequestOptions = {}): Promise<SessionWebhook & Warned> {
    return this.sendRequest({ method: "POST", path: pathOf`/session-webhooks`, json: body }, options);
  }

  /**
   * Read a session webhook.
   * Needs FLOWS_READ.
   */
  get(id: string, options: RequestOptions = {}): Promise<SessionWebhook> {
    return this.sendRequest({ method: "GET", path: pathOf`/session-webhooks/${id}` }, options);
  }

  /**
   * Change a session webhook; sent fields are merged.
   * Needs FLOWS_WRITE.
   */
  update(id: string, body: SessionWebhookInput, query: SessionWebhooksUpdateQuery = {}, options: RequestOptions = {}): Promise<SessionWebhook & Warned> {
    return this.sendRequest({ method: "PUT", path: pathOf`/session-webhooks/${id}`, query, json: body }, options);
  }

  /**
   * Delete a session webhook for good.
   * Needs FLOWS_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/session-webhooks/${id}` }, options);
  }
}
