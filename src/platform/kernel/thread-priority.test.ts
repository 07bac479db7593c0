import { execFileSync } from "node:child_process";
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
  const raised = before + constants.priority.PRIORITY_ABOVE_NORMAL;
  expect(process.getuid?.() === 0 ? [raised] : [raised, before]).toContain(await promise);
  expect(getPriority()).toBe(before);
  await worker.terminate();
});

/** Prints the priorities of the process and of its raised thread. */
const COMPARED = `
const { getPriority } = require("node:os");
import(${JSON.stringify(MODULE)}).then(({ raiseThread, systemThreadId }) => {
  const before = getPriority();
  raiseThread();
  console.log(JSON.stringify([before, getPriority(systemThreadId())]));
});
`;

test.skipIf(process.platform !== "linux")("a thread is raised above a process that runs at a lower priority", () => {
  const node = [process.execPath, "--input-type=commonjs", "--eval", COMPARED];
  const [before, raised] = JSON.parse(execFileSync("nice", ["-n", "12", ...node], { encoding: "utf8" })) as number[];
  const expected = Number(before) + constants.priority.PRIORITY_ABOVE_NORMAL;
  expect(process.getuid?.() === 0 ? [expected] : [expected, before]).toContain(raised);
});
