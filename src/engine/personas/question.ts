import { wholeWords } from "#src/engine/models/scripted/words.ts";

/** Kinds of questions to a persona, and the other kinds of what an agent says. */
export const QUESTION_KINDS = [
  "YES_NO",
  "CHOICE",
  "NUMBER",
  "NAME",
  "EMAIL",
  "PHONE",
  "POSTAL_CODE",
  "DATE",
  "TIME",
  "OPEN",
  "STATEMENT",
  "GOODBYE",
] as const;

/** The question in the agent's words. */
export type Question =
  | { kind: "YES_NO" | "EMAIL" | "PHONE" | "POSTAL_CODE" | "DATE" | "TIME" | "NAME" | "OPEN" }
  | { kind: "NUMBER"; from: number; to: number }
  | { kind: "CHOICE"; options: string[] }
  | { kind: "GOODBYE" }
  | { kind: "STATEMENT" };

const GOODBYE = wholeWords(
  "good ?bye|bye|have a (?:nice|great|good|lovely) (?:day|evening|one)|adiós|hasta luego|auf wieder(?:hören|sehen)|tschüss|" +
    "au revoir|bonne journée|hej ?då|ha en (?:fin|bra|trevlig) dag",
);
const YES_OR_NO = wholeWords("yes or no|sí o no|ja oder nein|oui ou non|ja eller nej");
const LEAD_IN = /^(?:(?:and|so|now|great|okay|ok|thanks|first|next|then|also|y|und|et|och)[,.]?\s+)+/i;
/** First words of yes-or-no questions. */
const AUXILIARY = wholeWords(
  "is|are|am|was|were|do|does|did|can|could|would|will|shall|should|may|have|has|" +
    "es|está|son|quiere|puede|podría|podemos|desea|tiene|le|se|ha|confirma|acepta|hablo|" +
    "ist|sind|haben|hat|können|kann|könnten|möchten|wollen|würden|werden|dürfen|darf|passt|" +
    "est|êtes|avez|pouvez|pourriez|voulez|souhaitez|puis|confirmez|är|har|kan|skulle|vill|får|går|passar|stämmer",
);
/** Phrases that ask for information, although some begin like a yes-or-no question. */
const REQUEST = wholeWords(
  "tell|give|share|spell|provide|state|say|have your|get your|know your|need your|confirm your|" +
    "dígame|decirme|indique|indicar|darme|sagen|nennen|geben|mitteilen|dites|dire|donnez|donner|indiquer|" +
    "säga|säg|ange|berätta|uppge|ge mig",
);
const POLITE = wholeWords("please|por favor|bitte|s'il vous plaît|snälla|tack");
const QUESTION_WORD = wholeWords(
  "what|which|who|whom|whose|when|where|why|how|qué|cuál|cuáles|quién|cuándo|dónde|cómo|cuánt[oa]s?|" +
    "was|welche[rsmn]?|wer|wen|wann|wo|warum|wie|wieviel|que|quoi|quel(?:le)?s?|qui|quand|où|pourquoi|comment|combien|" +
    "vad|vilken|vilket|vilka|vem|när|var|varför|hur",
);

const EMAIL = wholeWords("e-?mail(?: address)?|correo|courriel|e-post|mejl|e-mail-adresse|e-postadress");
const PHONE = wholeWords(
  "(?:tele)?phone(?: number)?|mobile number|telefon(?:nummer)?|teléfono|téléphone|rufnummer|handynummer|mobilnummer",
);
const POSTAL_CODE = wholeWords(
  "(?:post(?:al)?|zip) ?codes?|eircode|zip|plz|postleitzahl|código postal|codes? postal|postnummer|postkod",
);
const TIME = wholeWords(
  "(?:what|which) time|time of day|best time|qué hora|uhrzeit|wie viel uhr|quelle heure|vilken tid|hur dags",
);
const DATE = wholeWords(
  "date|(?:what|which) day|best day|birthday|when|fecha|qué día|cuándo|datum|welche[nrm] tag|wann|quel jour|quand|vilken dag|när",
);
const NUMBER = wholeWords(
  "how (?:many|much|old)|number|rate|rating|scale|score|quantity|amount|age|cuánt[oa]s?|número|escala|" +
    "wie ?viele?|zahl|anzahl|skala|combien|nombre de|échelle|hur (?:många|mycket)|antal|betyg",
);
const NAME = wholeWords("(?:first |last |full )?name|nombre|llama|nom|appelez|namn|heter|heißen");
const RANGE = /(\d+)\s*(?:to|-|–|and|bis|und|a|à|y|et|till|och)\s*(\d+)/i;
const OR = /\s+(?:or|o|u|oder|ou|eller)\s+/i;

/** Reads the last question of what the agent said; a text without a question is a GOODBYE or a STATEMENT. */
export function readQuestion(text: string): Question {
  const asked = findQuestion(text);
  if (asked === null) return { kind: GOODBYE.test(text) ? "GOODBYE" : "STATEMENT" };
  if (YES_OR_NO.test(asked)) return { kind: "YES_NO" };
  const options = readOptions(asked);
  if (options.length >= 2) return { kind: "CHOICE", options };
  const isRequest = REQUEST.test(asked);
  if (!isRequest && opensWith(AUXILIARY, asked)) return { kind: "YES_NO" };
  return readDataQuestion(asked) ?? { kind: isRequest || QUESTION_WORD.test(asked) ? "OPEN" : "YES_NO" };
}

/**
 * Returns the last sentence with a question mark, or a last sentence that asks for something without one; null for
 * none.
 */
export function findQuestion(text: string): string | null {
  const end = text.lastIndexOf("?");
  const upTo = end === -1 ? text : text.slice(0, end);
  const sentences = upTo.split(/[.!?]\s+/);
  const last = (sentences.at(-1) ?? "").trim().replace(/^¿/, "");
  if (end !== -1) return last;
  if (GOODBYE.test(text)) return null;
  return POLITE.test(last) && REQUEST.test(last) ? last : null;
}

function opensWith(words: RegExp, asked: string): boolean {
  return words.exec(asked.replace(LEAD_IN, ""))?.index === 0;
}

function readDataQuestion(asked: string): Question | null {
  if (EMAIL.test(asked)) return { kind: "EMAIL" };
  if (PHONE.test(asked)) return { kind: "PHONE" };
  if (POSTAL_CODE.test(asked)) return { kind: "POSTAL_CODE" };
  if (TIME.test(asked)) return { kind: "TIME" };
  if (DATE.test(asked)) return { kind: "DATE" };
  const range = RANGE.exec(asked);
  if (range) return { kind: "NUMBER", from: Number(range[1]), to: Number(range[2]) };
  if (NUMBER.test(asked)) return { kind: "NUMBER", from: 0, to: Infinity };
  return NAME.test(asked) ? { kind: "NAME" } : null;
}

const LONGEST_OPTION_WORDS = 4;

function readOptions(asked: string): string[] {
  if (!OR.test(asked)) return [];
  const listed = asked.includes(":");
  const list = listed ? asked.slice(asked.lastIndexOf(":") + 1) : asked;
  const options = list.split(",").flatMap((part) => part.replace(/^\s*(?:or|o|oder|ou|eller)\s+/i, "").split(OR));
  // Without a colon the question runs into the first option: "would you like tea or coffee".
  if (!listed && options[0] !== undefined) options[0] = options[0].trim().split(/\s+/).at(-1) ?? "";
  const clean = options.map((option) => option.replaceAll(/["'()“”]/g, "").trim()).filter((option) => option !== "");
  return clean.every((option) => option.split(/\s+/).length <= LONGEST_OPTION_WORDS) ? clean : [];
}
