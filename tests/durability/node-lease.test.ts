import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { claimRows, reapRows } from "#src/interactions/dispatch/claim.ts";
import { openInstallation } from "#src/interactions/dispatch/installation.ts";
import { Node } from "#src/interactions/dispatch/node.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/* Leases of nodes: who is who, and what a lease that ran out does. */

let world: World;
let folder: string;
beforeAll(async () => {
  world = await World.start();
  folder = mkdtempSync(join(tmpdir(), "parley-lease-"));
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface NodeRow {
  id: string;
  name: string;
  is_alive: boolean;
}

const readNodes = () => world.database.query<NodeRow>("select id, name, alive_until > now() as is_alive from nodes");
const isAlive = async (id: string) => (await readNodes()).find((row) => row.id === id)?.is_alive ?? false;

/** Waits until a node has another id, and gives what it said meanwhile. */
async function untilRejoined(second: SecondNode, former: string): Promise<string> {
  await expect.poll(() => second.node.id, { timeout: 15_000 }).not.toBe(former);
  return second.logged.join("\n");
}

test("the id of an installation is a file, written once, that its owner alone reads", () => {
  const path = join(folder, "node-id");
  const { id } = openInstallation(folder);
  expect(openInstallation(folder).id).toBe(id);
  expect(readFileSync(path, "utf8").trim()).toBe(id);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a process that starts again ends the lease of the one before it, and of nobody else", async () => {
  await using other = await SecondNode.join(world);
  const installation = openInstallation(folder);
  const first = new Node(other.database, installation, other.log);
  await first.join();
  // It has run for days, as nodes do.
  await world.database.query("update nodes set started_at = now() - interval '2 days' where id = $1", [first.id]);
  const again = new Node(other.database, openInstallation(folder), other.log);
  await again.join();
  expect(await isAlive(first.id)).toBe(false);
  expect(await isAlive(again.id)).toBe(true);
  expect(await isAlive(other.node.id)).toBe(true);
  // The first one still runs: it notices, and becomes another installation.
  await expect.poll(() => isAlive(first.id), { timeout: 15_000 }).toBe(true);
  expect(await isAlive(again.id)).toBe(true);
  const names = (await readNodes()).filter((row) => [first.id, again.id].includes(row.id)).map((row) => row.name);
  expect(new Set(names).size).toBe(2);
  await Promise.all([first.leave(), again.leave()]);
});

test("two living processes with copies of one folder become two installations, and neither ends the other's lease", async () => {
  await using other = await SecondNode.join(world);
  const copy = mkdtempSync(join(tmpdir(), "parley-copy-"));
  const original = new Node(other.database, openInstallation(folder), other.log);
  await original.join();
  const { id } = original;
  cpSync(join(folder, "node-id"), join(copy, "node-id"));
  const copied = openInstallation(copy);
  const twin = new Node(other.database, copied, other.log);
  await twin.join();
  expect(await isAlive(id)).toBe(true);
  expect(await isAlive(twin.id)).toBe(true);
  expect(copied.id).not.toBe(openInstallation(folder).id);
  expect(openInstallation(copy).id).toBe(copied.id);
  expect(other.logged.join("\n")).toContain("DATA_DIR was copied");
  expect(original.id).toBe(id);
  await Promise.all([original.leave(), twin.leave()]);
  rmSync(copy, { recursive: true, force: true });
});

test("a lease that ran out is not revived: the process goes on as another node and keeps what nobody took over", async () => {
  // Nobody else may take its rows over.
  await using world = await World.start({ roles: ["api"] });
  await using second = await SecondNode.join(world);
  const [mine, taken] = await hold(second, world);
  const carried: string[][] = [];
  second.node.serve({ heldRows: () => [mine, taken], onRejoined: (rows) => carried.push([...rows]) });
  const { id } = second.node;
  // The lease runs out, and one of the rows is taken over before the node notices.
  const thief = "00000000-0000-7000-8000-000000000000";
  await world.database.query("update call_rows set lease_owner = $2 where id = $1", [taken, thief]);
  await world.database.query("insert into nodes (id, name, alive_until) values ($1, 'thief', 'infinity')", [thief]);
  await world.database.query("update nodes set alive_until = now() - interval '1 ms' where id = $1", [id]);
  const said = await untilRejoined(second, id);
  expect(said).toContain("did not write its heartbeat in time");
  expect(carried).toEqual([[mine]]);
  const alive = await world.database.query<{ id: string }>("select id from nodes where alive_until > now()");
  expect(alive.map((row) => row.id)).toEqual(expect.arrayContaining([second.node.id]));
  expect(alive.map((row) => row.id)).not.toContain(id);
  const owners = await world.database.query<{ id: string; lease_owner: string }>(
    "select id, lease_owner from call_rows where id = any ($1)",
    [[mine, taken]],
  );
  expect(new Map(owners.map((row) => [row.id, row.lease_owner]))).toEqual(
    new Map([
      [mine, second.node.id],
      [taken, thief],
    ]),
  );
});

test("after a long outage, the first node that is back leaves the others time to come back with their calls", async () => {
  await using world = await World.start({ roles: ["api"] });
  await using first = await SecondNode.join(world);
  const [rowId] = await hold(first, world);
  // It is the call of a node whose lease ran out long ago, because the database was away.
  const away = "00000000-0000-7000-8000-000000000002";
  const query = `insert into nodes (id, name, alive_until, started_at)
                 values ($1, 'away', now() - interval '1 minute', now() - interval '2 days')`;
  await world.database.query(query, [away]);
  await world.database.query("update call_rows set lease_owner = $2 where id = $1", [rowId, away]);
  const { pool } = first.database;
  expect(await reapRows(pool, first.node.id, [])).toEqual([]);
  // So does one that starts only then.
  await using next = await SecondNode.join(world);
  expect(await reapRows(pool, next.node.id, [])).toEqual([]);
  // It has been back for longer than the others may take.
  await world.database.query("update nodes set started_at = now() - interval '11 seconds' where id = $1", [
    first.node.id,
  ]);
  expect((await reapRows(pool, first.node.id, [])).map(({ id }) => id)).toContain(rowId);
});

test("of two processes that beat for one node, one goes on as another node and leaves the other's lease alone", async () => {
  await using second = await SecondNode.join(world);
  const { id } = second.node;
  const beat = "00000000-0000-7000-8000-000000000001";
  await world.database.query("update nodes set beat = $2, alive_until = now() + interval '1 hour' where id = $1", [
    id,
    beat,
  ]);
  const said = await untilRejoined(second, id);
  expect(said).toContain("the machine was copied while it ran");
  expect(await isAlive(id)).toBe(true);
  expect(await isAlive(second.node.id)).toBe(true);
  await world.database.query("delete from nodes where id = $1", [id]);
});

test("an outage of the database, however long, is not taken for another process", async () => {
  await using other = await SecondNode.join(world);
  const { pool } = other.database;
  const place = mkdtempSync(join(tmpdir(), "parley-outage-"));
  const { id: name } = openInstallation(place);
  let isAway = false;
  const query = async (...given: [never]) => {
    if (isAway) throw new Error("the database is away");
    return pool.query(...given);
  };
  const database = { ...other.database, pool: { query, connect: () => pool.connect() } } as never;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const node = new Node(database, openInstallation(place), other.log);
  const beat = async () => {
    vi.advanceTimersByTime(2_500);
    await node.settledId();
  };
  await node.join();
  const { id } = node;
  isAway = true;
  for (let i = 0; i < 30; i++) await beat();
  await world.database.query("update nodes set alive_until = now() - interval '1 ms' where id = $1", [id]);
  isAway = false;
  await beat();
  vi.useRealTimers();
  expect(node.id).not.toBe(id);
  expect(other.logged.join("\n")).toContain("did not write its heartbeat in time");
  expect(openInstallation(place).id).toBe(name);
  await node.leave();
  rmSync(place, { recursive: true, force: true });
});

test("a server whose lease somebody ended says so while it has none, and dials again by itself", async () => {
  const [before] = (await readNodes()).filter((row) => row.is_alive);
  await world.database.query("update nodes set alive_until = '-infinity' where alive_until > now()");
  await expect
    .poll(async () => (await readNodes()).some((row) => row.is_alive && row.id !== before?.id), { timeout: 15_000 })
    .toBe(true);
  await expect.poll(async () => (await fetch(`${world.url}/ready`)).status, { timeout: 10_000 }).toBe(200);
  const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber: "+12025550100" } });
  const row = await world.until(`/call-rows/${String(placed.body.rowId)}`, (body) => body.endedAt !== null);
  expect(row).toMatchObject({ status: "COMPLETED" });
});

test("a call that was claimed and never left is dialled at once when its node dies, without having used up its attempt", async () => {
  await using second = await SecondNode.join(world);
  const [rowId] = await hold(second);
  await second.node.leave();
  const row = await world.until(`/call-rows/${rowId}`, (body) => body.endedAt !== null);
  expect(row).toMatchObject({ attempt: 1 });
  expect((row.attempts as { state: string }[]).map(({ state }) => state)).toEqual(["ABSENT", "ENDED"]);
});

/** Two rows that a node holds, each with an attempt that was claimed. */
async function hold(second: SecondNode, on = world): Promise<[string, string]> {
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const rows = [1, 2].map(() => ({ customerNumber: `+1415555${Math.floor(Math.random() * 9_000 + 1_000)}` }));
  // Whether they answer is up to their digits.
  const body = { rows, startAt, retryConfig: { maxAttempts: 1 } };
  const job = (await on.request("POST", "/call-jobs", { body })).body;
  // In one transaction: the server's own loop must not be quicker.
  const client = await second.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("update call_jobs set status = 'RUNNING' where id = $1", [job.id]);
    await client.query("update lanes set is_open = true, next_look_at = '-infinity' where job_id = $1", [job.id]);
    await client.query("update call_rows set due_at = now() - interval '1 day' where job_id = $1", [job.id]);
    const claimed = await claimRows(client as never, second.node.id, 2, 2);
    await client.query("commit");
    return claimed.map((row) => row.id) as [string, string];
  } finally {
    client.release();
  }
}
