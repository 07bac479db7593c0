import { detectLanguage } from "#src/engine/personas/language.ts";
import { findQuestion, readQuestion } from "#src/engine/personas/question.ts";
import type { Exchange } from "./exchanges.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { capitalsOf, COMMON_WORDS, foldWord, foldWords, readWords } from "./words.ts";

/** A persona in the form that suites use, with only what the call showed. */
export interface RecordedPersona {
  name: string;
  description: string;
  kind?: string;
  language?: string;
  attitude?: "DECLINES";
  facts?: Record<string, string>;
  phrases?: Record<string, string>;
  answers?: { asked: string | string[]; say: string; once?: true; thenHangUp?: true }[];
  behaviours?: { when: Record<string, unknown>; do: Record<string, unknown> }[];
  pace?: { thinkMs: number };
}

const KINDS: Record<string, string> = {
  MACHINE_VOICEMAIL: "VOICEMAIL",
  MACHINE_UNAVAILABLE: "VOICEMAIL_FULL",
  MACHINE_IVR: "MENU",
  MACHINE_SCREENING: "SCREENER",
  FAX: "FAX",
};
const LONGEST_PHRASE = 190;
const LONGEST_SAID = 2_000;
const MOST_ANSWERS = 100;
const INTERRUPTED_AT = 0.5;
const USUAL_THINK_MS = 600;
const LONGEST_THINK_MS = 60_000;
const SHORTEST_KEYWORD = 5;
/** A person who speaks this long, and is only stopped by the end of the call, counts as never stopping. */
const RAMBLE_MS = 120_000;
const REFUSES = /^\W*(?:no|nope|nein|non|nej)(?!\p{L})/iu;
const KEYS = /(?<!\p{L})(?:press|dial|enter|key|drücken|wählen|taste|pulse|marque|tecla|appuyez|touche|tryck|knapp)/iu;

/**
 * Makes a persona that gives the answers of a call's person to the same questions. Other questions are answered by
 * their type.
 */
export function makePersona(call: RecordedCall, exchanges: Exchange[]): RecordedPersona {
  const kind = KINDS[call.answeredBy];
  const base = { name: "caller", description: "Says what the person of a recorded call said." };
  if (kind === "VOICEMAIL" || kind === "VOICEMAIL_FULL" || kind === "FAX") return { ...base, kind };
  const persona: RecordedPersona = { ...base, ...(kind ? { kind } : {}), ...readManner(call, exchanges) };
  const heard = exchanges.filter(({ asked }) => asked !== "");
  const answers = [...listAnswers(call, heard), ...listByKeyword(heard)].slice(0, MOST_ANSWERS);
  const behaviours = listBehaviours(call, exchanges).slice(0, MOST_ANSWERS);
  return {
    ...persona,
    ...(behaviours.length > 0 ? { behaviours } : {}),
    ...(answers.length > 0 ? { answers } : {}),
  };
}

function readManner(call: RecordedCall, exchanges: Exchange[]): Partial<RecordedPersona> {
  const said = exchanges.flatMap((one) => one.said ?? []);
  const language = detectLanguage(said.join(" "));
  const goodbye = exchanges.findLast((one) => readQuestion(one.asked).kind === "GOODBYE")?.said;
  const facts = readFacts(call, exchanges);
  const thinkMs = middleOf(exchanges.flatMap(({ thoughtMs }) => thoughtMs ?? []));
  const asked = exchanges.filter((one) => one.said !== null && readQuestion(one.asked).kind === "YES_NO");
  const refused = asked.filter((one) => REFUSES.test(one.said ?? ""));
  return {
    ...(language ? { language } : {}),
    ...(refused.length * 2 > asked.length ? { attitude: "DECLINES" as const } : {}),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(goodbye ? { phrases: { goodbye: plain(goodbye) } } : {}),
    ...(thinkMs === null || thinkMs === USUAL_THINK_MS ? {} : { pace: { thinkMs } }),
  };
}

function middleOf(values: number[]): number | null {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  return middle === undefined ? null : Math.round(Math.min(middle, LONGEST_THINK_MS));
}

const FACTS: Record<string, [name: string, pattern: RegExp]> = {
  EMAIL: ["email", /\S+@[^\s,;]+[^\s,;.!?]/u],
  PHONE: ["phone", /\+?\d[\d\s().-]{4,}\d/u],
  DATE: ["date", /\d{4}-\d{2}-\d{2}/u],
  TIME: ["time", /\d{1,2}[:.]\d{2}/u],
  NUMBER: ["number", /\d+/u],
};

function readFacts({ contact }: RecordedCall, exchanges: Exchange[]): Record<string, string> {
  const facts: Record<string, string> = {};
  if (contact.name) facts.name = contact.name;
  for (const { asked, said } of exchanges) {
    const { kind } = readQuestion(asked);
    if (kind === "NAME" && capitalsOf(said ?? "") !== "") facts.name = capitalsOf(said ?? "");
    const [name, pattern] = FACTS[kind] ?? [];
    const found = name && said !== null ? pattern?.exec(said)?.[0] : undefined;
    if (name && found) facts[name] = found;
  }
  return facts;
}

function listAnswers(call: RecordedCall, heard: Exchange[]): NonNullable<RecordedPersona["answers"]> {
  const plainOnes = heard.filter((one) => !needsBehaviour(one) && readQuestion(one.asked).kind !== "GOODBYE");
  return plainOnes.flatMap(({ asked, said }, i) => {
    const phrase = phraseOf(asked);
    if (said === null || phrase === null) return [];
    const isAskedAgain = plainOnes.slice(i + 1).some((later) => phraseOf(later.asked) === phrase);
    const isLast = said === heard.at(-1)?.said && call.endReason === "CUSTOMER_HUNG_UP";
    return [
      {
        asked: phrase,
        say: plain(said),
        ...(isAskedAgain ? { once: true as const } : {}),
        ...hangUpIf(isLast, i, plainOnes),
      },
    ];
  });
}

function hangUpIf(isLast: boolean, i: number, all: Exchange[]): { thenHangUp?: true } {
  return isLast && i === all.length - 1 ? { thenHangUp: true } : {};
}

/**
 * Returns the same answers by the word that distinguishes a question from all others, for a prompt with other wording.
 */
function listByKeyword(heard: Exchange[]): NonNullable<RecordedPersona["answers"]> {
  const questions = heard.filter(
    (one) => one.said !== null && !needsBehaviour(one) && findQuestion(one.asked) !== null,
  );
  const words = questions.map(({ asked }) => new Set(foldWords(findQuestion(asked) ?? "")));
  return questions.flatMap(({ asked, said }, i) => {
    const own = readWords(findQuestion(asked) ?? "").filter(
      ({ folded }) =>
        folded.length >= SHORTEST_KEYWORD &&
        !COMMON_WORDS.has(folded) &&
        words.every((others, k) => k === i || !others.has(folded)),
    );
    const [longest] = own.sort((a, b) => b.folded.length - a.folded.length);
    if (!longest || said === null) return [];
    const question = findQuestion(asked) ?? "";
    return [{ asked: question.slice(longest.start, longest.end), say: plain(said) }];
  });
}

function needsBehaviour({ interrupted, said, asked }: Exchange): boolean {
  return interrupted || said === null || pressedKeys(asked, said) !== null;
}

/** Returns the pressed keys, where the agent asked for some. */
function pressedKeys(asked: string, said: string): string | null {
  return /^[0-9*#]{1,32}$/.test(said) && KEYS.test(asked) ? said : null;
}

function listBehaviours(call: RecordedCall, exchanges: Exchange[]): NonNullable<RecordedPersona["behaviours"]> {
  const hangsUp = call.endReason === "CUSTOMER_HUNG_UP";
  const neverStops = call.endReason === "LIMIT_DURATION" && exchanges.some(({ spokeMs }) => spokeMs >= RAMBLE_MS);
  if (neverStops) return [{ when: { always: true }, do: { ramble: true } }];
  if (exchanges.every(({ said }) => said === null)) return [nothingSaid(hangsUp, exchanges)];
  return exchanges.flatMap((exchange, i): NonNullable<RecordedPersona["behaviours"]> => {
    const { asked, said } = exchange;
    if (asked === "") return said === null ? [] : [{ when: { opening: true }, do: { say: plain(said) } }];
    if (!needsBehaviour(exchange)) return [];
    const isLast = i === exchanges.length - 1;
    const heard = tailOf(asked);
    if (heard === null || (isLast && said === null && !hangsUp)) return [];
    return [{ when: { heard, once: true, evenAtGoodbye: true }, do: actOf(exchange, isLast && hangsUp) }];
  });
}

function nothingSaid(
  hangsUp: boolean,
  exchanges: Exchange[],
): { when: Record<string, unknown>; do: Record<string, unknown> } {
  if (!hangsUp) return { when: { always: true }, do: { silence: true } };
  const turn = Math.max(1, exchanges.length);
  const interrupt = exchanges.at(-1)?.interrupted ? { interrupt: INTERRUPTED_AT } : {};
  return { when: exchanges.length === 0 ? { opening: true } : { fromTurn: turn }, do: { hangUp: true, ...interrupt } };
}

function actOf({ asked, said, interrupted }: Exchange, hangsUp: boolean): Record<string, unknown> {
  const interrupt = interrupted ? { interrupt: INTERRUPTED_AT } : {};
  if (said === null) return hangsUp ? { hangUp: true, ...interrupt } : { silence: true };
  const digits = pressedKeys(asked, said);
  if (digits !== null) return { digits };
  return { say: plain(said), ...interrupt, ...(hangsUp ? { thenHangUp: true } : {}) };
}

/** Returns the last question as a phrase to listen for; the last sentence where nothing is asked. */
function phraseOf(asked: string): string | null {
  return tailOf(findQuestion(asked) ?? asked);
}

/** Returns the end of a text, from the start of a word. */
function tailOf(text: string): string | null {
  const trimmed = text.replace(/[\s?!.,;:…"”»]+$/u, "").replace(/^[\s¿¡"“«]+/u, "");
  if (foldWord(trimmed).trim() === "") return null;
  if (trimmed.length <= LONGEST_PHRASE) return trimmed;
  const tail = trimmed.slice(-LONGEST_PHRASE);
  const space = tail.indexOf(" ");
  return space < 0 ? tail : tail.slice(space + 1);
}

/** Returns words that a persona can say, without braces, which would be filled in as a template. */
function plain(text: string): string {
  const said = text.replaceAll("{", "(").replaceAll("}", ")").slice(0, LONGEST_SAID).trim();
  return said === "" ? "…" : said;
}
