/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { DataRecord, DataRecordInput, DataRecordPage, RecordsListQuery, RecordsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource records of the client has. */
export class RecordsOperations extends Resource {
  /**
   * List the records of a data store, built-in ones too.
   * Needs DATA_STORES_READ.
   */
  list(appId: string, storeKey: string, query: RecordsListQuery = {}, options: RequestOptions = {}): Pages<DataRecord, DataRecordPage> {
    return this.readPages({ path: pathOf`/applications/${appId}/stores/${storeKey}`, query }, options);
  }

  /**
   * Add a record to a custom data store.
   * Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(appId: string, storeKey: string, body: DataRecordInput, options: RequestOptions = {}): Promise<DataRecord> {
    return this.sendRequest({ method: "POST", path: pathOf`/applications/${appId}/stores/${storeKey}`, json: body, takesKey: true }, options);
  }

  /**
   * Read a record of a data store.
   * Needs DATA_STORES_READ.
   */
  get(appId: string, storeKey: string, recordId: string, options: RequestOptions = {}): Promise<DataRecord> {
    return this.sendRequest({ method: "GET", path: pathOf`/applications/${appId}/stores/${storeKey}/${recordId}` }, options);
  }

  /**
   * Replace the custom fields of a record.
   * Only records of custom stores can be changed. Send all custom fields: they replace the ones before. metadata and customerId change only where they are present. Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  update(appId: string, storeKey: string, recordId: string, body: DataRecordInput, query: RecordsUpdateQuery = {}, options: RequestOptions = {}): Promise<DataRecord> {
    return this.sendRequest({ method: "PUT", path: pathOf`/applications/${appId}/stores/${storeKey}/${recordId}`, query, json: body, takesKey: true }, options);
  }

  /**
   * Delete a record of a custom data store for good.
   * Needs DATA_STORES_WRITE.
   */
  delete(appId: string, storeKey: string, recordId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/applications/${appId}/stores/${storeKey}/${recordId}` }, options);
  }
}
