import type { IDataObject, IExecuteFunctions, IHookFunctions, IHttpRequestOptions } from "n8n-workflow";

const API = "/api/external/v1";
const TIMEOUT_MS = 60_000;

/** A request to the API, by its path below /api/external/v1. */
export type ApiRequest = Pick<IHttpRequestOptions, "method" | "headers" | "qs" | "body"> & { path: string };

/** Sends a request with the node's credential, and returns the reply's body. */
export async function request(
  node: IExecuteFunctions | IHookFunctions,
  { path, ...options }: ApiRequest,
): Promise<IDataObject> {
  const { baseUrl } = await node.getCredentials("parleyApi");
  const url = `${String(baseUrl).replace(/\/+$/, "")}${API}${path}`;
  const reply: unknown = await node.helpers.httpRequestWithAuthentication.call(node, "parleyApi", {
    ...options,
    url,
    json: true,
    timeout: TIMEOUT_MS,
  });
  return (reply ?? {}) as IDataObject;
}
