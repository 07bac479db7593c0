import autocannon from "autocannon";
import { cpuSeconds, runProcess, startServer, stop, waitUntil } from "./server-process.ts";

const CONNECTIONS = 32;
const SECONDS = 6;
const ROUNDS = 3;
const GOAL_RATIO = 0.5;

interface Figure {
  perSecond: number;
  p50: number;
  p99: number;
  perCpuSecond: number;
}

/** One flow read over HTTP: credential, token bucket, permission, validation and read, beside bare Fastify. */
export async function benchRequestPath(print: (line: string) => void): Promise<void> {
  print(
    `Request path: GET one flow, ${CONNECTIONS} connections, ${SECONDS} s a round, best of ${ROUNDS} rounds each, taken in turns.`,
  );
  print(
    "Ours: credential, token bucket, permission, path validation, read. Peer: Fastify with the same named read and nothing else.",
  );
  const server = await startServer(18_080);
  const peer = runProcess(["bench/peers/bare-fastify.ts", JSON.stringify(server.database), "18081"], {});
  try {
    await waitUntil("http://127.0.0.1:18081/ready");
    const peerUrl = `http://127.0.0.1:18081/flows/${server.workspaceId}/${server.flowId}`;
    const ourUrl = `${server.url}/api/external/v1/flows/${server.flowId}`;
    const best: Record<"ours" | "peer", Figure | undefined> = { ours: undefined, peer: undefined };
    for (let round = 0; round < ROUNDS; round++) {
      best.peer = better(best.peer, await measure(peerUrl, {}, peer.pid as number));
      best.ours = better(best.ours, await measure(ourUrl, { "x-api-key": server.apiKey }, server.pid));
    }
    report(print, best.ours as Figure, best.peer as Figure);
  } finally {
    await stop(peer);
    await server.close();
  }
}

async function measure(url: string, headers: Record<string, string>, pid: number): Promise<Figure> {
  await autocannon({ url, headers, connections: CONNECTIONS, duration: 1 });
  const before = cpuSeconds(pid);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url} were not 2xx.`);
  const cpu = cpuSeconds(pid) - before;
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    perCpuSecond: cpu > 0 ? result.requests.total / cpu : Number.NaN,
  };
}

function better(a: Figure | undefined, b: Figure): Figure {
  return a === undefined || b.perSecond > a.perSecond ? b : a;
}

function report(print: (line: string) => void, ours: Figure, peer: Figure): void {
  const row = (name: string, figure: Figure) =>
    print(
      `  ${name.padEnd(14)} ${figure.perSecond.toFixed(0).padStart(6)} req/s   p50 ${figure.p50} ms   p99 ${figure.p99} ms   ${figure.perCpuSecond.toFixed(0)} req/server-CPU-s`,
    );
  row("Parley", ours);
  row("bare Fastify", peer);
  print(
    `  ratio ${(ours.perSecond / peer.perSecond).toFixed(2)} (goal ${GOAL_RATIO}), p99 ${(ours.p99 / Math.max(1, peer.p99)).toFixed(1)} times the peer's (goal 3)`,
  );
}
