/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ApplicationCustomer, ApplicationCustomerInput, ApplicationCustomerPage, CustomersListQuery, CustomersUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource customers of the client has. */
export class CustomersOperations extends Resource {
  /**
   * List the customers of an application.
   * Needs DATA_STORES_READ.
   */
  list(appId: string, query: CustomersListQuery = {}, options: RequestOptions = {}): Pages<ApplicationCustomer, ApplicationCustomerPage> {
    return this.readPages({ path: pathOf`/applications/${appId}/customers`, query }, options);
  }

  /**
   * Add a customer to an application.
   * Required: name, email, phone or externalId. Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(appId: string, body: ApplicationCustomerInput, options: RequestOptions = {}): Promise<ApplicationCustomer> {
    return this.sendRequest({ method: "POST", path: pathOf`/applications/${appId}/customers`, json: body, takesKey: true }, options);
  }

  /**
   * Read a customer of an application.
   * Needs DATA_STORES_READ.
   */
  get(appId: string, customerId: string, options: RequestOptions = {}): Promise<ApplicationCustomer> {
    return this.sendRequest({ method: "GET", path: pathOf`/applications/${appId}/customers/${customerId}` }, options);
  }

  /**
   * Change a customer of an application; sent fields are merged.
   * Needs DATA_STORES_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  update(appId: string, customerId: string, body: ApplicationCustomerInput, query: CustomersUpdateQuery = {}, options: RequestOptions = {}): Promise<ApplicationCustomer> {
    return this.sendRequest({ method: "PUT", path: pathOf`/applications/${appId}/customers/${customerId}`, query, json: body, takesKey: true }, options);
  }

  /**
   * Delete a customer of an application for good; its records stay, without the link.
   * Needs DATA_STORES_WRITE.
   */
  delete(appId: string, customerId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/applications/${appId}/customers/${customerId}` }, options);
  }
}
