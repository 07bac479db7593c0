import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import type { System } from "./system.ts";

/** Address of the running server, as written into its data folder. */
export interface ServerAddress {
  url: string;
  pid: number;
  /** Path of the operator's unix socket, which only the server's own user may open. */
  socket: string;
}

/** Returns the server's data folder: DATA_DIR, or ./data. */
export function dataDirOf(env: System["env"]): string {
  return resolve(env.DATA_DIR || "./data");
}

/** Reads DATA_DIR/server.json; undefined when no server has started there. The file may be left from a dead server. */
export function readServerAddress(env: System["env"]): ServerAddress | undefined {
  const path = join(dataDirOf(env), "server.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "EACCES")
      throw new CliError(EXIT.ERROR, `Cannot read ${path}: run this as the user who runs the server.`);
    throw error;
  }
  try {
    return JSON.parse(text) as ServerAddress;
  } catch {
    throw new CliError(EXIT.ERROR, `${path} is damaged. Restart the server to write it anew.`);
  }
}

/** Advice about a server that may have stopped. */
export const HOW_TO_START = "Start it with: npm start, and the settings that it had, such as PORT";

/** Returns the error for a server that does not answer. */
export function serverNotRunning(where: string): CliError {
  return new CliError(EXIT.SERVER, `The Parley server is not running (${where}). ${HOW_TO_START}`);
}
