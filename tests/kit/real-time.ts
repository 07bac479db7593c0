import { beforeAll, type RunnerTask } from "vitest";

/*
 * Tests that speak and listen in real time, drive a browser, or follow calls and chats of a running server: a machine that
 * stands still for a moment damages a word, or has a dial miss its turn. What must never happen, not even on such a
 * machine, is in tests/durability and tests/contract, and has one try; so has everything that is tested beside its file.
 */
const IN_REAL_TIME =
  /sip\/|baresip|audio|hand-over|supervision|voice\/|voice-|spoken|web-calls|web-phone|inbound-carriers|dashboard\/|media-worker|tests\/(api|calls|carriers|models)\//;

/** Such a test may be tried once more; the last lines of the run name those that needed it. */
function allowSecondTry(tasks: RunnerTask[]): void {
  for (const task of tasks) {
    if (task.type === "suite") allowSecondTry(task.tasks);
    else task.retry ??= 1;
  }
}

// oxlint-disable-next-line no-empty-pattern -- vitest wants the context taken apart, and nothing of it is needed
beforeAll(({}, { file }) => {
  if (IN_REAL_TIME.test(file.name)) allowSecondTry(file.tasks);
});
