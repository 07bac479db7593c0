/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Widget, WidgetChange, WidgetInput, WidgetsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource widgets of the client has. */
export class WidgetsOperations extends Resource {
  /**
   * List chat widgets.
   * Needs FLOWS_READ.
   */
  list(options: RequestOptions = {}): Promise<Widget[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/widgets` }, options);
  }

  /**
   * Create a chat widget.
   * Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: WidgetInput, options: RequestOptions = {}): Promise<Widget> {
    return this.sendRequest({ method: "POST", path: pathOf`/widgets`, json: body, takesKey: true }, options);
  }

  /**
   * Read a chat widget.
   * Needs FLOWS_READ.
   */
  get(id: string, options: RequestOptions = {}): Promise<Widget> {
    return this.sendRequest({ method: "GET", path: pathOf`/widgets/${id}` }, options);
  }

  /**
   * Change a chat widget; sent fields are merged.
   * Needs FLOWS_WRITE.
   */
  update(id: string, body: WidgetChange, query: WidgetsUpdateQuery = {}, options: RequestOptions = {}): Promise<Widget> {
    return this.sendRequest({ method: "PUT", path: pathOf`/widgets/${id}`, query, json: body }, options);
  }

  /**
   * Delete a chat widget for good; its chats stay.
   * Needs FLOWS_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/widgets/${id}` }, options);
  }
}
