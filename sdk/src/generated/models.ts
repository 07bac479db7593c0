/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ConfiguredModel, ConfiguredModelChange, ConfiguredModelInput, ConfiguredModelPage, ModelCheck, ModelsListQuery, ModelsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource models of the client has. */
export class ModelsOperations extends Resource {
  /**
   * List configured models.
   * Needs FLOWS_READ.
   */
  list(query: ModelsListQuery = {}, options: RequestOptions = {}): Pages<ConfiguredModel, ConfiguredModelPage> {
    return this.readPages({ path: pathOf`/models`, query }, options);
  }

  /**
   * Configure a model.
   * Required: baseUrl and apiKey for AZURE_OPENAI, region and apiKey for AMAZON_BEDROCK. Its key is sealed at rest and masked when read. One of kind EMBEDDING has every knowledge base of the workspace searched by meaning too. Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: ConfiguredModelInput, options: RequestOptions = {}): Promise<ConfiguredModel> {
    return this.sendRequest({ method: "POST", path: pathOf`/models`, json: body, takesKey: true }, options);
  }

  /**
   * Read a configured model.
   * Needs FLOWS_READ.
   */
  get(modelId: string, options: RequestOptions = {}): Promise<ConfiguredModel> {
    return this.sendRequest({ method: "GET", path: pathOf`/models/${modelId}` }, options);
  }

  /**
   * Change a configured model; sent fields are merged.
   * Needs FLOWS_WRITE.
   */
  update(modelId: string, body: ConfiguredModelChange, query: ModelsUpdateQuery = {}, options: RequestOptions = {}): Promise<ConfiguredModel> {
    return this.sendRequest({ method: "PUT", path: pathOf`/models/${modelId}`, query, json: body }, options);
  }

  /**
   * Remove a configured model.
   * Needs FLOWS_WRITE.
   */
  delete(modelId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/models/${modelId}` }, options);
  }

  /**
   * Ask a configured model one question, to see that it answers.
   * Needs FLOWS_WRITE.
   */
  check(modelId: string, options: RequestOptions = {}): Promise<ModelCheck> {
    return this.sendRequest({ method: "POST", path: pathOf`/models/${modelId}/check` }, options);
  }
}
