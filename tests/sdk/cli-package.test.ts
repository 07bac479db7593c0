import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "#src/surfaces/cli/program.ts";
import { Run } from "#src/surfaces/cli/run.ts";
import { FakeSystem } from "../kit/fake-system.ts";
import { findRuntime } from "../kit/sdk-package/sdk-package.ts";
import { programEnvironment } from "../kit/test-environment.ts";
import { World } from "../kit/world.ts";

/* The command line as it is published, installed from its tarball into an empty project without a network. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "parley-cli-package-"));
const installed = join(folder, "node_modules/@parley/cli");

let world: World;
beforeAll(async () => {
  // A module without types.
  const builder = new URL("../../bin/cli.js", import.meta.url).href;
  const { buildCli } = (await import(builder)) as { buildCli: (node: string, out: string) => Promise<string> };
  const tarball = await buildCli(process.execPath, join(folder, "packed"));
  writeFileSync(join(folder, "package.json"), `{ "private": true, "name": "journey" }\n`);
  const offline = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...offline, tarball], { cwd: folder, env: programEnvironment() });
  world = await World.start();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world[Symbol.asyncDispose]();
});

interface End {
  code: number;
  out: string;
  err: string;
}

/** Runs the installed program, and returns how it ended. */
function parley(args: string[], node = process.execPath): Promise<End> {
  const settings = { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey, XDG_CONFIG_HOME: folder };
  return run(node, [join(folder, "node_modules/.bin/parley"), ...args], {
    cwd: folder,
    env: programEnvironment(settings),
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
}

/** Uses the program as somebody would, and returns how each command ended. */
async function travel(node?: string): Promise<End[]> {
  const ends: End[] = [];
  const commands = [["--version"], ["call", "+12025550100"], ["flow", "pull", "--force"], ["flow", "diff"]];
  for (const command of commands) ends.push(await parley([...command, "-q"], node));
  return ends;
}

const SEEN = [
  { code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, err: "" },
  { code: 0, out: expect.stringContaining("QUEUED") as string, err: "" },
  { code: 0, out: expect.stringMatching(/^flows\/\S+ +(written|unchanged)$/m) as string, err: "" },
  { code: 0, out: "", err: "" },
];

test("it calls and pulls", async () => {
  expect(await travel()).toEqual(SEEN);
});

test("it writes a template, and imports it", async () => {
  const made = await parley(["init", "payment-reminder", "-q"]);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining(join("payment-reminder", "suite.yaml")) });
  expect(await parley(["flow", "import", "payment-reminder/flow.json", "-q"])).toMatchObject({ code: 0, err: "" });
});

test("it brings no server and needs no other package, and names the licences of those that it bundles", () => {
  expect(existsSync(join(installed, "node_modules"))).toBe(false);
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@parley"]);
  const scripts = readdirSync(join(installed, "parts")).map((name) =>
    readFileSync(join(installed, "parts", name), "utf8"),
  );
  const text = [readFileSync(join(installed, "parley.js"), "utf8"), ...scripts].join("");
  expect(text).not.toMatch(/node_modules\/(pg|kysely|fastify)\/|src\/(app|platform\/db)\//);
  const licences = readFileSync(join(installed, "licences.md"), "utf8");
  for (const name of ["commander", "yaml"]) expect(licences).toContain(name);
});

test("a command that it leaves out says where it is, and every other command is there", async () => {
  const [program, help] = [await buildProgram(new Run(new FakeSystem())), (await parley(["help"])).out];
  for (const { name } of program.commands.map((command) => ({ name: command.name() }))) {
    expect(help).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  }
  const refused = await parley(["workspace", "create", "--name", "x"]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("part of the server");
  const served = await parley(["simulate", "init", "served", "--serve"]);
  expect([served.code, served.err]).toEqual([2, expect.stringContaining("in the server's checkout")]);
});

const node22 = findRuntime("node22", "bin/node");
test.skipIf(!node22)(`it runs on Node 22${node22 ? "" : " (skipped: only in npm run matrix)"}`, async () => {
  expect(await travel(node22)).toEqual(SEEN);
});
