import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.js";
import { npm, root, tail } from "./runtime.js";

const folder = join(root, ".runtime", "matrix");
const machine = `${process.platform}-${process.arch}`;
const libc = process.platform === "linux" ? "-glibc" : "";

/** Runtimes in which the packed SDK is tried: the package that holds each, and its program. */
const RUNTIMES = {
  node20: { spec: `npm:node-${machine}@20.20.2`, program: "bin/node" },
  node22: { spec: `npm:node-${machine}@22.23.3`, program: "bin/node" },
  bun: { spec: `npm:@oven/bun-${machine}@1.4.5`, program: "bin/bun" },
  deno: { spec: `npm:@deno/${machine}${libc}@2.9.6`, program: "deno" },
};

/** Generator of clients, a program in Java, and its file in the folder. */
const GENERATOR = "org.openapitools:openapi-generator-cli:7.25.0";
const GENERATOR_FILE = "openapi-generator-cli.jar";

/**
 * Fetches the runtimes that are not there, once, and runs the tests of the packed SDK in each and in a browser, those of
 * the packed command line, and those of clients that others generate. One that cannot be had is said so, and its test is
 * skipped.
 */
export async function checkMatrix(args) {
  mkdirSync(folder, { recursive: true });
  for (const [name, { spec, program }] of Object.entries(RUNTIMES)) {
    if (works(join(folder, "node_modules", name, program))) continue;
    const { code, output } = await npm(["install", "--prefix", folder, "--ignore-scripts", `${name}@${spec}`]);
    if (code !== 0) process.stdout.write(`No ${name} for ${machine}: its test is skipped.\n${tail(output)}\n`);
  }
  fetchGenerator();
  process.env.SDK_MATRIX = folder;
  const tests = ["sdk/runtimes", "sdk/cli-package", "contract/generated-clients"];
  await check(["--only", "tests", ...tests.map((name) => `tests/${name}.test.ts`), ...args]);
}

/** Fetches the generator by Maven. */
function fetchGenerator() {
  if (existsSync(join(folder, GENERATOR_FILE))) return;
  const goal = ["-B", "-q", "dependency:copy", `-Dartifact=${GENERATOR}`, "-Dmdep.stripVersion=true"];
  const { status, stderr } = spawnSync("mvn", [...goal, `-DoutputDirectory=${folder}`], { encoding: "utf8" });
  if (status !== 0) process.stdout.write(`No ${GENERATOR}: its tests are skipped.\n${tail(stderr ?? "")}\n`);
}

function works(path) {
  return existsSync(path) && spawnSync(path, ["--version"]).status === 0;
}
