import { createServer } from "node:http";
import { constants, setPriority } from "node:os";
import { Agent, request } from "undici";

/** Credential of a noisy workspace. */
interface Noisy {
  apiKey: string;
}

/**
 * LISTEN opens receivers that hang, and answers their port; FLOOD sends requests at full rate; UPLOAD posts CSVs; COUNT
 * answers the counts.
 */
export type NoiseOrder =
  | { kind: "LISTEN" }
  | { kind: "FLOOD"; url: string; noisy: Noisy[]; connections: number }
  | { kind: "UPLOAD"; url: string; noisy: Noisy[]; uploads: number; rows: number }
  | { kind: "COUNT" };
export interface NoiseAnswer {
  port: number;
  answers: Record<string, number>;
  uploads: Record<string, number>;
  /** Requests that the hanging receivers hold. */
  hanging: number;
}

const READS = ["/flows", "/tools", "/phone-numbers", "/call-history?size=20", "/call-jobs?size=20"];
const answers: Record<string, number> = {};
const uploaded: Record<string, number> = {};
let hanging = 0;
let port = 0;

// In production the load comes from another machine: it must not take the processor from the server under test.
setPriority(constants.priority.PRIORITY_LOW);

// The parent process may be killed.
process.on("disconnect", () => process.exit());
process.on("message", async (order: NoiseOrder) => {
  if (order.kind === "LISTEN") port = await listen();
  if (order.kind === "FLOOD") flood(order);
  if (order.kind === "UPLOAD") for (let i = 0; i < order.uploads; i++) void upload(order, i);
  const answer: NoiseAnswer = { port, answers, uploads: uploaded, hanging };
  process.send?.(answer);
});

/** Listens on every address of the loopback network, so that each is a receiver of its own. */
function listen(): Promise<number> {
  const server = createServer((_request, response) => {
    hanging++;
    response.once("close", () => hanging--);
  });
  return new Promise((resolve) => {
    server.listen(0, "0.0.0.0", () => resolve((server.address() as { port: number }).port));
  });
}

/** Sends the next request on each connection as soon as the last one is answered. */
function flood({ url, noisy, connections }: Extract<NoiseOrder, { kind: "FLOOD" }>): void {
  const agent = new Agent({ connections, pipelining: 1 });
  const loop = async (i: number) => {
    const { apiKey } = noisy[i % noisy.length] as Noisy;
    for (let turn = i; ; turn++) {
      const path = READS[turn % READS.length] as string;
      const status = await request(`${url}/api/external/v1${path}`, {
        dispatcher: agent,
        headers: { "x-api-key": apiKey },
      }).then(
        async (reply) => (await reply.body.dump(), reply.statusCode),
        () => 0,
      );
      count(answers, status);
    }
  };
  for (let i = 0; i < connections; i++) void loop(i);
}

async function upload({ url, noisy, rows }: Extract<NoiseOrder, { kind: "UPLOAD" }>, i: number): Promise<void> {
  const { apiKey } = noisy[i % noisy.length] as Noisy;
  const startAt = new Date(Date.now() + 86_400_000).toISOString();
  const lines = Array.from({ length: rows }, (_, line) => `+1415${2_000_000 + line},Person ${line} of ${i}`);
  const status = await request(`${url}/api/external/v1/call-jobs?startAt=${startAt}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "text/csv" },
    body: `customerNumber,contactName\n${lines.join("\n")}\n`,
  }).then(
    async (reply) => (await reply.body.dump(), reply.statusCode),
    () => 0,
  );
  count(uploaded, status);
}

function count(counts: Record<string, number>, status: number): void {
  counts[status] = (counts[status] ?? 0) + 1;
}
