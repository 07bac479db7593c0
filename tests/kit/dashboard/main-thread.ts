import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds on the clock, and of the processor. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** One task of the page's main thread, in milliseconds. */
export interface MainTask {
  clockMs: number;
  /** What it took of the processor: a loaded machine makes the clock's time longer, not this one. */
  busyMs: number;
}

/** Watches the page's main thread while `during` runs; the tasks that it did, the longest first. */
export async function traceMainThread(browser: Browser, page: Page, during: () => Promise<void>): Promise<MainTask[]> {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  let trace: Buffer;
  try {
    await during();
  } finally {
    // A browser traces once at a time.
    trace = await browser.stopTracing();
  }
  return readMainTasks(trace);
}

/** The tasks of the main threads of pages in a Chromium trace, the longest of the processor first. */
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
