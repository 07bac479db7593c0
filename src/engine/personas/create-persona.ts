import type { LanguageModel } from "#src/engine/models/models.ts";
import { createFax, createFullVoicemail, createMenu, createScreener, createVoicemail } from "./machines.ts";
import { ModelPersona } from "./model-persona.ts";
import { Person } from "./person.ts";
import type { PersonaFile } from "./persona-schema.ts";
import type { Persona } from "./reaction.ts";
import { ScriptedPersona } from "./scripted-persona.ts";

/** Creates the persona that a file describes. The same file and seed give the same answers to the same words. */
export function createPersona(file: PersonaFile, seed: number, { model }: { model?: LanguageModel } = {}): Persona {
  const person = new Person(file, seed);
  switch (file.kind) {
    case "VOICEMAIL":
      return createVoicemail(person);
    case "VOICEMAIL_FULL":
      return createFullVoicemail(person);
    case "FAX":
      return createFax();
    case "MENU":
      return createMenu(person, createHuman(person, file, model), file.key ?? "1");
    case "SCREENER":
      return createScreener(person, createHuman(person, file, model));
    case "PERSON":
      return createHuman(person, file, model);
  }
}

function createHuman(person: Person, file: PersonaFile, model: LanguageModel | undefined): Persona {
  const script = new ScriptedPersona(person, file);
  if (file.drivenBy === "SCRIPT") return script;
  if (model) return new ModelPersona(script, person, file, model);
  script.note({ code: "MODEL_MISSING", turn: 0, message: "The script answers, because there is no model for it." });
  return script;
}
