import { readFileSync } from "node:fs";
import pg from "pg";
import { findEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { percentileOf } from "./percentile.ts";
import { SupervisedServer } from "./supervised-server.ts";

interface Workspace {
  apiKey: string;
}

const TOMORROW = () => new Date(Date.now() + 86_400_000).toISOString();
const IDLE_ROUNDS = 200;
const IMPORT_DEADLINE_MS = 900_000;

/**
 * Posts large CSVs in one workspace and then large JSON lists, and watches another workspace's answers and the node's
 * lease meanwhile. Takes the number of `uploads` and of `rows` in each. Returns the faults: an answer of the quiet
 * workspace that was not 200, an expired lease, a lost upload, a failed live call.
 */
export async function soakUploads(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const uploads = options.get("uploads") ?? 16;
  const rows = options.get("rows") ?? 60_000;
  const server = await SupervisedServer.start({ LOG_LEVEL: "warn" });
  const client = new pg.Client(findEmbeddedPostgres(server.dataDir));
  await client.connect();
  try {
    const [busy, quiet] = [await makeWorkspace(server, "instant"), await makeWorkspace(server, 1)];
    const idle = new Watch(server, client, quiet);
    for (let i = 0; i < IDLE_ROUNDS; i++) await idle.look();
    print(`Idle: ${idle.describe()}`);

    const call = await ask(server, quiet, "POST", "/outbound/calls", { customerNumber: "+12025550100" });
    const during = new Watch(server, client, quiet);
    const faults = await during.watch(() => upload(server, busy, { uploads, rows, print }));
    print(`Meanwhile: ${during.describe()}`);
    faults.push(...during.faults());
    const row = await ask(server, quiet, "GET", `/call-rows/${String(call.body.rowId)}`);
    print(`The live call: ${String(row.body.status)}`);
    if (row.body.status === "FAILED") faults.push("the live call failed");
    return faults;
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Posts the CSVs, waits until they are imported, and posts the JSON lists. Returns the faults. */
async function upload(
  server: SupervisedServer,
  busy: Workspace,
  { uploads, rows, print }: { uploads: number; rows: number; print: (line: string) => void },
): Promise<string[]> {
  const begun = performance.now();
  const made = await Promise.all(Array.from({ length: uploads }, (_, i) => postCsv(server, busy, csvOf(rows, i))));
  print(`Posted after ${seconds(begun)} s: ${tally(made.map(({ status }) => status))}`);
  const faults = made.filter(({ status }) => status !== 200).map(({ status }) => `an upload was answered ${status}`);
  const ids = made.filter(({ status }) => status === 200).map(({ id }) => id);
  faults.push(...(await untilImported(server, busy, ids, rows)));
  print(`Imported after ${seconds(begun)} s.`);
  const lists = await Promise.all(Array.from({ length: uploads }, () => postList(server, busy)));
  print(`JSON lists of 18 MB: ${tally(lists)}; the server takes ${memoryOf(server.serverPid)} MB.`);
  faults.push(
    ...lists.filter((status) => ![200, 503].includes(status)).map((status) => `a list was answered ${status}`),
  );
  return faults;
}

/** Answers to a quiet workspace, and the time left of the lease. */
class Watch {
  readonly #server: SupervisedServer;
  readonly #client: pg.Client;
  readonly #quiet: Workspace;
  readonly #tookMs: number[] = [];
  readonly #statuses: number[] = [];
  #leastLeft = Number.POSITIVE_INFINITY;

  constructor(server: SupervisedServer, client: pg.Client, quiet: Workspace) {
    this.#server = server;
    this.#client = client;
    this.#quiet = quiet;
  }

  async look(): Promise<void> {
    const begun = performance.now();
    const status = await ask(this.#server, this.#quiet, "GET", "/tools").then(
      (reply) => reply.status,
      () => 0,
    );
    this.#tookMs.push(performance.now() - begun);
    this.#statuses.push(status);
    const { rows } = await this.#client.query<{ left: number }>(
      "select max(extract(epoch from alive_until - clock_timestamp()))::float8 as left from nodes",
    );
    this.#leastLeft = Math.min(this.#leastLeft, rows[0]?.left ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Looks again and again until the work has ended, also by an error, and returns what it returned. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    let isOver = false;
    const working = work().finally(() => (isOver = true));
    const looking = async () => {
      while (!isOver) await this.look();
    };
    const [result] = await Promise.all([working, looking()]);
    return result;
  }

  describe(): string {
    const at = (share: number) => percentileOf(this.#tookMs, share).toFixed(0);
    return `${tally(this.#statuses)}; p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1)} ms; the lease had ${this.#leastLeft.toFixed(1)} s left at least.`;
  }

  faults(): string[] {
    const refused = this.#statuses.filter((status) => status !== 200);
    return [
      ...(refused.length > 0 ? [`the quiet workspace was answered ${tally(refused)}`] : []),
      ...(this.#leastLeft <= 0 ? [`the lease ran out ${(-this.#leastLeft).toFixed(1)} s ago`] : []),
    ];
  }
}

async function makeWorkspace(server: SupervisedServer, sandboxSpeed: number | "instant"): Promise<Workspace> {
  const rateLimit = { capacity: 1e6, refill: 1e6, periodSeconds: 1 };
  const made = await server.operator("workspace.create", { name: "Uploads", sample: true, sandboxSpeed, rateLimit });
  return { apiKey: String(made.apiKey) };
}

async function ask(server: SupervisedServer, { apiKey }: Workspace, method: string, path: string, body?: object) {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, {
    method,
    headers: { "x-api-key": apiKey, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

function csvOf(rows: number, upload: number): string {
  const line = (_: unknown, i: number) => `+1415${2_000_000 + i},Person ${i} of ${upload}`;
  return `customerNumber,contactName\n${Array.from({ length: rows }, line).join("\n")}\n`;
}

async function postCsv(server: SupervisedServer, { apiKey }: Workspace, body: string) {
  try {
    const reply = await fetch(`${server.url}/api/external/v1/call-jobs?startAt=${TOMORROW()}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "text/csv" },
      body,
    });
    const { id } = (await reply.json()) as { id?: string };
    return { status: reply.status, id: String(id) };
  } catch {
    // The connection was closed without an answer.
    return { status: 0, id: "" };
  }
}

/** Posts one JSON list of 18 MB: few rows with much context each. */
async function postList(server: SupervisedServer, workspace: Workspace): Promise<number> {
  const contextData = { text: "x".repeat(1_000) };
  const rows = Array.from({ length: 17_500 }, (_, i) => ({ customerNumber: `+1415${3_000_000 + i}`, contextData }));
  const body = { rows, startAt: TOMORROW() };
  return ask(server, workspace, "POST", "/call-jobs", body).then(
    ({ status }) => status,
    // The connection was closed without an answer.
    () => 0,
  );
}

async function untilImported(
  server: SupervisedServer,
  busy: Workspace,
  ids: string[],
  rows: number,
): Promise<string[]> {
  const deadline = performance.now() + IMPORT_DEADLINE_MS;
  const faults: string[] = [];
  for (const id of ids) {
    for (;;) {
      const { body } = await ask(server, busy, "GET", `/call-jobs/${id}`);
      if (body.status !== "IMPORTING" && body.totalRows === rows) break;
      if (performance.now() > deadline || body.status === "FAILED") {
        faults.push(`an upload is ${String(body.status)} with ${String(body.totalRows)} rows`);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  return faults;
}

function tally(statuses: number[]): string {
  const counts = Object.groupBy(statuses, String);
  return Object.entries(counts)
    .map(([status, all]) => `${all?.length} x ${status}`)
    .join(", ");
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1_000).toFixed(1);
}

/** Returns the most memory that a process ever used, where the system says. */
function memoryOf(pid: number): string {
  try {
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return `at most ${Math.round(Number(peak) / 1_024)}`;
  } catch {
    return "unknown";
  }
}
