import type { Field } from "./fields.ts";
import type { Lexicon } from "./lexicon-shape.ts";
import { detectLanguage } from "./lexicon.ts";
import { toTokens } from "./words.ts";

const asked = new WeakMap<Field, Map<string, string>>();

/** Returns the question for a field in a language's frame; the words of the description stay as they are. */
export function askFor(field: Field, lexicon: Lexicon): string {
  let questions = asked.get(field);
  if (!questions) asked.set(field, (questions = new Map()));
  let question = questions.get(lexicon.code);
  if (question === undefined) questions.set(lexicon.code, (question = phrase(field, lexicon)));
  return question;
}

/** Keeps the whole question in the language of its description, because a mixture is hard to understand. */
function phrase(field: Field, current: Lexicon): string {
  const lexicon = field.isDescribed ? detectLanguage(field.about, current) : current;
  const { phrases } = lexicon;
  const end = field.about.lastIndexOf("?");
  const question = end === -1 ? frame(field, lexicon) : field.about.slice(0, end + 1);
  if (field.choices.length === 0 || listsChoices(question, field)) return question;
  const spoken = field.choices.slice(0, 12).map((choice) => choice.spoken);
  const list = spoken.length > 1 ? `${spoken.slice(0, -1).join(", ")}${phrases.or}${spoken.at(-1)}` : (spoken[0] ?? "");
  return `${question} ${fill(phrases.whichOf, { choices: list })}`;
}

function listsChoices(question: string, field: Field): boolean {
  const words = ` ${toTokens(question).join(" ")} `;
  return field.choices.every((choice) => words.includes(` ${toTokens(choice.spoken).join(" ")} `));
}

function frame(field: Field, lexicon: Lexicon): string {
  const { phrases } = lexicon;
  const label = labelOf(field, lexicon);
  if (field.kind === "BOOLEAN") return fill(phrases.yesOrNo, { label });
  return fill(phrases.tellMe, { label: label + hintFor(field, label, lexicon) });
}

/** Returns a hint at the kind of answer that the label does not give. */
function hintFor(field: Field, label: string, lexicon: Lexicon): string {
  const { phrases } = lexicon;
  switch (field.kind) {
    case "DATE":
      return /date|datum|fecha/i.test(label) ? "" : phrases.asDate;
    case "TIME":
      return /time of day|what time|uhrzeit|qué hora|quelle heure|vilken tid/i.test(label) ? "" : phrases.asTime;
    case "DATE_TIME":
      return phrases.asDate + phrases.asTime;
    case "EMAIL":
      return /mail|correo|courriel|e-post/i.test(label) ? "" : phrases.asEmail;
    case "NUMBER":
      return rangeHint(field, label, lexicon);
    default:
      return "";
  }
}

function rangeHint(field: Field, label: string, lexicon: Lexicon): string {
  const { phrases } = lexicon;
  if (/\d/.test(label)) return "";
  const hasRange = Number.isInteger(field.minimum) && Number.isInteger(field.maximum);
  if (hasRange) return fill(phrases.fromTo, { from: String(field.minimum), to: String(field.maximum) });
  return /number|how (?:many|much)|zahl|número|nombre|antal/i.test(label) ? "" : phrases.asNumber;
}

/** Returns the description as part of a sentence addressed to the person. */
function labelOf(field: Field, lexicon: Lexicon): string {
  const sentence = (field.about.split(/[.!](?:\s|$)/)[0] ?? field.about).trim();
  const lower = /^\p{Lu}\p{Ll}/u.test(sentence) ? (sentence[0] ?? "").toLowerCase() + sentence.slice(1) : sentence;
  if (lexicon.code !== "en") return lexicon.code === "de" ? sentence : lower;
  if (!field.isDescribed) return field.kind === "BOOLEAN" ? lower : `the ${lower}`;
  const label = toSecondPerson(
    lower.replace(INSTRUCTION, "").replace(/^(?:whether(?: or not)?|(?:is )?true (?:if|when)|if) /i, ""),
  );
  return field.kind === "BOOLEAN" || NEEDS_NO_ARTICLE.test(label) ? label : `the ${label}`;
}

/** Matches the instruction of a description that is written for a machine: "Record the customer's name". */
const INSTRUCTION =
  /^(?:extract|capture|record|note|store|collect|get|determine) (?=(?:the|their|whether|how|when|what|which|if|an?) )/i;
const NEEDS_NO_ARTICLE =
  /^(?:the|an?|your|you|any|anything|how|what|which|who|whom|whose|when|where|why|if|all|some|every|each|this|that|these|those|one|other|further)\b/i;

const THEM = "(?:the )?(?:customer|contact|person|caller|user|client|patient|guest|lead|respondent)";
const VERB_ENDS: Record<string, string> = { is: "are", was: "were", has: "have", does: "do" };

function toSecondPerson(text: string): string {
  return text
    .replaceAll(new RegExp(`\\b${THEM}'s\\b`, "gi"), "your")
    .replaceAll(
      new RegExp(`\\b${THEM} (\\w+)`, "gi"),
      (_all, verb: string) => `you ${toSecondPersonVerb(verb.toLowerCase())}`,
    )
    .replaceAll(new RegExp(`\\bof ${THEM}$`, "gi"), "of yours")
    .replaceAll(/\b(?:their|his or her)\b/gi, "your")
    .replaceAll(/\bthey\b/gi, "you");
}

function toSecondPersonVerb(verb: string): string {
  if (VERB_ENDS[verb]) return VERB_ENDS[verb];
  return /[^su]s$/.test(verb) ? verb.replace(/(?<=[sxzo]|ch|sh)es$|s$/, "") : verb;
}

/** Fills in the `{name}` placeholders of a phrase. */
export function fill(phrase: string, values: Record<string, string>): string {
  return phrase.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
