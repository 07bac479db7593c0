import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPostmaster } from "#src/platform/db/postgres-folder.ts";
import { makeThrowAwayFolder, removeThrowAwayFolder } from "./throw-away-folder.ts";

let place: string;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), "throw-away-"))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Makes a folder as an earlier run left it; without lines, one whose processes nobody noted. */
function leave(name: string, ...lines: string[]): void {
  mkdirSync(join(place, name));
  if (lines.length > 0) writeFileSync(join(place, name, "processes"), lines.map((line) => `${line}\n`).join(""));
}

test("only the folders whose processes are all gone are removed", async () => {
  const dead = spawnSync("true").pid;
  leave("parley-simulate-killed", `${hostname()} ${dead}`, `${hostname()} ${dead}`);
  leave("parley-simulate-serving", `${hostname()} ${dead}`, `${hostname()} ${process.pid}`);
  leave("parley-simulate-elsewhere", `container-7 ${dead}`);
  leave("parley-simulate-unnamed");
  leave("of-somebody-else", `${hostname()} ${dead}`);
  const folder = await makeThrowAwayFolder(place);
  expect(new Set(readdirSync(place))).toEqual(
    new Set([
      "of-somebody-else",
      "parley-simulate-elsewhere",
      "parley-simulate-serving",
      "parley-simulate-unnamed",
      basename(folder),
    ]),
  );
  await removeThrowAwayFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

/** True for a process that works, and is no zombie. */
function works(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-p", String(pid), "-o", "stat="], { encoding: "utf8" });
  return /^[^Z]/.test(stdout.trim());
}

/** Makes a folder in a program of its own, whose database outlives it. */
const PROGRAM = `
  import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "../../platform/db/embedded-postgres.ts"))};
  import { makeThrowAwayFolder } from ${JSON.stringify(join(import.meta.dirname, "throw-away-folder.ts"))};
  const quiet = () => undefined;
  const dataDir = await makeThrowAwayFolder(process.argv[1]);
  await startEmbeddedPostgres({ dataDir, log: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
  console.log(dataDir);
  setInterval(quiet, 1000);`;

test("the database of a killed run ends with its folder", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, place], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  const folder = printed.toString().trim();
  child.kill("SIGKILL");
  await once(child, "exit");
  const { pid = 0 } = findPostmaster(join(folder, "postgres/data")) ?? {};
  expect([works(pid), readFileSync(join(folder, "processes"), "utf8")]).toEqual([true, `${hostname()} ${child.pid}\n`]);
  const next = await makeThrowAwayFolder(place);
  expect([existsSync(folder), works(pid), existsSync(next)]).toEqual([false, false, true]);
}, 60_000);
