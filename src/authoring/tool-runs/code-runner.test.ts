import { afterAll, describe, expect, test } from "vitest";
import { CodeRunner } from "./code-runner.ts";
import { ToolFailure } from "./tool-failure.ts";

const runner = new CodeRunner();
afterAll(() => runner.close());

const never = new AbortController().signal;
const run = (code: string, scope: Record<string, unknown> = {}) => runner.run("w", { code, scope }, never);
const fault = async (code: string): Promise<string> => {
  try {
    return `VALUE ${JSON.stringify(await run(code))}`;
  } catch (error) {
    return error instanceof ToolFailure ? error.code : String(error);
  }
};

describe("code", () => {
  test("takes JSON and gives JSON", async () => {
    expect(await run("return input.a.map((n) => n * 2)", { input: { a: [1, 2, 3] } })).toEqual([2, 4, 6]);
    expect(await run("return { sum: await Promise.resolve(a + b) } // the end", { a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(await run("input.x = 1", { input: {} })).toBe(null);
    expect(await run("return undefined")).toBe(null);
    expect(await run("return new Date(0)")).toBe("1970-01-01T00:00:00.000Z");
    expect(await run("return '\u2713 \u{1f600}'")).toBe("\u2713 \u{1f600}");
  });

  test("reaches nothing of the process", async () => {
    const names = [
      "process",
      "require",
      "fetch",
      "globalThis.process",
      "WebAssembly",
      "setTimeout",
      "Worker",
      "console",
    ];
    for (const name of names) expect(await run(`return typeof ${name}`), name).toBe("undefined");
    expect(await fault("return await import('node:fs')")).toBe("CODE_FAILED");
    expect(await fault("return this.constructor.constructor('return process')()")).toBe("CODE_FAILED");
    expect(await fault("return (() => {}).constructor('return process.env')()")).toBe("CODE_FAILED");
  });

  test("leaves nothing behind for the next run", async () => {
    await run("globalThis.left = 1; Object.prototype.left = 2; JSON.stringify = () => '3'; Array.prototype.map = null");
    expect(await run("return [typeof left, ({}).left ?? null, [1].map(String)]")).toEqual(["undefined", null, ["1"]]);
  });
});

describe("hostile code", () => {
  test("is ended, and the event loop goes on meanwhile", async () => {
    let beats = 0;
    const beat = setInterval(() => beats++, 10);
    const faults = await Promise.all([
      fault("for (;;) {}"),
      fault("while (true) await null"),
      fault("const all = []; for (;;) all.push(new Array(1e5).fill(1))"),
      fault("let s = 'x'; for (;;) s += s"),
      fault("new ArrayBuffer(2 ** 30)"),
      fault("const f = () => f() + f(); return f()"),
      fault("return /^(a+)+$/.test('a'.repeat(40) + 'b')"),
      fault("await new Promise(() => {})"),
      fault("return { toJSON() { for (;;) {} } }"),
      fault("throw { get message() { for (;;) {} } }"),
      fault("const a = []; a.a = a; return { a: [a, (() => { const o = {}; o.o = o; return o })()] }"),
      fault("return 'x'.repeat(2 ** 21)"),
      fault("}) ; for (;;) {} ; ((async () => {"),
      fault("syntax error here"),
      fault("throw 'plain text'"),
    ]);
    clearInterval(beat);
    expect(faults.map((code) => (code.startsWith("CODE_") ? "CODE" : code))).toEqual(Array(faults.length).fill("CODE"));
    expect(faults.slice(0, 2)).toEqual(["CODE_TIMEOUT", "CODE_TIMEOUT"]);
    expect(faults[4]).toBe("CODE_MEMORY");
    expect(beats).toBeGreaterThan(50);
    expect(await run("return 1 + 1")).toBe(2);
  });

  test("what it gives back under the names of prototypes is plain data", async () => {
    const value = (await run('return JSON.parse(\'{"__proto__":{"polluted":1},"constructor":2}\')')) as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined);
  });

  test("a session that is over ends it at once, and the place is free again", async () => {
    const stop = new AbortController();
    const runs = Array.from({ length: 5 }, () => runner.run("w", { code: "for (;;) {}", scope: {} }, stop.signal));
    stop.abort(new Error("over"));
    const ends = await Promise.allSettled(runs);
    expect(ends.map((end) => (end.status === "rejected" ? (end.reason as Error).message : end.value))).toEqual(
      Array(5).fill("over"),
    );
    expect(await run("return 2")).toBe(2);
  });

  test("of one workspace takes as many threads as it may, and another's code runs beside it", async () => {
    const ended: string[] = [];
    const of = (workspaceId: string, code: string) =>
      runner.run(workspaceId, { code, scope: {} }, never).then(
        () => ended.push(workspaceId),
        () => ended.push(workspaceId),
      );
    const noisy = Array.from({ length: 6 }, () => of("noisy", "for (;;) {}"));
    await of("quiet", "return 1");
    // On a machine of any speed: no more than the two that began before it.
    expect(ended.filter((one) => one === "noisy").length).toBeLessThanOrEqual(2);
    await Promise.all(noisy);
  });
});
