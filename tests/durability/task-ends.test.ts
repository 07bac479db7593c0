import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import { addTask, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/* Ends of tasks that cannot be stored, and runs that end by an error. */

/** A busy machine may be slow. */
const PATIENT = { timeout: 20_000 };

let world: World;
let second: SecondNode;
beforeAll(async () => {
  // The world has no role that runs tasks.
  world = await World.start({ roles: ["api"] });
  second = await SecondNode.join(world);
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

function begin(kind: string, handler: TaskHandler): TaskLookout {
  const lookout = new TaskLookout(
    second.database,
    second.node,
    [{ handlers: new Map([[kind, handler]]), slots: 4, perWorkspace: 4 }],
    second.log,
  );
  second.onClose(() => lookout.stop(0));
  lookout.start();
  return lookout;
}

const add = (kind: string) =>
  addTask(second.database.db, world.sample.workspaceId, { kind, subjectId: randomUUID(), payload: {} });

interface Row {
  status: string;
  attempt: number;
  lease_owner: string | null;
}
const read = async (id: string) =>
  (await world.database.query<Row>("select status, attempt, lease_owner from tasks where id = $1", [id]))[0];

test("an end that cannot be stored because the database goes away is stored when it is back", async () => {
  // 57P01 is what statements get from a server that shuts down.
  await world.database.query(
    `create function refuse_end() returns trigger language plpgsql as
       $$ begin raise exception 'terminating connection' using errcode = '57P01'; end $$`,
  );
  await world.database.query(
    `create trigger refuse_end before update on tasks for each row
       when (old.status = 'RUNNING' and old.kind = 'test.end') execute function refuse_end()`,
  );
  let runs = 0;
  begin("test.end", () => {
    runs++;
    return Promise.resolve({ kind: "DONE" });
  });
  const id = await add("test.end");
  await vi.waitFor(() => expect(runs).toBe(1), PATIENT);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await read(id)).toMatchObject({ status: "RUNNING" });
  await world.database.query("drop trigger refuse_end on tasks");
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ status: "DONE", attempt: 1 }), PATIENT);
  expect(runs).toBe(1);
});

test("an end of a run that was taken over changes nothing, also when this process took it over itself", async () => {
  const held: ((end: TaskEnd) => void)[] = [];
  begin("test.over", () => new Promise((resolve) => held.push(resolve)));
  const id = await add("test.over");
  await vi.waitFor(() => expect(held).toHaveLength(1), PATIENT);
  // As the tasks of a node are freed whose heartbeat stopped.
  await world.database.query("update tasks set status = 'PENDING', lease_owner = null, due_at = now() where id = $1", [
    id,
  ]);
  await vi.waitFor(() => expect(held).toHaveLength(2), PATIENT);
  held[0]?.({ kind: "DEAD", error: "of the run before" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await read(id)).toMatchObject({ status: "RUNNING", lease_owner: second.node.id });
  held[1]?.({ kind: "DONE" });
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ status: "DONE", attempt: 2 }), PATIENT);
});

test("a task that was claimed while the answer was lost is begun by the process that holds it", async () => {
  const [claimed] = await world.database.query<{ id: string }>(
    `insert into tasks (id, workspace_id, kind, subject_id, payload, status, lease_owner, attempt)
     values (gen_random_uuid(), $1, 'test.lost', gen_random_uuid(), '{}', 'RUNNING', $2, 1) returning id`,
    [world.sample.workspaceId, second.node.id],
  );
  begin("test.lost", () => Promise.resolve({ kind: "DONE" }));
  await vi.waitFor(async () => expect(await read(String(claimed?.id))).toMatchObject({ status: "DONE" }), PATIENT);
});

test("a run that fails because the database is away waits and counts as no attempt", async () => {
  let runs = 0;
  begin("test.away", () => {
    runs++;
    return Promise.reject(Object.assign(new Error("terminating connection"), { code: "57P01" }));
  });
  const id = await add("test.away");
  await vi.waitFor(() => expect(runs).toBe(1), PATIENT);
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ status: "PENDING", attempt: 0 }), PATIENT);
});

test("runs that a handler plans do not count as crashes", async () => {
  let runs = 0;
  begin("test.planned", () => {
    runs++;
    if (runs < 6) return Promise.resolve({ kind: "RETRY", afterMs: 0, error: "planned" });
    return runs === 6 ? Promise.reject(new Error("crashed")) : Promise.resolve({ kind: "DONE" });
  });
  const id = await add("test.planned");
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ status: "DONE", attempt: 7 }), PATIENT);
});

test("a handler with a schedule of its own keeps to it when it throws", async () => {
  const crash: TaskHandler = () => Promise.reject(new Error("crashed"));
  begin("test.scheduled", Object.assign(crash, { afterCrashMs: (attempt: number) => (attempt < 8 ? 0 : null) }));
  const id = await add("test.scheduled");
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ status: "DEAD", attempt: 8 }), PATIENT);
});
