import { readFileSync } from "node:fs";
import { parsePersonaFile } from "./persona-file.ts";
import type { PersonaFile } from "./persona-schema.ts";

const FOLDER = new URL("./files/", import.meta.url);

/** Built-in personas, by the names of their files. */
export const BUILT_IN_NAMES = [
  "agrees",
  "asks-back",
  "bad-data",
  "busy-parent",
  "call-later",
  "changes-mind",
  "chatty",
  "child",
  "declines",
  "distracted",
  "elderly",
  "fax",
  "foreign",
  "gatekeeper",
  "hangs-up-at-once",
  "hangs-up-mid-sentence",
  "holds",
  "hostile",
  "interrupts",
  "menu",
  "never-stops",
  "opts-out",
  "opts-out-late",
  "sceptic",
  "screener",
  "silent",
  "slow",
  "voicemail",
  "voicemail-full",
  "wants-human",
  "wrong-person",
] as const;
export type BuiltInName = (typeof BUILT_IN_NAMES)[number];

const read = new Map<string, PersonaFile>();

/** Returns a built-in persona; its file is read at the first request. */
export function readBuiltIn(name: BuiltInName): PersonaFile {
  const known = read.get(name);
  if (known) return known;
  const fileName = `${name}.persona.yaml`;
  const persona = parsePersonaFile(readFileSync(new URL(fileName, FOLDER), "utf8"), fileName);
  read.set(name, persona);
  return persona;
}

/** Returns the built-in persona with a requested name; undefined when there is none. */
export function findBuiltIn(name: string): PersonaFile | undefined {
  const found = BUILT_IN_NAMES.find((known) => known === name);
  return found && readBuiltIn(found);
}
