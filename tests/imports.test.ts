import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = dirname(import.meta.dirname);
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Report {
  modules: { source: string }[];
  summary: { violations: { rule: { name: string }; from: string }[] };
}

/** The checker ends with the number of violations, so its exit code says nothing here. */
async function cruise(folder: string, paths: string[]): Promise<Report> {
  const bin = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [bin, ...paths, "--config", join(root, ".dependency-cruiser.mjs"), "--output-type", "json"];
  const options = { cwd: folder, maxBuffer: 256 * 1024 * 1024 };
  const failed = (error: { stdout?: string }): { stdout: string } => ({ stdout: error.stdout ?? "" });
  const { stdout } = await run(process.execPath, args, options).catch(failed);
  return JSON.parse(stdout) as Report;
}

/** The rules that a tree of files, given as path and text, breaks. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  folders.push(folder);
  const compilerOptions = { module: "nodenext", allowImportingTsExtensions: true, noEmit: true };
  const settings = {
    "package.json": JSON.stringify({ type: "module", imports: { "#src/*": "./src/*" } }),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
  };
  for (const [path, text] of Object.entries({ ...settings, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const report = await cruise(folder, ["src"]);
  return [...new Set(report.summary.violations.map((violation) => violation.rule.name))];
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`);
}

// With TypeScript 7 alone the checker reads no module, finds no fault and ends with 0.
test("every module of src and sdk is read, and none breaks a rule", async () => {
  const report = await cruise(root, ["src", "sdk/src"]);
  const read = new Set(report.modules.map((module) => module.source));
  const files = [...sourceFiles("src"), ...sourceFiles("sdk/src")];
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => !read.has(path))).toEqual([]);
  expect(report.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`)).toEqual([]);
});

test("a tidy tree breaks no rule", async () => {
  const rules = await brokenRules({
    "src/kernel/id.ts": "export const id = 1;",
    "src/flows/flows.ts": 'import { id } from "#src/kernel/id.ts";\nexport const flow = id;',
    "src/flows/routes.ts": 'import { flow } from "./flows.ts";\nexport const routes = [flow];',
    "src/app.ts": 'import { routes } from "#src/flows/routes.ts";\nexport const app = routes;',
  });
  expect(rules).toEqual([]);
});

test("a loop between two files is found", async () => {
  const rules = await brokenRules({
    "src/flows/flows.ts": 'import { b } from "./merge.ts";\nexport const a = () => b;',
    "src/flows/merge.ts": 'import { a } from "./flows.ts";\nexport const b = () => a;',
  });
  expect(rules).toEqual(["no-circular"]);
});

test("a loop of types alone is found", async () => {
  const rules = await brokenRules({
    "src/flows/flows.ts": 'import type { B } from "./merge.ts";\nexport type A = B | 1;',
    "src/flows/merge.ts": 'import type { A } from "./flows.ts";\nexport type B = A[];',
  });
  expect(rules).toEqual(["no-circular"]);
});

test.each(["store", "routes", "tasks"])("another room's %s.ts is private", async (layer) => {
  const rules = await brokenRules({
    [`src/flows/${layer}.ts`]: "export const secret = 1;",
    "src/calls/calls.ts": `import { secret } from "#src/flows/${layer}.ts";\nexport const call = secret;`,
  });
  expect(rules).toEqual(["private-layer"]);
});

test("above the rooms, only app.ts reaches a room's private files", async () => {
  const rules = await brokenRules({
    "src/flows/store.ts": "export const secret = 1;",
    "src/main.ts": 'import { secret } from "#src/flows/store.ts";\nexport const main = secret;',
  });
  expect(rules).toEqual(["only-app-mounts"]);
});

test("a room outside the table's line is forbidden, also for a type", async () => {
  const rules = await brokenRules({
    "src/calls/calls.ts": "export type Call = number;",
    "src/kernel/id.ts": 'import type { Call } from "#src/calls/calls.ts";\nexport type Id = Call;',
  });
  expect(rules).toEqual(["room-kernel"]);
});

test("a room without a line in the table is found", async () => {
  const rules = await brokenRules({
    "src/drawer/things.ts": 'import { id } from "#src/kernel/id.ts";\nexport const thing = id;',
    "src/kernel/id.ts": "export const id = 1;",
  });
  expect(rules).toEqual(["known-room"]);
});
