import { describe, expect, it } from "vitest";
import type { JobState } from "./feed-sql.ts";
import { JobPace } from "./job-pace.ts";

const job = (processedRows: number, status: JobState["status"] = "RUNNING"): JobState => ({
  jobId: "j",
  name: "Job",
  status,
  actions: [],
  run: 1,
  totalRows: 1_000,
  processedRows,
  reachedRows: 0,
  machineRows: 0,
  successfulRows: processedRows,
  errorRows: 0,
  liveCalls: 0,
});

describe("the pace of a job", () => {
  it("is that of the last half minute, and tells when the job will be over", () => {
    const pace = new JobPace();
    expect(pace.take([job(0)], 0)[0]).toMatchObject({ ratePerMinute: null, etaSeconds: null });
    for (let second = 1; second <= 60; second++)
      pace.take([job(second <= 30 ? 0 : (second - 30) * 10)], second * 1_000);
    expect(pace.all[0]).toMatchObject({ ratePerMinute: 600, etaSeconds: 70 });
  });

  it("is told only where something changed, and the end once", () => {
    const pace = new JobPace();
    expect(pace.take([job(1)], 0)).toHaveLength(1);
    expect(pace.take([job(1)], 500)).toEqual([]);
    expect(pace.known).toEqual(["j"]);
    expect(pace.take([job(1_000, "COMPLETED")], 1_000)).toHaveLength(1);
    expect(pace.known).toEqual([]);
  });

  it("is told to be none once nothing went on for half a minute, so that no time left stays on the screen", () => {
    const pace = new JobPace();
    for (let second = 0; second <= 10; second++) pace.take([job(second * 10)], second * 1_000);
    const told = Array.from({ length: 60 }, (_, index) => pace.take([job(100)], (11 + index) * 1_000)).flat();
    expect(told).toMatchObject([{ processedRows: 100, ratePerMinute: 0, etaSeconds: null }]);
  });

  it("begins anew with a new run", () => {
    const pace = new JobPace();
    pace.take([job(900)], 0);
    pace.take([job(950)], 10_000);
    expect(pace.take([job(10)], 20_000)[0]).toMatchObject({ ratePerMinute: null });
  });
});
