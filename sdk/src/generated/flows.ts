/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Flow, FlowChange, FlowChangePage, FlowDocument, FlowDocumentInput, FlowDraft, FlowEditing, FlowImport, FlowInput, FlowPage, FlowPrompt, FlowPublication, FlowRestoration, FlowSplits, FlowSplitsInput, FlowSuccess, FlowSuccessInput, FlowTemplate, FlowVersion, FlowVersionEntry, FlowVersionPage, FlowVersionResult, FlowsApplied, FlowsChangesQuery, FlowsExportQuery, FlowsListQuery, FlowsPromptQuery, FlowsPublishQuery, FlowsStageFunnelQuery, FlowsToApply, FlowsUpdateDraftQuery, FlowsUpdateQuery, FlowsVersionResultsQuery, FlowsVersionsQuery, InlineFlow, ListedFlowTemplate, NewFlow, StageFunnel } from "./shapes.ts";

/** Operations of the API that the resource flows of the client has. */
export class FlowsOperations extends Resource {
  /**
   * List flows.
   * Needs FLOWS_READ.
   */
  list(query: FlowsListQuery = {}, options: RequestOptions = {}): Pages<Flow, FlowPage> {
    return this.readPages({ path: pathOf`/flows`, query }, options);
  }

  /**
   * Create a flow.
   * Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: NewFlow, options: RequestOptions = {}): Promise<Flow> {
    return this.sendRequest({ method: "POST", path: pathOf`/flows`, json: body, takesKey: true }, options);
  }

  /**
   * Read a flow.
   * Needs FLOWS_READ.
   */
  get(flowId: string, options: RequestOptions = {}): Promise<Flow> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}` }, options);
  }

  /**
   * Change a flow.
   * Only fields in the body change; each is replaced as a whole; null clears it; id, userId, version and timestamps are ignored. What comes out is published at once as the next version, and ends a split. Needs FLOWS_WRITE.
   */
  update(flowId: string, body: FlowInput, query: FlowsUpdateQuery = {}, options: RequestOptions = {}): Promise<Flow> {
    return this.sendRequest({ method: "PUT", path: pathOf`/flows/${flowId}`, query, json: body }, options);
  }

  /**
   * Delete a flow for good.
   * Needs FLOWS_WRITE.
   */
  delete(flowId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/flows/${flowId}` }, options);
  }

  /**
   * List who changed each flow last, and the drafts.
   * Needs FLOWS_READ.
   */
  changes(query: FlowsChangesQuery = {}, options: RequestOptions = {}): Pages<FlowChange, FlowChangePage> {
    return this.readPages({ path: pathOf`/flows/changes`, query }, options);
  }

  /**
   * Read a flow with its draft and shares.
   * Needs FLOWS_READ.
   */
  editing(flowId: string, options: RequestOptions = {}): Promise<FlowEditing> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/editing` }, options);
  }

  /**
   * Read a flow's draft.
   * Needs FLOWS_READ.
   */
  getDraft(flowId: string, options: RequestOptions = {}): Promise<FlowDraft> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/draft` }, options);
  }

  /**
   * Change a flow's draft, or begin one.
   * Only fields in the body change; each is replaced as a whole; null clears it. No call uses a draft. For ifUpdatedAt a flow without a draft counts with its own updatedAt. apiId is the flow's own and belongs to no draft. Needs FLOWS_WRITE.
   */
  updateDraft(flowId: string, body: InlineFlow, query: FlowsUpdateDraftQuery = {}, options: RequestOptions = {}): Promise<FlowDraft> {
    return this.sendRequest({ method: "PUT", path: pathOf`/flows/${flowId}/draft`, query, json: body }, options);
  }

  /**
   * Throw a flow's draft away.
   * Needs FLOWS_WRITE.
   */
  deleteDraft(flowId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/flows/${flowId}/draft` }, options);
  }

  /**
   * Publish a flow's draft as its next version.
   * 409 when there is no draft, or when another version was published since it began. 422 UNKNOWN_VARIABLES when a template names a variable that nothing declares: send acceptUnknownVariables: true where rowData brings it. Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  publish(flowId: string, body: FlowPublication, query: FlowsPublishQuery = {}, options: RequestOptions = {}): Promise<Flow> {
    return this.sendRequest({ method: "POST", path: pathOf`/flows/${flowId}/publish`, query, json: body, takesKey: true }, options);
  }

  /**
   * List the published versions of a flow, newest first.
   * Needs FLOWS_READ.
   */
  versions(flowId: string, query: FlowsVersionsQuery = {}, options: RequestOptions = {}): Pages<FlowVersionEntry, FlowVersionPage> {
    return this.readPages({ path: pathOf`/flows/${flowId}/versions`, query }, options);
  }

  /**
   * Compare what came of the calls of each version.
   * Needs FLOWS_READ.
   */
  versionResults(flowId: string, query: FlowsVersionResultsQuery = {}, options: RequestOptions = {}): Promise<FlowVersionResult[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/versions/results`, query }, options);
  }

  /**
   * Read a published version of a flow.
   * Needs FLOWS_READ.
   */
  getVersion(flowId: string, version: string, options: RequestOptions = {}): Promise<FlowVersion> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/versions/${version}` }, options);
  }

  /**
   * Publish an earlier version of a flow again.
   * What it said becomes a new version, which every new session takes. A draft stays as it is. Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  restoreVersion(flowId: string, version: string, body: FlowRestoration, options: RequestOptions = {}): Promise<Flow> {
    return this.sendRequest({ method: "POST", path: pathOf`/flows/${flowId}/versions/${version}/restore`, json: body, takesKey: true }, options);
  }

  /**
   * Read the system prompt that a flow's sessions give to their model.
   * Rendered with the defaults of the flow's variables, without a contact, by the clock of the workspace's time zone. In a flow with stages, the prompt of the current stage is added to it. Needs FLOWS_READ.
   */
  prompt(flowId: string, query: FlowsPromptQuery = {}, options: RequestOptions = {}): Promise<FlowPrompt> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/prompt`, query }, options);
  }

  /**
   * Count how sessions went through the stages of a flow.
   * Of calls and chats that have ended. Default: the published version, the last 30 days; at most 92 days, and the newest 200,000 visits. Needs FLOWS_READ.
   */
  stageFunnel(flowId: string, query: FlowsStageFunnelQuery = {}, options: RequestOptions = {}): Promise<StageFunnel> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/stage-funnel`, query }, options);
  }

  /**
   * Read which versions of a flow new sessions take.
   * Needs FLOWS_READ.
   */
  getSplit(flowId: string, options: RequestOptions = {}): Promise<FlowSplits> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/split` }, options);
  }

  /**
   * Share new sessions out over versions of a flow by percent.
   * The percents add up to 100; null or an empty list gives every session the published version, as does the next publication. Needs FLOWS_WRITE.
   */
  updateSplit(flowId: string, body: FlowSplitsInput, options: RequestOptions = {}): Promise<FlowSplits> {
    return this.sendRequest({ method: "PUT", path: pathOf`/flows/${flowId}/split`, json: body }, options);
  }

  /**
   * Read what counts as a success of a flow.
   * Needs FLOWS_READ.
   */
  getSuccess(flowId: string, options: RequestOptions = {}): Promise<FlowSuccess> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/success` }, options);
  }

  /**
   * Change what counts as a success of a flow.
   * Holds for all versions; the calls there are so far are counted anew within minutes. Needs FLOWS_WRITE.
   */
  updateSuccess(flowId: string, body: FlowSuccessInput, options: RequestOptions = {}): Promise<FlowSuccess> {
    return this.sendRequest({ method: "PUT", path: pathOf`/flows/${flowId}/success`, json: body }, options);
  }

  /**
   * Export a flow with its tools and structured outputs as one document.
   * Header values that carry credentials are left out and listed. Also needs TOOLS_READ and STRUCTURED_OUTPUTS_READ when the flow names any. Needs FLOWS_READ.
   */
  export(flowId: string, query: FlowsExportQuery = {}, options: RequestOptions = {}): Promise<FlowDocument> {
    return this.sendRequest({ method: "GET", path: pathOf`/flows/${flowId}/export`, query }, options);
  }

  /**
   * Make a flow, its tools and structured outputs from an exported document.
   * Required: format, formatVersion, flow. All or nothing, with new ids. Also needs TOOLS_WRITE and STRUCTURED_OUTPUTS_WRITE when the document holds any. Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  import(body: FlowDocumentInput, options: RequestOptions = {}): Promise<FlowImport> {
    return this.sendRequest({ method: "POST", path: pathOf`/flows/import`, json: body, takesKey: true }, options);
  }

  /**
   * Make flows, tools and structured outputs equal to files.
   * All or nothing. apiId names a flow, and the id a tool or an output; those that the workspace does not have are made. A field that is left out is cleared, a masked secret stays as it is stored, and what is equal gets no new version. Needs FLOWS_WRITE, TOOLS_WRITE and STRUCTURED_OUTPUTS_WRITE for what the body holds. Needs FLOWS_WRITE or TOOLS_WRITE or STRUCTURED_OUTPUTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  apply(body: FlowsToApply, options: RequestOptions = {}): Promise<FlowsApplied> {
    return this.sendRequest({ method: "POST", path: pathOf`/flows/apply`, json: body, takesKey: true }, options);
  }

  /**
   * List the flows to start from.
   * Needs FLOWS_READ.
   */
  templates(options: RequestOptions = {}): Promise<ListedFlowTemplate[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/flow-templates` }, options);
  }

  /**
   * Read a flow to start from, with its test suite.
   * Needs FLOWS_READ.
   */
  template(name: string, options: RequestOptions = {}): Promise<FlowTemplate> {
    return this.sendRequest({ method: "GET", path: pathOf`/flow-templates/${name}` }, options);
  }
}
