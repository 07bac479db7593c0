import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toSentences, toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { saysNothing } from "./choice.ts";
import { isBareYesNo } from "./intent.ts";
import { parseCode } from "./phone.ts";
import { spelledCode, spelledWord } from "./spelled.ts";

/** Returns the items of a list: "nuts, milk and eggs". Empty for nothing. */
export function understandList(text: string, lexicon: Lexicon): string[] | undefined {
  if (saysNothing(text, lexicon)) return [];
  const cleaned = cleanText(text, lexicon);
  if (cleaned === "" || isBareYesNo(cleaned, lexicon)) return undefined;
  const items = cleaned
    .split(",")
    .flatMap((part) => part.split(lexicon.and))
    .map((item) => dropArticle(item.trim()))
    .filter((item) => item !== "");
  return items.length > 0 ? items : undefined;
}

/** Returns a free text, a name or a code as the person gave it; undefined when the utterance holds none. */
export function understandText(field: Field, text: string, lexicon: Lexicon): string | undefined {
  if (saysNothing(text, lexicon) || text.trimEnd().endsWith("?")) return undefined;
  const code = isCodeField(field) ? readCode(field, text, lexicon) : undefined;
  if (code !== undefined) return code;
  const bare = dropHesitation(text);
  const cleaned = field.isName ? cleanName(bare, lexicon) : cleanText(bare, lexicon);
  const spelled = spellingOf(cleaned, bare, lexicon);
  if (spelled !== undefined) return keep(field, spelled);
  if (cleaned === "" || isBareYesNo(cleaned, lexicon)) return undefined;
  if (field.isName && (toTokens(cleaned).length > MAX_NAME_WORDS || NO_NAME.test(cleaned))) return undefined;
  const short = PLACE.test(`${field.about} ${field.path.join(" ")}`) ? cleaned.replace(IN_PLACE, "") : cleaned;
  return (
    keep(field, short) ?? parseCode(text, lexicon, (digits) => field.accepts(digits)) ?? readCode(field, text, lexicon)
  );
}

function keep(field: Field, value: string | undefined): string | undefined {
  return value !== undefined && field.accepts(value) ? value : undefined;
}

const MAX_NAME_WORDS = 8;
const CODE_FIELD =
  /post(?:al )?code|zip|\bcode\b|reference|policy|account|registration|plate|serial|booking number|order number|customer number|house number|postleitzahl|\bplz\b|kennzeichen|kundennummer|vertragsnummer|hausnummer|bestellnummer|código|matrícula|referencia|número de (?:cliente|póliza|pedido|cuenta)|plaque|immatriculation|référence|numéro de (?:client|contrat|commande)|postnummer|registreringsnummer|kundnummer|ordernummer|bokningsnummer/i;
const POSTCODE = /post ?code|postcode/i;

function isCodeField({ about, path, schema }: Field): boolean {
  return typeof schema.pattern === "string" || CODE_FIELD.test(`${about} ${path.join(" ")}`);
}

/** Returns a code that was spelled: "AB double oh seven one", "Sierra Whiskey one nine, two Papa Foxtrot". */
function readCode(field: Field, text: string, lexicon: Lexicon): string | undefined {
  const said = text
    .trim()
    .replace(lexicon.leadIn, "")
    .replace(/[.!?]+$/, "");
  // What is written as a code stays as it is written.
  if (/\d/.test(said) && /^[\p{L}\p{N}]{1,4}(?:[ /-]?[\p{L}\p{N}]{1,8}){0,4}$/u.test(said)) return keep(field, said);
  const code = spelledCode(said, lexicon);
  if (code.length < 2) return undefined;
  const isBritish =
    POSTCODE.test(`${field.about} ${field.path.join(" ")}`) && /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(code);
  return keep(field, isBritish ? `${code.slice(0, -3)} ${code.slice(-3)}` : code) ?? keep(field, code);
}

/** Returns a name as it was spelled: the spelling replaces the word that sounds like it. */
function spellingOf(cleaned: string, text: string, lexicon: Lexicon): string | undefined {
  const spelled = spelledWord(text);
  if (spelled === undefined) return undefined;
  const capital = (spelled[0] ?? "").toUpperCase() + spelled.slice(1);
  const words = (toSentences(cleaned)[0] ?? "").replace(/[.,;:!?]+$/, "").split(/[\s,]+/);
  const like = words.findLastIndex((word) => isLike(word.toLowerCase(), spelled));
  if (like === -1 || words.length > MAX_NAME_WORDS) return capital;
  const before = words.slice(0, like).join(" ").replace(lexicon.leadIn, "");
  return `${before} ${capital}`.trim();
}

/** True for two words that differ in few letters. */
function isLike(word: string, spelled: string): boolean {
  if (word === spelled) return true;
  if (word[0] !== spelled[0] || Math.abs(word.length - spelled.length) > 2) return false;
  const shared = [...new Set(word)].filter((letter) => spelled.includes(letter)).length;
  return shared >= Math.min(word.length, spelled.length) / 2;
}

const FURTHER_ANSWER =
  /[,;.]?\s+(?:(?:and|und|y|et|och)\s+)?(?:(?:my|meine?|mi|mon|ma|min|mitt)\s+(?:phone|mobile|cell|number|e-?mail|address|telefon|handy|nummer|mail|teléfono|móvil|número|correo|téléphone|numéro|adresse|mejl|e-post)|(?:and|und|y|et|och)\s+(?:my|meine?|mi|mon|ma|min|mitt|i|ich|je|jag)\s).*$/iu;

/** Returns a name without its spelled letters, and without other answers in the same utterance. */
function cleanName(text: string, lexicon: Lexicon): string {
  const lead = text.replace(COURTESY, "").replace(UNDER, "");
  const said = toSentences(cleanText(lead, lexicon).replace(SPELLED_AFTER, "").replace(FURTHER_ANSWER, ""));
  const whole = said.at(-1) ?? "";
  // A name and its full form: "Berg. Anna Berg."
  const isRepeated = said.length > 1 && toTokens(said[0] ?? "").every((word) => toTokens(whole).includes(word));
  const name = (isRepeated ? whole : said.join(" ")).replace(/[.!,;]+$/, "");
  const [first = "", second] = name.split(/,\s*/);
  // "Smith, John Smith."
  return second !== undefined && toTokens(first).every((word) => toTokens(second).includes(word)) ? second : name;
}

/** Matches the letters spelled after a name: "Berg, B E R G". */
const SPELLED_AFTER = /[,;.]?\s+(?:\p{L}[\s.,-]+){2,40}\p{L}\.?$/u;
const COURTESY =
  /^(?:all right|alright|okay|ok|sure|fine|yes|well|oh|ja|gut|na gut|klar|vale|bueno|sí|claro|oui|bon|d'accord|okej|jo|visst)[,.!]\s+/i;
const UNDER =
  /^(?:(?:put it |it's |book it |that's )?under(?: the name)?(?: of)?|(?:auf|unter)(?: den namen| dem namen)?|a nombre de|au nom de|(?:på|i) namnet)\s+/i;

/** Words of a remark, in any of the languages, that do not occur in names. */
const NO_NAME = wholeWords(
  "you|your|know|why|don't|told|wissen|warum|nicht|kennen|usted|sabe|saben|por qué|vous|savez|pourquoi|vet|varför|inte",
);
const PLACE =
  /city|town|street|where|neighbou?rhood|district|stadt|straße|ort|wo\b|barrio|ciudad|calle|dónde|ville|rue|quartier|où|stad|gata|var\b/i;
const IN_PLACE =
  /^(?:i live |it's |we're |i'm |wir sind |ich wohne |vivo |j'habite |jag bor )?(?:in|at|on|near|en|à|dans|på|im)\s+(?=\p{Lu})/iu;
const HESITATION =
  /^(?:(?:uh+|um+|uhm|erm?|hm+|hmm+|so|well|like|okay|ok|let me (?:see|think)|you know|i mean|what do you call it|(?:s?he|it)'s|like|ähm?|öhm?|also|na ja|sozusagen|wie heißt das|eh|este|pues|o sea|bueno|cómo se dice|euh|ben|bah|alors|comment dire|öh|eh|alltså|liksom|vad heter det)(?:[\s,.…]+|$))+/i;
const HESITATION_INSIDE =
  /[\s,]+(?:uh+|um+|uhm|erm?|hm+|like|you know|what do you call it|wie heißt das|cómo se dice|comment dire|vad heter det|ähm?|euh|öh)(?=[\s,.…]+),?/gi;

/** Returns a text without the sounds and words of somebody who thinks. */
function dropHesitation(text: string): string {
  const rest = text.replaceAll(HESITATION_INSIDE, " ").replace(HESITATION, "").trim();
  return rest === "" ? text : rest.replace(HESITATION, "").replace(/^(?:an?)[\s,]+(?=an? )/i, "");
}

const ARTICLE =
  /^(?:an?|the|some|my|ein(?:e|en)?|der|die|das|meine?|una?|unos|unas|el|la|los|las|mis?|une|des?|du|les?|l'|mes|mon|ma|en|ett|min|mitt|mina)\s+(?=\S)/i;

function dropArticle(text: string): string {
  return text.replace(/^(?:an?|the|some|ein(?:en)?|une?|una?|en|ett)\s+(?=\S)/i, "");
}

/** Returns a text without a lead such as "my name is" and without the full stop. */
function cleanText(text: string, lexicon: Lexicon): string {
  const bare = text.trim().replace(lexicon.leadIn, "");
  const ended = (bare.includes(". ") ? bare : bare.replace(/[.!,;]+$/, "")).trim();
  const isShort = toTokens(ended).length <= MAX_SHORT_WORDS;
  return isShort && /^an? /i.test(ended) ? ended.replace(ARTICLE, "") : ended;
}

const MAX_SHORT_WORDS = 4;
