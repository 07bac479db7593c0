/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { LeadDelivery, LeadDeliveryPage, LeadMappingSample, LeadPreview, LeadSample, LeadSource, LeadSourceChange, LeadSourceInput, LeadSourcesDeliveriesQuery, LeadSourcesUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource leadSources of the client has. */
export class LeadSourcesOperations extends Resource {
  /**
   * List lead sources.
   * Needs CALL_JOBS_READ.
   */
  list(options: RequestOptions = {}): Promise<LeadSource[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/lead-sources` }, options);
  }

  /**
   * Create a lead source; its address is shown once.
   * Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: LeadSourceInput, options: RequestOptions = {}): Promise<LeadSource> {
    return this.sendRequest({ method: "POST", path: pathOf`/lead-sources`, json: body, takesKey: true }, options);
  }

  /**
   * Read a lead source.
   * Needs CALL_JOBS_READ.
   */
  get(id: string, options: RequestOptions = {}): Promise<LeadSource> {
    return this.sendRequest({ method: "GET", path: pathOf`/lead-sources/${id}` }, options);
  }

  /**
   * Change a lead source; sent fields are merged.
   * Needs CALL_JOBS_WRITE.
   */
  update(id: string, body: LeadSourceChange, query: LeadSourcesUpdateQuery = {}, options: RequestOptions = {}): Promise<LeadSource> {
    return this.sendRequest({ method: "PUT", path: pathOf`/lead-sources/${id}`, query, json: body }, options);
  }

  /**
   * Delete a lead source with its log for good; its calls stay.
   * Needs CALL_JOBS_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/lead-sources/${id}` }, options);
  }

  /**
   * Give a lead source another address, shown once; the one before ends.
   * Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  rotate(id: string, options: RequestOptions = {}): Promise<LeadSource> {
    return this.sendRequest({ method: "POST", path: pathOf`/lead-sources/${id}/rotate`, takesKey: true }, options);
  }

  /**
   * List what arrived at a lead source, newest first.
   * Kept for 30 days; of repeats and refusals, the newest thousand. Needs CALL_JOBS_READ.
   */
  deliveries(id: string, query: LeadSourcesDeliveriesQuery = {}, options: RequestOptions = {}): Pages<LeadDelivery, LeadDeliveryPage> {
    return this.readPages({ path: pathOf`/lead-sources/${id}/deliveries`, query }, options);
  }

  /**
   * Show who a delivery to a lead source would call.
   * Judges mapping, repeats and the rules of every dial; dials nobody and writes nothing. Needs CALL_JOBS_READ.
   */
  preview(id: string, body: LeadSample, options: RequestOptions = {}): Promise<LeadPreview> {
    return this.sendRequest({ method: "POST", path: pathOf`/lead-sources/${id}/preview`, json: body }, options);
  }

  /**
   * Show what a mapping reads from a sample.
   * Writes nothing. Needs CALL_JOBS_READ.
   */
  previewMapping(body: LeadMappingSample, options: RequestOptions = {}): Promise<LeadPreview> {
    return this.sendRequest({ method: "POST", path: pathOf`/lead-sources/preview`, json: body }, options);
  }
}
