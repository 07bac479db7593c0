import { mkdtempSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApp } from "#src/app/app.ts";
import { readConfig } from "#src/platform/config/config.ts";
import { openDatabases } from "#src/platform/db/databases.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { createLog, type LogLine } from "#src/platform/kernel/log.ts";
import { createDatabase } from "../kit/database.ts";
import { freePort } from "../kit/free-port.ts";
import { World } from "../kit/world.ts";

test("connections cut under load: answers stay 2xx or 503, and a job still completes with every row", async () => {
  await using world = await World.start({ env: { LOG_LEVEL: "silent" } });
  const rows = Array.from({ length: 600 }, (_, i) => ({ customerNumber: `+1415${5_000_000 + i}` }));
  const created = await world.request("POST", "/call-jobs", { body: { rows } });
  expect(created.status).toBe(200);
  const statuses = new Set<number>();
  for (let round = 0; round < 15; round++) {
    await world.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley'",
    );
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.request("GET", "/flows")));
    for (const reply of replies) {
      statuses.add(reply.status);
      expect(reply.headers.get("x-ratelimit-limit")).not.toBeNull();
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const job = await world.until(`/call-jobs/${String(created.body.id)}`, (body) => body.completedAt !== null, 55_000);
  expect(job).toMatchObject({ totalRows: 600, processedRows: 600 });
  const twice = await world.database.query(
    "select row_id, number from call_attempts where ringing_at is not null group by 1, 2 having count(*) > 1",
  );
  expect(twice).toEqual([]);
  expect(await world.database.query("select 1 from events where type = 'call_job.completed'")).toHaveLength(1);
});

test("a server that is not the primary any more is unavailable: 503 with Retry-After, until writes work again", async () => {
  await using world = await World.start({ env: { LOG_LEVEL: "silent" } });
  const name = new URL(world.database.url).pathname.slice(1);
  const demote = async (isReadOnly: boolean) => {
    await world.database.query(
      `alter database ${name} set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`,
    );
    await world.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  };
  const place = () => world.request("POST", "/outbound/calls", { body: { customerNumber: "+14155550100" } });
  await demote(true);
  const replies = await Promise.all(Array.from({ length: 5 }, place));
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(503));
  for (const { headers } of replies) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  // The session that made it read-only is itself free to write.
  await world.database.query("set default_transaction_read_only = off");
  await demote(false);
  await expect.poll(async () => (await place()).status).toBe(200);
});

/** A way to the tests' PostgreSQL. */
interface Route {
  url: string;
  /** Lets all connections of now pass nothing any more, and closes none. */
  silence(): void;
  /** Closes all connections, and refuses new ones. */
  close(): void;
  open(): Promise<void>;
}

/** Forwards a port to the tests' PostgreSQL. */
async function openRoute(url: string): Promise<Route> {
  const { hostname, port, searchParams } = new URL(url);
  const [folder, number] = [searchParams.get("host"), Number(port || searchParams.get("port") || 5432)];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = folder ? connect(join(folder, `.s.PGSQL.${number}`)) : connect(number, hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.pipe(to);
    }
  });
  const own = new URL(url);
  own.search = "";
  own.host = `127.0.0.1:${await freePort()}`;
  const open = () => new Promise<void>((resolve) => server.listen(Number(own.port), "127.0.0.1", resolve));
  await open();
  return {
    url: own.href,
    open,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("connections that were lost without a word are broken once the database answers the heartbeat again", async () => {
  const database = await createDatabase();
  const route = await openRoute(database.url);
  const databases = openDatabases(
    { connectionString: route.url },
    { onIdleError: () => undefined, onAnswer: () => undefined },
    300,
  );
  try {
    const ask = (name: "dispatch" | "requests") => databases[name].pool.query("select 1");
    const heartbeat = { text: "select 1", query_timeout: 200 };
    const beat = () => databases.lease.pool.query(heartbeat);
    await Promise.all([beat(), ask("dispatch"), ask("requests"), ask("requests")]);
    route.silence();
    const lost = [ask("dispatch"), ask("requests")].map((answer) => expect(answer).rejects.toThrow(/terminated/));
    await expect(beat()).rejects.toThrow("timeout");
    // Opened since, so it is not one of them, however long its statement takes.
    const long = databases.dispatch.pool.query("select pg_sleep(1)");
    await beat();
    await Promise.all(lost);
    await long;
    // An idle one that was lost may be handed out once more in the moment in which it is broken.
    await expect.poll(() => ask("requests")).toBeDefined();
    await ask("dispatch");
  } finally {
    route.close();
    await databases.close();
    await database.drop();
  }
});

test("an outage is one line when it begins and one when it is over, which counts the others", async () => {
  const database = await createDatabase();
  const route = await openRoute(database.url);
  const lines: LogLine[] = [];
  const log = createLog("info", (line) => void lines.push(JSON.parse(line) as LogLine));
  const dataDir = mkdtempSync(join(tmpdir(), "parley-outage-"));
  const env = { PORT: String(await freePort()), DATA_DIR: dataDir, DATABASE_URL: route.url };
  const app = await startApp(readConfig(env), log);
  try {
    route.close();
    await sleep(6_000);
    await route.open();
    const isOver = () => lines.filter(({ message }) => message === "The database can be reached again.");
    await expect.poll(isOver, { timeout: 60_000 }).toHaveLength(1);
    const ofIt = lines.filter(({ error }) => /ECONNREFUSED|Connection terminated/.test(String(error)));
    expect(ofIt).toHaveLength(1);
    const leftOut = Object.values(isOver()[0]?.leftOut as Record<string, number>);
    expect(leftOut.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
  } finally {
    await app.close();
    route.close();
    await database.drop();
  }
});
