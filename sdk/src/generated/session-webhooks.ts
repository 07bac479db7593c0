/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { SessionWebhook, SessionWebhookChange, SessionWebhookInput, SessionWebhookPage, SessionWebhooksEventsQuery, SessionWebhooksListQuery, SessionWebhooksUpdateQuery, WebhookEvents, WebhookInspector } from "./shapes.ts";

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
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: SessionWebhookInput, options: RequestOptions = {}): Promise<SessionWebhook> {
    return this.sendRequest({ method: "POST", path: pathOf`/session-webhooks`, json: body, takesKey: true }, options);
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
  update(id: string, body: SessionWebhookChange, query: SessionWebhooksUpdateQuery = {}, options: RequestOptions = {}): Promise<SessionWebhook> {
    return this.sendRequest({ method: "PUT", path: pathOf`/session-webhooks/${id}`, query, json: body }, options);
  }

  /**
   * Delete a session webhook for good.
   * Needs FLOWS_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/session-webhooks/${id}` }, options);
  }

  /**
   * List the events for the workspace's webhooks, oldest first, as they come.
   * Events for session webhooks, and with CALL_JOBS_READ for jobs' completion webhooks, delivered or not. Without after it begins now; ask again with the cursor of each answer to get every event once. Needs FLOWS_WRITE.
   */
  events(query: SessionWebhooksEventsQuery = {}, options: RequestOptions = {}): Promise<WebhookEvents> {
    return this.sendRequest({ method: "GET", path: pathOf`/webhook-events`, query }, options);
  }

  /**
   * Read the address of the workspace's webhook inspector.
   * Needs FLOWS_WRITE.
   */
  inspector(options: RequestOptions = {}): Promise<WebhookInspector> {
    return this.sendRequest({ method: "GET", path: pathOf`/webhook-inspector/address` }, options);
  }
}
