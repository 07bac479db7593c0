import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { withLock } from "./lock.js";
import { root, runQuietly, tail, writeIfAllowed } from "./runtime.js";

/**
 * Builds pages into `folder`/dist unless they are built from the sources that are there. `command(node, output)` builds
 * them into the folder `output`, and `packed` names the endings of the files that are packed with brotli. A failure is
 * shown and not fatal: the service works without its pages. Gives true when the pages are those of the sources.
 */
export async function buildOnce(node, { name, folder, sources, command, cwd = root, packed }) {
  const built = join(root, folder, "dist");
  const drafts = join(root, folder, "dist.new");
  // One of its own: the build of a start that was killed may still be at work.
  const fresh = join(drafts, String(process.pid));
  const stamp = join(built, ".sources");
  const isBuilt = () => isOf(stamp, sources);
  const build = async () => {
    process.stderr.write(`parley: building the ${name} ...\n`);
    const before = describe(sources);
    // A test runner's NODE_ENV would make React's build for developers of it.
    const env = { ...process.env, NODE_ENV: "production" };
    mkdirSync(drafts, { recursive: true });
    const { code, output } = await runQuietly(command(node, fresh), { cwd, env });
    if (code !== 0) return explain(name, tail(output));
    await packFiles(fresh, packed);
    writeFileSync(join(fresh, ".sources"), before);
    rmSync(built, { recursive: true, force: true });
    renameSync(fresh, built);
    tidy(drafts);
    return true;
  };
  if (isBuilt()) return true;
  try {
    mkdirSync(join(root, ".runtime"), { recursive: true });
    return await withLock(join(root, ".runtime", `${name}.lock`), () => isBuilt() || build());
  } catch (error) {
    return explain(name, error.message);
  }
}

/** Removes what builds left that were killed, as far as it can while one of them still writes. */
function tidy(drafts) {
  try {
    rmSync(drafts, { recursive: true, force: true });
  } catch {
    // The next build removes it.
  }
}

/** Packs files once and well; the server sends them so to browsers that take it. */
async function packFiles(folder, endings) {
  const { promisify } = await import("node:util");
  const { brotliCompress, constants } = await import("node:zlib");
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

/**
 * True when the stamp was written for these sources. Files that nobody touched since then are not read: their sizes and
 * times say so in half the time. A stamp of the same contents under other times, as after a copy, is written anew.
 */
function isOf(stamp, sources) {
  if (!existsSync(stamp)) return false;
  const [digest, look] = readFileSync(stamp, "utf8").split("\n");
  if (look === lookAt(sources)) return true;
  if (digest !== readAll(sources)) return false;
  writeIfAllowed(stamp, describe(sources));
  return true;
}

function describe(sources) {
  return `${readAll(sources)}\n${lookAt(sources)}`;
}

/** Of the contents of all that the pages are made of: their sources, how they are built, the versions of what they stand on. */
function readAll(sources) {
  const hash = createHash("sha256");
  for (const name of listFiles(sources))
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  return hash.digest("hex");
}

/** Of the place, names, sizes and times of the same files. */
export function lookAt(sources) {
  const facts = listFiles(sources).map((name) => {
    // Each start does this for 2,600 files, and `join` takes longer than the look.
    const { size, mtimeMs, ctimeMs } = statSync(`${root}/${name}`);
    return `${name} ${size} ${mtimeMs} ${ctimeMs}`;
  });
  return createHash("sha256")
    .update([root, ...facts].join("\n"))
    .digest("hex");
}

function listFiles(sources) {
  const ours = relative(root, import.meta.filename);
  return ["package-lock.json", ours, ...sources.flatMap((name) => listBelow(name, statSync(join(root, name))))];
}

function listBelow(name, entry) {
  if (!entry.isDirectory()) return [name];
  const entries = readdirSync(join(root, name), { withFileTypes: true });
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap((one) => listBelow(`${name}/${one.name}`, one));
}
