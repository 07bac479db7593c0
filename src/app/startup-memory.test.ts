import { getHeapSpaceStatistics } from "node:v8";
import { expect, test } from "vitest";
import { freeStartupMemory } from "./startup-memory.ts";

function newSpaceMb(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return (space?.physical_space_size ?? 0) / 1e6;
}

/** Grows the space of new objects, as loading modules does. */
function fillNewSpace(): void {
  const kept: object[] = [];
  for (let i = 0; i < 500_000; i++) kept.push({ i });
}

test("the memory of the start is given back once no call is live", async () => {
  let isBusy = true;
  let looks = 0;
  fillNewSpace();
  expect(newSpaceMb()).toBeGreaterThan(5);
  freeStartupMemory(() => (looks++, isBusy), 20);
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(newSpaceMb()).toBeGreaterThan(5);
  isBusy = false;
  await expect.poll(newSpaceMb).toBeLessThan(3);
  const before = looks;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(looks).toBe(before);
});
