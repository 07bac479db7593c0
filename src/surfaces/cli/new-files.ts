import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";

/**
 * Writes texts, by their file names, into a folder that is made when it is missing, and returns their paths. Throws
 * before the first byte when one of them is there already; `option` says how another folder is named, such as
 * " with --dir".
 */
export function writeNewFiles(folder: string, files: Record<string, string>, option = ""): string[] {
  const paths = Object.keys(files).map((file) => join(folder, file));
  const taken = paths.find((path) => existsSync(path));
  if (taken !== undefined)
    throw new CliError(EXIT.USAGE, `${taken} is there already; nothing was written. Name another folder${option}.`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text, { flag: "wx" });
  } catch (error) {
    // The names were free a moment ago, so what exists is the folder's own name.
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOTDIR")
      throw new CliError(EXIT.USAGE, `${folder} is a file. Name another folder${option}.`);
    throw new CliError(EXIT.ERROR, `${folder} cannot be written to: ${codeOf(error) ?? toError(error).message}`);
  }
  return paths;
}
