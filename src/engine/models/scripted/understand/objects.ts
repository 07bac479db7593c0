import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens } from "#src/engine/models/scripted/words.ts";
import { saysNothing } from "./choice.ts";
import { parseNumber } from "./number.ts";

/** Reads the value of one member from a part of the text. */
type ReadMember = (member: Field, part: string) => unknown;

/**
 * Returns a list of things with several properties: "Anna, who is twelve, and Peter, who is nine". Each part of the
 * answer that gives a new first property begins another thing. Undefined when a thing lacks a required property.
 */
export function understandObjects(
  { members }: Field,
  text: string,
  lexicon: Lexicon,
  read: ReadMember,
): Record<string, unknown>[] | undefined {
  if (saysNothing(text, lexicon)) return [];
  const found: Record<string, unknown>[] = [];
  for (const part of splitParts(text, lexicon)) {
    const values = readPart(members, part, lexicon, read);
    const names = Object.keys(values);
    if (names.length === 0) continue;
    const last = found.at(-1);
    const repeats = !last || names.some((name) => Object.hasOwn(last, name));
    if (repeats) found.push(values);
    else Object.assign(last, values);
  }
  const isWhole = (one: Record<string, unknown>): boolean =>
    members.every(({ path, isRequired }) => !isRequired || Object.hasOwn(one, path.at(-1) ?? ""));
  return found.length > 0 && found.every(isWhole) ? found : undefined;
}

function splitParts(text: string, lexicon: Lexicon): string[] {
  return text
    .split(/[,;.]\s+|[.!]$/)
    .flatMap((part) => part.split(lexicon.and))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function readPart(members: Field[], part: string, lexicon: Lexicon, read: ReadMember): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const member of members) {
    const value = member.kind === "TEXT" ? readWords(part, lexicon) : read(member, part);
    if (value !== undefined) values[member.path.at(-1) ?? ""] = value;
  }
  return values;
}

const LEAD =
  /^(?:(?:there(?:'s| is)|we have|i have|it's|with|my|also|then|another|one|two|three|four|five|six|an?|the|da(?:nn)? ist|mit|mein(?:e)?|ein(?:e|en)?|noch|hay|tengo|con|un[ao]?|mi|il y a|j'ai|avec|mon|ma|une?|det är|med|min|en|ett)\s+)+/i;

/** Returns the words that name a thing, without numbers and what is said about it: "Anna who is 12" is Anna. */
function readWords(part: string, lexicon: Lexicon): string | undefined {
  const words =
    part
      .replace(LEAD, "")
      .split(/\s+(?:who|which|that|is|der|die|ist|que|tiene|qui|a|som|är|aged?|about|for|at)\s/i)[0] ?? "";
  const kept = words
    .split(/\s+/)
    .filter((word) => !/\d/.test(word) && parseNumber(word, lexicon) === undefined)
    .join(" ");
  return toTokens(kept).length > 0 ? kept : undefined;
}
