import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cruise as cruiseHere, type ICruiseResult } from "dependency-cruiser";
import readTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { afterAll, expect, test } from "vitest";
import configuration, { GROUPS, permittedRooms, ROOMS, WEB_LAYERS } from "../../.dependency-cruiser.mjs";
import { ROOT } from "../kit/repository.ts";

const run = promisify(execFile);
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Report {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: { violations: { rule: { name: string }; from: string; to: string }[] };
}

/** The checker ends with the number of violations, so its exit code says nothing here. */
async function cruise(folder: string, paths: string[], options: string[] = []): Promise<Report> {
  const bin = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [bin, ...paths, "--config", join(ROOT, ".dependency-cruiser.mjs"), "--output-type", "json", ...options];
  const limits = { cwd: folder, maxBuffer: 256 * 1024 * 1024 };
  const failed = (error: { stdout?: string }): { stdout: string } => ({ stdout: error.stdout ?? "" });
  const { stdout } = await run(process.execPath, args, limits).catch(failed);
  return JSON.parse(stdout) as Report;
}

let ofSources: Promise<Report> | undefined;

/** Returns the report of src and sdk, made once. */
function cruiseSources(): Promise<Report> {
  return (ofSources ??= cruise(ROOT, ["src", "sdk/src"]));
}

/**
 * The rules that a tree of files, given as path and text, breaks. The checker runs in this process: loading it costs a
 * hundred times what it takes for a few files.
 */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  folders.push(folder);
  const compilerOptions = { module: "nodenext", allowImportingTsExtensions: true, noEmit: true };
  const settings = {
    "package.json": JSON.stringify({ type: "module", imports: { "#src/*": "./src/*" } }),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src", "web/src"] }),
  };
  for (const [path, text] of Object.entries({ ...settings, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { options, ...ruleSet } = configuration;
  const fileName = join(folder, "tsconfig.json");
  const { output } = await cruiseHere(
    [existsSync(join(folder, "web")) ? "web/src" : "src"],
    { ...options, tsConfig: { fileName }, ruleSet, validate: true, baseDir: folder },
    {},
    { tsConfig: readTsConfig(fileName) },
  );
  return [...new Set((output as ICruiseResult).summary.violations.map(({ rule }) => rule.name))];
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`);
}

// With TypeScript 7 alone the checker reads no module, finds no fault and ends with 0.
test("every module of src and sdk is read, and none breaks a rule", async () => {
  const report = await cruiseSources();
  const read = new Set(report.modules.map((module) => module.source));
  const files = [...sourceFiles("src"), ...sourceFiles("sdk/src")];
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((path) => !read.has(path))).toEqual([]);
  expect(report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
});

/** GROUP/ROOM of a source file; null for src/main.ts and the files of src/app/. */
function roomOf(path: string): string | null {
  return /^src\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? null;
}

test("the tables name the folders that are there, and nothing that no file needs", async () => {
  const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual(Object.keys(GROUPS).toSorted());
  for (const [group, rooms] of Object.entries(ROOMS)) {
    expect(readdirSync(join(ROOT, "src", group)).toSorted(), group).toEqual(Object.keys(rooms).toSorted());
  }

  const used = new Set<string>();
  const { modules } = await cruiseSources();
  for (const { source, dependencies } of modules) {
    if (source.endsWith(".test.ts") || !source.startsWith("src/")) continue;
    for (const { resolved } of dependencies) {
      used.add(`${roomOf(source)} -> ${roomOf(resolved)}`).add(`${source.split("/")[1]} -> ${resolved.split("/")[1]}`);
    }
  }
  const permitted = Object.entries(ROOMS).flatMap(([group, rooms]) =>
    Object.entries(rooms).flatMap(([room, line]) =>
      permittedRooms(line)
        // `*` and `-` stand for platform as a whole.
        .filter((one) => group === "platform" || !one.startsWith("platform/"))
        .map((one) => `${group}/${room} -> ${one}`),
    ),
  );
  const groups = Object.entries(GROUPS).flatMap(([group, line]) =>
    line.split(" ").flatMap((one) => (one ? [`${group} -> ${one}`] : [])),
  );
  expect([...permitted, ...groups].filter((line) => !used.has(line))).toEqual([]);
});

test("each group and each room stands below those that import it", () => {
  const order = Object.keys(GROUPS);
  for (const [group, line] of Object.entries(GROUPS)) {
    for (const below of line.split(" ").filter(Boolean))
      expect([group, order.indexOf(below) < order.indexOf(group)]).toEqual([group, true]);
  }
  const rooms = Object.entries(ROOMS).flatMap(([group, inside]) =>
    Object.entries(inside).map(([room, line]) => [`${group}/${room}`, permittedRooms(line)] as const),
  );
  const above: string[] = [];
  for (const [room, below] of rooms) {
    expect(
      below.filter((one) => !above.includes(one)),
      room,
    ).toEqual([]);
    above.push(room);
  }
});

test("every module of the dashboard is read, none breaks a rule, and its folders are the layers", async () => {
  const report = await cruise(ROOT, ["web/src"], ["--ts-config", "web/tsconfig.json"]);
  const read = new Set(report.modules.map((module) => module.source));
  const files = readdirSync(join(ROOT, "web/src"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /[.]tsx?$/.test(path),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((path) => !read.has(`web/src/${path}`))).toEqual([]);
  expect(report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  const folders = readdirSync(join(ROOT, "web/src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual(WEB_LAYERS.toSorted());
});

test.each([
  ["web-api", "api/http.ts", "ui/card.ts"],
  ["web-ui", "ui/card.ts", "domain/call/call.ts"],
  ["web-domain", "domain/call/call.ts", "features/calls/calls.ts"],
  ["web-features", "features/calls/calls.ts", "shell/screens.ts"],
  ["web-features-apart", "features/calls/calls.ts", "features/chats/chats.ts"],
  ["known-web-layer", "drawer/things.ts", "api/http.ts"],
])("the dashboard's rule %s is broken by an import of %s", async (rule, from, to) => {
  const up = "../".repeat(from.split("/").length - 1);
  const rules = await brokenRules({
    [`web/src/${from}`]: `import { one } from "${up}${to}";\nexport const two = one;`,
    [`web/src/${to}`]: "export const one = 1;",
  });
  expect(rules).toEqual([rule]);
});

test("a tidy tree breaks no rule", async () => {
  const rules = await brokenRules({
    "src/platform/kernel/id.ts": "export const id = 1;",
    "src/authoring/flows/flows.ts": 'import { id } from "#src/platform/kernel/id.ts";\nexport const flow = id;',
    "src/authoring/flows/routes.ts": 'import { flow } from "./flows.ts";\nexport const routes = [flow];',
    "src/app/app.ts": 'import { routes } from "#src/authoring/flows/routes.ts";\nexport const app = routes;',
  });
  expect(rules).toEqual([]);
});

test("a loop between two files is found", async () => {
  const rules = await brokenRules({
    "src/authoring/flows/flows.ts": 'import { b } from "./merge.ts";\nexport const a = () => b;',
    "src/authoring/flows/merge.ts": 'import { a } from "./flows.ts";\nexport const b = () => a;',
  });
  expect(rules).toEqual(["no-circular"]);
});

test("a loop of types alone is found", async () => {
  const rules = await brokenRules({
    "src/authoring/flows/flows.ts": 'import type { B } from "./merge.ts";\nexport type A = B | 1;',
    "src/authoring/flows/merge.ts": 'import type { A } from "./flows.ts";\nexport type B = A[];',
  });
  expect(rules).toEqual(["no-circular"]);
});

test.each(["store", "routes", "tasks", "version-sql", "version-routes"])(
  "another room's %s.ts is private",
  async (layer) => {
    const rules = await brokenRules({
      [`src/authoring/flows/${layer}.ts`]: "export const secret = 1;",
      "src/interactions/calls/calls.ts": `import { secret } from "#src/authoring/flows/${layer}.ts";\nexport const call = secret;`,
    });
    expect(rules).toEqual(["private-layer"]);
  },
);

test("outside the rooms, only src/app/ reaches their private files", async () => {
  const rules = await brokenRules({
    "src/authoring/flows/store.ts": "export const secret = 1;",
    "src/main.ts": 'import { secret } from "#src/authoring/flows/store.ts";\nexport const main = secret;',
  });
  expect(rules).toEqual(["only-app-mounts"]);
});

test("a room outside the table's line is forbidden, also for a type", async () => {
  const rules = await brokenRules({
    "src/platform/db/database.ts": "export type Database = number;",
    "src/platform/kernel/id.ts":
      'import type { Database } from "#src/platform/db/database.ts";\nexport type Id = Database;',
  });
  expect(rules).toEqual(["room-kernel"]);
});

test("a group outside the table's line is forbidden", async () => {
  const rules = await brokenRules({
    "src/interactions/calls/calls.ts": "export const call = 1;",
    "src/authoring/flows/flows.ts":
      'import { call } from "#src/interactions/calls/calls.ts";\nexport const flow = call;',
  });
  expect(rules.toSorted()).toEqual(["group-authoring", "room-flows"]);
});

test("a carrier does not import another carrier", async () => {
  const rules = await brokenRules({
    "src/telephony/carriers/twilio/twilio-api.ts": "export const api = 1;",
    "src/telephony/carriers/telnyx/telnyx-api.ts":
      'import { api } from "#src/telephony/carriers/twilio/twilio-api.ts";\nexport const own = api;',
  });
  expect(rules).toEqual(["vendors-apart"]);
});

test.each(["src/drawer/things.ts", "src/platform/drawer/things.ts"])(
  "a room without a line in the table is found: %s",
  async (path) => {
    const rules = await brokenRules({
      [path]: 'import { id } from "#src/platform/kernel/id.ts";\nexport const thing = id;',
      "src/platform/kernel/id.ts": "export const id = 1;",
    });
    expect(rules).toContain("known-room");
  },
);
