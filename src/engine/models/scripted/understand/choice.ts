import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { parseYesNo } from "./intent.ts";
import { parseNumber } from "./number.ts";
import { parsePlace } from "./place.ts";

/** Returns the one choice that a person names; undefined when it is none, or more than one. */
export function understandChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const affirmed = keepAffirmed(text, lexicon);
  const value = affirmed === undefined || affirmed === text ? undefined : readChoice(field, affirmed, lexicon);
  return value ?? readChoice(field, text, lexicon);
}

function readChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = choicesSaid(field, text, lexicon);
  if (said.length === 1) return said[0];
  if (said.length > 1) return undefined;
  const yesNo = parseYesNo(text, lexicon);
  const byYesNo = field.choices.find(
    ({ spoken }) => yesNo !== undefined && spoken.toLowerCase() === (yesNo ? "yes" : "no"),
  );
  if (byYesNo) return byYesNo.value;
  if (field.choices.every(({ spoken }) => /^-?\d+(?:\.\d+)?$/.test(spoken))) return numberChoice(field, text, lexicon);
  const place = parsePlace(text, lexicon, field.choices.length);
  return place === undefined ? undefined : field.choices[place - 1]?.value;
}

/** Among numbers, "two" is the number two and not the second choice. */
function numberChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = parseNumber(text, lexicon);
  return field.choices.find(({ spoken }) => Number(spoken) === said)?.value;
}

const MAX_NOTHING_CHARACTERS = 80;

/** True when the whole of a short answer says that there is nothing. */
export function saysNothing(text: string, lexicon: Lexicon): boolean {
  return text.length <= MAX_NOTHING_CHARACTERS && lexicon.nothing.test(text.trim());
}

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

/**
 * Returns the choices that a text names, in the order of the text: by their words, by a word that only one of them has,
 * or by a synonym.
 */
export function choicesSaid(field: Field, text: string, lexicon: Lexicon | undefined): unknown[] {
  const whole = ` ${spokenTokens(text).join(" ")} `;
  let rest = whole;
  const found: { value: unknown; at: number }[] = [];
  const longestFirst = field.choices
    .map(({ value, spoken }) => ({ value, words: ` ${spokenTokens(spoken).join(" ")} ` }))
    .toSorted((a, b) => b.words.length - a.words.length);
  for (const { value, words } of longestFirst) {
    const at = rest.indexOf(words);
    if (at === -1 || words.trim() === "") continue;
    if (!lexicon || !isNegated(rest.slice(0, at), lexicon)) found.push({ value, at: whole.indexOf(words) });
    rest = `${rest.slice(0, at)} | ${rest.slice(at + words.length)}`;
  }
  if (found.length > 0 || rest.includes("|")) return found.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
  return tellingWordChoices(longestFirst, rest, lexicon);
}

function isNegated(before: string, lexicon: Lexicon): boolean {
  const last = before.trim().split(" ").at(-1) ?? "";
  return ["not", "nicht", "kein", "keine", "pas", "inte"].includes(last) && lexicon.no.test(last);
}

interface Spoken {
  value: unknown;
  words: string;
}

function tellingWordChoices(choices: Spoken[], rest: string, lexicon: Lexicon | undefined): unknown[] {
  const words = rest.trim().split(" ");
  const affirmed = words.filter((_word, i) => !lexicon || !isNegated(words[i - 1] ?? "", lexicon));
  const byWord = choicesWith(choices, new Set(affirmed.filter((word) => word.length >= 4)));
  if (byWord.length > 0) return byWord.length === 1 ? [byWord[0]?.value] : [];
  const synonyms = new Set(affirmed.flatMap((word) => SAME.get(word) ?? []));
  const byMeaning = synonyms.size === 0 ? [] : choicesWith(choices, synonyms);
  return byMeaning.length === 1 ? [byMeaning[0]?.value] : [];
}

function choicesWith(choices: Spoken[], said: ReadonlySet<string>): Spoken[] {
  return choices.filter(({ words }) =>
    words
      .trim()
      .split(" ")
      .some((word) => said.has(word)),
  );
}

function spokenTokens(text: string): string[] {
  return toTokens(text.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "").replaceAll(/\be mail/gi, "email"));
}

/** Words for the same choice, whichever of them the list has. All languages, because lists are often English. */
const SYNONYMS = `
card karte kreditkarte tarjeta carte kort visa mastercard amex credit debit creditcard plastic
cash bar bargeld efectivo espèces liquide kontanter kontant notes
transfer banktransfer wire überweisung transferencia virement överföring
invoice bill rechnung factura facture faktura
large big bigger biggest largest huge groß große großen größte grande grand gran stor stora största
small little smaller smallest tiny klein kleine kleinen kleinste pequeño pequeña petit petite liten lilla minsta
medium middle regular normal standard mid mittel mittlere mittleren mediano mediana moyen moyenne mellan medel
phone call telephone ring telefon anruf telefonisch teléfono llamada téléphone appel telefonen samtal
sms text texting textmessage whatsapp kurznachricht mensaje message meddelande
email mail correo courriel mejl epost
morning mornings vormittag vormittags morgens mañana matin förmiddag förmiddagen
afternoon afternoons nachmittag nachmittags tarde eftermiddag eftermiddagen
evening evenings abend abends noche soir kväll kvällen
new neu neue nuevo nueva nouveau nouvelle ny nytt
used secondhand gebraucht gebrauchte usado usada occasion begagnad
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
