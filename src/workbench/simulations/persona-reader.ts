import { BUILT_IN_NAMES, findBuiltIn } from "#src/engine/personas/built-in.ts";
import { parsePersonaFile, PersonaFault, readPersona } from "#src/engine/personas/persona-file.ts";
import { findNearest } from "#src/platform/http/nearest-name.ts";
import type { Cursor } from "./cursor.ts";
import { isMapping } from "./mapping.ts";
import type { PersonaChoice } from "./persona-choice.ts";
import { parsePath } from "./source.ts";

/** Returns the text of a file that a suite names; undefined where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** Reads the persona of a scenario: a name among the suite's own personas, a built-in one, or a mapping. */
export function readPersonaChoice(
  cursor: Cursor,
  own: ReadonlyMap<string, PersonaChoice>,
  readFile?: ReadFile,
): PersonaChoice | undefined {
  if (isMapping(cursor.value)) return readOwnPersona(cursor, null, readFile);
  const name = cursor.text(200);
  if (name === undefined) return undefined;
  const found = own.get(name);
  if (found) return found;
  const builtIn = findBuiltIn(name);
  if (builtIn) return { name, file: builtIn };
  const meant = findNearest(name, [...own.keys(), ...BUILT_IN_NAMES]);
  const advice = meant === null ? `Built in are ${BUILT_IN_NAMES.join(", ")}.` : `Did you mean ${meant}?`;
  return cursor.fail(`names no persona of the suite, and none that is built in. ${advice}`);
}

/** Reads one of the suite's own personas: inline, or `{file: path}`. Without `name`, the persona's own name applies. */
export function readOwnPersona(cursor: Cursor, name: string | null, readFile?: ReadFile): PersonaChoice | undefined {
  if (!isMapping(cursor.value)) return cursor.fail("must be a persona, or {file: path}.");
  try {
    if (cursor.at("file").isAbsent) {
      const file = readPersona({ name: name ?? "own", ...cursor.value }, "");
      return { name: name ?? file.name, file };
    }
    if (!cursor.isMappingOf(["file"])) return undefined;
    const path = cursor.at("file").text();
    if (path === undefined) return undefined;
    const text = readFile?.(path);
    if (text === undefined) return cursor.at("file").fail(`names a file that is not there: ${path}`);
    const file = parsePersonaFile(text, path);
    return { name: name ?? file.name, file };
  } catch (error) {
    if (!(error instanceof PersonaFault)) throw error;
    const isFile = !cursor.at("file").isAbsent;
    if (isFile) return cursor.at("file").fail(`holds no persona: ${error.message}`);
    for (const { path, message } of error.faults) cursor.under(parsePath(path)).fail(`${message}.`);
    return undefined;
  }
}
