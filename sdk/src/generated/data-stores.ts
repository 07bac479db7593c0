/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { DataStore, DataStoreChange, DataStoreInput, DataStorePage, DataStoresListAllQuery, DataStoresListQuery, DataStoresUpdateQuery, OwnedDataStore, OwnedDataStorePage } from "./shapes.ts";

/** Operations of the API that the resource dataStores of the client has. */
export class DataStoresOperations extends Resource {
  /**
   * List the data stores of all applications.
   * Needs DATA_STORES_READ.
   */
  listAll(query: DataStoresListAllQuery = {}, options: RequestOptions = {}): Pages<OwnedDataStore, OwnedDataStorePage> {
    return this.readPages({ path: pathOf`/data-stores`, query }, options);
  }

  /**
   * List the data stores of an application, built-in ones too.
   * Needs DATA_STORES_READ.
   */
  list(appId: string, query: DataStoresListQuery = {}, options: RequestOptions = {}): Pages<DataStore, DataStorePage> {
    return this.readPages({ path: pathOf`/applications/${appId}/stores`, query }, options);
  }

  /**
   * Create a custom data store.
   * Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(appId: string, body: DataStoreInput, options: RequestOptions = {}): Promise<DataStore> {
    return this.sendRequest({ method: "POST", path: pathOf`/applications/${appId}/stores`, json: body, takesKey: true }, options);
  }

  /**
   * Change a custom data store; sent fields are merged, the key stays.
   * A new schema holds for what is written from then on; records that are there stay as they are. Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  update(appId: string, storeKey: string, body: DataStoreChange, query: DataStoresUpdateQuery = {}, options: RequestOptions = {}): Promise<DataStore> {
    return this.sendRequest({ method: "PUT", path: pathOf`/applications/${appId}/stores/${storeKey}`, query, json: body, takesKey: true }, options);
  }

  /**
   * Delete a custom data store with its records for good.
   * Needs DATA_STORES_WRITE.
   */
  delete(appId: string, storeKey: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/applications/${appId}/stores/${storeKey}` }, options);
  }
}
