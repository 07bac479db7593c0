import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { withLock } from "./lock.js";
import { root, runQuietly, tail } from "./runtime.js";

/**
 * Builds pages into `folder`/dist unless they are built from the sources that are there. `command(node, output)` builds
 * them into the folder `output`, and `packed` names the endings of the files that are packed with brotli. A failure is
 * shown and not fatal: the service works without its pages. Gives true when the pages are those of the sources.
 */
export async function buildOnce(node, { name, folder, sources, command, cwd = root, packed }) {
  const built = join(root, folder, "dist");
  const fresh = join(root, folder, "dist.new");
  const stamp = join(built, ".sources");
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, "utf8") === digest(sources);
  const build = async () => {
    process.stderr.write(`parley: building the ${name} ...\n`);
    const before = digest(sources);
    // A test runner's NODE_ENV would make React's build for developers of it.
    const env = { ...process.env, NODE_ENV: "production" };
    const { code, output } = await runQuietly(command(node, fresh), { cwd, env });
    if (code !== 0) return explain(name, tail(output));
    await packFiles(fresh, packed);
    writeFileSync(join(fresh, ".sources"), before);
    rmSync(built, { recursive: true, force: true });
    renameSync(fresh, built);
    return true;
  };
  if (isBuilt()) return true;
  mkdirSync(join(root, ".runtime"), { recursive: true });
  try {
    return await withLock(join(root, ".runtime", `${name}.lock`), () => isBuilt() || build());
  } catch (error) {
    return explain(name, error.message);
  }
}

/** Packs files once and well; the server sends them so to browsers that take it. */
async function packFiles(folder, endings) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const names = readdirSync(folder, { recursive: true }).filter((name) => endings.includes(extname(name)));
  const pack = async (name) => {
    const bytes = await promisify(brotliCompress)(readFileSync(join(folder, name)), { params });
    writeFileSync(join(folder, `${name}.br`), bytes);
  };
  await Promise.all(names.map(pack));
}

function explain(name, reason) {
  process.stderr.write(`parley: the ${name} could not be built; everything else works.\n${reason}\n`);
  return false;
}

/** Of all that the pages are made of: their sources, how they are built, the versions of what they stand on. */
function digest(sources) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  hash.update(readFileSync(import.meta.filename));
  for (const name of sources) addTo(hash, join(root, name), name);
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
