import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import {
  estimateSecondsLeft,
  formatDuration,
  ProgressDisplay,
  renderBar,
  renderProgress,
  type ShownJob,
} from "./progress.ts";
import { Run } from "./run.ts";

const job = (over: Partial<ShownJob> = {}): ShownJob => ({
  name: "reminders",
  status: "RUNNING",
  totalRows: 20,
  processedRows: 10,
  successfulRows: 7,
  errorRows: 3,
  waitingForRetryRows: 2,
  inProgressRows: 3,
  ...over,
});

test.each([
  [0, 20, "··········"],
  [10, 20, "█████·····"],
  [11, 20, "█████▌····"],
  [1, 1000, "··········"],
  [19, 20, "█████████▌"],
  [20, 20, "██████████"],
  [25, 20, "██████████"],
  [0, 0, "··········"],
])("%i of %i is %s", (done, total, expected) => expect(renderBar(done, total, 10)).toBe(expected));

test("a line tells bar, counts and time left", () => {
  expect(renderProgress(job(), 21, 100)).toBe(
    "reminders  ███████▌······· 10/20  ok 7  retry 2  failed 3  live 3  ETA 0:21",
  );
});

test("a job that does not run says so; counts the server does not tell are left out", () => {
  const { waitingForRetryRows: _w, inProgressRows: _i, ...rest } = job({ status: "PAUSED" });
  expect(renderProgress(rest, undefined, 100)).toBe("reminders  ███████▌······· 10/20  ok 7  failed 3  PAUSED");
});

test.each([10, 30, 70, 75, 80, 90, 200])(
  "a line fits %i columns with one to spare, and holds no control characters",
  (columns) => {
    const line = renderProgress(job({ name: "a\u001b[31m very long name\nof a job" }), 3723, columns);
    expect(line.length).toBeLessThan(columns);
    expect(line).not.toMatch(/\p{Cc}/u);
  },
);

test("the time left follows the pace of the samples", () => {
  expect(estimateSecondsLeft([], 20)).toBeUndefined();
  expect(estimateSecondsLeft([{ atMs: 0, done: 5 }], 20)).toBeUndefined();
  expect(
    estimateSecondsLeft(
      [
        { atMs: 0, done: 5 },
        { atMs: 9000, done: 5 },
      ],
      20,
    ),
  ).toBeUndefined();
  expect(
    estimateSecondsLeft(
      [
        { atMs: 1000, done: 5 },
        { atMs: 11_000, done: 15 },
      ],
      20,
    ),
  ).toBe(5);
  expect([0, 21, 59.6, 725, 3723].map(formatDuration)).toEqual(["0:00", "0:21", "1:00", "12:05", "1:02:03"]);
});

test("a terminal is redrawn; elsewhere there is a plain line every five seconds", async () => {
  await using terminal = new FakeSystem();
  terminal.isTerminal = true;
  const drawn = new ProgressDisplay(new Run(terminal));
  for (let second = 0; second < 11; second++) drawn.show(job());
  drawn.end();
  expect(terminal.err.split("\r\u001b[2K")).toHaveLength(12);
  expect(terminal.err.endsWith("\n")).toBe(true);
  await using file = new FakeSystem();
  const plain = new ProgressDisplay(new Run(file));
  for (let second = 0; second < 11; second++) plain.show(job());
  plain.end();
  expect(file.err.trimEnd().split("\n")).toHaveLength(3);
  expect(file.err).not.toContain("\u001b");
});
