/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Agent, AgentChange, AgentInput, AgentPage, AgentsListQuery, AgentsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource agents of the client has. */
export class AgentsOperations extends Resource {
  /**
   * List agents.
   * Needs AGENTS_READ.
   */
  list(query: AgentsListQuery = {}, options: RequestOptions = {}): Pages<Agent, AgentPage> {
    return this.readPages({ path: pathOf`/agents`, query }, options);
  }

  /**
   * Create an agent.
   * Needs AGENTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: AgentInput, options: RequestOptions = {}): Promise<Agent> {
    return this.sendRequest({ method: "POST", path: pathOf`/agents`, json: body, takesKey: true }, options);
  }

  /**
   * Read an agent.
   * Needs AGENTS_READ.
   */
  get(agentId: string, options: RequestOptions = {}): Promise<Agent> {
    return this.sendRequest({ method: "GET", path: pathOf`/agents/${agentId}` }, options);
  }

  /**
   * Change an agent; sent fields are merged.
   * Needs AGENTS_WRITE.
   */
  update(agentId: string, body: AgentChange, query: AgentsUpdateQuery = {}, options: RequestOptions = {}): Promise<Agent> {
    return this.sendRequest({ method: "PUT", path: pathOf`/agents/${agentId}`, query, json: body }, options);
  }

  /**
   * Delete an agent and its knowledge base for good.
   * Needs AGENTS_WRITE.
   */
  delete(agentId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/agents/${agentId}` }, options);
  }
}
