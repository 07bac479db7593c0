import type { JsonSchema } from "#src/engine/models/models.ts";
import type { Script } from "./script.ts";

/** A question, one wording of an answer, and what it means. */
export type Wording = [name: string, asked: JsonSchema, said: string, value: unknown];

const YES: Record<string, string> = { de: "Ja.", es: "Sí.", fr: "Oui.", sv: "Ja." };

/** A dialogue of one question, which is understood at once. */
export function one(language: string, greeting: string, [name, asked, said, value]: Wording): Script {
  return {
    title: `${name}: "${said}" is ${JSON.stringify(value)}`,
    language,
    asks: { [name]: asked },
    // Heard only where the value is read back.
    said: [greeting, said, YES[language.slice(0, 2)] ?? "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { [name]: value }, asked: [String(asked.description), 1] },
  };
}
