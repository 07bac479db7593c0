import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { CarrierProxy } from "../kit/carrier-proxy.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { type CheckedRow, checkLedger, highestConcurrency, readLedger } from "../kit/ledger-check.ts";
import { ServerProcess } from "../kit/server-process.ts";

/** CRASH_KILLS=110 is the long run; `npm run soak kills` kills other processes, too. */
const KILLS = Number(process.env.CRASH_KILLS ?? 24);
/** More than are over when the last kill strikes: some five to ten rows for each. */
const ROWS = 16 * KILLS;
const CONCURRENCY = 8;
const FROM = "+12025550190";

let folder: string;
let database: TestDatabase;
let exchange: Awaited<ReturnType<typeof serveSandboxExchange>>;
let proxy: CarrierProxy;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-crash-"));
  database = await createDatabase();
  // A faulty carrier besides: lost answers, 5xx after accepting, events twice, late, out of order and lost.
  const chaos = {
    seed: "crash",
    acceptThenTimeout: 0.02,
    errorAfterAccept: 0.05,
    duplicate: 0.1,
    reorder: 0.05,
    lose: 0.01,
  };
  exchange = await serveSandboxExchange({ port: 0, ledgerPath: join(folder, "ledger.jsonl"), fsync: true, chaos });
  proxy = await CarrierProxy.start(exchange.url);
  server = await ServerProcess.create({ DATABASE_URL: database.url, SANDBOX_CARRIER_URL: proxy.url });
});
afterAll(async () => {
  await server.stop();
  await proxy[Symbol.asyncDispose]();
  await exchange.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A small generator of its own, so that a run can be repeated by its seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The moments at which the server is killed, taken in turns. */
const MOMENTS = ["ANY TIME", "BEFORE THE DIAL IS SENT ON", "BETWEEN DIAL AND ITS ANSWER", "WHILE TALKING"] as const;

function armKill(moment: (typeof MOMENTS)[number], random: () => number): void {
  let countdown = 1 + Math.floor(random() * 12);
  const strike = () => {
    if (--countdown === 0) server.kill();
  };
  proxy.intercept = () => undefined;
  if (moment === "ANY TIME") {
    setTimeout(() => server.kill(), random() * 250);
    return;
  }
  const isDial = (method: string, path: string) => method === "POST" && path === "/calls";
  proxy.intercept = (method, path, when) => {
    if (moment === "WHILE TALKING" && when === "BEFORE" && path.endsWith("/say")) strike();
    if (moment === "BEFORE THE DIAL IS SENT ON" && when === "BEFORE" && isDial(method, path)) strike();
    if (moment === "BETWEEN DIAL AND ITS ANSWER" && when === "AFTER" && isDial(method, path)) strike();
  };
}

test(
  `killed at ${KILLS} moments of a job: nobody is rung twice for one attempt, no row is lost, none is stuck`,
  { timeout: 600_000 },
  async () => {
    await server.start();
    const sample = (await server.operator("workspace.create", {
      name: "Crash",
      sample: true,
      sandboxSpeed: "instant",
      rateLimit: { capacity: 1e6, refill: 1e6, periodSeconds: 1 },
    })) as { apiKey: string; phoneNumber: { id: string } };
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { "x-api-key": sample.apiKey, ...(body ? { "content-type": "application/json" } : {}) };
      const reply = await fetch(`${server.url}/api/external/v1${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await reply.json()) as Record<string, unknown>;
    };
    await ask("PUT", `/phone-numbers/${sample.phoneNumber.id}`, { maxConcurrentCalls: CONCURRENCY });
    const numbers = Array.from({ length: ROWS }, (_, i) => `+1415${2_000_000 + i}`);
    const job = await ask("POST", "/call-jobs", { rows: numbers.map((customerNumber) => ({ customerNumber })) });
    const isOver = async () =>
      (await database.query("select 1 from call_jobs where completed_at is not null")).length > 0;

    const random = createRandom(20_261_121);
    let killsBeforeEnd = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      if (!(await isOver())) killsBeforeEnd++;
      armKill(MOMENTS[kill % MOMENTS.length] as (typeof MOMENTS)[number], random);
      const lazy = setTimeout(() => server.kill(), 3_000);
      await server.gone;
      clearTimeout(lazy);
      proxy.intercept = () => undefined;
      await server.start();
    }
    for (const deadline = Date.now() + 120_000; !(await isOver()) && Date.now() < deadline;) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }

    const rows: CheckedRow[] = [];
    for (let cursor = ""; ;) {
      const page = await ask("GET", `/call-jobs/${String(job.id)}/rows?size=200${cursor && `&cursor=${cursor}`}`);
      rows.push(...(page.content as CheckedRow[]));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor as string;
    }
    const ledger = readLedger(join(folder, "ledger.jsonl"));
    expect(checkLedger(ledger, rows, numbers)).toEqual([]);
    expect(highestConcurrency(ledger, FROM)).toBeLessThanOrEqual(CONCURRENCY);
    const counts = await ask("GET", `/call-jobs/${String(job.id)}`);
    expect(counts).toMatchObject({ status: "COMPLETED", totalRows: ROWS, processedRows: ROWS });
    expect(Number(counts.successfulRows)).toBe(rows.filter((row) => row.status === "COMPLETED").length);
    expect(await database.query("select 1 from events where type = 'call_job.completed'")).toHaveLength(1);
    const [slots] = await database.query("select sum(active_calls)::int as held from phone_numbers");
    expect(slots).toEqual({ held: 0 });
    // The job must have been alive while it was shot at, or the kills proved nothing.
    expect(killsBeforeEnd).toBeGreaterThanOrEqual(0.9 * KILLS);
    const outcomes = Object.groupBy(rows, (row) => `${row.status} ${(row as unknown as { outcome: string }).outcome}`);
    console.log(Object.fromEntries(Object.entries(outcomes).map(([name, list]) => [name, list?.length])));
  },
);
