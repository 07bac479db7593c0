import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimStatement, claimTasks } from "#src/platform/queue/store.ts";
import { setUpOwner } from "../kit/console-harness.ts";
import { Receiver } from "../kit/receiver.ts";
import { SecondNode } from "../kit/second-node.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

/** A receiver that takes requests and never answers. */
class HangingReceiver implements AsyncDisposable {
  readonly open: ServerResponse[] = [];
  readonly #server: Server = createServer((_request, response) => void this.open.push(response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function until(done: () => Promise<boolean> | boolean): Promise<void> {
  for (let i = 0; i < 3_000; i++) {
    if (await done()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("It did not come to that.");
}

async function subscribe(sample: Sample, url: string): Promise<string> {
  const body = { url, events: ["session.ended"] };
  const reply = await world.request("POST", "/session-webhooks", { key: sample.apiKey, body });
  expect(reply.status, reply.text).toBe(200);
  return String(reply.body.id);
}

async function call(sample: Sample, people: number): Promise<void> {
  const rows = Array.from({ length: people }, (_, i) => ({
    customerNumber: `+1${[202, 212, 213][Math.floor(i / 100)]}555${String(100 + (i % 100)).padStart(4, "0")}`,
  }));
  const body = { rows, flowId: sample.flow.id, retryConfig: { maxAttempts: 1 } };
  const reply = await world.request("POST", "/call-jobs", { key: sample.apiKey, body });
  expect(reply.status, reply.text).toBe(200);
}

const count = async (where: string, values: unknown[]) => {
  const text = `select count(*)::int as count from tasks where kind = 'session.event' and ${where}`;
  const [found] = await world.database.query<{ count: number }>(text, values);
  return found?.count ?? -1;
};

describe("the outbox", () => {
  test("delivers a quiet workspace's event while another's 150 receivers all hang", async () => {
    const [noisy, quiet] = [await world.createWorkspace(), await world.createWorkspace()];
    const hanging = Array.from({ length: 5 }, () => new HangingReceiver());
    await using receiver = await Receiver.start();
    try {
      for (const each of hanging) await subscribe(noisy, await each.listen());
      await subscribe(quiet, receiver.url);
      await call(noisy, 30);
      // All 150 events wait or hang, and as many hang as may.
      await until(async () => (await count("workspace_id = $1", [noisy.workspaceId])) === 150);
      await until(() => hanging.reduce((sum, each) => sum + each.open.length, 0) >= 16);
      await call(quiet, 1);
      await receiver.waitFor(1, 14_000);
      // None of the noisy ones has ended: the quiet one did not have to wait for any.
      expect(await count("workspace_id = $1 and (status = 'DONE' or attempt > 1)", [noisy.workspaceId])).toBe(0);
      const running = await count("workspace_id = $1 and status = 'RUNNING'", [noisy.workspaceId]);
      expect(running).toBeLessThanOrEqual(16);
    } finally {
      for (const each of hanging) await each[Symbol.asyncDispose]();
    }
  });

  test("claims in turn by workspace and reads little of a long queue", async () => {
    const samples = [await world.createWorkspace(), await world.createWorkspace()];
    const [long, short] = samples.map(({ workspaceId }) => workspaceId);
    await world.database.query(
      `insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
       select gen_random_uuid(), w.id, 'test.fair', gen_random_uuid(), '{}', now() - make_interval(secs => w.age)
         from (values ($1::uuid, 100000, 3600), ($2::uuid, 2, 1)) w(id, n, age) cross join lateral generate_series(1, w.n)`,
      [long, short],
    );
    await world.database.query("analyze tasks");
    await using second = await SecondNode.join(world);
    const client = await second.database.pool.connect();
    try {
      await client.query("begin");
      const limits = { free: 8, perWorkspace: 5, perEndpoint: 5 };
      const statement = claimStatement(["test.fair", "test.other"]);
      const taken = await claimTasks(client, second.node.id, statement, limits);
      const of = (id: string | undefined) => taken.filter((task) => task.workspace_id === id).length;
      expect([of(long), of(short)]).toEqual([5, 2]);
      const again = await claimTasks(client, second.node.id, statement, limits);
      expect(again).toEqual([]);
      const read = await client.query<{ read: number }>(
        `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
           from pg_stat_xact_user_tables where relname = 'tasks'`,
      );
      expect(read.rows[0]?.read).toBeLessThan(200);
    } finally {
      await client.query("rollback");
      client.release();
    }
  });
});

describe("code of tools", () => {
  test("of one workspace that never ends holds up another's single run by none of those that wait", async () => {
    const owner = await setUpOwner(world);
    const runOf = async (sample: Sample, code: string) => {
      const body = { name: "t", description: "A test.", toolType: "CODE", executionPlan: [{ type: "CODE", code }] };
      const made = await world.request("POST", "/tools", { key: sample.apiKey, body });
      expect(made.status, made.text).toBe(201);
      return () => owner.ask("POST", `/workspaces/${sample.workspaceId}/tools/${String(made.body.id)}/run`, {});
    };
    const runNoisy = await runOf(await world.createWorkspace(), "for (;;) {}");
    const runQuiet = await runOf(await world.createWorkspace(), "return 6 * 7");
    let over = 0;
    const noisy = Array.from({ length: 8 }, () => runNoisy().then(({ body }) => (over++, body)));
    // All eight are there: the first of them is over.
    await until(() => over > 0);
    const overBefore = over;
    expect((await runQuiet()).body).toMatchObject({ outcome: "VALUE", content: "42" });
    expect(over - overBefore).toBeLessThanOrEqual(3);
    // By the interpreter's limit or, on a slow machine, by the tool's own while it waits.
    for (const end of await Promise.all(noisy)) expect(end).toMatchObject({ outcome: "FAILED" });
  });
});

describe("a receiver that has failed for a while", () => {
  /** Starts a receiver of the workspace that is known to have failed for so long, and rests. */
  async function startResting(sample: Sample, failingFor: string, restsFor: string): Promise<Receiver> {
    const receiver = await Receiver.start();
    await subscribe(sample, receiver.url);
    await world.database.query(
      `insert into webhook_receivers (workspace_id, endpoint, failures, failing_since, rests_until)
       values ($1, $2, 10, now() - $3::interval, now() + $4::interval)`,
      [sample.workspaceId, new URL(receiver.url).host, failingFor, restsFor],
    );
    return receiver;
  }

  test("is asked by one delivery a minute, uses up no attempt of the others, and has everything once it is back", async () => {
    const sample = await world.createWorkspace();
    await using receiver = await startResting(sample, "5 minutes", "1 minute");
    const of = [sample.workspaceId];
    await call(sample, 3);
    // They wait for a minute at least, say why, and nothing was tried.
    const putOff =
      "workspace_id = $1 and status = 'PENDING' and attempt = 0 and due_at > now() + interval '50 seconds'";
    await until(async () => (await count(`${putOff} and last_error like 'Not sent yet%'`, of)) === 3);
    expect(receiver.received).toHaveLength(0);
    expect(await world.database.query("select 1 from webhook_attempts where workspace_id = $1", of)).toEqual([]);
    // Its rest is over and one of them is due: its answer ends the rest, and the others are not waited for any longer.
    await world.database.query("update webhook_receivers set rests_until = now() where workspace_id = $1", of);
    await world.database.query(
      "update tasks set due_at = now() where id = (select id from tasks where workspace_id = $1 and kind = 'session.event' limit 1)",
      of,
    );
    await receiver.waitFor(3);
    await until(async () => (await count("workspace_id = $1 and status = 'DONE' and attempt = 1", of)) === 3);
    expect(await world.database.query("select 1 from webhook_receivers where workspace_id = $1", of)).toEqual([]);
    expect(receiver.received.map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "1", "1"]);
  });

  test("that takes nothing for four days loses what waited so long, and nothing younger", async () => {
    const sample = await world.createWorkspace();
    await using receiver = await startResting(sample, "5 days", "1 hour");
    const of = [sample.workspaceId];
    await call(sample, 2);
    await until(async () => (await count("workspace_id = $1 and last_error like 'Not sent yet%'", of)) === 2);
    await world.database.query(
      `update tasks set due_at = now(), created_at = now() - interval '97 hours'
        where id = (select id from tasks where workspace_id = $1 and kind = 'session.event' limit 1)`,
      of,
    );
    await until(
      async () => (await count("workspace_id = $1 and status = 'DEAD' and last_error like 'Given up%'", of)) === 1,
    );
    expect(await count("workspace_id = $1 and status = 'PENDING'", of)).toBe(1);
    expect(receiver.received).toHaveLength(0);
  });
});
