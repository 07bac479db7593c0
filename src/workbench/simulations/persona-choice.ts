import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { createPersona } from "#src/engine/personas/create-persona.ts";
import type { PersonaFile } from "#src/engine/personas/persona-schema.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import { toWritten } from "./written-persona.ts";

/** The persona at the other end, as plain data. */
export interface PersonaChoice {
  name: string;
  file: PersonaFile;
}

/** Returns the AMD verdict that the carrier would report. */
export function answeredBy({ file }: PersonaChoice): AnsweredBy {
  return file.answeredBy;
}

/** True when a model plays the persona, provided there is one. */
export function isDrivenByModel({ file }: PersonaChoice): boolean {
  return file.drivenBy === "MODEL";
}

/** Opens the persona with a seed. In a chat it cannot interrupt. */
export function openPersona(
  { file }: PersonaChoice,
  seed: number,
  { model, channel }: { model: LanguageModel | null; channel: "VOICE" | "CHAT" },
): Persona {
  const persona = createPersona(file, seed, model ? { model } : {});
  return channel === "CHAT" ? toWritten(persona) : persona;
}
