import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { programEnvironment } from "../kit/test-environment.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-unwritable-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text = ""): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** A checkout whose server says a word, with these pages and a bundler that runs this. */
function makeCheckout(bundler: string): void {
  cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  const lock = JSON.stringify({ packages: {} });
  const digest = createHash("sha256").update(`${process.platform}-${process.arch}`).update(lock).digest("hex");
  write("package-lock.json", lock);
  write("package.json", JSON.stringify({ type: "module" }));
  write("node_modules/.parley-installed", `all ${digest}`);
  write("node_modules/vite/bin/vite.js", bundler);
  write("src/main.ts", 'console.log("sources");');
}

function start(more: Record<string, string> = {}) {
  const env = programEnvironment(more);
  return spawnSync(process.execPath, [join(folder, "bin/run.js"), "serve"], { env, encoding: "utf8" });
}

test("a server starts from its sources where neither its bundle nor its pages can be built", () => {
  makeCheckout("");
  for (const name of ["index.html", "vite.config.ts", "package.json", "src/a.ts", "public/a.txt"]) write(`web/${name}`);
  // A file in its place: root may write to a folder without the permission, too.
  write(".runtime");
  const { stdout, stderr, status } = start();
  expect({ stdout, status }, stderr).toEqual({ stdout: "sources\n", status: 0 });
  expect(stderr).toMatch(/^parley: the dashboard could not be built; everything else works\.$/m);
  expect(stderr).toMatch(/^parley: the server could not be bundled and starts from its sources\.$/m);
});

test("a bundle whose sources changed while it was made is not run", () => {
  makeCheckout(`
    import { existsSync, mkdirSync, writeFileSync } from "node:fs";
    const folder = process.argv[process.argv.indexOf("--outDir") + 1];
    mkdirSync(folder);
    writeFileSync(folder + "/main.cjs", 'console.log("bundle");');
    if (!existsSync("src/pulled.ts")) writeFileSync("src/pulled.ts", "");`);
  expect([start().stdout, start().stdout]).toEqual(["sources\n", "bundle\n"]);
});

test("a bundle that was never ended leaves nothing beside the next one", () => {
  makeCheckout(`
    import { mkdirSync, writeFileSync } from "node:fs";
    const folder = process.argv[process.argv.indexOf("--outDir") + 1];
    mkdirSync(folder, { recursive: true });
    writeFileSync(folder + "/main.cjs", 'console.log("bundle");');
    if (process.env.KILLED) process.kill(process.pid, "SIGKILL");`);
  start({ KILLED: "1" });
  write("src/main.ts", 'console.log("changed sources");');
  expect(start().stdout).toBe("bundle\n");
  expect(readdirSync(join(folder, ".runtime/server"))).toHaveLength(1);
});
