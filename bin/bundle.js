import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";

const HEAD = "(function (exports, require, module) {";
/** Bytes of a file below which compiling it takes no longer than reading what was compiled. */
const SMALL = 8_192;
/** Bytes before what was compiled: a checksum of it and of the look of its source. */
const SUM_BYTES = 4;

/**
 * Runs the server's bundle, of which an earlier start kept all functions that it had compiled ("parley.compiled"). Node's
 * own cache is made before a file runs, so it lacks the thousands that V8 compiles at their first call.
 */
export function runBundle(main, cacheFolder) {
  const folder = dirname(main);
  const outside = createRequire(main);
  const modules = new Map();
  const uncached = [];
  const load = (id) => {
    if (!id.startsWith("./")) return process.getBuiltinModule(id) ?? outside(id);
    const known = modules.get(id);
    if (known) return known.exports;
    const part = { exports: {} };
    modules.set(id, part);
    try {
      compile(join(folder, id), cacheFolder, uncached)(part.exports, load, part);
      return part.exports;
    } catch (error) {
      modules.delete(id);
      throw error;
    }
  };
  subscribe("parley.compiled", () => uncached.forEach(keep));
  load(`./${main.slice(folder.length + 1)}`);
}

/** Returns the function of a file; one that was not compiled before is added to `uncached`. */
function compile(path, cacheFolder, uncached) {
  const { size, mtimeMs, ctimeMs } = statSync(path);
  // A look says in no time what a checksum of the largest file takes 3 ms for.
  const look = crc32([path, size, mtimeMs, ctimeMs].join(" "));
  const cachePath = join(cacheFolder, `${look.toString(16)}-${size}-${cachedDataVersionTag()}.bundle`);
  const cachedData = size < SMALL ? undefined : readCompiled(cachePath, look);
  const script = new Script(`${HEAD}${readFileSync(path, "latin1")}\n})`, {
    filename: pathToFileURL(path).href,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    cachedData,
  });
  const isCached = cachedData !== undefined && !script.cachedDataRejected;
  if (!isCached && size >= SMALL) uncached.push({ script, look, cachePath });
  return script.runInThisContext();
}

/** Returns what was compiled of a file that looked so; undefined when there is none, or a crash left half of it. */
function readCompiled(path, look) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const data = bytes.subarray(SUM_BYTES);
  return bytes.length > SUM_BYTES && crc32(data, look) === bytes.readUInt32LE(0) ? data : undefined;
}

/** Keeps what is compiled of a script by now for the next start; a folder that cannot be written to does without. */
function keep({ script, look, cachePath }) {
  const data = script.createCachedData();
  const head = Buffer.alloc(SUM_BYTES);
  head.writeUInt32LE(crc32(data, look));
  const draft = `${cachePath}.${process.pid}`;
  try {
    mkdirSync(dirname(cachePath), { recursive: true });
    writeFileSync(draft, Buffer.concat([head, data]), { mode: 0o600 });
    renameSync(draft, cachePath);
  } catch {
    rmSync(draft, { force: true });
  }
}
