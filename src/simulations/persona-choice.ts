import type { AnsweredBy } from "#src/carriers/carrier.ts";
import { answers, type PersonaName } from "#src/carriers/sandbox/behaviour.ts";
import { createPersona } from "#src/carriers/sandbox/persona.ts";
import type { Persona } from "#src/carriers/sandbox/reaction.ts";
import type { LanguageModel } from "#src/models/models.ts";
import type { Cursor } from "./cursor.ts";
import { nearestOf } from "./nearest-name.ts";

const MACHINES: Partial<Record<PersonaName, AnsweredBy>> = {
  VOICEMAIL: "MACHINE_VOICEMAIL",
  VOICEMAIL_FULL: "MACHINE_VOICEMAIL",
  IVR: "MACHINE_IVR",
  FAX: "FAX",
  SCREENER: "MACHINE_SCREENING",
};
const NAMES = "agrees declines asks-back interrupts silent foreign wants-human wrong-person call-later bad-data voicemail voicemail-full ivr fax screener hangs-up-at-once hangs-up-mid-sentence slow never-stops holds".split(" ");

/** Gives the text of a file that a suite names; undefined where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** Who is at the other end; plain data. */
export interface PersonaChoice {
  name: string;
  file: PersonaName;
}

/** Reads who a scenario is with: a name of the suite's own people, a built-in one, or a mapping. */
export function readPersonaChoice(cursor: Cursor, own: ReadonlyMap<string, PersonaChoice>, _readFile?: ReadFile): PersonaChoice | undefined {
  const name = cursor.text(200);
  if (name === undefined) return undefined;
  const found = own.get(name);
  if (found) return found;
  if (NAMES.includes(name)) return { name, file: name.replaceAll("-", "_").toUpperCase() as PersonaName };
  const meant = nearestOf(name, [...own.keys(), ...NAMES]);
  return cursor.fail(`names no known persona. ${meant ? `Did you mean ${meant}?` : ""}`);
}

/** Reads one of the suite's own people. */
export function readOwnPersona(cursor: Cursor, _name: string, _readFile?: ReadFile): PersonaChoice | undefined {
  return cursor.fail("cannot be read.");
}

/** What the carrier would say of who answered. */
export function answeredBy({ file }: PersonaChoice): AnsweredBy {
  return MACHINES[file] ?? "HUMAN";
}

/** Whether a model plays the persona where one is given. */
export function isDrivenByModel(_choice: PersonaChoice): boolean {
  return false;
}

/** The person, by the seed. */
export function openPersona({ file }: PersonaChoice, seed: number, _parts: { model: LanguageModel | null; channel: "VOICE" | "CHAT" }): Persona {
  return createPersona({ ...answers(file), kind: "ANSWERS", code: null, to: "+12025550100" } as never, seed);
}
