import { CONCEPTS, type OptOutConcepts } from "./concepts.ts";
import { fold } from "./fold.ts";
import type { OptOutLanguage, OptOutPhrases } from "./language.ts";
import { LANGUAGES } from "./languages/languages.ts";
import { rememberJudgements } from "./remember.ts";

/** CERTAIN: the person wants no more contact. UNCERTAIN: they may, so the agent asks. HINT: worth a second look. */
export type OptOutVerdict = "CERTAIN" | "UNCERTAIN" | "HINT" | "NONE";

/** The verdict on one utterance, and its language. */
export interface OptOutJudgement {
  verdict: OptOutVerdict;
  /** ISO 639-1; null where nothing was found. */
  language: string | null;
}

const NOTHING: OptOutJudgement = { verdict: "NONE", language: null };
const RANK: Record<OptOutVerdict, number> = { NONE: 0, HINT: 1, UNCERTAIN: 2, CERTAIN: 3 };

/** The patterns of one language, compiled once. */
interface Patterns {
  code: string;
  plain: RegExp;
  forbidding: RegExp;
  doubtful: RegExp;
  hints: RegExp;
  innocent: RegExp;
  limits: RegExp;
  limitsBefore: RegExp;
  instead: RegExp;
  bare: RegExp;
  keywords: ReadonlySet<string>;
  yes: RegExp;
  no: RegExp;
  phrases: OptOutPhrases;
  /** Words that limit the contact to a time, a place or a way, anywhere in the text. */
  anyLimit: RegExp;
  ideas: Ideas | null;
}

/** The ideas of an opt-out, compiled. */
type Ideas = Record<keyof OptOutConcepts, RegExp>;

/** Longest text, in characters, that is tried as a bare stop; a limit keeps the repetition in the pattern fast. */
const LONGEST_BARE = 60;

const toWords = (folded: string): string => folded.replaceAll(/[.,!? ]+/g, " ").trim();
const words = (source: string, flags = ""): RegExp => new RegExp(`(?<![a-z0-9])(?:${source})(?![a-z0-9])`, flags);
const anyOf = (sources: string[], flags = ""): RegExp => words(sources.join("|"), flags);

function compile(language: OptOutLanguage): Patterns {
  return {
    code: language.code,
    plain: anyOf(language.plain, "g"),
    forbidding: anyOf(language.forbidding, "g"),
    doubtful: anyOf(language.doubtful),
    hints: anyOf(language.hints),
    innocent: anyOf(language.innocent, "g"),
    // Only within the same part of the sentence, at most a few words away.
    limits: new RegExp(`^(?: [a-z0-9]+){0,3} (?:${language.limits})(?![a-z0-9])`),
    limitsBefore: new RegExp(`(?<![a-z0-9])(?:${language.limits})(?: [a-z0-9]+){0,2} ?$`),
    instead: words(language.instead),
    bare: new RegExp(`^(?:(?:${language.polite}) )*(?:${language.bare})(?: (?:${language.polite}|${language.bare}))*$`),
    keywords: new Set(language.keywords.split(" ")),
    yes: words(language.yes, "g"),
    no: words(language.no, "g"),
    phrases: language.phrases,
    anyLimit: words(language.limits),
    ideas: compileIdeas(language.code),
  };
}

/** Ideas that are whole words, not beginnings of them. */
const WHOLE = new Set(["whose", "not", "again"]);

function compileIdeas(code: string): Ideas | null {
  const concepts = CONCEPTS[code];
  if (!concepts) return null;
  const beginnings = (stems: string): RegExp => new RegExp(`(?<![a-z0-9])(?:${stems})`);
  return Object.fromEntries(
    Object.entries(concepts).map(([name, stems]) => [name, WHOLE.has(name) ? words(stems) : beginnings(stems)]),
  ) as Ideas;
}

/** True when ideas of an opt-out come together, in words that no pattern has: enough for a question. */
function mayMean(text: string, { ideas, anyLimit }: Patterns): boolean {
  if (!ideas) return false;
  const has = (name: keyof OptOutConcepts): boolean => ideas[name].test(text);
  if (has("unsubscribe") || has("leave")) return true;
  if (has("remove") && has("data")) {
    if (REMOVES_ME.test(text) && !WAITS.test(text)) return true;
    if (has("whose") && (has("legal") || REMOVES_DATA.test(text) || has("contact"))) return true;
  }
  if (!has("contact"))
    return has("bother") ? has("last") || has("end") || FOREVER.test(text) : has("forbid") && has("stop");
  return (
    (isListOfNone(text) && !anyLimit.test(text)) ||
    has("last") ||
    has("end") ||
    FOREVER.test(text) ||
    (FROM_NOW.test(text) && has("not")) ||
    (!anyLimit.test(text) && text.split(/[.,!?]/).some((clause) => forbidsFuture(clause, ideas))) ||
    has("legal") ||
    has("forbid") ||
    (has("bother") && !anyLimit.test(text)) ||
    (has("stop") && !anyLimit.test(text))
  );
}

/** "For good", and "from today on", in all languages. */
const FOREVER =
  /(?<![a-z0-9])(?:for ?ever|for good|once and for all|permanently|fur immer|ein fur alle ?mal|endgultig|para siempre|de una vez por todas|definitivamente|pour toujours|definitivement|une (?:bonne )?fois pour toutes|per sempre|una volta per tutte|definitivamente|voorgoed|voor altijd|voor eens en altijd|para sempre|de uma vez por todas|for altid|en gang for alle|for alltid|en gang for alla|na zawsze|raz na zawsze|lopullisesti|ikuisesti|sonsuza|navzdy|jednou provzdy)(?![a-z0-9])/;
const FROM_NOW =
  /(?<![a-z0-9])(?:(?:from|as of|starting) (?:today|now)(?: on)?|ab (?:heute|sofort|jetzt)|a partir de (?:hoy|ahora|hoje|agora)|desde (?:hoy|ahora)|a partir d ?(?:aujourd hui|maintenant)|a partir de maintenant|da (?:oggi|adesso|ora)(?: in poi)?|vanaf (?:vandaag|nu)|fran och med (?:i dag|idag|nu)|fra (?:i dag|idag|nu|na)(?: af| av)?|od (?:dzis|dzisiaj|teraz)|tasta lahtien|bugunden itibaren|ode? dneska?)(?![a-z0-9])/;

/** "Neither calls nor texts", "no calls, no texts". */
const NEITHER =
  /(?<![a-z0-9])(?:weder(?: \w+){1,4} noch|neither(?: \w+){1,4} (?:n?or)|varken(?: \w+){1,4} eller|hverken(?: \w+){1,4} eller|verken(?: \w+){1,4} eller|noch(?: \w+){1,4} noch|(ni|ne|nem|ani|no|inga|keine|geen|pas de|sin|sans)(?: \w+){1,3},?(?: (?:and|und|y|et|och|en))? \1)(?![a-z0-9])/;

const WISHES =
  /(?<![a-z0-9])(?:want|wish|like|mochte\w*|will|wollen|wunsche\w*|quiero|queremos|deseo|veux|voulons|souhaite\w*|vill|onskar|voglio|vorrei|wil|wens|quero|chce|haluan|istiyorum|chci)(?![a-z0-9])/;

/** True where a person wants none of several ways of contact. */
function isListOfNone(text: string): boolean {
  return NEITHER.test(text) && (WISHES.test(text) || !RECEIVED.test(text));
}

const ASKS =
  /(?<![a-z0-9])(?:appreciate|grateful|prefer|rather|please|kindly|bitte|por favor|merci de|veuillez|snalla|tack)(?![a-z0-9])/;

/** True for a clause that forbids contact from now on, in whatever order. What somebody never received is none. */
function forbidsFuture(clause: string, ideas: Ideas): boolean {
  const isWhole = ideas.not.test(clause) && ideas.again.test(clause) && ideas.contact.test(clause);
  return isWhole && (ASKS.test(clause) || !RECEIVED.test(clause));
}

const RECEIVED =
  /(?<![a-z0-9])(?:(?:got|get|gets)(?! in touch)|receiv\w+|hear|heard|remember|bekomm\w*|bekam\w*|erhalten|gehort|find\w*|recib\w*|lleg\w*|encuentr\w*|recu\w*|recois|trouv\w*|ricev\w*|arriva\w*|trov\w*|ontvang\w*|gekregen|vind\w*|receb\w*|cheg\w*|encontr\w*|fick|fatt|far|hittar|fik|faet|far|finder|fikk|finner|dosta\w*|otrzym\w*|saanut|saa|loyda\w*|almad\w*|gelmed\w*|dosta\w*|nedosta\w*|need|needs|have to|i ll|i will|can i|may i)(?![a-z0-9])/;

/** The person and a list, beside a word for taking out. */
const REMOVES_ME =
  /(?<![a-z0-9])(?:me|us|mich|uns|moi|nous|mij|ons|mig|oss|os|meg|mnie|nas|minut|meidat|numeroni|beni|bizi|mne|\w+(?:en|e|ad|te|mi)(?:me|nos|mi|ci))(?![a-z0-9]).*(?:list|regist|rekist|fichier|elenc|archiv|kartei|verteiler|lijst|bestand|cadastro|ficheiro|kartotek|databas|datenbank|baz[yae]|seznam)/;
const WAITS =
  /wait|warte|espera|attente|attesa|wacht|vante|vente|oczekuj|jono|bekleme|cekac|guest|gaste|invitad|invit|gast|gjest|gaest|price|einkauf|compra|cours/;

/** Data of a person and the lists of a company, which nobody takes off an order. */
const REMOVES_DATA =
  /(?<![a-z0-9])(?:my|mein\w*|mis?|mes|mon|mio|miei|mijn|meus?|mitt|mina|mit|mine|moj\w*|minun|benim)(?: \w+)? (?:data|daten|details|name|namen|nombre|nom|nome|naam|namn|navn|number|nummer|datos|numero|donnees|coordonnees|dati|gegevens|dados|uppgifter|oplysninger|opplysninger|dan\w+|numer|tiedot|udaje|cislo)|(?<![a-z0-9])(?:listalta|rekisterista|jarjestelmasta)(?:nne|si)|(?<![a-z0-9])(?:your|ihr(?:er|em|en)|eur\w+|sus?|vos|votre|vostr\w+|uw|jullie|voss\w+|er[at]?|jeres|deres|wasz\w+|teidan|sizin|vas\w+)(?: \w+)? (?:lists?|listen?|records?|data ?bas\w+|system\w*|files?|kartei|verteiler|listas?|base|fichiers?|registr\w+|elenchi|archiv\w+|bestand\w*|lijst\w*|cadastro|register|baz\w+|list\w*)/;

const PATTERNS: readonly Patterns[] = LANGUAGES.map(compile);
const BY_CODE = new Map(PATTERNS.map((patterns) => [patterns.code, patterns]));
/** Norwegian has two written forms, each with a code of its own. */
const WRITTEN_AS: Record<string, string> = { nb: "no", nn: "no" };

function findPatterns(language: string): Patterns | undefined {
  const code = language.slice(0, 2).toLowerCase();
  return BY_CODE.get(WRITTEN_AS[code] ?? code);
}

const ENGLISH = PATTERNS[0] as Patterns;

/** Judges whether a person's utterance asks for no more contact, in every language at once; `usual` (BCP 47) wins a tie. */
export const judgeOptOut = rememberJudgements(judgeAnew);

function judgeAnew(text: string, usual: string): OptOutJudgement {
  const folded = fold(text);
  if (folded === "") return NOTHING;
  let best = NOTHING;
  const cued = findCued(folded);
  const own = findPatterns(usual) ?? ENGLISH;
  for (const patterns of inOrder(usual)) {
    if (!cued.has(patterns) && patterns !== own) continue;
    // Without a cue only the ideas of the conversation's own language are looked for.
    const verdict = cued.has(patterns) ? judgeIn(folded, patterns) : judgeIdeas(folded, patterns);
    if (RANK[verdict] > RANK[best.verdict]) best = { verdict, language: patterns.code };
    if (verdict === "CERTAIN") return best;
  }
  return best;
}

const CUE_LETTERS = 4;
const BY_CUE = indexCues();

function indexCues(): Map<string, Patterns[]> {
  const index = new Map<string, Patterns[]>();
  for (const [i, { cues }] of LANGUAGES.entries()) {
    for (const cue of new Set(cues.split(" ").map((word) => word.slice(0, CUE_LETTERS)))) {
      index.set(cue, [...(index.get(cue) ?? []), PATTERNS[i] as Patterns]);
    }
  }
  return index;
}

/** Returns the languages of which the text contains a cue. Most utterances contain none, and cost no more than this. */
function findCued(folded: string): ReadonlySet<Patterns> {
  const cued = new Set<Patterns>();
  for (const word of folded.split(/[^a-z0-9]+/)) {
    for (const patterns of BY_CUE.get(word.slice(0, CUE_LETTERS)) ?? []) cued.add(patterns);
  }
  return cued;
}

function inOrder(usual: string): readonly Patterns[] {
  const own = findPatterns(usual);
  return own ? [own, ...PATTERNS.filter((patterns) => patterns !== own)] : PATTERNS;
}

function judgeIn(folded: string, patterns: Patterns): OptOutVerdict {
  if (folded.length <= LONGEST_BARE && patterns.bare.test(toWords(folded))) return "CERTAIN";
  const text = folded.replace(patterns.innocent, " ");
  let verdict: OptOutVerdict = "NONE";
  for (const { index, 0: found } of text.matchAll(patterns.plain)) {
    const rest = text.slice(index + found.length);
    // "On Sundays I don't want to be disturbed" limits it before.
    const isLimitedBefore = patterns.limitsBefore.test(text.slice(0, index)) && !FROM_NOW.test(text);
    if (!isLimitedBefore && !patterns.limits.test(rest) && !patterns.instead.test(rest)) return "CERTAIN";
    verdict = "UNCERTAIN";
  }
  for (const { index, 0: found } of text.matchAll(patterns.forbidding)) {
    const rest = text.slice(index + found.length);
    if (patterns.limits.test(rest)) continue;
    if (!patterns.instead.test(rest) && !patterns.limitsBefore.test(text.slice(0, index))) return "CERTAIN";
    verdict = "UNCERTAIN";
  }
  if (verdict === "NONE" && (patterns.doubtful.test(text) || mayMean(text, patterns))) return "UNCERTAIN";
  if (verdict === "NONE" && patterns.hints.test(text)) return "HINT";
  return verdict;
}

function judgeIdeas(folded: string, patterns: Patterns): OptOutVerdict {
  return mayMean(folded.replace(patterns.innocent, " "), patterns) ? "UNCERTAIN" : "NONE";
}

/** True when a whole message is a stop word of any language, as carriers define it for SMS and WhatsApp. */
export function isStopKeyword(text: string): boolean {
  const folded = fold(text).replaceAll(/[^a-z]/g, "");
  return PATTERNS.some(({ keywords }) => keywords.has(folded));
}

/** Limits the wish to something else: "no, just unsubscribe me from the newsletter". */
const ONLY =
  /^(?:no|nope|nein|nee|non|nao|nej|nei|nie|ei|hayir|ne)(?: \w+)?[.,!].*(?<![a-z0-9])(?:just|only|nur|bloss|solo|solamente|seulement|juste|soltanto|alleen|apenas|somente|bara|kun|bare|tylko|vain|sadece|jen|jenom|but|aber|pero|men|ale|mutta)(?![a-z0-9])/;

/**
 * Reads yes or no as the answer to the question whether contact should end; the later word counts, null when there is
 * neither.
 */
export function readOptOutAnswer(text: string, language: string): boolean | null {
  const { verdict } = judgeOptOut(text, language);
  if (verdict === "CERTAIN") return true;
  const folded = fold(text);
  // The wish is said again, in words that hold a negation themselves: "I want nothing more from you".
  if (verdict === "UNCERTAIN" && !ONLY.test(folded)) return true;
  for (const patterns of inOrder(language)) {
    const yes = lastOf(folded, patterns.yes);
    const no = lastOf(folded, patterns.no);
    if (yes !== no) return yes > no;
  }
  return null;
}

function lastOf(text: string, pattern: RegExp): number {
  let last = -1;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}

/** Returns the phrases for a language (BCP 47 or ISO 639-1), in English where there are none. */
export function optOutPhrases(language: string): OptOutPhrases {
  return (findPatterns(language) ?? ENGLISH).phrases;
}

const QUESTIONS = new Map(PATTERNS.map(({ code, phrases }) => [phrases.ask, code]));

/** Returns the language of the question whether contact should end; null for any other text. */
export function languageOfQuestion(text: string): string | null {
  return QUESTIONS.get(text) ?? null;
}
