import { createReadStream, createWriteStream } from "node:fs";
import { access, rename } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { codeOf } from "#src/platform/kernel/errors.ts";

/** The called number, in a line as the ledger writes it. */
const CALLED = /"to":"[^"]+/;
const NOBODY = '"to":"';

/**
 * Removes the numbers of people from a ledger's file, if it exists and has any. The file is replaced as a whole, so
 * that a crash leaves either the old one or the new one; a last line torn by a crash stays torn.
 */
export async function removePeople(path: string): Promise<void> {
  if (!(await exists(path)) || !(await hasPeople(path))) return;
  const copy = `${path}.new`;
  await pipeline(withoutPeople(path), createWriteStream(copy, { mode: 0o600, flush: true }));
  await rename(copy, path);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function hasPeople(path: string): Promise<boolean> {
  let tail = "";
  for await (const chunk of createReadStream(path, "latin1")) {
    const text: string = tail + chunk;
    if (CALLED.test(text)) return true;
    tail = text.slice(-NOBODY.length);
  }
  return false;
}

async function* withoutPeople(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    yield `${line.replace(CALLED, NOBODY)}\n`;
}
