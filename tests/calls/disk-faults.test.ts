import { globSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { canMount, Disk } from "../kit/disks.ts";
import { type TestReply, World } from "../kit/world.ts";

/*
 * Real file systems that are full, read-only, or hang, below a server that holds calls in audio. They need root, mount
 * and fsfreeze; where these are missing the tests are skipped, and the run shows it.
 */

const FLOW = { name: "Short", firstMessage: "Hello from Acme.", masterPrompt: "Say hello.", language: "en-US" };
/** A call takes ten seconds, and longer on a busy machine. */
const LONGEST_CALL_MS = 90_000;
const CSV = "customerNumber\n+12025550100\n+12025550101\n";

const open: Disposable[] = [];
let world: World;
afterEach(async () => {
  await world[Symbol.asyncDispose]().finally(() => open.splice(0).forEach((disk) => disk[Symbol.dispose]()));
});

/** Starts a server whose DATA_DIR or RECORDINGS_DIR is on the disk. */
async function startOn(disk: Disk, setting: "DATA_DIR" | "RECORDINGS_DIR"): Promise<Disk> {
  open.push(disk);
  world = await World.start({ env: { [setting]: `${disk.folder}/here`, LOG_LEVEL: "silent" }, speed: 1 });
  return disk;
}

/** Holds a call in audio, which must be complete, and returns its row once its recording has ended. */
async function call(customerNumber: string): Promise<TestReply["body"]> {
  const row = await world.call(customerNumber, { flow: FLOW }, LONGEST_CALL_MS);
  expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED" });
  expect(String(row.transcriptText)).toContain("Hello from Acme.");
  return world.until(`/call-rows/${String(row.id)}`, ({ recordingFile }) => isOver(recordingFile));
}

const isOver = (file: unknown): boolean => (file as { state: string } | null)?.state !== "RECORDING";
const untilWarned = (code: string) =>
  expect
    .poll(async () => (await world.request("GET", "/health", { key: null })).body.warnings, { timeout: 30_000 })
    .toMatchObject([{ code }]);
const untilWell = () =>
  expect
    .poll(async () => (await world.request("GET", "/ready", { key: null })).body.warnings, { timeout: 30_000 })
    .toEqual([]);
/** Returns what `parley doctor` finds wrong. */
async function failedChecks(): Promise<string[]> {
  const { checks } = (await world.operator("doctor", {})) as { checks: { ok: boolean; message: string }[] };
  return checks.filter(({ ok }) => !ok).map(({ message }) => message);
}
const expectMetric = async (line: string) =>
  expect((await world.request("GET", "/metrics", { key: null })).text.split("\n")).toContain(line);

const upload = () => world.request("POST", "/call-jobs", { raw: CSV, headers: { "content-type": "text/csv" } });

const countJobs = async (): Promise<unknown> => (await world.request("GET", "/call-jobs")).body.totalElements;

describe.skipIf(!canMount(() => Disk.inMemory(1)))("a disk in memory", () => {
  test("that is full costs recordings and no call, says so, and is used again once there is room", async () => {
    const disk = await startOn(Disk.inMemory(24), "RECORDINGS_DIR");
    await untilWell();
    const free = disk.fill();
    const row = await call("+12025550100");
    expect(row).toMatchObject({
      recording: null,
      recordingFile: { state: "FAILED", failure: { code: "STORAGE_FULL", message: "The disk is full." } },
    });
    await untilWarned("STORAGE_FULL");
    await expectMetric('parley_storage_fault{folder="RECORDINGS",fault="FULL"} 1');
    await expectMetric('parley_recordings_total{result="STORAGE_FULL"} 1');
    free();
    await untilWell();
    expect(await call("+12025550101")).toMatchObject({ recordingFile: { state: "READY", failure: null } });
  }, 240_000);

  test("that is read-only costs recordings and no call", async () => {
    const disk = await startOn(Disk.inMemory(24), "RECORDINGS_DIR");
    disk.remount("ro");
    expect(await call("+12025550100")).toMatchObject({
      recordingFile: { state: "FAILED", failure: { code: "STORAGE_READ_ONLY" } },
    });
    await untilWarned("STORAGE_READ_ONLY");
    expect(await failedChecks()).toEqual([expect.stringContaining("RECORDINGS_DIR cannot be written")]);
    disk.remount("rw");
    await untilWell();
    expect(await failedChecks()).toEqual([]);
    expect(await call("+12025550101")).toMatchObject({ recordingFile: { state: "READY", failure: null } });
  }, 240_000);

  test("that holds DATA_DIR refuses uploads in the one shape of errors while it is full or read-only", async () => {
    const disk = await startOn(Disk.inMemory(24), "DATA_DIR");
    const before = await countJobs();
    const free = disk.fill();
    const full = await upload();
    expect([full.status, full.headers.get("retry-after"), full.body.code]).toEqual([507, "60", "STORAGE_FULL"]);
    expect(Object.keys(full.body).toSorted()).toEqual(["code", "details", "error", "message", "requestId"]);
    free();
    const uncover = disk.cover("here/spool");
    const readOnly = await upload();
    expect([readOnly.status, readOnly.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(readOnly.body).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("cannot be written") });
    expect(await countJobs()).toBe(before);
    uncover();
    expect(globSync("here/spool/*", { cwd: disk.folder })).toEqual([]);
    expect((await upload()).status).toBe(200);
    expect(await countJobs()).toBe(Number(before) + 1);
  }, 60_000);
});

describe.skipIf(!canMount(() => Disk.thatFreezes(16)))("a disk that hangs", () => {
  test("costs audio of the recording and no call: the row ends, and the recording is used again afterwards", async () => {
    const disk = await startOn(Disk.thatFreezes(64), "RECORDINGS_DIR");
    const thaw = disk.freeze();
    try {
      const row = await call("+12025550100");
      expect(row).toMatchObject({ recordingFile: { state: "FAILED", failure: { code: "STORAGE_SLOW" } } });
      await untilWarned("STORAGE_SLOW");
      // Probes are answered, and other work of the process goes on.
      expect((await world.request("GET", "/call-jobs")).status).toBe(200);
    } finally {
      thaw();
    }
    await untilWell();
    expect(await call("+12025550101")).toMatchObject({ recordingFile: { state: "READY", failure: null } });
  }, 240_000);

  test("refuses uploads instead of letting them wait, and applies none of them", async () => {
    const disk = await startOn(Disk.thatFreezes(64), "DATA_DIR");
    const before = await countJobs();
    const thaw = disk.freeze();
    try {
      const reply = await upload();
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(reply.body).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("does not answer") });
      expect(await countJobs()).toBe(before);
    } finally {
      thaw();
    }
    await untilWell();
    expect((await upload()).status).toBe(200);
    expect(await countJobs()).toBe(Number(before) + 1);
  }, 240_000);
});
