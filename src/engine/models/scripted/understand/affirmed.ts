import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";

/**
 * Returns the clauses of an answer without a negation: "Wednesday" of "not Monday, Wednesday". Undefined when every
 * clause is negated.
 */
export function keepAffirmed(text: string, lexicon: Lexicon): string | undefined {
  if (!lexicon.negators.test(text)) return text;
  const clauses = toClauses(text, lexicon);
  const kept = clauses.filter((clause) => !lexicon.negators.test(clause) || lexicon.yes.test(clause));
  return kept.length === 0 ? undefined : kept.join(", ");
}

/** Splits a text into clauses: at marks that are not part of a number, and around "but". */
function toClauses(text: string, { butRather }: Lexicon): string[] {
  return text
    .split(/[,;.!?]+(?:\s+|$)/)
    .flatMap((part) => part.split(butRather))
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}
