import { type BuiltInName, readBuiltIn } from "#src/engine/personas/built-in.ts";
import { createPersona as createFromFile } from "#src/engine/personas/create-persona.ts";
import type { PersonaFile } from "#src/engine/personas/persona-schema.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import type { Behaviour, PersonaName } from "./behaviour.ts";

const FILES: Record<PersonaName, BuiltInName> = {
  AGREES: "agrees",
  DECLINES: "declines",
  ASKS_BACK: "asks-back",
  INTERRUPTS: "interrupts",
  SILENT: "silent",
  FOREIGN: "foreign",
  WANTS_HUMAN: "wants-human",
  WRONG_PERSON: "wrong-person",
  CALL_LATER: "call-later",
  BAD_DATA: "bad-data",
  VOICEMAIL: "voicemail",
  VOICEMAIL_FULL: "voicemail-full",
  IVR: "menu",
  FAX: "fax",
  SCREENER: "screener",
  HANGS_UP_AT_ONCE: "hangs-up-at-once",
  HANGS_UP_MID_SENTENCE: "hangs-up-mid-sentence",
  SLOW: "slow",
  NEVER_STOPS: "never-stops",
  HOLDS: "holds",
};

/** Creates the built-in persona that answers a call of this behaviour; the seed chooses name and wording. */
export function createPersona(behaviour: Behaviour & { kind: "ANSWERS" }, seed: number): Persona {
  return createFromFile(fitTo(behaviour, readBuiltIn(FILES[behaviour.persona])), seed);
}

/** Adapts a persona to the number: 05 speaks Swedish in London, 80 to 89 hold the line longer one after the other. */
function fitTo({ persona, to, holdMs }: Behaviour & { kind: "ANSWERS" }, file: PersonaFile): PersonaFile {
  if (persona === "FOREIGN" && to.startsWith("+44")) return { ...file, language: "sv" };
  if (holdMs === undefined) return file;
  const behaviours = file.behaviours.map(({ when, do: act }) => ({
    when,
    do: act.hold ? { ...act, hold: { ...act.hold, ms: holdMs } } : act,
  }));
  return { ...file, behaviours };
}
