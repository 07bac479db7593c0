/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { StructuredOutput, StructuredOutputChange, StructuredOutputInput, StructuredOutputsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource structuredOutputs of the client has. */
export class StructuredOutputsOperations extends Resource {
  /**
   * List structured outputs.
   * Needs STRUCTURED_OUTPUTS_READ.
   */
  list(options: RequestOptions = {}): Promise<StructuredOutput[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/structured-outputs` }, options);
  }

  /**
   * Create a structured output.
   * Needs STRUCTURED_OUTPUTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: StructuredOutputInput, options: RequestOptions = {}): Promise<StructuredOutput> {
    return this.sendRequest({ method: "POST", path: pathOf`/structured-outputs`, json: body, takesKey: true }, options);
  }

  /**
   * Change a structured output; sent fields are merged.
   * Needs STRUCTURED_OUTPUTS_WRITE.
   */
  update(id: string, body: StructuredOutputChange, query: StructuredOutputsUpdateQuery = {}, options: RequestOptions = {}): Promise<StructuredOutput> {
    return this.sendRequest({ method: "PUT", path: pathOf`/structured-outputs/${id}`, query, json: body }, options);
  }

  /**
   * Delete a structured output for good.
   * Needs STRUCTURED_OUTPUTS_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/structured-outputs/${id}` }, options);
  }
}
