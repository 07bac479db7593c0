import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of wall clock, and of CPU time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** One task of the page's main thread, in milliseconds. */
export interface MainTask {
  clockMs: number;
  /** CPU time of the task: a loaded machine lengthens the wall clock, not this. */
  busyMs: number;
}

/** Traces the page's main thread while `during` runs; returns its tasks, the longest first. */
export async function traceMainThread(browser: Browser, page: Page, during: () => Promise<void>): Promise<MainTask[]> {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  let trace: Buffer;
  try {
    await during();
  } finally {
    // A browser runs one trace at a time.
    trace = await browser.stopTracing();
  }
  return readMainTasks(trace);
}

/** Returns the tasks of the pages' main threads in a Chromium trace, the longest CPU time first. */
export function readMainTasks(trace: Buffer): MainTask[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}.${tid}`),
  );
  return traceEvents
    .filter(({ ph, name, pid, tid }) => ph === "X" && name.endsWith("RunTask") && main.has(`${pid}.${tid}`))
    .map(({ dur = 0, tdur = dur }) => ({ clockMs: dur / 1_000, busyMs: tdur / 1_000 }))
    .toSorted((a, b) => b.busyMs - a.busyMs);
}
