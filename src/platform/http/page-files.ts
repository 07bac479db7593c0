import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { sha256 } from "#src/platform/kernel/id.ts";

/** One file of a build. */
export interface PageFile {
  bytes: Buffer;
  /** The file as the build compressed it with brotli; undefined where it did not. */
  brotli: Buffer | undefined;
  /** Compresses the file, once; undefined where that would not be smaller. */
  gzip(): Buffer | undefined;
  type: string;
  etag: string;
}

const INDEX = "/index.html";
/** More files than any build has; the others were put there by somebody else. */
const MAX_FILES = 2_000;

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
};

/**
 * The files of a build, read on first use and cached, and read anew when the build changed. Only existing files are
 * ever served, by their exact path, so no path leads out of the folder.
 */
export class PageFiles {
  readonly #folder: string;
  #files = new Map<string, string>();
  #read = new Map<string, PageFile>();
  #builtAtMs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The first page; undefined when nothing is built. */
  get index(): PageFile | undefined {
    return this.find(INDEX);
  }

  /** Returns a file by its path within the build, such as /assets/app.js. */
  find(path: string): PageFile | undefined {
    this.#refresh();
    const name = this.#files.get(path);
    if (name === undefined) return undefined;
    const known = this.#read.get(path);
    if (known) return known;
    const file = load(join(this.#folder, name));
    if (file) this.#read.set(path, file);
    return file;
  }

  #refresh(): void {
    const builtAtMs = statSync(join(this.#folder, INDEX), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (builtAtMs === this.#builtAtMs) return;
    this.#builtAtMs = builtAtMs;
    this.#read = new Map();
    this.#files = builtAtMs === 0 ? new Map() : listFiles(this.#folder);
  }
}

function listFiles(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(names.slice(0, MAX_FILES).map((name) => [`/${name.split(sep).join("/")}`, name]));
}

/** Loads a file; undefined while a build is replacing it. */
function load(path: string): PageFile | undefined {
  try {
    const bytes = readFileSync(path);
    return {
      bytes,
      brotli: readIfThere(`${path}.br`),
      gzip: once(() => packSmaller(bytes)),
      type: TYPES[extname(path)] as string,
      etag: `"${sha256(bytes.toString("latin1")).toString("hex").slice(0, 20)}"`,
    };
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

function packSmaller(bytes: Buffer): Buffer | undefined {
  const packed = gzipSync(bytes, { level: 9 });
  return packed.length < bytes.length ? packed : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
