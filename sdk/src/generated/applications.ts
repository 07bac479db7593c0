/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Application, ApplicationChange, ApplicationInput, ApplicationPage, ApplicationsListQuery, ApplicationsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource applications of the client has. */
export class ApplicationsOperations extends Resource {
  /**
   * List applications.
   * Needs DATA_STORES_READ.
   */
  list(query: ApplicationsListQuery = {}, options: RequestOptions = {}): Pages<Application, ApplicationPage> {
    return this.readPages({ path: pathOf`/applications`, query }, options);
  }

  /**
   * Create an application.
   * It comes with the built-in store of its customers. Without a key it gets one made of its name. Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: ApplicationInput, options: RequestOptions = {}): Promise<Application> {
    return this.sendRequest({ method: "POST", path: pathOf`/applications`, json: body, takesKey: true }, options);
  }

  /**
   * Read an application.
   * Needs DATA_STORES_READ.
   */
  get(appId: string, options: RequestOptions = {}): Promise<Application> {
    return this.sendRequest({ method: "GET", path: pathOf`/applications/${appId}` }, options);
  }

  /**
   * Change an application; sent fields are merged, the key stays.
   * Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  update(appId: string, body: ApplicationChange, query: ApplicationsUpdateQuery = {}, options: RequestOptions = {}): Promise<Application> {
    return this.sendRequest({ method: "PUT", path: pathOf`/applications/${appId}`, query, json: body, takesKey: true }, options);
  }

  /**
   * Delete an application with its customers and stores for good.
   * 409 while a store of it has records: delete them, or the store, first. Needs DATA_STORES_WRITE.
   */
  delete(appId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/applications/${appId}` }, options);
  }
}
