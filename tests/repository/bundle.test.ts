import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { programEnvironment } from "../kit/test-environment.ts";

const ENTER = join(ROOT, "bin/enter.js");
/** Files below some size are not kept. */
const LONG = `//${"-".repeat(10_000)}\n`;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-bundle-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a bundle of two files that says a word and keeps what is compiled; returns its main file. */
function write(word: string): string {
  const main = `const { say } = require("./part.cjs");
    say(process.argv.slice(2));
    require("node:diagnostics_channel").channel("parley.compiled").publish(undefined);`;
  writeFileSync(join(folder, "main.cjs"), LONG + main);
  writeFileSync(join(folder, "part.cjs"), `${LONG}exports.say = (args) => console.log("${word}", ...args);`);
  return join(folder, "main.cjs");
}

function run(main: string, cache = join(folder, "compiled")): string {
  const args = [ENTER, main, cache, "serve"];
  const env = programEnvironment({ NODE_COMPILE_CACHE: cache });
  return spawnSync(process.execPath, args, { env, encoding: "utf8" }).stdout;
}

/** The files that are kept, with a number that changes when one is written anew. */
function listKept(): Map<string, number> {
  const compiled = join(folder, "compiled");
  const names = readdirSync(compiled).filter((name) => name.includes(".bundle"));
  return new Map(names.map((name) => [join(compiled, name), statSync(join(compiled, name)).ino]));
}

test("the launcher starts a server with V8's flags for its heap and for patterns", async () => {
  // A module without types.
  const { spawnServer } = (await import(join(ROOT, "bin/spawn-server.js"))) as {
    spawnServer: (node: string) => ChildProcess;
  };
  writeFileSync(join(folder, "main.cjs"), "process.send(process.execArgv);");
  const server = spawnServer(process.execPath);
  server.send([join(folder, "main.cjs"), join(folder, "compiled"), "serve"]);
  const [flags] = (await once(server, "message")) as [string[]];
  server.kill();
  expect(flags).toEqual(["--initial-old-space-size=64", "--no-regexp-tier-up"]);
  expect(readFileSync(join(ROOT, "Dockerfile"), "utf8")).toContain('ENTRYPOINT ["node", "--no-regexp-tier-up", ');
});

test("a bundle runs from what an earlier start compiled", () => {
  const main = write("hello");
  expect(run(main)).toBe("hello serve\n");
  const kept = listKept();
  expect(kept.size).toBe(2);
  expect(run(main)).toBe("hello serve\n");
  expect(listKept()).toEqual(kept);
});

test.each([
  ["half written", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["empty", () => Buffer.alloc(0)],
  ["zeros", (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ["changed in one bit", (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 400 ? byte ^ 1 : byte)))],
])("what was compiled and is %s now is compiled and kept anew", (_how, damage) => {
  const main = write("hello");
  run(main);
  const kept = listKept();
  for (const path of kept.keys()) writeFileSync(path, damage(readFileSync(path)));
  expect(run(main)).toBe("hello serve\n");
  const mended = listKept();
  expect([...mended.keys()]).toEqual([...kept.keys()]);
  for (const [path, written] of mended) expect(written).not.toBe(kept.get(path));
});

test("a source that was written anew at the same length is not run from what was compiled of the former", () => {
  run(write("hello"));
  expect(run(write("world"))).toBe("world serve\n");
});

test("a bundle runs where nothing can be kept", () => {
  const cache = join(folder, "a-file");
  writeFileSync(cache, "");
  expect(run(write("hello"), join(cache, "compiled"))).toBe("hello serve\n");
});

test("a part that fails at its first use is tried again at the next, as Node does", () => {
  const main = `const tries = [1, 2].map(() => { try { return require("./part.cjs").word } catch { return "failed" } });
    console.log(tries.join());`;
  writeFileSync(join(folder, "main.cjs"), main);
  writeFileSync(
    join(folder, "part.cjs"),
    `if (!globalThis.isSecond) { isSecond = true; throw Error() } exports.word = "there";`,
  );
  expect(run(join(folder, "main.cjs"))).toBe("failed,there\n");
});

test("a process that is started before it is known what it runs hears that from the launcher, and ends with it", async () => {
  const main = write("hello");
  const start = () =>
    spawn(process.execPath, [ENTER], { env: programEnvironment({}), stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const told = start();
  told.send([main, join(folder, "compiled"), "serve"]);
  let said = "";
  told.stdout?.on("data", (bytes: Buffer) => (said += bytes.toString()));
  expect(await once(told, "exit")).toEqual([0, null]);
  expect(said).toBe("hello serve\n");
  const waiting = start();
  await once(waiting, "spawn");
  waiting.disconnect();
  const [, signal] = (await once(waiting, "exit")) as [number | null, string | null];
  expect(signal ?? "ended").toMatch(/SIGTERM|ended/);
});
