import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import { type CallingWindow, WEEKDAYS } from "#src/tenancy/compliance/calling-window.ts";
import { runJob } from "./job-run.ts";
import { meetLine } from "./population.ts";
import type { Meeting, RehearsedJob, RehearsedNumber } from "./rehearsed-job.ts";

const START = Date.parse("2026-11-20T16:59:30Z"); // a Friday
const SECOND_MS = 1_000;
const ONCE: RetryConfig = { maxAttempts: 1, retryOn: [], delaysSeconds: [0], jitterPercent: 0 };

function conversation(seconds: number): Meeting {
  const talkMs = seconds * SECOND_MS;
  const outcome = "ANSWERED";
  return { ringMs: 0, talkMs, outcome, endReason: "CUSTOMER_HUNG_UP", status: "COMPLETED", mayRetry: false, cost: 1 };
}

function number(slots: number, more: Partial<RehearsedNumber> = {}): RehearsedNumber {
  return { phoneNumber: "+12025550190", slots, callsPerSecond: null, account: null, ...more };
}

function job(rows: number, more: Partial<RehearsedJob> = {}): RehearsedJob {
  return { startMs: START, numbers: [number(1)], retry: ONCE, window: null, zones: [{ zones: [], rows }], ...more };
}

const middle = () => 0.5;
const seconds = (run: { endMs: number }) => (run.endMs - START) / SECOND_MS;

describe("runJob, by hand", () => {
  it("calls one after the other on one line", async () => {
    const run = await runJob(job(3), () => conversation(10), middle);
    expect(seconds(run)).toBe(30);
    expect(run).toMatchObject({ attempts: 3, talkMs: 30_000, cost: 3 });
    expect(run.ends).toEqual(new Map([["COMPLETED ANSWERED", 3]]));
  });

  it("shares rows over numbers in turn, and waits for the slower", async () => {
    const numbers = [number(1), number(2)];
    // Rows 0, 2, 4 belong to the first number, 1 and 3 to the second.
    const run = await runJob(job(5, { numbers }), () => conversation(10), middle);
    expect(seconds(run)).toBe(30);
    expect(run.numbers).toEqual([
      { attempts: 3, busyMs: 30_000 },
      { attempts: 2, busyMs: 20_000 },
    ]);
  });

  it("climbs the retry ladder and gives up at its end", async () => {
    const retry: RetryConfig = { maxAttempts: 3, retryOn: ["BUSY"], delaysSeconds: [60, 120], jitterPercent: 0 };
    const busy = meetLine("BUSY", 30_000);
    const lost = await runJob(job(1, { retry }), () => busy, middle);
    expect(seconds(lost)).toBe(1 + 60 + 1 + 120 + 1);
    expect(lost.ends).toEqual(new Map([["FAILED BUSY", 1]]));
    const reached = await runJob(job(1, { retry }), (_, attempt) => (attempt === 1 ? busy : conversation(10)), middle);
    expect(seconds(reached)).toBe(1 + 60 + 10);
    expect(reached.ends).toEqual(new Map([["COMPLETED ANSWERED", 1]]));
  });

  it("keeps the jitter of a retry", async () => {
    const retry: RetryConfig = { maxAttempts: 2, retryOn: ["BUSY"], delaysSeconds: [100], jitterPercent: 10 };
    const run = await runJob(
      job(1, { retry }),
      () => meetLine("BUSY", 30_000),
      () => 0,
    );
    expect(seconds(run)).toBe(1 + 90 + 1);
  });

  it("keeps the pace of a number, and that of an account over its numbers", async () => {
    const paced = { numbers: [number(10, { callsPerSecond: 2 })] };
    expect(seconds(await runJob(job(4, paced), () => conversation(10), middle))).toBe(1.5 + 10);
    const account = { id: "a", callsPerSecond: 1 };
    const shared = { numbers: [number(10, { account }), number(10, { account })] };
    expect(seconds(await runJob(job(4, shared), () => conversation(10), middle))).toBe(3 + 10);
  });

  it("waits for the calling window over a weekend", async () => {
    const window: CallingWindow = {
      timeZoneMode: "RECIPIENT",
      timeZone: null,
      windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI"], start: "09:00", end: "17:00" }],
      excludeDates: [],
    };
    // Dialled at 16:59:30 and 16:59:50; the third on Monday at nine.
    const run = await runJob(job(3, { window, zones: [{ zones: ["UTC"], rows: 3 }] }), () => conversation(20), middle);
    expect(new Date(run.endMs).toISOString()).toBe("2026-11-23T09:00:20.000Z");
    // New York is five hours behind: all three before its evening.
    const west = await runJob(
      job(3, { window, zones: [{ zones: ["America/New_York"], rows: 3 }] }),
      () => conversation(20),
      middle,
    );
    expect(seconds(west)).toBe(60);
  });

  it("counts rows whose window never opens, and ends", async () => {
    const window: CallingWindow = { timeZoneMode: "FIXED", timeZone: "UTC", windows: [], excludeDates: [] };
    const run = await runJob(job(2, { window, zones: [{ zones: ["UTC"], rows: 2 }] }), () => conversation(20), middle);
    expect(run).toMatchObject({ attempts: 0, leftRows: 2 });
  });

  it("lets one row stand for several without changing the clock", async () => {
    const all = await runJob(job(1_000, { numbers: [number(4)] }), () => conversation(10), middle);
    const tenth = await runJob(job(100, { numbers: [number(4)], standsFor: 10 }), () => conversation(10), middle);
    expect(seconds(tenth)).toBe(seconds(all));
    const paced = { numbers: [number(1_000, { callsPerSecond: 2 })] };
    const dials = (run: { endMs: number }, lasted: number) => seconds(run) - lasted;
    const slow = await runJob(job(1_000, paced), () => conversation(1), middle);
    const fewer = await runJob(job(100, { ...paced, standsFor: 10 }), () => conversation(1), middle);
    expect(Math.abs(dials(slow, 1) - dials(fewer, 10))).toBeLessThanOrEqual(5);
  });

  it("lets others have their turn while many rows are put in line", async () => {
    const window: CallingWindow = { timeZoneMode: "FIXED", timeZone: "UTC", windows: [], excludeDates: [] };
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const zones = [100_000, 100_000].map((rows) => ({ zones: ["UTC"], rows }));
    expect(await runJob(job(0, { window, zones }), () => conversation(20), middle)).toMatchObject({
      leftRows: 200_000,
    });
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });

  it("looks 400 days ahead, not for centuries", async () => {
    const days = [...WEEKDAYS];
    const windows = [{ days, start: "09:00", end: "09:01" }];
    const window: CallingWindow = { timeZoneMode: "FIXED", timeZone: "UTC", windows, excludeDates: [] };
    // One call a day.
    const run = await runJob(
      job(1_000, { window, zones: [{ zones: ["UTC"], rows: 1_000 }] }),
      () => conversation(600),
      middle,
    );
    expect(run).toMatchObject({ attempts: 400, leftRows: 600 });
  });
});

describe("runJob", () => {
  it("lasts as long as any list that keeps its lines busy: between the mean load and that plus one call", async () => {
    const calls = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 8 }), async (lengths, slots) => {
        const run = await runJob(
          job(lengths.length, { numbers: [number(slots)] }),
          (row) => conversation(lengths[row] ?? NaN),
          middle,
        );
        const load = lengths.reduce((sum, length) => sum + length, 0) / slots;
        expect(seconds(run)).toBeGreaterThanOrEqual(load - 1e-6);
        expect(seconds(run)).toBeLessThanOrEqual(load + Math.max(...lengths) + 1e-6);
      }),
      { numRuns: 200 },
    );
  });
});
