/** A client of the API with the key of a workspace. */
export interface ApiClient {
  ask<Reply>(method: string, path: string, body?: object): Promise<Reply>;
  download(path: string): Promise<Uint8Array>;
}

/** Creates a client; replies other than 200 throw. */
export function createApiClient(url: string, apiKey: string): ApiClient {
  const request = async (method: string, path: string, body?: object): Promise<Response> => {
    const reply = await fetch(`${url}/api/external/v1${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  };
  return {
    ask: async <Reply>(method: string, path: string, body?: object) =>
      (await (await request(method, path, body)).json()) as Reply,
    download: async (path) => (await request("GET", path)).bytes(),
  };
}
