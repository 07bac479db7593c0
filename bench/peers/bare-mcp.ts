import { createServer } from "node:http";
import { createMcpHandler, type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";

/**
 * The peer of the MCP server: the protocol library's low-level server on node:http, with the list and the one result
 * that were handed to it. No credential, no limit, no check of Host or Origin, no database.
 */
const [port, given] = process.argv.slice(2);
const { tools, result } = (await (await fetch(given as string)).json()) as { tools: Tool[]; result: CallToolResult };
const list = { tools, ttlMs: 300_000, cacheScope: "private" as const };
const handler = createMcpHandler(() => {
  const server = new Server({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => list);
  server.setRequestHandler("tools/call", () => result);
  return server;
});

createServer((incoming, outgoing) => {
  if (incoming.url === "/ready") return void outgoing.end();
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", async () => {
    const body = Buffer.concat(chunks).toString("utf8");
    const headers = incoming.headers as Record<string, string>;
    const request = new Request(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
    const response = await handler.fetch(request, { parsedBody: JSON.parse(body) as unknown });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  });
}).listen(Number(port), "127.0.0.1");
