import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";

/** A suite to send to the server: its text, and the texts of the files that it names. */
export interface LoadedSuite {
  /** Path as given on the command line. */
  path: string;
  text: string;
  files: Record<string, string>;
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads a suite and the files that it names. They lie beside it; a file elsewhere is read only where the suite names it
 * with an absolute path or `..`, not through a link.
 */
export function loadSuite(path: string, listFiles: (text: string, where: string) => string[]): LoadedSuite {
  const text = readText(path, `There is no suite ${path}. Make one with: parley simulate init`);
  const folder = dirname(resolve(path));
  const names = listNames(text, path, listFiles);
  const files = names.map((name) => [name, readText(locate(folder, name, path), missingFile(path, name))] as const);
  return { path, text, files: Object.fromEntries(files) };
}

/**
 * Lists the files of a suite. A suite that is no YAML is sent all the same: the server reports the fault, like any
 * other.
 */
function listNames(text: string, path: string, listFiles: (text: string, where: string) => string[]): string[] {
  try {
    return listFiles(text, basename(path));
  } catch {
    return [];
  }
}

function locate(folder: string, name: string, suite: string): string {
  const found = resolve(folder, name);
  const saysOutside = isAbsolute(name) || name.split(/[/\\]/).includes("..");
  if (saysOutside) return found;
  const real = realOrSame(found);
  if (relative(realOrSame(folder), real).split(sep)[0] !== "..") return found;
  throw new CliError(EXIT.USAGE, `${suite}: ${name} is a link to ${real}. Name that path itself to have it read.`);
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function missingFile(suite: string, name: string): string {
  return `${suite} names ${name}, but there is no file ${join(dirname(suite), name)}.`;
}

/** Returns the text of a file. Throws a usage error with the reason when it cannot be read. */
export function readText(path: string, ifMissing: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new CliError(EXIT.USAGE, `${path} is larger than 8 MiB.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") throw new CliError(EXIT.USAGE, ifMissing);
    if (codeOf(error) === "EISDIR") throw new CliError(EXIT.USAGE, `${path} is a folder. Name a file in it.`);
    if (codeOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new CliError(EXIT.USAGE, `${path} is not a text in UTF-8.`);
    }
    throw new CliError(EXIT.USAGE, `${path} cannot be read: ${codeOf(error) ?? toError(error).message}`);
  }
}
