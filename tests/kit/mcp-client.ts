import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { World } from "./world.ts";

/** Connects an MCP client with an API key; `query` belongs to the address, such as `?toolsets=all`. */
export async function connectMcp(world: World, apiKey: string, query = ""): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { "x-api-key": apiKey } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/api/mcp${query}`), { requestInit }));
  return client;
}

/** Calls a tool; `text` is that of its result, `data` its structured content. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { text: string }[];
  return { ...result, text: first?.text ?? "", data: (result.structuredContent ?? {}) as Record<string, unknown> };
}
