/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ToolDefinition, ToolDefinitionInput, ToolTask, ToolTaskAnswer, ToolsAnswerTaskReply } from "./shapes.ts";

/** Operations of the API that the resource tools of the client has. */
export class ToolsOperations extends Resource {
  /**
   * List the workspace's tools and the system tools.
   * Needs TOOLS_READ.
   */
  list(options: RequestOptions = {}): Promise<ToolDefinition[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/tools` }, options);
  }

  /**
   * Create a tool.
   * Required: name, description, toolType; apiUrl and apiMethod for API, apiUrl for MCP, forwardCallConfig.destination for FORWARD_CALL, executionPlan for CODE. Needs TOOLS_WRITE.
   * Takes X-Service-Ai-Origin in the headers of the options.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: ToolDefinitionInput, options: RequestOptions = {}): Promise<ToolDefinition> {
    return this.sendRequest({ method: "POST", path: pathOf`/tools`, json: body, takesKey: true }, options);
  }

  /**
   * Read a tool.
   * Needs TOOLS_READ.
   */
  get(toolId: string, options: RequestOptions = {}): Promise<ToolDefinition> {
    return this.sendRequest({ method: "GET", path: pathOf`/tools/${toolId}` }, options);
  }

  /**
   * Change a tool; sent fields are merged.
   * Each sent field replaces the stored one as a whole; null clears an optional one. System tools cannot be changed. Needs TOOLS_WRITE.
   * Takes X-Service-Ai-Origin, If-Match in the headers of the options.
   */
  update(toolId: string, body: ToolDefinitionInput, options: RequestOptions = {}): Promise<ToolDefinition> {
    return this.sendRequest({ method: "PUT", path: pathOf`/tools/${toolId}`, json: body }, options);
  }

  /**
   * Delete a tool for good.
   * Needs TOOLS_WRITE.
   */
  delete(toolId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/tools/${toolId}` }, options);
  }

  /**
   * Read an async tool task.
   * Needs TOOLS_READ.
   */
  getTask(toolTaskId: string, options: RequestOptions = {}): Promise<ToolTask> {
    return this.sendRequest({ method: "GET", path: pathOf`/tool-tasks/${toolTaskId}` }, options);
  }

  /**
   * Answer an async tool task.
   * Takes the task's secret (X-Tool-Secret or body.secret) or the token of an OAuth client, which needs no permission. The task is named by body.toolTaskId or X-Tool-Task-Id. 401 for a wrong secret, 404 for an unknown task, 409 for one that has ended.
   * Takes X-Tool-Task-Id, X-Tool-Secret in the headers of the options.
   */
  answerTask(body?: ToolTaskAnswer, options: RequestOptions = {}): Promise<ToolsAnswerTaskReply> {
    return this.sendRequest({ method: "POST", path: "/api/webhooks/async-tool-task/response", json: body }, options);
  }
}
