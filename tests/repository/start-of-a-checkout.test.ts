import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** A build that begins and, once its launcher was killed, writes beside the next one, which waits for that. */
const orphanedBuild = (last: string) => `
  import { existsSync, mkdirSync, writeFileSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  const { BUILD = "next" } = process.env;
  const note = (name) => writeFileSync(process.env.NOTES + name, "");
  const until = async (name) => { while (!existsSync(process.env.NOTES + name)) await sleep(10); };
  const folder = ${last};
  mkdirSync(folder, { recursive: true });
  if (BUILD === "orphan") { note("begun"); await until("written"); }
  writeFileSync(folder + "/main.cjs", "console.log('" + BUILD + "');");
  if (BUILD === "orphan") note("over");
  else { note("written"); await until("over"); }`;

/** Starts a program, and kills it as soon as its build has begun; the build goes on. */
async function orphan(args: string[]): Promise<Record<string, string>> {
  const NOTES = join(folder, "note-");
  const env = programEnvironment({ NOTES, BUILD: "orphan" });
  const launcher = spawn(process.execPath, args, { env, stdio: "ignore", cwd: folder });
  await expect.poll(() => existsSync(`${NOTES}begun`), { timeout: 30_000 }).toBe(true);
  launcher.kill("SIGKILL");
  await once(launcher, "exit");
  return { NOTES };
}

test("a bundler whose start was killed does not write into the next bundle", async () => {
  makeCheckout(orphanedBuild('process.argv[process.argv.indexOf("--outDir") + 1]'));
  expect(start(await orphan([join(folder, "bin/run.js"), "serve"])).stdout).toBe("next\n");
});

test("a build of pages whose start was killed does not write into the next ones", async () => {
  makeCheckout("");
  write("web/src/a.ts");
  write("build.js", orphanedBuild("process.argv[2]"));
  write(
    "pages.js",
    `import { buildOnce } from "./bin/build-once.js";
     const command = (node, output) => [node, "build.js", output];
     await buildOnce(process.execPath, { name: "pages", folder: "web", sources: ["web/src"], command, packed: [] });`,
  );
  const env = programEnvironment(await orphan(["pages.js"]));
  const { stderr } = spawnSync(process.execPath, ["pages.js"], { env, encoding: "utf8", cwd: folder });
  expect(readFileSync(join(folder, "web/dist/main.cjs"), "utf8"), stderr).toContain("next");
  expect(readdirSync(join(folder, "web")).toSorted()).toEqual(["dist", "src"]);
});

/** Runs work under a lock in a process of its own, for as long as the lock is touched once more. */
function runLocked(work: string) {
  cpSync(join(ROOT, "bin/lock.js"), join(folder, "lock.js"));
  write("package.json", JSON.stringify({ type: "module" }));
  const program = `import { rmSync, writeFileSync } from "node:fs";
    import { withLock } from "./lock.js";
    await withLock("start.lock", async () => { ${work} await new Promise((resolve) => setTimeout(resolve, 1_500)); });`;
  write("program.js", program);
  return spawnSync(process.execPath, ["program.js"], { encoding: "utf8", cwd: folder });
}

test("a start whose lock is gone, because it stood still for long, goes on", () => {
  const { status, stderr } = runLocked('rmSync("start.lock");');
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("a start that stood still leaves the lock alone that another one has taken", () => {
  const { status } = runLocked('rmSync("start.lock"); writeFileSync("start.lock", "1");');
  expect([status, readFileSync(join(folder, "start.lock"), "utf8")]).toEqual([0, "1"]);
});
