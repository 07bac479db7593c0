import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { ROOT } from "../kit/repository.ts";

const SUPERVISE = join(ROOT, "bin/supervise.js");
const WAITS = { timeout: 60_000, interval: 20 };
const folder = mkdtempSync(join(tmpdir(), "parley-supervise-"));
let running: ChildProcess | undefined;
afterEach(() => {
  running?.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a launcher whose children run `program`; what it and they print is gathered. */
function launch(program: string, firstWaitMs = 1, livedMs = 1) {
  const code = `
    import { spawn } from "node:child_process";
    import { supervise } from ${JSON.stringify(SUPERVISE)};
    const start = () => spawn(process.execPath, ["-e", ${JSON.stringify(program)}], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
    const say = (text) => console.log("SAID", text);
    console.log("END", JSON.stringify(await supervise(start, { say, firstWaitMs: ${firstWaitMs}, livedMs: ${livedMs} })));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running = child;
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child.stdout, "close").then(() => output);
  return { child, ended, heard: () => output };
}

const STAYS = "process.send('ready', () => console.log('RUNS', process.pid, '')); setInterval(() => 0, 1000);";
const pidsOf = (output: string) => [...output.matchAll(/RUNS (\d+) /g)].map(([, pid]) => Number(pid));
const count = (output: string, word: string) => output.split(word).length - 1;

test("a server that is killed is started again, as often as that happens", async () => {
  const { child, ended, heard } = launch(STAYS);
  // More often than it may fail in a row.
  for (let kills = 1; kills <= 12; kills++) {
    await vi.waitFor(() => expect(pidsOf(heard())).toHaveLength(kills), WAITS);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(pidsOf(heard()).at(-1) as number, "SIGKILL");
  }
  await vi.waitFor(() => expect(pidsOf(heard())).toHaveLength(13), WAITS);
  child.kill("SIGTERM");
  expect(await ended).toContain('END {"code":null,"signal":"SIGTERM"');
});

test("a server that gets ready is started again however soon after that it is killed, and however often", async () => {
  const { child, ended, heard } = launch(STAYS, 0.01, 60_000);
  for (let kills = 1; kills <= 10; kills++) {
    await vi.waitFor(() => expect(pidsOf(heard())).toHaveLength(kills), WAITS);
    process.kill(pidsOf(heard()).at(-1) as number, "SIGKILL");
  }
  await vi.waitFor(() => expect(pidsOf(heard())).toHaveLength(11), WAITS);
  child.kill("SIGTERM");
  await ended;
});

test.each([
  [1, ""],
  [3, "SAID the server ended with code 3 before it was ready.\n"],
  [0, "SAID the server ended with code 0 before it was ready.\n"],
])("a server that ends its first start with %i stays ended, and only one with 1 has said why", async (code, said) => {
  const output = await launch(`console.log('TRIED'); process.exit(${code})`).ended;
  expect(output.replace(/,"signal.*/, "")).toBe(`TRIED\n${said}END {"code":${code}\n`);
});

test("a server that ended with 0 stays ended", async () => {
  const output = await launch("console.log('TRIED'); process.send('ready', () => process.exit(0))").ended;
  expect([count(output, "TRIED"), output]).toEqual([1, expect.stringContaining('END {"code":0') as string]);
});

test("a server that is killed at every start is given up, and that is said", async () => {
  const output = await launch("console.log('TRIED'); process.kill(process.pid, 'SIGKILL')").ended;
  expect(count(output, "TRIED")).toBe(8);
  expect(output).toMatch(/did not start 8 times in a row.*giving up/);
  expect(output).toContain('"signal":"SIGKILL"');
});

test("a server that ran and then fails to start is given up as well", async () => {
  const mark = join(folder, "ran");
  const program = `const fs = require("node:fs"); console.log("TRIED");
    if (fs.existsSync(${JSON.stringify(mark)})) process.exit(1);
    fs.writeFileSync(${JSON.stringify(mark)}, "");
    process.send("ready", () => process.kill(process.pid, "SIGKILL"))`;
  const output = await launch(program).ended;
  expect(count(output, "TRIED")).toBeGreaterThanOrEqual(8);
  expect(output).toContain("giving up");
});

test("a launcher that is told to stop while it waits starts nothing more", async () => {
  const { child, ended, heard } = launch("console.log('TRIED'); process.kill(process.pid, 'SIGKILL')", 20_000);
  await vi.waitFor(() => expect(count(heard(), "SAID")).toBe(1), WAITS);
  child.kill("SIGTERM");
  const output = await ended;
  expect([count(output, "TRIED"), output]).toEqual([1, expect.stringContaining("END") as string]);
});
