import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { keepAffirmed } from "./affirmed.ts";
import { parseNumber, parseWords } from "./number.ts";
import { parsePlace } from "./place.ts";
import { choiceByRange } from "./ranges.ts";
import { foldWord, synonymsOf, toPlainWords } from "./synonyms.ts";
import { parseYesNo } from "./yes-no.ts";

/** Returns the one choice that a person names; undefined when it is none, or more than one. */
export function understandChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const plain = toPlainWords(text);
  const affirmed = keepAffirmed(plain, lexicon);
  const left = affirmed === undefined ? notRuledOut(field, plain, lexicon) : undefined;
  if (left) return left.length === 1 ? left[0] : undefined;
  const value = affirmed === undefined || affirmed === plain ? undefined : readChoice(field, affirmed, lexicon);
  return value ?? otherOfTwo(field, text, lexicon) ?? readChoice(field, text, lexicon);
}

/** Returns the choices that are left where an answer only says which ones it is not: "anything but red". */
function notRuledOut(field: Field, text: string, lexicon: Lexicon): unknown[] | undefined {
  const out = choicesSaid(field, text, undefined);
  const named = field.choices.filter(({ value }) => out.includes(value));
  const isNegative = named.some(({ spoken }) => lexicon.negators.test(spoken) || lexicon.no.test(spoken));
  if (named.length === 0 || isNegative || oppositeOf(field, text) !== undefined) return undefined;
  return field.choices.filter(({ value }) => !out.includes(value)).map(({ value }) => value);
}

const THE_OTHER = wholeWords(
  "the other(?: one)?|de[rnms]? andere[nr]?|die andere|el otro|la otra|l'autre|den andra|det andra",
);

/** Returns the one of two choices that "not the left, the other one" means. */
function otherOfTwo(field: Field, text: string, lexicon: Lexicon): unknown {
  if (field.choices.length !== 2 || !THE_OTHER.test(text)) return undefined;
  const said = choicesSaid(field, text, lexicon);
  return said.length === 1 ? field.choices.find(({ value }) => value !== said[0])?.value : undefined;
}

function readChoice(field: Field, text: string, lexicon: Lexicon): unknown {
  const opposite = oppositeOf(field, text);
  if (opposite !== undefined) return opposite;
  const ranged = choiceByRange(field, text, lexicon);
  if (ranged !== undefined) return ranged;
  const said = choicesSaid(field, text, lexicon);
  if (said.length === 1) return said[0];
  const wish = wished(field, text, lexicon) ?? (said.length > 1 ? chosen(field, text, lexicon) : undefined);
  if (said.length > 1 || wish !== undefined) return wish;
  const any = ANYTHING.test(text) ? field.choices.find(({ spoken }) => ANY.test(spoken)) : undefined;
  if (any) return any.value;
  const unsure = field.choices.filter(({ spoken }) => UNSURE.test(spoken));
  if (unsure.length === 1 && lexicon.intents.DONT_KNOW.test(text)) return unsure[0]?.value;
  const yesNo = parseYesNo(text, lexicon);
  const byYesNo = yesNo === undefined ? [] : field.choices.filter(({ spoken }) => (yesNo ? YES : NO).test(spoken));
  if (byYesNo.length === 1) return byYesNo[0]?.value;
  if (field.choices.every(({ spoken }) => /^-?\d+(?:\.\d+)?$/.test(spoken))) return numberChoice(field, text, lexicon);
  const place = parsePlace(text, lexicon, field.choices.length);
  return place === undefined ? undefined : field.choices[place - 1]?.value;
}

/** A choice for who does not know. */
const UNSURE =
  /^(?:not sure|unsure|undecided|don't know|do not know|no idea|maybe|perhaps|weiß (?:ich )?nicht|unsicher|unentschlossen|vielleicht|no (?:lo )?sé|no sabe|indecis[oa]|quizás?|(?:je )?ne sais? pas|indécise?|peut-être|vet (?:inte|ej)|osäker|kanske)/iu;
const YES = /^(?:yes|ja|sí|oui)(?!\p{L})/iu;
const NO = /^(?:no|nein|non|nej)(?!\p{L})/iu;
const NEGATED = wholeWords("(?:not|nicht|no|pas|inte)(?: (?:at all|very|really|sehr|muy|très|särskilt))? (\\p{L}{4,})");

/** Returns the choice that says in one word what a negation says: "unsatisfied" for "not satisfied". */
function oppositeOf({ choices }: Field, text: string): unknown {
  const word = NEGATED.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return choices.find(({ spoken }) => /^(?:un|dis|in|im|o|miss)/i.test(spoken) && spoken.toLowerCase().endsWith(word))
    ?.value;
}

/** A choice that leaves it open, and what people say for it. */
const ANY = wholeWords(
  "no preference|any|anyone|either|doesn't matter|don't mind|egal|keine präferenz|beliebig|me da igual|da igual|cualquiera|sin preferencia|indiferente|peu importe|indifférent|pas de préférence|aucune préférence|spelar ingen roll|ingen preferens|vem som helst",
);
const ANYTHING = wholeWords(
  "(?:don't|do not) (?:really )?(?:mind|care)|whoever|whichever|whatever|anyone|anybody|any of (?:them|those)|either(?: one| way)?|(?:doesn't|does not) matter|no preference|up to you|all the same|wer (?:gerade|auch|immer)|egal|(?:ist )?(?:mir )?(?:gleich|wurscht|wurst)|keine präferenz|beliebig|(?:da|es) (?:igual|lo mismo)|me da|cualquiera|quien sea|el que sea|indiferente|peu importe|m'est égal|n'importe (?:qui|lequel|laquelle|quoi)|comme vous voulez|spelar (?:det )?ingen roll|kvittar|(?:vem|vilken|vilket|vad) som helst",
);
const MAX_CHOICE_WORDS = 4;

/**
 * Returns the choice of an answer that names several, one in a clause of its own and the others in a reason: "mornings
 * please, in the afternoon I have the kids". Undefined where it hangs between them.
 */
function chosen(field: Field, text: string, lexicon: Lexicon): unknown {
  const clauses = text.split(REASON);
  if (clauses.length < 2 || BETWEEN.test(text)) return undefined;
  const named = clauses
    .map((clause) => ({ length: toTokens(clause).length, said: choicesSaid(field, clause, lexicon) }))
    .filter(({ said }) => said.length > 0)
    .toSorted((one, other) => one.length - other.length);
  const [plain, ...others] = named;
  if (!plain || plain.said.length !== 1 || plain.length > MAX_CHOICE_WORDS) return undefined;
  const isAlone = others.every(({ length, said }) => length > plain.length || said[0] === plain.said[0]);
  return isAlone ? plain.said[0] : undefined;
}

/** Place at which a reason or another clause begins. */
const REASON =
  /[,;.!…]+\s+|\s[–—-]\s|\s(?=(?:because|since|cos|weil|denn|da|porque|que|ya que|parce que|car|puisque|eftersom|för att)\s)/u;
const BETWEEN = wholeWords("or|oder|o|ou|eller|maybe|vielleicht|quizás?|peut-être|kanske");

const WISH = wholeWords(
  "give me|i'll (?:take|have|go)|i(?:'d| would) (?:like|prefer|rather|love)|i want|let's|go (?:for|with)|(?:put|move|switch|change|upgrade|bump|drop|downgrade|take|set|sign) me|(?:upgrade|downgrade|switch|change|move) to|i'm going (?:for|with)|i choose|i pick|" +
    "nehme|nehmen wir|möchte|will|hätte (?:ich )?gern|lieber|am liebsten|wechs(?:el|le)|dann|" +
    "quiero|prefiero|póngame|ponga|deme|cámbieme|páseme|quisiera|me quedo con|mejor|" +
    "je prends|je préfère|je voudrais|j'aimerais|mettez-moi|passez-moi|plutôt|jag tar|jag vill|hellre|helst|byt(?:er)?",
);

/** Returns the choice of the one clause that says what the person would like: "those run small, give me a large". */
function wished(field: Field, text: string, lexicon: Lexicon): unknown {
  const said = text
    .split(/[,;.!]\s|\s(?=(?:but|aber|pero|mais|men|so|also|así que|donc|så)\s)/)
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
  const clauses = (keepAffirmed(text, lexicon) ?? text).split(/[,;]\s+/).filter((clause) => !SKIPS.test(clause));
  const affirmed = clauses.length > 0 ? clauses.join(", ") : text;
  const said = choicesSaid(field, affirmed, undefined);
  if (said.length === 2 && THROUGH.test(affirmed)) return between(field, said);
  if (said.length > 0) return said;
  return lexicon.all.test(affirmed) ? field.choices.map(({ value }) => value) : undefined;
}

const THROUGH = wholeWords("through|thru|to|till|bis|hasta|jusqu'(?:à|au)|till och med|till");

/** Returns all choices from one to another: "Monday through Wednesday". */
function between({ choices }: Field, [first, last]: unknown[]): unknown[] {
  const values = choices.map(({ value }) => value);
  const [from, to] = [values.indexOf(first), values.indexOf(last)];
  return from < to ? values.slice(from, to + 1) : [first, last];
}

const SKIPS = wholeWords("skip|leave out|pass on|verzichten|weglassen|saltamos|dejamos|laissons|hoppar över");
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
  const isOfLetters = field.choices.some(({ spoken }) => spoken.length < 3);
  const said = spokenTokens(text, lexicon).filter((word) => isOfLetters || !ARTICLES.has(word));
  const taken = new Set<number>();
  const found: { value: unknown; at: number }[] = [];
  const longestFirst = field.choices
    .map((choice) => ({
      value: choice.value,
      words: wordsOf(choice, lexicon).filter((word) => isOfLetters || !ARTICLES.has(word)),
    }))
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

const ARTICLES = new Set(
  "a an the der die das den dem ein eine einen el la los las un una le les une des du en ett".split(" "),
);
const MIN_STEM = 4;

/** Endings of a plural, and of "tåget". */
const SUFFIX = /^(?:s|es|en|et|ar|or)$/;
/** True for a word and its plural or inflection: "Mondays", "zwei Jahren". */
function isSameWord(said: string, word: string): boolean {
  if (said === word) return said !== "";
  if (word.length >= 3 && said.startsWith(word) && SUFFIX.test(said.slice(word.length))) return true;
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
  const synonyms = affirmed.flatMap(synonymsOf);
  const byMeaning = bestOf(choices, [...new Set(synonyms)], isForMany);
  const compound = byMeaning.length === 0 && lexicon?.compoundNumbers ? compoundsOf(choices, affirmed) : [];
  if (compound.length === 1) return compound;
  return isForMany || byMeaning.length === 1 ? byMeaning : [];
}

/** Returns the choices that end a compound: "Reihenhaus" is a "Haus". */
function compoundsOf(choices: Spoken[], said: string[]): unknown[] {
  return choices
    .filter(({ words }) => words.some((one) => one.length >= MIN_STEM && said.some((word) => word.endsWith(one))))
    .map(({ value }) => value);
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
      isWhole: words.every((one) => said.some((word) => isSameWord(word, one))),
    };
  });
  if (isForMany) return scored.filter(({ isTold }) => isTold).map(({ value }) => value);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const first = best === 0 ? [] : scored.filter(({ score }) => score === best);
  // "Satisfied" is no "very satisfied".
  const whole = first.filter(({ isWhole }) => isWhole);
  return (whole.length === 1 ? whole : first).map(({ value }) => value);
}

const choiceWords = new WeakMap<Field["choices"][number], Map<Lexicon | undefined, string[]>>();

/** Returns the words of a choice, which stay the same for a whole flow. */
function wordsOf(choice: Field["choices"][number], lexicon: Lexicon | undefined): string[] {
  let known = choiceWords.get(choice);
  if (!known) choiceWords.set(choice, (known = new Map()));
  let words = known.get(lexicon);
  if (!words) known.set(lexicon, (words = spokenTokens(choice.spoken, lexicon)));
  return words;
}

/** Splits into words, with numbers in digits: "five hundred" and "500" are the same. */
function spokenTokens(text: string, lexicon: Lexicon | undefined): string[] {
  const tokens = toTokens(toPlainWords(text));
  return (lexicon ? withDigits(tokens, lexicon) : tokens).map(foldWord);
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
