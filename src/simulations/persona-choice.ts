import type { AnsweredBy } from "#src/carriers/carrier.ts";
import type { LanguageModel } from "#src/models/models.ts";
import { BUILT_IN_NAMES, findBuiltIn } from "#src/personas/built-in.ts";
import { createPersona } from "#src/personas/create-persona.ts";
import { parsePersonaFile, PersonaFault, readPersona } from "#src/personas/persona-file.ts";
import type { PersonaFile } from "#src/personas/persona-schema.ts";
import type { Persona } from "#src/personas/reaction.ts";
import { type Cursor, isMapping } from "./cursor.ts";
import { nearestOf } from "./nearest-name.ts";
import { parsePath } from "./source.ts";
import { toWritten } from "./written-persona.ts";

/** Gives the text of a file that a suite names; undefined where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** Who is at the other end; plain data. */
export interface PersonaChoice {
  name: string;
  file: PersonaFile;
}

/** Reads who a scenario is with: a name of the suite's own people, a built-in one, or a mapping. */
export function readPersonaChoice(
  cursor: Cursor,
  own: ReadonlyMap<string, PersonaChoice>,
  readFile?: ReadFile,
): PersonaChoice | undefined {
  if (isMapping(cursor.value)) return readOwnPersona(cursor, "own", readFile);
  const name = cursor.text(200);
  if (name === undefined) return undefined;
  const found = own.get(name);
  if (found) return found;
  const builtIn = findBuiltIn(name);
  if (builtIn) return { name, file: builtIn };
  const meant = nearestOf(name, [...own.keys(), ...BUILT_IN_NAMES]);
  const advice = meant === null ? `Built in are ${BUILT_IN_NAMES.join(", ")}.` : `Did you mean ${meant}?`;
  return cursor.fail(`names no persona of the suite, and none that is built in. ${advice}`);
}

/** Reads one of the suite's own people: a persona in place, or `{file: path}`. */
export function readOwnPersona(cursor: Cursor, name: string, readFile?: ReadFile): PersonaChoice | undefined {
  if (!isMapping(cursor.value)) return cursor.fail("must be a persona, or {file: path}.");
  try {
    if (cursor.at("file").isAbsent) {
      const file = readPersona({ name, ...cursor.value }, "");
      return { name: file.name, file };
    }
    if (!cursor.isMappingOf(["file"])) return undefined;
    const path = cursor.at("file").text();
    if (path === undefined) return undefined;
    const text = readFile?.(path);
    if (text === undefined) return cursor.at("file").fail(`names a file that is not there: ${path}`);
    return { name, file: parsePersonaFile(text, path) };
  } catch (error) {
    if (!(error instanceof PersonaFault)) throw error;
    const isFile = !cursor.at("file").isAbsent;
    if (isFile) return cursor.at("file").fail(`holds no persona: ${error.message}`);
    for (const { path, message } of error.faults) cursor.under(parsePath(path)).fail(`${message}.`);
    return undefined;
  }
}

/** What the carrier would say of who answered. */
export function answeredBy({ file }: PersonaChoice): AnsweredBy {
  return file.answeredBy;
}

/** Whether a model plays the persona where one is given. */
export function isDrivenByModel({ file }: PersonaChoice): boolean {
  return file.drivenBy === "MODEL";
}

/** The person, by the seed; whoever writes cannot interrupt. */
export function openPersona(
  { file }: PersonaChoice,
  seed: number,
  { model, channel }: { model: LanguageModel | null; channel: "VOICE" | "CHAT" },
): Persona {
  const persona = createPersona(file, seed, model ? { model } : {});
  return channel === "CHAT" ? toWritten(persona) : persona;
}
