import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./lock.js";
import { isNewEnough } from "./node-version.js";

/** The checkout that this launcher belongs to. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const VERSION = "24.21.0";
const runtime = join(root, ".runtime");

/** A failure whose message is all that the person at the terminal needs. */
export class LauncherError extends Error {}

/** The path of a Node that is new enough: this one, or one kept in .runtime, which is fetched once. */
export async function findNode() {
  if (isNewEnough(process.version)) return process.execPath;
  const [kept] = places().filter((path) => existsSync(path));
  if (kept !== undefined && existsSync(stampOf(kept))) return kept;
  mkdirSync(runtime, { recursive: true });
  return withLock(join(runtime, "node.lock"), async () => findWorking() ?? (await fetchNode()));
}

/** Written once a binary has run: a start that was killed while fetching leaves half a file. */
function stampOf(path) {
  return `${path}.${VERSION}.works`;
}

function packageName() {
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${process.platform}-${process.arch}`;
}

function places() {
  return [packageName(), "node"].map((name) => join(runtime, "node_modules", name, "bin", "node"));
}

function findWorking() {
  for (const path of places()) {
    const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    if (status !== 0 || !isNewEnough(stdout.trim())) continue;
    writeFileSync(stampOf(path), "");
    return path;
  }
  return undefined;
}

/**
 * The package `node` only holds an install script that fetches the package of this platform; that one is
 * asked for by name first, so it works where install scripts are switched off as well.
 */
async function fetchNode() {
  process.stderr.write(`parley: this is Node ${process.versions.node}; fetching Node ${VERSION} into .runtime ...\n`);
  const manifest = { private: true, allowScripts: { node: true } };
  writeFileSync(join(runtime, "package.json"), `${JSON.stringify(manifest)}\n`);
  let output = "";
  for (const name of [packageName(), "node"]) {
    const result = await npm(["install", "--prefix", runtime, "--no-package-lock", `${name}@${VERSION}`]);
    const path = findWorking();
    if (path !== undefined) return path;
    output = result.output;
  }
  throw new LauncherError(
    `Parley needs Node 24.12 or newer, this is ${process.versions.node}, and Node ${VERSION} could not be fetched ` +
      `for ${process.platform}-${process.arch}. Install Node 24 and start again.\n${tail(output)}`,
  );
}

/** Runs npm, with `node` first in PATH if given; gives its exit code and what it printed. */
export function npm(args, node) {
  const env = { ...process.env };
  if (node !== undefined) env.PATH = `${dirname(node)}${delimiter}${env.PATH ?? ""}`;
  const script = process.env.npm_execpath ?? "";
  const isNpm = /npm-cli\.c?js$/.test(script) && existsSync(script);
  const command = isNpm ? [node ?? process.execPath, script, ...args] : ["npm", ...args];
  return runQuietly(command, { cwd: root, env });
}

/** Runs a command without showing its output; gives the exit code and all that it printed. */
export function runQuietly([file, ...args], options) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ code: 1, output: `${file}: ${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The last lines of a program's output. */
export function tail(output) {
  return output.trim().split("\n").slice(-30).join("\n");
}

/** Writes a note that saves the next start some work; a checkout that may not be written to does without. */
export function writeIfAllowed(path, text) {
  try {
    writeFileSync(path, text);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
}
