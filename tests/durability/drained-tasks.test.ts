import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import { addTask, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/** A busy machine may be slow. */
const PATIENT = { timeout: 20_000 };

test("a process that drains begins no more long work, and is done when what somebody waits for has ended", async () => {
  // The world has no role that runs tasks.
  await using world = await World.start({ roles: ["api"] });
  await using second = await SecondNode.join(world);
  const { database, node, log } = second;
  const begun: string[] = [];
  const held = new Map<string, (end: TaskEnd) => void>();
  const run: TaskHandler = ({ payload }) => {
    begun.push(String(payload.name));
    return new Promise((resolve) => held.set(String(payload.name), resolve));
  };
  const pool = (kind: string, isLongWork: boolean) => {
    // A pool without a free slot claims nothing, so that no claim is in flight when the drain begins.
    const slots = isLongWork ? 1 : 4;
    return { handlers: new Map([[kind, run]]), slots, perWorkspace: slots, isLongWork };
  };
  const lookout = new TaskLookout(database, node, [pool("test.long", true), pool("test.short", false)], log);
  const { workspaceId } = world.sample;
  const add = (kind: string, name: string) =>
    addTask(database.db, workspaceId, { kind, subjectId: randomUUID(), payload: { name } });
  const states = () =>
    world.database.query("select payload ->> 'name' as name, status from tasks where kind like 'test.%' order by name");
  second.onClose(() => lookout.stop(0));
  lookout.start();
  await add("test.long", "long 1");
  await add("test.short", "short 1");
  await vi.waitFor(() => expect(begun.toSorted()).toEqual(["long 1", "short 1"]), PATIENT);

  lookout.drainLongWork();
  await add("test.long", "long 2");
  await add("test.short", "short 2");
  await vi.waitFor(() => expect(begun).toContain("short 2"), PATIENT);
  let isDrained = false;
  const drained = lookout.drain().then(() => (isDrained = true));
  held.get("short 1")?.({ kind: "DONE" });
  await vi.waitFor(async () => expect(await states()).toContainEqual({ name: "short 1", status: "DONE" }), PATIENT);
  expect(isDrained).toBe(false);
  held.get("short 2")?.({ kind: "DONE" });
  await drained;
  await add("test.short", "short 3");
  lookout.wake();
  // Longer than a poll.
  await new Promise((resolve) => setTimeout(resolve, 200));
  held.get("long 1")?.({ kind: "DONE" });
  await vi.waitFor(async () => expect(await states()).toContainEqual({ name: "long 1", status: "DONE" }), PATIENT);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(begun.toSorted()).toEqual(["long 1", "short 1", "short 2"]);
  expect(await states()).toEqual([
    { name: "long 1", status: "DONE" },
    { name: "long 2", status: "PENDING" },
    { name: "short 1", status: "DONE" },
    { name: "short 2", status: "DONE" },
    { name: "short 3", status: "PENDING" },
  ]);
});
