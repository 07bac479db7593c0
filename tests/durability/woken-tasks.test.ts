import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { claimStatement, claimTasks } from "#src/platform/queue/store.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/** A busy machine may be slow. */
const PATIENT = { timeout: 20_000 };
const DAY_MS = 86_400_000;

test("a wake-up looks for all pools at once, and claims for those alone that have something due", async () => {
  // The world has no role that runs tasks.
  await using world = await World.start({ roles: ["api"] });
  await using second = await SecondNode.join(world);
  const { database, node, log } = second;
  const queries = vi.spyOn(database.pool, "query");
  const claims = () =>
    queries.mock.calls
      .map(([query]) => (query as unknown as { name?: string }).name ?? "")
      .filter((name) => name.startsWith("claim-tasks"));
  const done: string[] = [];
  const end: TaskHandler = ({ id }) => {
    done.push(id);
    return Promise.resolve({ kind: "DONE" });
  };
  const kinds = Array.from({ length: 6 }, (_, i) => `test.kind_${i}`);
  const pools = kinds.map((kind) => ({ handlers: new Map([[kind, end]]), slots: 4, perWorkspace: 4 }));
  const lookout = new TaskLookout(database, node, pools, log);
  second.onClose(() => lookout.stop(0));
  const add = (dueAt: Date) =>
    addTask(database.db, world.sample.workspaceId, {
      kind: "test.kind_3",
      subjectId: randomUUID(),
      payload: {},
      dueAt,
    });
  lookout.start();

  for (let i = 0; i < 10; i++) {
    const id = await add(new Date());
    lookout.wake();
    await vi.waitFor(() => expect(done).toContain(id), PATIENT);
  }
  expect(new Set(claims())).toEqual(new Set(["claim-tasks test.kind_3"]));

  // Nothing is due any more: no wake-up claims anything.
  await new Promise((resolve) => setTimeout(resolve, 500));
  queries.mockClear();
  for (let i = 0; i < 10; i++) {
    await add(new Date(Date.now() + DAY_MS));
    lookout.wake();
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(claims()).toEqual([]);
});

test("claims of tasks are planned once and not each time", async () => {
  await using world = await World.start({ roles: ["api"] });
  await using second = await SecondNode.join(world);
  const client = await second.database.pool.connect();
  try {
    const statement = claimStatement(["test.one", "test.two", "test.three"]);
    const limits = { free: 8, perWorkspace: 4, perEndpoint: 2 };
    // PostgreSQL compares five plans made for their values with one for any values.
    for (let i = 0; i < 8; i++) await claimTasks(client, second.node.id, statement, limits);
    const { rows } = await client.query<{ generic: number; custom: number }>(
      `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name = $1`,
      [statement.name],
    );
    expect(rows).toEqual([{ generic: 3, custom: 5 }]);
  } finally {
    client.release();
  }
});
