import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { withLock } from "./lock.js";
import { root, runQuietly, tail } from "./runtime.js";

const folder = join(root, "web");
const built = join(folder, "dist");
const fresh = join(folder, "dist.new");
const stamp = join(built, ".sources");
const SOURCES = ["src", "public", "index.html", "vite.config.ts", "package.json"];

/**
 * Builds the dashboard's pages unless they are built from the sources that are there. A failure is told of and not
 * fatal: the service works without its pages. Gives true when the pages are those of the sources.
 */
export async function buildDashboard(node) {
  if (!existsSync(join(folder, "index.html"))) return false;
  if (isBuilt()) return true;
  mkdirSync(join(root, ".runtime"), { recursive: true });
  try {
    return await withLock(join(root, ".runtime", "dashboard.lock"), () => isBuilt() || build(node));
  } catch (error) {
    return explain(error.message);
  }
}

async function build(node) {
  process.stderr.write("parley: building the dashboard ...\n");
  const sources = digest();
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const command = [node, vite, "build", "--outDir", "dist.new", "--emptyOutDir", "--logLevel", "warn"];
  // A test runner's NODE_ENV would make React's build for developers of it.
  const env = { ...process.env, NODE_ENV: "production" };
  const { code, output } = await runQuietly(command, { cwd: folder, env });
  if (code !== 0) return explain(tail(output));
  await packFiles(join(fresh, "assets"));
  writeFileSync(join(fresh, ".sources"), sources);
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
  return true;
}

/** Packs scripts and styles once and well; the server sends them so to browsers that take it. */
async function packFiles(folder) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const names = readdirSync(folder).filter((name) => [".js", ".css"].includes(extname(name)));
  const pack = async (name) => {
    const packed = await promisify(brotliCompress)(readFileSync(join(folder, name)), { params });
    writeFileSync(join(folder, `${name}.br`), packed);
  };
  await Promise.all(names.map(pack));
}

function explain(reason) {
  process.stderr.write(`parley: the dashboard could not be built; everything else works.\n${reason}\n`);
  return false;
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digest();
}

/** Of all that the pages are made of: their sources, how they are built, the versions of what they stand on. */
function digest() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  hash.update(readFileSync(import.meta.filename));
  for (const name of SOURCES) addTo(hash, join(folder, name), name);
  return hash.digest("hex");
}

function addTo(hash, path, name) {
  const entries = listFolder(path);
  if (entries === undefined) hash.update(`${name}\0`).update(readFileSync(path)).update("\0");
  else for (const entry of entries.toSorted()) addTo(hash, join(path, entry), `${name}/${entry}`);
}

function listFolder(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
