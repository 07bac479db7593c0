import { constants, getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const MODULE = new URL("./thread-priority.ts", import.meta.url);
const RAISED = `
const { parentPort } = require("node:worker_threads");
import(${JSON.stringify(MODULE)}).then(({ raiseThread, systemThreadId }) => {
  raiseThread();
  parentPort.postMessage(require("node:os").getPriority(systemThreadId()));
});
`;

test.skipIf(process.platform !== "linux")("a thread is raised alone, where the system allows it", async () => {
  const before = getPriority();
  const worker = new Worker(RAISED, { eval: true });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  worker.once("message", resolve).once("error", reject);
  const raised = constants.priority.PRIORITY_ABOVE_NORMAL;
  expect(process.getuid?.() === 0 ? [raised] : [raised, before]).toContain(await promise);
  expect(getPriority()).toBe(before);
  await worker.terminate();
});
