import { once } from "node:events";
import { createWriteStream, openAsBlob, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import pg from "pg";
import { measureTree, parentOf } from "./process-tree.ts";
import { type BenchServer, startServer } from "./server-process.ts";

const NUMBERS = 100;
const DEFAULT_ROWS = 1_000_000;
const SAMPLE_MS = 250;
const NAMES = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov", "Ken Thompson"];
const HEADER = "customerNumber,contactName,contactEmail,city,appointment,notes";

/**
 * Measures the import of a CSV of a million rows (`--rows=N`) with six columns: from the first byte of the upload until
 * the job runs, and until the names can be searched. Peer: PostgreSQL's own COPY of the same lines into a table that
 * has a primary key and nothing else.
 */
export async function benchImport(print: (line: string) => void): Promise<void> {
  const rows = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_ROWS);
  const path = join(tmpdir(), `parley-import-${process.pid}.csv`);
  await writeList(path, rows);
  print(
    `Import: one CSV of ${rows} rows, ${HEADER.split(",").length} columns, ${(statSync(path).size / 1e6).toFixed(0)} MB, ${NUMBERS} phone numbers; it starts tomorrow, so that nothing is dialled. CPU of the server and of PostgreSQL by /proc, memory as PSS.`,
  );
  const server = await startServer(18_086);
  const client = new pg.Client(server.database);
  try {
    await client.connect();
    await measure(server, client, { path, rows }, print);
    await copyBare(client, path, rows, print);
  } finally {
    await client.end();
    await server.close();
    rmSync(path, { force: true });
  }
}

interface List {
  path: string;
  rows: number;
}

async function measure(
  server: BenchServer,
  client: pg.Client,
  { path, rows }: List,
  print: (line: string) => void,
): Promise<void> {
  const { rows: found } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = parentOf(found[0]?.pid ?? 0);
  const fromPhoneNumbers = await addNumbers(server);
  const idle = measureTree(server.pid, postmaster).megabytes;
  const before = { node: measureTree(server.pid, postmaster), postgres: measureTree(postmaster) };
  const probe = new Probe(server);
  const startedAt = performance.now();
  const form = new FormData();
  const startAt = new Date(Date.now() + 86_400_000).toISOString();
  form.set("payload", JSON.stringify({ flowId: server.flowId, fromPhoneNumbers, startAt }));
  form.set("file", await openAsBlob(path), "list.csv");
  const reply = await fetch(`${server.url}/api/external/v1/call-jobs`, {
    method: "POST",
    headers: { "x-api-key": server.apiKey },
    body: form,
  });
  if (!reply.ok) throw new Error(await reply.text());
  const { id } = (await reply.json()) as { id: string };
  const answeredSeconds = (performance.now() - startedAt) / 1_000;
  let most = 0;
  for (;;) {
    most = Math.max(most, measureTree(server.pid, postmaster).megabytes);
    const { rows: jobs } = await client.query<{ status: string; total_rows: number }>(
      "select status, total_rows from call_jobs where id = $1",
      [id],
    );
    if (jobs[0]?.status !== "IMPORTING") {
      if (jobs[0]?.total_rows !== rows) throw new Error(`${jobs[0]?.total_rows} rows were imported.`);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = { node: measureTree(server.pid, postmaster), postgres: measureTree(postmaster) };
  const perRow = (of: "node" | "postgres") =>
    (((after[of].cpuSeconds - before[of].cpuSeconds) / rows) * 1e6).toFixed(1);
  print(
    `  ${(rows / seconds).toFixed(0)} rows/s (goal 60000): ${seconds.toFixed(1)} s, of it ${answeredSeconds.toFixed(1)} s until the upload was answered; CPU a row: ${perRow("node")} us Node, ${perRow("postgres")} us PostgreSQL`,
  );
  print(`  Node's memory: ${idle.toFixed(0)} MB before, at most ${most.toFixed(0)} MB (goal 150 MB more)`);
  print(`  GET /flows meanwhile, every 10 ms: ${await probe.stop()}`);
}

/**
 * Sends a request of the same workspace again and again, as somebody who looks at the job. An import makes room for the
 * requests of other workspaces, which is another matter (`npm run soak neighbours`).
 */
class Probe {
  readonly #latencies: number[] = [];
  #isStopping = false;
  readonly #loop: Promise<void>;

  constructor(server: BenchServer) {
    this.#loop = this.#run(server);
  }

  async stop(): Promise<string> {
    this.#isStopping = true;
    await this.#loop;
    const sorted = this.#latencies.sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
    return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms (${sorted.length} requests)`;
  }

  async #run({ url, apiKey }: BenchServer): Promise<void> {
    while (!this.#isStopping) {
      const startedAt = performance.now();
      // A server that is being stopped answers no more.
      const reply = await fetch(`${url}/api/external/v1/flows?size=1`, { headers: { "x-api-key": apiKey } }).catch(
        () => undefined,
      );
      if (!reply) return;
      await reply.arrayBuffer();
      this.#latencies.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

async function addNumbers(server: BenchServer): Promise<string[]> {
  const numbers = Array.from(
    { length: NUMBERS },
    (_, i) => `${i % 2 === 0 ? "+4420794601" : "+612555001"}${String(i >> 1).padStart(2, "0")}`,
  );
  for (const phoneNumber of numbers) {
    const reply = await fetch(`${server.url}/api/external/v1/phone-numbers`, {
      method: "POST",
      headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ provider: "SANDBOX", phoneNumber, maxConcurrentCalls: 10 }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }
  return numbers;
}

async function writeList(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${HEADER}\n`);
  for (let start = 0; start < rows; start += 10_000) {
    let text = "";
    for (let i = start; i < Math.min(rows, start + 10_000); i++) {
      text += `+1${2_122_000_000 + ((i * 7_919) % 9_000_000)},${NAMES[i % NAMES.length] ?? ""} ${i % 1_000},person${i}@example.com,Springfield,2026-12-0${1 + (i % 9)} 10:30,"Bring form ${i}, please"\n`;
    }
    if (!file.write(text)) await once(file, "drain");
  }
  file.end();
  await finished(file);
}

/** Has PostgreSQL read the file itself: what a database of this machine can take, with nothing checked. */
async function copyBare(client: pg.Client, path: string, rows: number, print: (line: string) => void): Promise<void> {
  const columns = HEADER.split(",").map((name) => `"${name}" text`);
  await client.query(`create table bare (id bigint generated always as identity primary key, ${columns.join(", ")})`);
  const names = HEADER.split(",").map((name) => `"${name}"`);
  const startedAt = performance.now();
  await client.query(`copy bare (${names.join(", ")}) from program 'cat ${path}' with (format csv, header true)`);
  const seconds = (performance.now() - startedAt) / 1_000;
  print(`  Peer, COPY in PostgreSQL itself, unchecked, into a bare table: ${(rows / seconds).toFixed(0)} rows/s`);
}
