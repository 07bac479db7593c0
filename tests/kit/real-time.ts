import { beforeAll, type RunnerTask } from "vitest";

/* Tests that speak and listen in real time, or drive a browser: a machine that stands still for a moment damages a word. */
const IN_REAL_TIME =
  /sip\/|baresip|audio|hand-over|supervision|voice\/|voice-|spoken|web-calls|web-phone|inbound-carriers|dashboard\/|media-worker/;

/** Such a test may be tried once more; the report says which needed it. All others have one try. */
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
