import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { parseNumber, parseWords } from "./number.ts";
import { parsePlace } from "./place.ts";
import { parseYesNo } from "./yes-no.ts";

/** Returns the one choice that a person names; undefined when it is none, or more than one. */
export function understandChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const affirmed = keepAffirmed(text, lexicon);
  const value = affirmed === undefined || affirmed === text ? undefined : readChoice(field, affirmed, lexicon);
  return value ?? readChoice(field, text, lexicon);
}

function readChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = choicesSaid(field, text, lexicon);
  if (said.length === 1) return said[0];
  const wish = wished(field, text, lexicon);
  if (said.length > 1 || wish !== undefined) return wish;
  const yesNo = parseYesNo(text, lexicon);
  const byYesNo = field.choices.find(
    ({ spoken }) => yesNo !== undefined && spoken.toLowerCase() === (yesNo ? "yes" : "no"),
  );
  if (byYesNo) return byYesNo.value;
  if (field.choices.every(({ spoken }) => /^-?\d+(?:\.\d+)?$/.test(spoken))) return numberChoice(field, text, lexicon);
  const place = parsePlace(text, lexicon, field.choices.length);
  return place === undefined ? undefined : field.choices[place - 1]?.value;
}

const WISH = wholeWords(
  "give me|i'll (?:take|have|go)|i(?:'d| would) (?:like|prefer|rather)|i want|let's|go (?:for|with)|put me|nehme|möchte|hätte gern|lieber|quiero|prefiero|póngame|je prends|je préfère|plutôt|jag tar|hellre",
);

/** Returns the choice of the one clause that says what the person would like: "those run small, give me a large". */
function wished(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = text
    .split(/[,;.!]\s/)
    .filter((clause) => WISH.test(clause))
    .flatMap((clause) => choicesSaid(field, clause, lexicon));
  return said.length === 1 ? said[0] : undefined;
}

/** Among numbers, "two" is the number two and not the second choice. */
function numberChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = parseNumber(text, lexicon);
  return field.choices.find(({ spoken }) => Number(spoken) === said)?.value;
}

const MAX_NOTHING_CHARACTERS = 80;

/** True when the whole of a short answer says that there is nothing. */
export function saysNothing(text: string, lexicon: Lexicon): boolean {
  const said = text.trim();
  return said.length <= MAX_NOTHING_CHARACTERS && (lexicon.nothing.test(said) || HAS_NONE.test(said));
}

/** Says of oneself that one has none, in any of the languages: "I don't have one", "hab ich keinen". */
const HAS_NONE =
  /^(?:(?:no|none|nein|non|nej)[,.]?\s+)?(?:(?:i|we|he|she|they|it|there)(?:'ve| have)? ?(?:don't|do not|doesn't|haven't|hasn't|isn't) ?(?:really )?(?:have |got |gotten )?(?:one|any|anything|a \p{L}+(?: \p{L}+)?)|there (?:is|are) (?:none|no \p{L}+)|(?:ich |wir |er |sie )?(?:hab|habe|haben|hat)e? ?(?:ich|wir|er|sie)? ?(?:keinen?|keins|nicht)|gibt(?:'s| es) nicht|no (?:lo |la )?(?:ten(?:go|emos)|tiene|hay)(?: (?:ningun[oa]|ninguno|nada))?|(?:je |on |il |elle )?n'en (?:ai|a|avons) pas|il n'y en a pas|(?:det |den )?(?:har|finns) (?:jag |vi |han |hon |det )?(?:inte|inget|ingen)|(?:jag |vi )?har (?:ingen|inget|inga)(?: \p{L}+)?)[.! ]*$/iu;

/** Returns all choices that a person names, in the order of the list; undefined when there are none. */
export function understandChoices(field: Field, text: string, lexicon: Lexicon): unknown[] | undefined {
  if (saysNothing(text, lexicon)) return [];
  const except = lexicon.except.exec(text);
  if (except) {
    const without = choicesSaid(field, text.slice(except.index + except[0].length), undefined);
    const before = choicesSaid(field, text.slice(0, except.index), undefined);
    const from = before.length > 0 ? before : field.choices.map(({ value }) => value);
    if (without.length > 0) return from.filter((value) => !without.includes(value));
  }
  const affirmed = keepAffirmed(text, lexicon) ?? text;
  const said = choicesSaid(field, affirmed, undefined);
  if (said.length > 0) return said;
  return lexicon.all.test(affirmed) ? field.choices.map(({ value }) => value) : undefined;
}

const TAKES_OUT = wholeWords(
  "leave(?: out)?|without|not|don't|drop|skip|no|take (?:off|out)|forget|cancel|except|minus|ohne|weg|nicht|kein(?:e|en)?|lassen|streichen|sin|quite|quita|menos|sans|pas|enlevez|retirez|utan|inte|ta bort|hoppa över|stryk",
);
const PUTS_IN = wholeWords(
  "also|plus|and|too|as well|add|auch|noch|dazu|und|también|además|y|aussi|également|et|ajoutez|också|även|och|lägg till",
);

/** Returns the choices after the person has changed their mind: "mowing and the hedge. Actually leave the hedge". */
export function changeChoices(field: Field, parts: string[], lexicon: Lexicon): unknown[] | undefined {
  let chosen: unknown[] | undefined;
  for (const part of parts) {
    const said = choicesSaid(field, part, undefined);
    if (chosen === undefined || said.length === 0) chosen ??= understandChoices(field, part, lexicon);
    else if (TAKES_OUT.test(part)) chosen = chosen.filter((value) => !said.includes(value));
    else if (PUTS_IN.test(part)) chosen = [...new Set([...chosen, ...said])];
    else chosen = said;
  }
  return chosen;
}

/**
 * Returns the choices that a text names, in the order of the text: by their words, by a word that only one of them has,
 * or by a synonym.
 */
export function choicesSaid(field: Field, text: string, lexicon: Lexicon | undefined): unknown[] {
  const said = spokenTokens(text, lexicon);
  const taken = new Set<number>();
  const found: { value: unknown; at: number }[] = [];
  const longestFirst = field.choices
    .map(({ value, spoken }) => ({ value, words: spokenTokens(spoken, lexicon) }))
    .toSorted((a, b) => b.words.length - a.words.length);
  for (const { value, words } of longestFirst) {
    const at = said.findIndex(
      (_word, i) => !taken.has(i) && words.every((word, j) => isSameWord(said[i + j] ?? "", word)),
    );
    if (at === -1 || words.length === 0) continue;
    for (let i = at; i < at + words.length; i++) taken.add(i);
    if (!lexicon || !isNegated(said[at - 1] ?? "", lexicon)) found.push({ value, at });
  }
  if (found.length > 0 || taken.size > 0) return found.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
  return tellingWordChoices(longestFirst, said, lexicon, field.kind === "CHOICES");
}

const MIN_STEM = 4;

/** True for a word and its plural or inflection: "Mondays", "zwei Jahren". */
function isSameWord(said: string, word: string): boolean {
  if (said === word) return said !== "";
  if (said.length <= MIN_STEM || word.length <= MIN_STEM || /\d/.test(said)) return false;
  const [short, long] = said.length < word.length ? [said, word] : [word, said];
  return long.startsWith(short) && long.length - short.length <= 2;
}

function isNegated(before: string, lexicon: Lexicon): boolean {
  return ["not", "nicht", "kein", "keine", "pas", "inte"].includes(before) && lexicon.no.test(before);
}

interface Spoken {
  value: unknown;
  words: string[];
}

/** Chooses by words that few of the choices have: each counts the more, the fewer have it. */
function tellingWordChoices(
  choices: Spoken[],
  said: string[],
  lexicon: Lexicon | undefined,
  isForMany: boolean,
): unknown[] {
  const affirmed = said.filter((_word, i) => !lexicon || !isNegated(said[i - 1] ?? "", lexicon));
  const byWord = bestOf(
    choices,
    affirmed.filter((word) => word.length >= MIN_STEM || /^\d+$/.test(word)),
    isForMany,
  );
  if (byWord.length > 0) return isForMany || byWord.length === 1 ? byWord : [];
  const synonyms = affirmed.flatMap((word) => SAME.get(word) ?? []);
  const byMeaning = bestOf(choices, [...new Set(synonyms)], isForMany);
  return isForMany || byMeaning.length === 1 ? byMeaning : [];
}

/** Returns the choices with the highest score, or for an answer that may name many, all that a telling word names. */
function bestOf(choices: Spoken[], said: string[], isForMany: boolean): unknown[] {
  const sharing = (word: string): number =>
    choices.filter(({ words }) => words.some((one) => isSameWord(word, one))).length;
  const weights = new Map(said.map((word) => [word, sharing(word)]));
  const scored = choices.map(({ value, words }) => {
    const own = [...weights].filter(
      ([word, count]) => count > 0 && count < Math.max(2, choices.length) && words.some((one) => isSameWord(word, one)),
    );
    return {
      value,
      score: own.reduce((sum, [, count]) => sum + 1 / count, 0),
      isTold: own.some(([, count]) => count === 1),
    };
  });
  if (isForMany) return scored.filter(({ isTold }) => isTold).map(({ value }) => value);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ value }) => value);
}

/** Splits into words, with numbers in digits: "five hundred" and "500" are the same. */
function spokenTokens(text: string, lexicon: Lexicon | undefined): string[] {
  const plain = text
    .replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "")
    .replaceAll(/\be mail/gi, "email")
    .replaceAll(/\bextra[ -]large\b/gi, "xl")
    .replaceAll(/\bextra[ -]small\b/gi, "xs");
  const tokens = toTokens(plain);
  return lexicon ? withDigits(tokens, lexicon) : tokens;
}

const MAX_NUMBER_WORDS = 5;

function withDigits(tokens: string[], lexicon: Lexicon): string[] {
  const result: string[] = [];
  for (let at = 0; at < tokens.length;) {
    let length = Math.min(MAX_NUMBER_WORDS, tokens.length - at);
    while (length > 0 && !isNumber(tokens.slice(at, at + length), lexicon)) length--;
    const number = length > 0 ? parseWords(tokens.slice(at, at + length), lexicon) : undefined;
    result.push(number === undefined ? (tokens[at] as string) : String(number));
    at += Math.max(1, length);
  }
  return result;
}

/** True when every word belongs to one number; an article is none. */
function isNumber(tokens: string[], lexicon: Lexicon): boolean {
  const value = parseWords(tokens, lexicon);
  if (value === undefined || (tokens.length === 1 && value <= 1)) return false;
  return tokens.every(
    (token, i) =>
      parseWords([token], lexicon) !== undefined ||
      (i > 0 && lexicon.numberJoiners.includes(token) && i < tokens.length - 1),
  );
}

/** Words for the same choice, whichever of them the list has. All languages, because lists are often English. */
const SYNONYMS = `
card karte kreditkarte tarjeta carte kort visa mastercard amex credit debit creditcard plastic
cash bar bargeld efectivo espèces liquide kontanter kontant notes
transfer banktransfer wire überweisung transferencia virement överföring
invoice bill rechnung factura facture faktura
l large big bigger biggest largest huge groß große großen größte grande grand gran stor stora största
s small little smaller smallest tiny klein kleine kleinen kleinste pequeño pequeña petit petite liten lilla minsta
m medium middle regular normal standard mid mittel mittlere mittleren mediano mediana moyen moyenne mellan medel
phone call telephone ring telefon anruf telefonisch teléfono llamada téléphone appel telefonen samtal
sms text texting textmessage whatsapp kurznachricht mensaje message meddelande
email mail correo courriel mejl epost
morning mornings vormittag vormittags morgens mañana matin förmiddag förmiddagen
afternoon afternoons nachmittag nachmittags tarde eftermiddag eftermiddagen
evening evenings abend abends noche soir kväll kvällen
new neu neue nuevo nueva nouveau nouvelle ny nytt
used secondhand gebraucht gebrauchte usado usada occasion begagnad
daily day täglich diario diariamente quotidien dagligen
weekly week wöchentlich woche semanal semana hebdomadaire semaine veckovis vecka
monthly month monatlich mensual mensuel månadsvis
yearly annual annually year jährlich anual annuel årligen
satisfied happy content pleased good great zufrieden satisfecho satisfait nöjd
unsatisfied dissatisfied unhappy bad unzufrieden insatisfecho insatisfait missnöjd
single alone einzel individual enkel
double doppel doble dubbel
red rot rojo roja rouge röd
blue blau azul bleu blå
green grün verde vert grön
yesterday gestern ayer hier igår`;

const SAME = new Map<string, string[]>();
for (const line of SYNONYMS.trim().split("\n")) {
  const words = line.split(" ");
  for (const word of words) SAME.set(word, [...(SAME.get(word) ?? []), ...words]);
}
