import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { ThreadRest } from "./thread-rest.ts";

test("an order that came since the rest was begun leaves none, however long it was to be", () => {
  const rest = new ThreadRest();
  rest.begin();
  new ThreadRest(rest.cell).wake();
  // Without the order this would not return.
  expect(() => rest.sleep(2 ** 31 - 1)).not.toThrow();
});

test("an order ends a rest under way", async () => {
  const rest = new ThreadRest();
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.file).then(({ ThreadRest }) => {
      const rest = new ThreadRest(workerData.cell);
      rest.begin();
      parentPort.postMessage("resting");
      rest.sleep(2 ** 31 - 1);
      parentPort.postMessage("awake");
    });`;
  const file = new URL("thread-rest.ts", import.meta.url).href;
  const thread = new Worker(code, { eval: true, workerData: { file, cell: rest.cell } });
  expect(await once(thread, "message")).toEqual(["resting"]);
  rest.wake();
  expect(await once(thread, "message")).toEqual(["awake"]);
  await thread.terminate();
});
