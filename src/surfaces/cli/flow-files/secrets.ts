import { MASK } from "#src/platform/kernel/mask.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { System } from "#src/surfaces/cli/system.ts";
import type { Content } from "./folder.ts";

/** Fields of a tool that may hold secrets. */
const PLACES = ["apiHeaders", "apiBody"];
/** Only these variables are read: a folder of somebody else's must not send off what else the environment holds. */
const VARIABLE = /\$\{env\.(PARLEY_TOOL_[A-Z0-9_]+)\}/g;

/** Returns a tool with `${env.PARLEY_TOOL_…}` in headers and body replaced by the variable's value. */
export function fillSecrets(path: string, content: Content, env: System["env"]): Content {
  const fill = (text: string) =>
    text.replaceAll(VARIABLE, (_all, name: string) => {
      const value = env[name];
      if (!value) throw new CliError(EXIT.USAGE, `${path}: the environment variable ${name} is not set.`);
      return value;
    });
  return inPlaces(content, (value) => mapTexts(value, fill));
}

/** Returns the server's tool with the variables of the file kept where the server shows a mask. */
export function keepVariables(server: Content, file: Content): Content {
  return inPlaces(server, (value, place) => merge(value, file[place]));
}

/** Returns the paths of the secrets that a tool has on the server and its file leaves out. */
export function maskedPaths(content: Content): string[] {
  return PLACES.flatMap((place) => pathsOf(content[place], place));
}

function inPlaces(content: Content, change: (value: unknown, place: string) => unknown): Content {
  const changed = PLACES.filter((place) => content[place] !== undefined);
  return { ...content, ...Object.fromEntries(changed.map((place) => [place, change(content[place], place)])) };
}

function merge(server: unknown, file: unknown): unknown {
  if (server === MASK) return typeof file === "string" && file.search(VARIABLE) >= 0 ? file : server;
  if (typeof server !== "object" || server === null) return server;
  const known = (typeof file === "object" && file !== null ? file : {}) as Content;
  if (Array.isArray(server)) return server.map((item, i) => merge(item, known[i]));
  return Object.fromEntries(Object.entries(server).map(([name, item]) => [name, merge(item, known[name])]));
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

function pathsOf(value: unknown, path: string): string[] {
  if (value === MASK) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => pathsOf(item, `${path}.${name}`));
}
