import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { Installation } from "../kit/backup-harness.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { readLedger } from "../kit/ledger-check.ts";
import { ServerProcess } from "../kit/server-process.ts";

const ROWS = 32;
const CONCURRENCY = 8;
/** More than two polls of a server at rest. */
const WATCHED_MS = 3_000;

const folder = mkdtempSync(join(tmpdir(), "parley-backup-hold-"));
const ledger = join(folder, "ledger.jsonl");
let exchange: Awaited<ReturnType<typeof serveSandboxExchange>>;
let former: Installation;
let restored: Installation;

beforeAll(async () => {
  exchange = await serveSandboxExchange({ port: 0, ledgerPath: ledger });
  former = new Installation(await createDatabase());
  restored = new Installation(await createDatabase("template0"));
});
afterAll(async () => {
  await exchange.close();
  await former[Symbol.asyncDispose]();
  await restored[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const startServer = async ({ database }: Installation): Promise<ServerProcess> => {
  const server = await ServerProcess.create({ DATABASE_URL: database.url, SANDBOX_CARRIER_URL: exchange.url });
  await server.start();
  return server;
};

/** A row of the job as a database has it. */
interface Row {
  id: string;
  customer_number: string;
  status: string;
  attempts_made: number;
  lease_owner: string | null;
  attempt_id: string | null;
}

const readRows = (database: TestDatabase) =>
  database.query<Row>(
    "select id, customer_number, status, attempts_made, lease_owner, attempt_id from call_rows where job_id <> $1 order by id",
    ["00000000-0000-0000-0000-000000000000"],
  );

/** Waits until a database has what is asked for. */
async function until(database: TestDatabase, condition: string): Promise<void> {
  const ask = async () => (await database.query<{ ok: boolean }>(`select ${condition} as ok`))[0]?.ok === true;
  await vi.waitUntil(ask, { timeout: 200_000, interval: 20 });
}

const rings = () => readLedger(ledger, true).filter(({ event }) => event === "RING");

test(
  "a restored copy dials nobody until it is resumed, and then nobody whose call was under way",
  { timeout: 600_000 },
  async () => {
    const server = await startServer(former);
    const sample = (await server.operator("workspace.create", { name: "Hold", sample: true, sandboxSpeed: 50 })) as {
      apiKey: string;
      phoneNumber: { id: string };
    };
    const ask = async (url: string, method: string, path: string, body: object) => {
      const headers = { "x-api-key": sample.apiKey, "content-type": "application/json" };
      const reply = await fetch(`${url}/api/external/v1${path}`, { method, headers, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(await reply.text());
    };
    await ask(server.url, "PUT", `/phone-numbers/${sample.phoneNumber.id}`, { maxConcurrentCalls: CONCURRENCY });
    await ask(server.url, "POST", "/call-jobs", {
      rows: Array.from({ length: ROWS }, (_, i) => ({ customerNumber: `+1415${2_000_000 + i}` })),
      retryConfig: { maxAttempts: 1 },
    });
    await until(
      former.database,
      `(select count(*) > 4 from call_rows where ended_at is not null)
     and (select count(*) > 4 from call_attempts where ended_at is null and answered_at is not null)`,
    );

    // The server stands still, so that what the backup has is known. One dial is as it was just before the fence, which
    // is the state in which a node that died has certainly not dialled.
    server.kill("SIGSTOP");
    // Statements that it had sent before are still stored.
    await until(
      former.database,
      `not exists (select 1 from pg_stat_activity
         where datname = current_database() and application_name = 'parley' and state = 'active')`,
    );
    const atBackup = await readRows(former.database);
    const [claimed] = atBackup.filter(
      ({ lease_owner: owner, attempt_id: attempt }) => owner !== null && attempt !== null,
    );
    const setState = (state: string) =>
      former.database.query("update call_attempts set state = $1 where id = $2", [state, claimed?.attempt_id]);
    const [{ state } = { state: "" }] = await former.database.query<{ state: string }>(
      "select state from call_attempts where id = $1",
      [claimed?.attempt_id],
    );
    await setState("CLAIMED");
    const backup = join(folder, "backup");
    const made = await former.backup("create", backup);
    await setState(state);
    server.kill("SIGCONT");
    expect(made.code, made.err).toBe(0);
    // The former installation goes on, and dials everybody.
    await until(former.database, "exists (select 1 from call_jobs where completed_at is not null)");
    await server.stop();
    const rungBefore = rings();
    expect(new Set(rungBefore.map(({ to }) => to)).size).toBe(ROWS);

    expect((await restored.backup("restore", backup)).code).toBe(0);
    const copy = await startServer(restored);
    const ready = (await (await fetch(`${copy.url}/ready`)).json()) as { warnings: { code: string }[] };
    expect(ready.warnings.map(({ code }) => code)).toEqual(["HELD"]);
    await ask(copy.url, "POST", "/outbound/calls", { customerNumber: "+12025550100" });
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    expect(rings()).toEqual(rungBefore);
    expect(await readRows(restored.database)).toEqual(atBackup);

    expect((await restored.backup("resume")).out).toContain("Resumed");
    expect((await restored.backup("resume")).out).toContain("was not held");
    copy.kill();
    await copy.gone;
    await copy.start();
    await until(restored.database, "not exists (select 1 from call_rows where ended_at is null)");
    await copy.stop();
    const rungSince = new Set(
      rings()
        .slice(rungBefore.length)
        .map(({ to }) => to),
    );
    const waited = atBackup.filter(({ status }) => status === "QUEUED").map((row) => row.customer_number);
    expect(waited.length).toBeGreaterThan(0);
    expect([...rungSince].toSorted()).toEqual(["+12025550100", ...waited].toSorted());
    const under = atBackup.filter(({ lease_owner: owner }) => owner !== null).map(({ id }) => id);
    expect(under.length).toBeGreaterThan(3);
    for (const row of await readRows(restored.database)) {
      expect(row, JSON.stringify(row)).toMatchObject({ attempts_made: 1, lease_owner: null });
      expect(["COMPLETED", "FAILED", "UNCONFIRMED"], row.status).toContain(row.status);
    }
    const [slots] = await restored.database.query("select sum(active_calls)::int as held from phone_numbers");
    expect(slots).toEqual({ held: 0 });
  },
);
