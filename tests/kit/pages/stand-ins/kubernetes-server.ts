import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** A pod, as far as it matters here. */
export interface Pod {
  spec: { containers: { args?: string[]; envFrom?: { secretRef: { name: string } }[] }[] };
}

const VERBS = ["create", "delete", "get", "list", "watch"];
const resource = (name: string, kind: string) => ({ name, singularName: "", namespaced: true, kind, verbs: VERBS });

/** Lists of the resources there are, by the path at which a client reads them. */
const DISCOVERY: Record<string, object> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [resource("pods", "Pod"), resource("secrets", "Secret")],
  },
};

/** Takes the pods and Secrets that kubectl creates, and answers as the API server of Kubernetes does. */
export class KubernetesServer {
  readonly pods: Pod[] = [];
  readonly http = createServer((request, response) => void this.#answer(request, response));

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", "http://x");
    const discovered = request.method === "GET" ? DISCOVERY[pathname] : undefined;
    if (discovered) return reply(response, 200, discovered);
    const [, kind] = /^\/api\/v1\/namespaces\/default\/(pods|secrets)$/.exec(pathname) ?? [];
    if (request.method !== "POST" || !kind)
      return reply(response, 404, {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "NotFound",
        code: 404,
      });
    const made = await buffer(request);
    if (kind === "pods") this.pods.push(JSON.parse(made.toString()) as Pod);
    // What is created is answered as it was sent: pods as JSON, Secrets in the client's binary form.
    response.writeHead(201, { "content-type": request.headers["content-type"] }).end(made);
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
