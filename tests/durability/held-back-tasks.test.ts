import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/** A busy machine may be slow. */
const PATIENT = { timeout: 20_000 };

test("due tasks that a workspace's limit holds back are not claimed anew at every poll", async () => {
  // The world has no role that runs tasks.
  await using world = await World.start({ roles: ["api"] });
  await using second = await SecondNode.join(world);
  const { database, node, log } = second;
  const claims = vi.spyOn(database.pool, "query");
  const countClaims = () =>
    claims.mock.calls.filter(([query]) => (query as unknown as { name?: string }).name === "claim-tasks test.held")
      .length;
  const held: (() => void)[] = [];
  const begun: string[] = [];
  const hang: TaskHandler = ({ workspaceId }) => {
    begun.push(workspaceId);
    return new Promise((resolve) => held.push(() => resolve({ kind: "DONE" })));
  };
  const pool = { handlers: new Map([["test.held", hang]]), slots: 8, perWorkspace: 1 };
  const lookout = new TaskLookout(database, node, [pool], log);
  second.onClose(() => lookout.stop(0));
  const { workspaceId } = world.sample;
  const add = (workspace: string) =>
    addTask(database.db, workspace, { kind: "test.held", subjectId: randomUUID(), payload: {} });
  lookout.start();
  await add(workspaceId);
  await add(workspaceId);
  await vi.waitFor(() => expect(begun).toEqual([workspaceId]), PATIENT);

  const before = countClaims();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  // It polls 20 times a second; a busy machine polls and claims less often.
  expect(countClaims() - before).toBeLessThanOrEqual(12);

  // Tasks that other workspaces add, here or on another node, are begun all the same.
  const others = await Promise.all([world.createWorkspace(), world.createWorkspace()]);
  await add(others[0].workspaceId);
  await world.database.query(
    `insert into tasks (id, workspace_id, kind, subject_id, payload)
     values (gen_random_uuid(), $1, 'test.held', gen_random_uuid(), '{}')`,
    [others[1].workspaceId],
  );
  const all = [workspaceId, ...others.map((other) => other.workspaceId)];
  await vi.waitFor(() => expect(begun.toSorted()).toEqual(all.toSorted()), PATIENT);
  // And the second task of the first follows its end.
  for (const end of held) end();
  await vi.waitFor(() => expect(begun).toHaveLength(4), PATIENT);
  for (const end of held) end();
});
