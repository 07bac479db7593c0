/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Connection, ConnectionChange, ConnectionInput, ConnectionProvider, ConnectionRemoval, ConnectionsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource connections of the client has. */
export class ConnectionsOperations extends Resource {
  /**
   * List the providers that connections may name.
   * Needs TOOLS_READ.
   */
  providers(options: RequestOptions = {}): Promise<ConnectionProvider[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/connection-providers` }, options);
  }

  /**
   * List connections.
   * Needs TOOLS_READ.
   */
  list(options: RequestOptions = {}): Promise<Connection[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/connections` }, options);
  }

  /**
   * Make a connection.
   * Required: clientId for OAUTH, apiKey for API_KEY. A person then signs in to an OAUTH one in the dashboard. Needs TOOLS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: ConnectionInput, options: RequestOptions = {}): Promise<Connection> {
    return this.sendRequest({ method: "POST", path: pathOf`/connections`, json: body, takesKey: true }, options);
  }

  /**
   * Read a connection.
   * Needs TOOLS_READ.
   */
  get(connectionId: string, options: RequestOptions = {}): Promise<Connection> {
    return this.sendRequest({ method: "GET", path: pathOf`/connections/${connectionId}` }, options);
  }

  /**
   * Change a connection; sent fields are merged.
   * A change of an address, or of clientId, ends the sign-in and needs the secret again. Needs TOOLS_WRITE.
   */
  update(connectionId: string, body: ConnectionChange, query: ConnectionsUpdateQuery = {}, options: RequestOptions = {}): Promise<Connection> {
    return this.sendRequest({ method: "PUT", path: pathOf`/connections/${connectionId}`, query, json: body }, options);
  }

  /**
   * Delete a connection and revoke its tokens.
   * Tools that name it fail from then on with CONNECTION_MISSING. Needs TOOLS_WRITE.
   */
  delete(connectionId: string, options: RequestOptions = {}): Promise<ConnectionRemoval> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/connections/${connectionId}` }, options);
  }
}
