import type { LanguageModel } from "#src/models/models.ts";
import { createFax, createFullVoicemail, createMenu, createScreener, createVoicemail } from "./machines.ts";
import { Person } from "./person.ts";
import type { PersonaFile } from "./persona-schema.ts";
import type { Persona } from "./reaction.ts";
import { ScriptedPersona } from "./scripted-persona.ts";

/** Whoever the file describes; the same file and seed are the same person, who says the same to the same words. */
export function createPersona(file: PersonaFile, seed: number, _parts: { model?: LanguageModel } = {}): Persona {
  const person = new Person(file, seed);
  switch (file.kind) {
    case "VOICEMAIL":
      return createVoicemail(person);
    case "VOICEMAIL_FULL":
      return createFullVoicemail(person);
    case "FAX":
      return createFax();
    case "MENU":
      return createMenu(person, new ScriptedPersona(person, file), file.key ?? "1");
    case "SCREENER":
      return createScreener(person, new ScriptedPersona(person, file));
    case "PERSON":
      return new ScriptedPersona(person, file);
  }
}
