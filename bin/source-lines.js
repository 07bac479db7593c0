import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PLACE = /(file:\/\/[^\s()]+\.cjs):(\d+):\d+/;

/**
 * Lets stack traces name the files and lines of the sources in place of those of the server's bundle. The log tells by
 * them which room wrote a line. The table of a chunk is read for its first trace.
 */
export function traceSources() {
  const tables = new Map();
  const toSource = (place, url, line) => {
    if (!tables.has(url)) tables.set(url, readTable(url));
    return tables.get(url)?.(Number(line) - 1) ?? place;
  };
  const write = /** @param {{ toString(): string }} frame */ (frame) =>
    `\n    at ${frame.toString().replace(PLACE, toSource)}`;
  Error.prepareStackTrace = (error, frames) => {
    const places = frames.map(write);
    return Error.prototype.toString.call(error) + places.join("");
  };
}

/** Returns what finds the place of a line; undefined for a file without a table. */
function readTable(url) {
  let text;
  try {
    text = readFileSync(`${fileURLToPath(url)}.lines`, "utf8");
  } catch {
    return undefined;
  }
  const { sources, table } = JSON.parse(text);
  const bytes = Buffer.from(table, "base64");
  return (line) => {
    const at = line * 8;
    const source = at + 8 <= bytes.length ? sources[bytes.readInt32LE(at)] : undefined;
    return source === undefined ? undefined : `${new URL(source, url).href}:${bytes.readInt32LE(at + 4) + 1}`;
  };
}
