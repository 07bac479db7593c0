import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Dashboard } from "./dashboard-harness.ts";

/**
 * One dashboard for the tests of a file: `start` starts it, and each test ends without a request to another host and
 * without an error in the console but those that are `expected`. A test that is tried once more gets a new one: what its
 * first try made, changed or still does is none of its business. So each test makes what it needs.
 */
export function onDashboard(start: () => Promise<Dashboard>, expected?: RegExp, end?: () => Promise<void>): void {
  let dashboard: Dashboard | undefined;
  const close = async () => {
    await end?.();
    await dashboard?.[Symbol.asyncDispose]();
    dashboard = undefined;
  };
  beforeAll(async () => {
    dashboard = await start();
  });
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return;
    await close();
    dashboard = await start();
  });
  afterEach(() => {
    const faults = dashboard?.faults.splice(0) ?? [];
    expect(faults.filter((fault) => !expected?.test(fault)).join("\n")).toBe("");
  });
  afterAll(close);
}
