import type { JsonSchema } from "#src/engine/models/models.ts";

/** A person who answers what they are asked, as somebody wrote them down who had not read the code. */
export interface Person {
  id: string;
  /** BCP 47. */
  language: string;
  /** IANA name. */
  zone: string;
  /** YYYY-MM-DD, by the person's clock. */
  today: string;
  flow: { firstMessage: string; prompt: string; schema: JsonSchema & { properties: Record<string, JsonSchema> } };
  /** The n-th answer to a property is for the n-th time that it is asked for. */
  answers: { to: string; say: string }[];
  /** Said before any question. */
  volunteered: string[];
  /** Values that a careful human would note; null: asked, but refused or not known. */
  expected: Record<string, unknown>;
  expectedOutcome: "COMPLETED" | "OPT_OUT" | "CALLBACK" | "WRONG_PERSON" | "HUMAN" | "DECLINED";
  /** Begins with the kind of difficulty. */
  notes: string;
  /** Free texts of which only the words count. */
  loose?: string[];
}

const MERE_YES =
  /^(?:yes|yep|yeah|right|perfect|correct|exactly|that's (?:right|it|correct|the one)|you got it|ja|genau|stimmt|richtig|sí|si|correcto|exacto|oui|exact|c'est (?:ça|bien)|det stämmer|precis|that is)/i;

/** True when the n-th answer only confirms a value that was read back. */
export function isMereYes({ flow }: Person, { to, say }: Person["answers"][number], n: number): boolean {
  return n > 0 && flow.schema.properties[to]?.type !== "boolean" && !/\d/.test(say) && MERE_YES.test(say);
}
