import { expect, test } from "vitest";
import { World } from "../kit/world.ts";

async function startAndClose(): Promise<WeakRef<World>> {
  await using world = await World.start();
  await world.call("+12025550100");
  return new WeakRef(world);
}

test("nothing of a server that was closed stays in memory", async () => {
  const closed = [await startAndClose(), await startAndClose()];
  const countHeld = () => {
    globalThis.gc?.();
    return closed.filter((ref) => ref.deref() !== undefined).length;
  };
  await expect.poll(countHeld).toBe(0);
});
