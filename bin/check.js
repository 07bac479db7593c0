import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { weighFirstLoad } from "./dashboard-weight.js";
import { buildDashboard } from "./dashboard.js";
import { buildDocumentation } from "./documentation.js";
import { installDependencies } from "./install.js";
import { findNode, LauncherError, root, runQuietly } from "./runtime.js";
import { writeThirdParty } from "./third-party.js";

const modules = join(root, "node_modules");
const report = join(modules, ".cache", "vitest-report.json");

const CRUISER = "dependency-cruiser/bin/dependency-cruiser.mjs";
/** One checker instead of four, each of which reads again most of what the others know. */
const COMPILER = "@typescript/native/bin/tsc --noEmit --checkers 1".split(" ");

/** Collects the garbage of Go's programs, the compiler and the linter of types, at four times what is in use, not at twice. */
const SELDOM_COLLECTED = { GOGC: "300" };

/** The steps in order: the quick ones first. `isTested`: the tests do the same and more, so that a whole run leaves it to them. */
const STEPS = [
  { name: "format", heading: "Format (oxfmt)", command: ["oxfmt/bin/oxfmt", "--check"] },
  { name: "lint", heading: "Lint (oxlint, with types)", command: ["oxlint/bin/oxlint"] },
  { name: "types", heading: "Types (tsc)", command: [...COMPILER, "-p", "."] },
  { name: "types", heading: "Types of the dashboard (tsc)", command: [...COMPILER, "-p", "web"] },
  { name: "types", heading: "Types of the documentation's site (tsc)", command: [...COMPILER, "-p", "site"] },
  {
    name: "imports",
    isTested: true,
    heading: "Imports between rooms (dependency-cruiser)",
    command: `${CRUISER} src sdk/src --config .dependency-cruiser.mjs`.split(" "),
  },
  {
    name: "imports",
    isTested: true,
    heading: "Imports within the dashboard (dependency-cruiser)",
    command: `${CRUISER} web/src --config .dependency-cruiser.mjs --ts-config web/tsconfig.json`.split(" "),
  },
  { name: "unused", heading: "Unused code (knip)", command: ["knip/bin/knip.js"] },
];

/** Tests that fill a database, kill processes or steer a browser: as long as all others together. */
const LONG_TESTS = "tests/{dashboard,durability}/**";

/**
 * Runs the steps, then the tests; stops at the first that fails. `--only NAME[,NAME]` picks steps (tests:
 * the last one; unit: the tests beside the source); what else is given goes to vitest, as file names do. The long tests
 * are run with `--all`, as CI does, and when they are named.
 */
export async function check(args) {
  const { only, isAll, rest } = readArguments(args);
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  const env = { ...awayFromHome(process.env), PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
  const isWhole = rest.length === 0;
  const steps = STEPS.filter(({ name, isTested }) => only?.includes(name) ?? !(isTested && isWhole));
  // Side by side, shown in their order: some use one core, some wait for the disk.
  const ofSteps = { ...env, ...SELDOM_COLLECTED };
  const begun = steps.map(({ command }) => runQuietly([node, ...inModules(command)], { cwd: root, env: ofSteps }));
  for (const [i, { heading }] of steps.entries()) {
    process.stdout.write(`> ${heading}\n`);
    const { code, output } = await begun[i];
    if (code === 0) continue;
    process.stdout.write(output);
    throw new LauncherError(`${heading} failed.`);
  }
  if (only === undefined || only.includes("dashboard")) await checkDashboard(node);
  if (only === undefined || only.includes("docs")) await checkDocumentation(node);
  const tests = isWhole && !isAll ? ["--exclude", LONG_TESTS] : rest;
  if (only === undefined || only.includes("tests")) await test(node, env, tests);
  else if (only.includes("unit")) await test(node, env, rest.length > 0 ? rest : ["src", "sdk/src", "web/src"]);
}

/**
 * The environment with a home of the checks' own: their programs keep caches and tokens there, and neither read nor write
 * the home of the person who runs them. Only npm, which installs, needs that.
 */
function awayFromHome(env) {
  const home = join(modules, ".cache", "home");
  mkdirSync(home, { recursive: true });
  const others = Object.entries(env).filter(([name]) => !/^XDG_(CACHE|CONFIG|DATA|STATE)_HOME$/.test(name));
  return { ...Object.fromEntries(others), HOME: home };
}

/** Builds the dashboard and weighs what a browser must fetch before its first screen is there. */
async function checkDashboard(node) {
  process.stdout.write("> Dashboard (vite) and its first load\n");
  if (!(await buildDashboard(node))) throw new LauncherError("The dashboard was not built.");
  const { bytes, limit } = weighFirstLoad();
  const text = `${(bytes / 1_000).toFixed(1)} kB of gzipped JavaScript, at most ${limit / 1_000}`;
  process.stdout.write(`  ${text}\n`);
  if (bytes > limit) throw new LauncherError(`The dashboard's first load is too heavy: ${text}.`);
}

/** Builds the documentation's pages, which fails when a link is dead. */
async function checkDocumentation(node) {
  process.stdout.write("> Documentation (eleventy) and its links\n");
  if (!(await buildDocumentation(node))) throw new LauncherError("The documentation was not built.");
}

/** Formats the files, applies the linter's own corrections, and lists the packages that ship. */
export async function fix() {
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  writeThirdParty();
  // First: what it writes is not formatted.
  const lint = await show(node, inModules(["oxlint/bin/oxlint", "--fix"]));
  const format = await show(node, inModules(["oxfmt/bin/oxfmt"]));
  process.exitCode = format || lint;
}

function readArguments(args) {
  const rest = args.filter((arg) => arg !== "--all");
  const isAll = rest.length < args.length;
  const at = rest.indexOf("--only");
  if (at === -1) return { only: undefined, isAll, rest };
  const only = rest.splice(at, 2)[1]?.split(",") ?? [];
  const names = [...STEPS.map((step) => step.name), "dashboard", "docs", "tests", "unit"];
  if (only.length === 0 || only.some((name) => !names.includes(name))) {
    throw new LauncherError(`--only takes some of: ${names.join(", ")}.`);
  }
  return { only, isAll, rest };
}

async function test(node, env, args) {
  process.stdout.write("> Tests (vitest)\n");
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // Compiled once for all workers, and kept for the next run.
  const withCache = { ...env, NODE_COMPILE_CACHE: join(modules, ".cache", "tests") };
  const code = await show(node, inModules(["vitest/vitest.mjs", "run", ...reporters, ...args]), withCache);
  printCounts();
  if (code !== 0) throw new LauncherError("Tests failed.");
}

function printCounts() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    for (const { name, assertionResults } of testResults)
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === "passed" && failureMessages.length > 0)
          process.stdout.write(`Passed at the second try only: ${relative(root, name)}: ${fullName}\n`);
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
    process.stdout.write(`Tests: ${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`);
  } catch {
    process.stdout.write("Tests: vitest left no report.\n");
  }
}

function inModules([script, ...args]) {
  return [join(modules, script), ...args];
}

/** Runs a program with its output on ours; gives its exit code. */
function show(node, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: root, env, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
