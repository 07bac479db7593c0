/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ArtifactPage, ArtifactSummary, Automation, AutomationChange, AutomationInput, AutomationPage, AutomationRun, AutomationRunPage, AutomationsArtifactsQuery, AutomationsListQuery, AutomationsRunQuery, AutomationsRunsQuery, AutomationsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource automations of the client has. */
export class AutomationsOperations extends Resource {
  /**
   * List automations, newest first.
   * Needs REPORTS_READ.
   */
  list(query: AutomationsListQuery = {}, options: RequestOptions = {}): Pages<Automation, AutomationPage> {
    return this.readPages({ path: pathOf`/automations`, query }, options);
  }

  /**
   * Create an automation.
   * Required: schedule for DAILY_DIGEST. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: AutomationInput, options: RequestOptions = {}): Promise<Automation> {
    return this.sendRequest({ method: "POST", path: pathOf`/automations`, json: body, takesKey: true }, options);
  }

  /**
   * Read an automation.
   * Needs REPORTS_READ.
   */
  get(automationId: string, options: RequestOptions = {}): Promise<Automation> {
    return this.sendRequest({ method: "GET", path: pathOf`/automations/${automationId}` }, options);
  }

  /**
   * Change an automation; sent fields are merged.
   * Needs CALL_JOBS_WRITE.
   */
  update(automationId: string, body: AutomationChange, query: AutomationsUpdateQuery = {}, options: RequestOptions = {}): Promise<Automation> {
    return this.sendRequest({ method: "PUT", path: pathOf`/automations/${automationId}`, query, json: body }, options);
  }

  /**
   * Delete an automation, its runs and its artifacts for good.
   * Needs CALL_JOBS_WRITE.
   */
  delete(automationId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/automations/${automationId}` }, options);
  }

  /**
   * Run an automation now.
   * Answers with the queued run; its artifacts appear when it is COMPLETED. A digest covers the time since the last scheduled one, and the next scheduled one covers it again. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  run(automationId: string, query: AutomationsRunQuery = {}, options: RequestOptions = {}): Promise<AutomationRun> {
    return this.sendRequest({ method: "POST", path: pathOf`/automations/${automationId}/run`, query, takesKey: true }, options);
  }

  /**
   * List the runs of an automation, newest first.
   * An ended run and its artifacts are deleted after 400 days, or as many as the operator set (ARTIFACT_RETENTION_DAYS). Needs REPORTS_READ.
   */
  runs(automationId: string, query: AutomationsRunsQuery = {}, options: RequestOptions = {}): Pages<AutomationRun, AutomationRunPage> {
    return this.readPages({ path: pathOf`/automations/${automationId}/runs`, query }, options);
  }

  /**
   * List the artifacts of an automation, newest first.
   * An ended run and its artifacts are deleted after 400 days, or as many as the operator set (ARTIFACT_RETENTION_DAYS). Needs REPORTS_READ.
   */
  artifacts(automationId: string, query: AutomationsArtifactsQuery = {}, options: RequestOptions = {}): Pages<ArtifactSummary, ArtifactPage> {
    return this.readPages({ path: pathOf`/automations/${automationId}/artifacts`, query }, options);
  }
}
