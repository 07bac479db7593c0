import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";

/**
 * The clauses of an answer that take nothing back: "Wednesday" of "not Monday, Wednesday". Undefined when every clause
 * says no to something.
 */
export function keepAffirmed(text: string, lexicon: Lexicon): string | undefined {
  if (!lexicon.negators.test(text)) return text;
  const clauses = toClauses(text, lexicon);
  const kept = clauses.filter((clause) => !lexicon.negators.test(clause) || lexicon.yes.test(clause));
  return kept.length === 0 ? undefined : kept.join(", ");
}

/** The clauses of a text: between marks that are no part of a number, and around "but". */
function toClauses(text: string, { butRather }: Lexicon): string[] {
  return text
    .split(/[,;.!?]+(?:\s+|$)/)
    .flatMap((part) => part.split(butRather))
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}
