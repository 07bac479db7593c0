import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AttemptRegistry } from "./attempt-registry.ts";
import { Ledger, type LedgerLine } from "./ledger.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-ledger-"));
  path = join(folder, "deep", "ledger.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

function ring(attemptId: string): LedgerLine {
  const at = "2031-01-01T00:00:00.000Z";
  return {
    at,
    attemptId,
    providerCallId: `sbx-${attemptId}`,
    from: "+12025550190",
    to: "+12025550100",
    attemptNumber: 1,
    event: "RING",
  };
}

describe("the ledger", () => {
  test("a line is in the file once append has resolved, and lines keep their order", async () => {
    const { ledger } = await Ledger.open({ path, fsync: true });
    const appends = ["a", "b", "c"].map((id) => ledger.append(ring(id)));
    await appends[0];
    await ledger.append(ring("d"));
    const ids = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as LedgerLine).attemptId);
    expect(ids).toEqual(["a", "b", "c", "d"]);
    await ledger.close();
  });

  test("lines of one turn of the event loop share one write", async () => {
    const { ledger } = await Ledger.open({ path });
    expect(ledger.append(ring("a"))).toBe(ledger.append(ring("b")));
    await ledger.close();
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
  });

  test("is read back, without the line that a crash tore", async () => {
    const first = await Ledger.open({ path });
    await first.ledger.append(ring("a"));
    await first.ledger.close();
    appendFileSync(path, '{"at":"2031-01-01T00:0');
    const second = await Ledger.open({ path });
    expect(second.readBack).toEqual({ lines: [ring("a")], complete: true });
    await second.ledger.append(ring("b"));
    await second.ledger.close();
    const third = await Ledger.open({ path });
    expect(third.readBack.lines.map((line) => line.attemptId)).toEqual(["a", "b"]);
    await third.ledger.close();
  });

  test("only its end is read back, and that is told", async () => {
    const { ledger } = await Ledger.open({ path });
    for (let i = 0; i < 100; i++) void ledger.append(ring(`attempt-${i}`));
    await ledger.close();
    const { ledger: next, readBack } = await Ledger.open({ path, readBack: 1_000 });
    await next.close();
    expect(readBack.complete).toBe(false);
    expect(readBack.lines.at(-1)?.attemptId).toBe("attempt-99");
    expect(readBack.lines.length).toBeLessThan(10);
  });

  test("turns over at its size, keeps one old file, and reads back across both", async () => {
    const { ledger } = await Ledger.open({ path, rotateAt: 2_000 });
    for (let i = 0; i < 25; i++) await ledger.append(ring(`attempt-${i}`));
    await ledger.close();
    expect(existsSync(`${path}.1`)).toBe(true);
    const { ledger: next, readBack } = await Ledger.open({ path });
    await next.close();
    expect(readBack.lines.at(-1)?.attemptId).toBe("attempt-24");
    expect(readBack.lines.length).toBeGreaterThan(10);
    expect(readBack.complete).toBe(false);
  });

  test("that keeps no people takes those out that an earlier version wrote, in both of its files and in torn lines", async () => {
    const { ledger } = await Ledger.open({ path, rotateAt: 2_000 });
    for (let i = 0; i < 15; i++) await ledger.append(ring(`attempt-${i}`));
    await ledger.close();
    appendFileSync(path, '{"attemptId":"torn","to":"+12025550100');
    const { ledger: next, readBack } = await Ledger.open({ path, omitsPeople: true });
    await next.append(ring("last"));
    await next.close();
    for (const file of [path, `${path}.1`]) expect(readFileSync(file, "utf8")).not.toContain("+12025550100");
    expect(readBack.lines.at(-1)).toEqual({ ...ring("attempt-14"), to: "" });
    const { ledger: third, readBack: again } = await Ledger.open({ path, omitsPeople: true });
    await third.close();
    expect(again.lines.at(-1)).toEqual({ ...ring("last"), to: "" });
    expect(again.lines).toHaveLength(readBack.lines.length + 1);
  });

  test("that keeps no people still knows after a restart what became of each attempt, and rings nobody again", async () => {
    const { ledger } = await Ledger.open({ path, omitsPeople: true });
    await ledger.append(ring("a"));
    await ledger.append({ ...ring("b"), event: "END", outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
    await ledger.close();
    const { ledger: next, readBack } = await Ledger.open({ path, omitsPeople: true });
    await next.close();
    const registry = new AttemptRegistry();
    expect(registry.restore(readBack, Date.now()).map(({ attemptId }) => attemptId)).toEqual(["a"]);
    expect(registry.find("b")).toMatchObject({ kind: "ENDED", event: { outcome: "ANSWERED" } });
  });

  test.skipIf(!existsSync("/dev/full"))("an append that cannot be written rejects", async () => {
    const { ledger } = await Ledger.open({ path: "/dev/full" });
    await expect(ledger.append(ring("a"))).rejects.toThrow(/ENOSPC/);
  });

  test("without a path nothing is kept", async () => {
    const { ledger, readBack } = await Ledger.open({});
    await ledger.append(ring("a"));
    expect(readBack).toEqual({ lines: [], complete: true });
    await ledger.close();
  });
});
