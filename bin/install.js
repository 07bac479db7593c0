import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.js";
import { LauncherError, npm, root, tail, writeIfAllowed } from "./runtime.js";

const lockfile = join(root, "package-lock.json");
const modules = join(root, "node_modules");
const stamp = join(modules, ".parley-installed");

/** Installs what package-lock.json names, unless it is there already. Costs one hash when it is. */
export async function installDependencies(node, { withDevelopment }) {
  if (isInstalled(withDevelopment)) return;
  mkdirSync(join(root, ".runtime"), { recursive: true });
  await withLock(join(root, ".runtime", "install.lock"), async () => {
    if (isInstalled(withDevelopment)) return;
    process.stderr.write(
      "parley: installing dependencies, which takes one to four minutes, longer on a slow network or a busy machine ...\n",
    );
    const { code, output } = await whileTelling(install(node));
    if (code !== 0) throw new LauncherError(`The dependencies could not be installed.\n${tail(output)}`);
    writeStamp("all");
  });
}

/** Says every 20 seconds that the installation goes on: a slow network can take minutes. */
async function whileTelling(installation) {
  const startedMs = performance.now();
  const beat = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    process.stderr.write(`parley: still installing, ${seconds} s so far ...\n`);
  }, 20_000);
  return installation.finally(() => clearInterval(beat));
}

/**
 * npm ci refuses the whole lock file when the registry does not hold an optional package of some other
 * platform; npm install takes the same versions from it and leaves that package out.
 */
async function install(node) {
  // No package of ours needs its install script, so none is run, whatever npm's policy for them is.
  const options = ["--include=dev", "--include=optional", "--ignore-scripts"];
  const strict = await npm(["ci", ...options], node);
  return /code EUSAGE/.test(strict.output) ? npm(["install", "--no-save", ...options], node) : strict;
}

function isInstalled(withDevelopment) {
  const written = read(stamp)?.split(" ");
  if (written?.[1] === digest() && (written[0] === "all" || !withDevelopment)) return true;
  const found = installedByHand(withDevelopment);
  if (found) writeStamp(withDevelopment ? "all" : "some");
  return found;
}

/** True when somebody's own `npm ci` or `npm install` left just what is wanted. */
function installedByHand(withDevelopment) {
  const listed = read(join(modules, ".package-lock.json"));
  if (listed === undefined) return false;
  const there = JSON.parse(listed).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(lockfile, "utf8")).packages);
  return wanted.every(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.optional) return true;
    if (entry.dev && !withDevelopment) return true;
    return there[path]?.version === entry.version && existsSync(join(root, path));
  });
}

function writeStamp(what) {
  writeIfAllowed(stamp, `${what} ${digest()}`);
}

function digest() {
  const machine = `${process.platform}-${process.arch}`;
  return createHash("sha256").update(machine).update(readFileSync(lockfile)).digest("hex");
}

function read(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
