import { createServer } from "node:http";
import autocannon from "autocannon";
import { cpuSeconds, runProcess, startServer, stop, waitUntil } from "./server-process.ts";

const CONNECTIONS = 16;
const SECONDS = 4;
const ROUNDS = 3;
const GOAL_RATIO = 0.5;
const GIVEN_PORT = 18_184;

/** Headers and metadata that a client of each protocol era sends with a message, as its specification requires. */
const ERAS = {
  "2026-07-28": {
    headers: (method: string, name?: string) => ({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name ? { "mcp-name": name } : {}),
    }),
    meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
  "2025-11-25": { headers: () => ({ "mcp-protocol-version": "2025-11-25" }), meta: undefined },
};
type Era = keyof typeof ERAS;

interface Message {
  headers: Record<string, string>;
  body: string;
}

function message(era: Era, method: string, params: Record<string, unknown> = {}): Message {
  const { headers, meta } = ERAS[era];
  const content = { jsonrpc: "2.0", id: 1, method, params: { ...params, ...(meta ? { _meta: meta } : {}) } };
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers(method, params.name as string | undefined),
    },
    body: JSON.stringify(content),
  };
}

/**
 * Measures tools/list and a cheap tools/call, beside the protocol library alone with the same list and the same bytes.
 */
export async function benchMcp(print: (line: string) => void): Promise<void> {
  print(
    `MCP: messages per server-CPU-second, ${CONNECTIONS} connections, ${SECONDS} s a round, best of ${ROUNDS} rounds each, taken in turns.`,
  );
  print(
    "Ours: credential, token bucket, Host and Origin, then for tools/call get_flow the whole REST request in process. Peer: the library's low-level server on node:http, which answers the same list and the same result from memory.",
  );
  const server = await startServer(18_182);
  const mcpUrl = `${server.url}/api/mcp`;
  const call = { name: "get_flow", arguments: { flowId: server.flowId } };
  const ask = (method: string, params?: Record<string, unknown>) =>
    post(mcpUrl, message("2026-07-28", method, params), server.apiKey);
  const given = { ...(await ask("tools/list")), result: await ask("tools/call", call) };
  const giver = createServer((_request, reply) => reply.end(JSON.stringify(given))).listen(GIVEN_PORT, "127.0.0.1");
  const peer = runProcess(["bench/peers/bare-mcp.ts", "18183", `http://127.0.0.1:${GIVEN_PORT}`], {});
  try {
    await waitUntil("http://127.0.0.1:18183/ready");
    for (const era of Object.keys(ERAS) as Era[]) {
      for (const sent of [message(era, "tools/list"), message(era, "tools/call", call)]) {
        await compare(
          print,
          era,
          sent,
          [mcpUrl, server.pid, server.apiKey],
          ["http://127.0.0.1:18183", peer.pid ?? 0, ""],
        );
      }
    }
  } finally {
    giver.close();
    await stop(peer);
    await server.close();
  }
}

type Target = [url: string, pid: number, apiKey: string];

async function compare(print: (line: string) => void, era: Era, sent: Message, ours: Target, peer: Target) {
  let bestOurs = 0;
  let bestPeer = 0;
  for (let round = 0; round < ROUNDS; round++) {
    bestPeer = Math.max(bestPeer, await measure(sent, peer));
    bestOurs = Math.max(bestOurs, await measure(sent, ours));
  }
  const { method } = JSON.parse(sent.body) as { method: string };
  print(
    `  ${era} ${method.padEnd(10)} Parley ${bestOurs.toFixed(0).padStart(5)}   library alone ${bestPeer.toFixed(0).padStart(5)}   ratio ${(bestOurs / bestPeer).toFixed(2)} (goal ${GOAL_RATIO})`,
  );
}

async function measure({ headers, body }: Message, [url, pid, apiKey]: Target): Promise<number> {
  const options = { url, method: "POST", headers: { ...headers, "x-api-key": apiKey }, body } as const;
  await autocannon({ ...options, connections: CONNECTIONS, duration: 2 });
  const before = cpuSeconds(pid);
  const result = await autocannon({ ...options, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx.`);
  return result.requests.total / (cpuSeconds(pid) - before);
}

async function post(url: string, { headers, body }: Message, apiKey: string): Promise<Record<string, unknown>> {
  const reply = await fetch(url, { method: "POST", headers: { ...headers, "x-api-key": apiKey }, body });
  const { result } = (await reply.json()) as { result: Record<string, unknown> };
  return result;
}
