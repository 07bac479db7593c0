/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Balance, BillingUsageQuery, BillingUsageSummaryQuery, UsageEntry, UsagePage, UsageSummary } from "./shapes.ts";

/** Operations of the API that the resource billing of the client has. */
export class BillingOperations extends Resource {
  /**
   * Read the balance.
   * Exact at the moment it is read. The sandbox bills nothing; simulatedTotal shows what it would have cost. Needs BALANCE_READ.
   */
  balance(options: RequestOptions = {}): Promise<Balance> {
    return this.sendRequest({ method: "GET", path: pathOf`/balance` }, options);
  }

  /**
   * List the entries of the usage ledger, newest first.
   * Needs BALANCE_READ.
   */
  usage(query: BillingUsageQuery = {}, options: RequestOptions = {}): Pages<UsageEntry, UsagePage> {
    return this.readPages({ path: pathOf`/usage`, query }, options);
  }

  /**
   * Sum up usage by UTC day and kind.
   * Needs BALANCE_READ.
   */
  usageSummary(query: BillingUsageSummaryQuery = {}, options: RequestOptions = {}): Promise<UsageSummary> {
    return this.sendRequest({ method: "GET", path: pathOf`/usage/summary`, query }, options);
  }
}
