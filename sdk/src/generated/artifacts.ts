/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Artifact } from "./shapes.ts";

/** Operations of the API that the resource artifacts of the client has. */
export class ArtifactsOperations extends Resource {
  /**
   * Read an artifact.
   * Needs REPORTS_READ.
   */
  get(id: string, options: RequestOptions = {}): Promise<Artifact> {
    return this.sendRequest({ method: "GET", path: pathOf`/artifacts/${id}` }, options);
  }

  /**
   * Download an artifact's bytes.
   * With the artifact's own type, as an attachment. No script in it can run, wherever it is shown. Needs REPORTS_READ.
   */
  content(id: string, options: RequestOptions = {}): Promise<Response> {
    return this.sendRequest({ method: "GET", path: pathOf`/artifacts/${id}/content`, answer: "RAW" }, options);
  }
}
