import type { JsonSchema } from "#src/engine/models/models.ts";
import type { Script } from "./script.ts";

/** A question, one wording of an answer, and what it means. */
export type Wording = [name: string, asked: JsonSchema, said: string, value: unknown];

/** A dialogue of one question, which is understood at once. */
export function one(language: string, greeting: string, [name, asked, said, value]: Wording): Script {
  return {
    title: `${name}: "${said}" is ${JSON.stringify(value)}`,
    language,
    asks: { [name]: asked },
    said: [greeting, said],
    expected: { end: "AGENT_ENDED_CALL", fields: { [name]: value }, asked: [String(asked.description), 1] },
  };
}
