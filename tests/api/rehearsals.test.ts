import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulate } from "#src/telephony/carriers/sandbox/sandbox-numbers.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Outcome {
  status: string;
  outcome: string;
  count: number;
}
interface Forecast {
  rows: number;
  attempts: number;
  talkSeconds: number;
  startsAt: string;
  durationSeconds: { p10: number; p50: number; p90: number };
  outcomes: Outcome[];
  cost: { p50: string; currency: string };
  skipped: { count: number; reasons: { code: string; count: number }[] };
  perHour: { attempts: number }[];
  assumptions: string[];
}

const RETRIES = { maxAttempts: 3, retryOn: ["BUSY", "NO_ANSWER"], delaysSeconds: [600], jitterPercent: 10 };
const SLOTS = 10;
const RING_LIMIT_MS = 30_000;

/** Returns the sandbox's behaviour on each of three attempts, one word each. */
function fateOf(number: string): string {
  return [1, 2, 3]
    .map((attempt) => simulate(number, attempt))
    .map((one) => (one.kind === "ANSWERS" ? one.persona : one.kind === "FAILS" ? one.outcome : one.kind))
    .join(" ");
}

/** Returns this many numbers with the wanted fate. */
function findNumbers(count: number, wanted: RegExp, from: number): string[] {
  const found: string[] = [];
  for (let i = from; found.length < count; i++) {
    const number = `+1415${String(2_010_000 + i)}`;
    if (wanted.test(fateOf(number))) found.push(number);
  }
  return found;
}

// Each part of the population with the fate of the numbers that stand for it.
const PARTS = [
  { count: 80, part: { persona: "agrees" }, fate: /^AGREES/ },
  { count: 24, part: { persona: "declines" }, fate: /^DECLINES/ },
  { count: 20, part: { persona: "call-later" }, fate: /^CALL_LATER/ },
  { count: 16, part: { line: "BUSY" }, fate: /^BUSY BUSY BUSY/ },
  { count: 20, part: { line: "NO_ANSWER" }, fate: /^NO_ANSWER NO_ANSWER NO_ANSWER/ },
  { count: 10, part: { line: "NO_ANSWER", attempts: 1, persona: "agrees" }, fate: /^NO_ANSWER AGREES/ },
  { count: 14, part: { line: "VOICEMAIL" }, fate: /^VOICEMAIL/ },
  { count: 10, part: { line: "INVALID_NUMBER" }, fate: /^INVALID_NUMBER/ },
  { count: 6, part: { line: "CARRIER_FAILURE" }, fate: /^CARRIER_FAILURE/ },
];

async function forecast(body: Record<string, unknown>): Promise<Forecast> {
  const { status, text } = await world.request("POST", "/simulations/rehearsals", { body });
  expect({ status, text: status === 200 ? "" : text }).toEqual({ status: 200, text: "" });
  return JSON.parse(text) as Forecast;
}

describe("POST /simulations/rehearsals", () => {
  it("forecasts what a job in the sandbox then comes to", async () => {
    const numbers = PARTS.flatMap(({ count, fate }) => findNumbers(count, fate, 0));
    expect(numbers).toHaveLength(200);
    const settings = { maxConcurrency: SLOTS, retryConfig: RETRIES };
    const population = PARTS.map(({ count, part }) => ({ ...part, share: count }));
    const reported = await forecast({ job: { ...settings, rowCount: 200 }, population, sample: 60 });

    const rows = numbers.map((customerNumber) => ({ customerNumber }));
    const { body: job } = await world.request("POST", "/call-jobs", { body: { ...settings, rows } });
    await world.until(`/call-jobs/${String(job.id)}`, (body) => body.status === "COMPLETED");
    const page = await world.request("GET", `/call-jobs/${String(job.id)}/rows?size=200`);
    const done = page.body.content as {
      status: string;
      outcome: string;
      attempt: number;
      durationSeconds: number | null;
      customerNumber: string;
    }[];

    const counts = new Map<string, number>();
    for (const { status, outcome } of done) {
      const key = `${status} ${outcome}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(new Map(reported.outcomes.map(({ status, outcome, count }) => [`${status} ${outcome}`, count]))).toEqual(
      counts,
    );
    expect(reported.attempts).toBe(done.reduce((sum, { attempt }) => sum + attempt, 0));
    const talked = done.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
    expect(reported.talkSeconds / talked).toBeGreaterThan(0.9);
    expect(reported.talkSeconds / talked).toBeLessThan(1.1);

    // However calls are spread over the lines: not sooner than the load and the longest chain allow, not later than
    // both.
    const chains = done.map(({ customerNumber, attempt, durationSeconds }) => {
      const rings = Array.from({ length: attempt }, (_, i) => ringSeconds(customerNumber, i + 1));
      const busy = rings.reduce((sum, ring) => sum + ring, durationSeconds ?? 0);
      return { busy, whole: busy + (attempt - 1) * 600 };
    });
    const load = chains.reduce((sum, { busy }) => sum + busy, 0) / SLOTS;
    const longest = Math.max(...chains.map(({ whole }) => whole));
    const { p10, p50, p90 } = reported.durationSeconds;
    expect(p10).toBeLessThanOrEqual(p50);
    expect(p50).toBeLessThanOrEqual(p90);
    expect(p50).toBeGreaterThan(Math.max(load * 0.8, longest * 0.9));
    expect(p50).toBeLessThan(load + longest * 1.1);
  });

  it("forecasts the waiting rows of a job, without those that the gate would skip", async () => {
    const startAt = new Date(Date.now() + 86_400_000).toISOString();
    const rows = [...Array.from({ length: 30 }, (_, i) => `+1415203${1_000 + i}`), "+12025550132"].map(
      (customerNumber) => ({
        customerNumber,
      }),
    );
    const { body: job } = await world.request("POST", "/call-jobs", { body: { startAt, rows } });
    const reported = await forecast({ jobId: job.id, population: [{ persona: "agrees", share: 1 }], sample: 2 });
    expect(reported).toMatchObject({
      rows: 30,
      attempts: 30,
      startsAt: startAt,
      skipped: { count: 1, reasons: [{ code: "DO_NOT_CALL", count: 1 }] },
    });
    expect(reported.outcomes).toEqual([
      expect.objectContaining({ status: "COMPLETED", outcome: "ANSWERED", count: 30 }),
      expect.objectContaining({ status: "SKIPPED", outcome: "BLOCKED", count: 1 }),
    ]);
    expect(Number(reported.cost.p50)).toBeGreaterThan(0);
    expect(reported.perHour.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(30);
    // Nobody was called for the forecast.
    const after = await world.request("GET", `/call-jobs/${String(job.id)}`);
    expect(after.body).toMatchObject({ status: "SCHEDULED", pendingRows: 31, processedRows: 0 });
  });

  it("waits for the calling window where the people are", async () => {
    const callingWindow = { windows: [{ days: ["WED"], start: "09:00", end: "12:00" }] };
    const timeZones = [{ timeZone: "Asia/Tokyo", share: 1 }];
    const startAt = "2031-03-10T00:00:00.000Z"; // a Monday
    const reported = await forecast({
      job: { rowCount: 5, callingWindow, timeZones, startAt },
      population: [{ line: "BUSY", share: 1 }],
    });
    const hours = (Date.parse("2031-03-12T00:00:00Z") - Date.parse(startAt)) / 1_000;
    expect(reported.durationSeconds.p50).toBeGreaterThanOrEqual(hours);
    expect(reported.outcomes).toEqual([{ status: "FAILED", outcome: "BUSY", count: 5, share: 1 }]);
  });

  it.each([
    [{}, 422, "jobId"],
    [{ job: { rowCount: 1 }, jobId: "00000000-0000-7000-8000-000000000000" }, 422, "job"],
    [{ job: { rowCount: 1 }, population: [{ share: 1 }] }, 422, "population.0.persona"],
    [{ job: { rowCount: 1 }, population: [{ share: 1, persona: "nobody" }] }, 422, "population.0.persona"],
    [
      { job: { rowCount: 1 }, population: [{ share: 1, persona: "agrees", attempts: 2 }] },
      422,
      "population.0.attempts",
    ],
    [{ job: { rowCount: 1, timeZones: [{ timeZone: "Moon", share: 1 }] } }, 422, "job.timeZones.0.timeZone"],
    [
      {
        job: {
          rowCount: 1,
          callingWindow: { timeZoneMode: "FIXED", windows: [{ days: ["MON"], start: "09:00", end: "10:00" }] },
        },
      },
      422,
      "callingWindow.timeZone",
    ],
  ])("says what is wrong with %j", async (body, status, path) => {
    const reply = await world.request("POST", "/simulations/rehearsals", { body });
    expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([status, path]);
  });

  it("knows no job of another workspace, and none without waiting rows", async () => {
    const { body: job } = await world.request("POST", "/call-jobs", {
      body: { rows: [{ customerNumber: "+12025550110" }], retryConfig: { maxAttempts: 1 } },
    });
    await world.until(`/call-jobs/${String(job.id)}`, (body) => body.status === "COMPLETED");
    const other = await world.createWorkspace();
    const foreign = await world.request("POST", "/simulations/rehearsals", {
      body: { jobId: job.id },
      key: other.apiKey,
    });
    const own = await world.request("POST", "/simulations/rehearsals", { body: { jobId: job.id } });
    expect([foreign.status, own.status]).toEqual([404, 409]);
  });
});

function ringSeconds(number: string, attempt: number): number {
  const fate = simulate(number, attempt);
  return "ringMs" in fate ? Math.min(fate.ringMs, RING_LIMIT_MS) / 1_000 : 0;
}
