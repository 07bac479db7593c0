/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ListedToolPack, ToolPack, ToolPackInstallation, ToolPackInstallationInput } from "./shapes.ts";

/** Operations of the API that the resource toolPacks of the client has. */
export class ToolPacksOperations extends Resource {
  /**
   * List the tool packs.
   * Needs TOOLS_READ.
   */
  list(options: RequestOptions = {}): Promise<ListedToolPack[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/tool-packs` }, options);
  }

  /**
   * Read a tool pack with its tools.
   * Needs TOOLS_READ.
   */
  get(name: string, options: RequestOptions = {}): Promise<ToolPack> {
    return this.sendRequest({ method: "GET", path: pathOf`/tool-packs/${name}` }, options);
  }

  /**
   * Make a pack's tools for a connection.
   * Tools that an earlier installation made are brought up to date and keep their ids. Needs TOOLS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  install(name: string, body: ToolPackInstallationInput, options: RequestOptions = {}): Promise<ToolPackInstallation> {
    return this.sendRequest({ method: "POST", path: pathOf`/tool-packs/${name}/install`, json: body, takesKey: true }, options);
  }
}
