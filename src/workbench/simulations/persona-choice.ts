import type { LanguageModel } from "#src/engine/models/models.ts";
import { createPersona } from "#src/engine/personas/create-persona.ts";
import type { PersonaFile } from "#src/engine/personas/persona-schema.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import type { AnsweredBy } from "#src/telephony/carriers/carrier.ts";
import { toWritten } from "./written-persona.ts";

/** Who is at the other end; plain data. */
export interface PersonaChoice {
  name: string;
  file: PersonaFile;
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
