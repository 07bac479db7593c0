import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber, parseWords } from "./number.ts";
import { countPeople, countThings } from "./sums.ts";
import { readHeight, readLength } from "./units.ts";

const CURRENCY = "euros?|dollars?|bucks|pounds?|quid|pesos?|kronor|francs?|franken|libras";
const COINS = wholeWords(
  `(?:${CURRENCY})(?: and| und| y| con| et| och)? (\\p{L}{1,30}(?:-\\p{L}{1,12}){0,2}|\\d{1,2})(?! (?:hundred|thousand|hundert|tausend|cien|mil|cent|mille))`,
);
const DOZENS = wholeWords("(\\p{L}{1,20}|\\d{1,2}) (?:dozen|dutzend|docenas|douzaines|dussin)");
const ZERO = wholeWords(
  "not (?:a single|one|any)(?: one)?|none|never|no(?: \\p{L}{1,20}){0,2} at all|zero|kein(?:e|en|er|es)?(?: einzige[rns]?)?|gar keine[nr]?|überhaupt keine|nie|ningun[oa]|ningún|nada|nunca|aucune?|jamais|pas un(?:e)? seule?|ingen|inga|inget|aldrig|noll",
);
/** Words that sum up what was counted before: "two suitcases and a backpack, so three". */
const CONCLUSION = wholeWords(
  "so|so that(?:'s| makes| is)|that(?:'s| makes)|which makes|makes|altogether|in total|also|das sind|das macht|macht|insgesamt|zusammen|o sea|es decir|en total|donc|ça fait|soit|en tout|alltså|totalt|sammanlagt|det blir|dvs",
  "giu",
);
const SHORT_RANGE = wholeWords(
  "([\\p{L}\\d-]{2,30}) (?:to|bis|a|à|till) ([\\p{L}\\d-]{2,30} (?:thousand|grand|k|tausend|mil|mille|tusen))",
);
const RANGE = wholeWords(
  "(?:between|from|zwischen|von|entre|de|mellan|från) (.{1,60}?) (?:and|to|und|bis|y|a|et|à|och|till) (.{1,60})",
);
const LOWEST = wholeWords(
  "min(?:imum|imal\\p{L}*|dest\\p{L}*)?|lowest|least|from|start|mindestens|niedrigste\\p{L}*|unter\\p{L}*|mínim[oa]|más bajo|plus bas|minst\\p{L}*|lägst\\p{L}*",
);
const HIGHEST = wholeWords(
  "max(?:imum|imal\\p{L}*)?|highest|hope|wish|ideal|most|up to|upper|höchst\\p{L}*|ober\\p{L}*|máxim[oa]|más alto|plus haut|högst\\p{L}*",
);

/** A year since when something is so, which is no number of years. */
const SINCE_YEAR = wholeWords(
  "(?:since|seit|desde|depuis|sedan) (?:(?:19|20)\\d\\d|nineteen|two thousand|twenty|neunzehnhundert\\p{L}*|zweitausend\\p{L}*|(?:el )?(?:dos mil|mil novecientos)|(?:deux mille|mille neuf cent)|nittonhundra\\p{L}*|tjugohundra\\p{L}*|två tusen)",
);

const IN_YEAR = wholeWords("(?:in|en|im jahr|i|from|von|de|från) (?:(?:19|20)\\d\\d)");
const COUNTS_YEARS = wholeWords("age|old|how long|years|alt|jahre|años|antigüedad|ans|âge|ålder|gammal");

/** Returns the number that a text gives a field, before it is checked against the field's limits. */
export function parseAmount(field: Field, text: string, lexicon: Lexicon): number | undefined {
  if (SINCE_YEAR.test(text) || (IN_YEAR.test(text) && COUNTS_YEARS.test(field.about))) return undefined;
  return (
    readRange(field, text, lexicon) ??
    readConclusion(field, text, lexicon) ??
    readLength(field, text, lexicon) ??
    readHeight(field, text, lexicon) ??
    readFraction(field, text, lexicon) ??
    (/\d/.test(text) ? undefined : readWithoutDigits(field, text, lexicon)) ??
    readPlain(text, lexicon)
  );
}

const FRACTIONS: [RegExp, number][] = [
  [wholeWords("three[ -]quarters?|drei ?viertel|tres cuartos|trois quarts|tre ?fjärdedel(?:s|ar)"), 0.75],
  [wholeWords("(?:a |one )?quarter|(?:ein )?viertel|(?:un )?cuarto|(?:un )?quart|(?:en )?(?:fjärdedel|kvarts)"), 0.25],
  [wholeWords("(?:a |one )?third|(?:ein )?drittel|(?:un )?tercio|(?:un )?tiers|(?:en )?tredjedel"), 0.333],
  [
    wholeWords(
      "(?:a |one )?half|(?:eine?[nmr]? )?halbe[nrms]?|halb|(?:la )?mitad|medi[oa]|(?:une? )?demie?|(?:la )?moitié|(?:en |ett )?halv[ta]?|hälften",
    ),
    0.5,
  ],
];
const MILLION = wholeWords("million(?:en|es|s)?|millones|millón|miljon(?:er)?|mille|thousand|tausend|mil|tusen");

/** Reads a fraction that stands alone: "half an acre", "a quarter of a million". */
function readFraction({ isInteger }: Field, text: string, lexicon: Lexicon): number | undefined {
  const found = FRACTIONS.find(([pattern]) => pattern.test(text));
  if (!found) return undefined;
  const many = MILLION.exec(text)?.[0];
  if (isInteger && many === undefined) return undefined;
  const rest = text.replace(found[0], " ").replace(MILLION, " ").replaceAll(ARTICLES, " ");
  if (parseNumber(rest, lexicon) !== undefined || /\d/.test(rest)) return undefined;
  return found[1] * (many === undefined ? 1 : /^milli|^miljon|^millón/i.test(many) ? 1_000_000 : 1_000);
}

const ARTICLES = wholeWords("an?|one|eine?[nmrs]?|una?|un[oa]?|une?|en|ett|of|de|av|von", "giu");

function readPlain(text: string, lexicon: Lexicon): number | undefined {
  const value = parseNumber(text, lexicon);
  if (value === undefined || !Number.isInteger(value)) return value;
  const cents = lexicon.cents.exec(text);
  const coins = cents?.[1] ?? cents?.[2] ?? COINS.exec(text)?.[1] ?? "";
  const hundredths = parseNumber(coins, lexicon);
  const isCoins = hundredths !== undefined && hundredths > 0 && hundredths < 100;
  return isCoins ? Math.round(value * 100 + hundredths) / 100 : value;
}

/** Returns the number behind the last word that sums up, and undefined where there is none. */
function readConclusion(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const last = [...text.matchAll(CONCLUSION)].at(-1);
  if (!last || last.index === 0) return undefined;
  return parseAmount(field, text.slice(last.index + last[0].length), lexicon);
}

function readRange(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const bounds = parseRange(text, lexicon);
  if (!bounds) return undefined;
  const words = `${field.path.join(" ")} ${field.about}`.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  if (LOWEST.test(words)) return bounds[0];
  return HIGHEST.test(words) ? bounds[1] : undefined;
}

/** Returns the two ends of "between three hundred and three hundred fifty thousand". */
export function parseRange(text: string, lexicon: Lexicon): [number, number] | undefined {
  const match = RANGE.exec(text) ?? SHORT_RANGE.exec(text);
  const low = match ? parseNumber(match[1] ?? "", lexicon) : undefined;
  const high = match ? parseNumber(match[2] ?? "", lexicon) : undefined;
  if (low === undefined || high === undefined) return undefined;
  const shared = high >= 1000 && low < 1000 && low * 1000 <= high ? low * 1000 : low;
  return shared < high ? [shared, high] : undefined;
}

function readWithoutDigits(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const sum = countPeople(field, text, lexicon);
  if (sum !== undefined) return sum;
  const things = countThings(field, text, lexicon);
  if (things !== undefined) return things;
  if (FULL_MARKS.test(text) && field.maximum <= MOST_MARKS) return field.maximum;
  const days = countDays(field, text);
  if (days !== undefined) return days;
  const others = lexicon.mePlus.exec(text);
  const company = others ? parseNumber(others[1] ?? "", lexicon) : undefined;
  if (company !== undefined) return company + 1;
  const dozens = DOZENS.exec(text);
  const count = dozens ? parseNumber(dozens[1] ?? "", lexicon) : undefined;
  if (count !== undefined && count > 0) return count * 12;
  const quantity = lexicon.quantities.find(([pattern]) => pattern.test(text));
  if (quantity) return besides(text, quantity[0], lexicon) ?? quantity[1];
  if (SINGLE.test(text) && parseNumber(text.replace(SINGLE, " "), lexicon) === undefined) return 1;
  if (field.minimum <= 0 && ZERO.test(text) && !hasOther(text, lexicon)) return 0;
  return (
    readDigitRow(text, lexicon) ?? (parseNumber(text, lexicon) === undefined ? readOrdinal(text, lexicon) : undefined)
  );
}

const SINGLE = wholeWords(
  "(?<!not )(?:a |just a |the )single|(?:eine?[nmr]? |nur eine?[nmr]? )einzige[nrms]?|un[oa] sol[oa]|une? seule?|en enda|ett enda",
);
const FULL_MARKS = wholeWords(
  "full marks|top marks|perfect score|the (?:maximum|highest|best)|(?:volle|höchste) punkt\\p{L}*|bestnote|la (?:nota )?máxima|le maximum|la note maximale|full pott|högsta betyg",
);
const MOST_MARKS = 100;

/** Returns a number beside "a couple" or the like: "thirty-five, maybe a couple more". */
function besides(text: string, quantity: RegExp, lexicon: Lexicon): number | undefined {
  const value = parseNumber(text.replace(quantity, " "), lexicon);
  return value !== undefined && value > 2 ? value : undefined;
}

/** True when a text has a number besides the words for none: "not one but two". */
function hasOther(text: string, lexicon: Lexicon): boolean {
  const value = parseNumber(text.replace(ZERO, " "), lexicon);
  return value !== undefined && value !== 0;
}

const PER_WEEK =
  /days? (?:a|per) week|tage (?:die|pro|in der) woche|días (?:a|por) la semana|jours par semaine|dagar i veckan/i;
const ALL_DAYS = wholeWords(
  "every (?:single )?day|each day|daily|jeden tag|täglich|todos los días|tous les jours|varje dag",
);
const WORKDAYS = wholeWords(
  "weekdays|(?:except|but not|apart from)(?: on)?(?: the)? weekends?|working days|werktags|(?:außer|nicht)(?: am)? wochenende|entre semana|menos (?:el )?fin(?:es)? de semana|en semaine|sauf le week-?end|vardagar|utom helg(?:en|erna)?",
);

/** Reads "every day except the weekend" for a field that counts the days of a week. */
function countDays({ about }: Field, text: string): number | undefined {
  if (!PER_WEEK.test(about)) return undefined;
  if (WORKDAYS.test(text)) return 5;
  return ALL_DAYS.test(text) ? 7 : undefined;
}

const GROUND = wholeWords("ground floor|erdgeschoss|parterre|planta baja|bajo|rez-de-chaussée|bottenvåning(?:en)?");
const ORDINALS = new Map<string, number>();
for (const [i, words] of [
  "primero primera premier première",
  "segundo segunda deuxième second seconde",
  "tercero tercer tercera troisième dritter dritte drittes",
  "cuarto cuarta quatrième vierter vierte viertes",
  "quinto quinta cinquième fünfter fünfte fünftes",
  "sexto sexta sixième sechster sechste sechsten",
  "séptimo séptima septième siebter siebte siebten",
  "octavo octava huitième achter achte",
  "noveno novena neuvième neunter neunte",
  "décimo décima dixième zehnter zehnte",
].entries())
  for (const word of words.split(" ")) ORDINALS.set(word, i + 1);

/** Reads a place in a row as its number: "fourth floor". */
function readOrdinal(text: string, lexicon: Lexicon): number | undefined {
  if (GROUND.test(text)) return 0;
  const found = toTokens(text).flatMap((token) => lexicon.ordinals[token] ?? ORDINALS.get(token) ?? []);
  return found.length === 1 ? found[0] : undefined;
}

/** Reads a row of digits ("two oh four") as one number; undefined for anything else. */
export function readDigitRow(text: string, lexicon: Lexicon): number | undefined {
  const tokens = toTokens(text.replaceAll("-", " "));
  const digits = tokens.map((token) => lexicon.phoneWords[token] ?? digitOf(token, lexicon));
  const from = digits.findIndex((digit) => digit !== undefined);
  if (from === -1) return undefined;
  const end = digits.findIndex((digit, i) => i > from && digit === undefined);
  const row = digits.slice(from, end === -1 ? undefined : end);
  const isRow = row.length >= 3 && row.every((digit) => /^\d$/.test(digit ?? ""));
  return isRow && row[0] !== "0" ? Number(row.join("")) : undefined;
}

function digitOf(token: string, lexicon: Lexicon): string | undefined {
  const value = Object.hasOwn(lexicon.numbers, token) ? lexicon.numbers[token] : undefined;
  return value !== undefined && value < 10 ? String(value) : undefined;
}

const HUNDREDS = 100;

const MONEY =
  /price|amount|cost|fee|rent|preis|betrag|kosten|miete|precio|monto|importe|coste|prix|montant|coût|loyer|pris|belopp|hyra|kostnad|euro|dollar/i;

/** Reads "one fifty" as 150, and "forty-nine ninety" as 49.90: it may mean something else, so it is read back. */
export function readPair(field: Field, text: string, lexicon: Lexicon): number | undefined {
  const isMoney = !field.isInteger && MONEY.test(`${field.about} ${field.path.join(" ")}`);
  const [units, tens, ...more] = groupsOf(text, lexicon);
  if (units === undefined || tens === undefined || more.length > 0) return undefined;
  if (units <= 0 || units >= HUNDREDS || tens < 10 || tens >= HUNDREDS) return undefined;
  const isSum = isMoney && (lexicon.code !== "en" || units > SHORTEST_SUM || PRICE_ENDS.has(tens));
  return isSum ? units + tens / HUNDREDS : units * HUNDREDS + tens;
}

/** "Three fifty" is 350 more often than 3.50; "nineteen ninety-five" is a price. */
const SHORTEST_SUM = 9;
const PRICE_ENDS = new Set([49, 79, 89, 95, 98, 99]);

/** Returns the numbers that a text names right one after the other: "forty nine ninety" is 49 and 90. */
function groupsOf(text: string, lexicon: Lexicon): number[] {
  const all = toTokens(text.replaceAll("-", " "));
  const isNumber = (token: string): boolean => parseWords([token], lexicon) !== undefined;
  const run = all.slice(all.findIndex(isNumber), all.findLastIndex(isNumber) + 1);
  const tokens = run.filter((token) => isNumber(token) || !lexicon.numberJoiners.includes(token));
  if (!tokens.every(isNumber)) return [];
  const groups: number[] = [];
  for (let at = 0; at < tokens.length;) {
    let length = Math.min(MAX_GROUP, tokens.length - at);
    while (length > 1 && parseWords(tokens.slice(at, at + length), lexicon) === undefined) length--;
    groups.push(parseWords(tokens.slice(at, at + length), lexicon) as number);
    at += length;
  }
  return groups;
}

const MAX_GROUP = 3;
