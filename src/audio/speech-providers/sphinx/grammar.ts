import { type AnswerKind, type ExpectedAnswer, MAX_COUNTED_DIGITS } from "./expected-answer.ts";
import { sayNumber } from "./say-number.ts";

/** Words for single sounds of English, which match speech outside the grammar; no dictionary has them. */
export const SOUND_WORDS: ReadonlyMap<string, string> = new Map(
  "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
    .split(" ")
    .map((sound) => [`zz${sound.toLowerCase()}`, sound]),
);
/**
 * Fewest sounds that count as other speech: anything shorter may be a word of the grammar, and sounds always fit a
 * little better than words.
 */
const LEAST_SOUNDS = 14;

/** English answers of each kind in JSGF; rules may use each other. */
const RULES: Record<string, string> = {
  digit: "zero | oh | one | two | three | four | five | six | seven | eight | nine",
  teen: "ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen",
  ones: "one | two | three | four | five | six | seven | eight | nine",
  tens: "twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety",
  pair: "<ones> | <teen> | <tens> [<ones>]",
  hundreds: "(<ones> | a) hundred [[and] <pair>]",
  below_thousand: "<pair> | <hundreds>",
  thousands: "(<below_thousand> | a) thousand [[and] <below_thousand>]",
  number:
    "[minus] (zero | <below_thousand> | <thousands>) [point <digit> [<digit>]] [percent | dollars | euros | pounds]",
  digits: "([double] <digit>)+",
  ...Object.fromEntries(
    Array.from({ length: MAX_COUNTED_DIGITS }, (_, i) => i + 1).map((count) => [
      `digits_${count}`,
      ruleOfDigits(count),
    ]),
  ),
  yes_no:
    // "Yep" is left out: it is confused with "yes" and "yeah" in both directions.
    "yes | yeah | sure | correct | right | okay | of course | that is right | that's right | " +
    "no | nope | nah | not really | no way | that is wrong | that's wrong | wrong | incorrect",
  ordinal:
    "first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth | " +
    "thirteenth | fourteenth | fifteenth | sixteenth | seventeenth | eighteenth | nineteenth | twentieth | " +
    "twenty first | twenty second | twenty third | twenty fourth | twenty fifth | twenty sixth | twenty seventh | " +
    "twenty eighth | twenty ninth | thirtieth | thirty first",
  month: "january | february | march | april | may | june | july | august | september | october | november | december",
  weekday: "monday | tuesday | wednesday | thursday | friday | saturday | sunday",
  year: "two thousand [[and] <pair>] | (nineteen | twenty) (<teen> | <tens> [<ones>] | oh <ones>)",
  date:
    "today | tomorrow | the day after tomorrow | [on] [next | this] <weekday> | next week | in <pair> (day | days | weeks) | " +
    "[on] [<weekday>] [the] <ordinal> [of] <month> [<year>] | [on] [<weekday>] <month> [the] (<ordinal> | <pair>) [<year>] | " +
    "[on] [<weekday>] the <ordinal>",
  hour: "one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve",
  minute: "fifteen | thirty | forty five | <teen> | <tens> [<ones>] | oh <ones>",
  half_day: "a m | p m | in the (morning | afternoon | evening)",
  other: `${"<sound> ".repeat(LEAST_SOUNDS - 1)}<sound>+`,
  sound: [...SOUND_WORDS.keys()].join(" | "),
  moment: "<date> <time> | <time> <date>",
  time: "[at] (noon | midnight | <hour> [<minute>] [o'clock] [<half_day>] | (half | quarter) (past | to) <hour> [<half_day>])",
};

/**
 * Returns the rule of a code of `count` digits, said one by one, two of them perhaps as "double". "Triple" is left out:
 * fewer words are preferred, so it would be recognised in all kinds of digits.
 */
function ruleOfDigits(count: number): string {
  if (count === 1) return "<digit>";
  return count === 2
    ? "<digit> <digit> | double <digit>"
    : `<digit> <digits_${count - 1}> | double <digit> <digits_${count - 2}>`;
}

const RULE_OF: Record<AnswerKind, string> = {
  YES_NO: "yes_no",
  DIGITS: "digits",
  NUMBER: "number",
  DATE: "date",
  TIME: "time",
};

const BEFORE =
  "[um | uh | well | so] [i think | i would say | i guess] [it is | it's | that is | that would be | my answer is]";
const AFTER = "[please | thanks | thank you]";
/** Phrases that a person may say to any question, and before there is one. */
const ALWAYS =
  "i don't know | pardon | sorry | [can you] (repeat that | say that again) | help | hello [hello] | hold on | one moment [please] | " +
  "good (morning | afternoon | evening) | who is this | who is calling | what is this about | are you a robot | " +
  "[please] stop calling [me] | (don't | do not) call me again | take me off your list | wrong number | [i'm] not interested | " +
  "i'm (busy | driving) | call me [back] (later | tomorrow) | [okay] (goodbye | bye bye)";
/** Phrases before a corrected answer to a question that was answered already. */
const CORRECTION = "[no | sorry | wait] (i meant | i said | correction | make that)";

/** A grammar and its words, except those for sounds. */
export interface Grammar {
  jsgf: string;
  words: string[];
}

/** Current question and vocabulary of the STT. */
export interface GrammarInput {
  /** Null: no question was asked that a list of words could answer. */
  expected: ExpectedAnswer | null;
  /** The question before, whose answer may still be corrected. */
  before: ExpectedAnswer | null;
  /** True for a word in the dictionary; a choice with other words is left out. */
  isKnown: (word: string) => boolean;
}

/**
 * Builds the JSGF of the expected answers, and of other speech as sounds. Null when there is a question whose answers
 * cannot be described, as for free text.
 */
export function createGrammar({ expected, before, isKnown }: GrammarInput): Grammar | null {
  const answers = expected ? alternativesOf(expected, isKnown) : ["<yes_no>"];
  if (answers.length === 0) return null;
  const corrected = [...new Set([...answers, ...(before ? alternativesOf(before, isKnown) : [])])];
  const start = [
    `${BEFORE} (${answers.join(" | ")}) ${AFTER}`,
    `${CORRECTION} (${corrected.join(" | ")}) ${AFTER}`,
    ALWAYS,
    "<other>",
  ].join(" | ");
  const used = collectRules(start, new Map());
  const lines = [...used].map(([name, rule]) => `<${name}> = ${rule};`);
  const jsgf = ["#JSGF V1.0;", "grammar answer;", `public <answer> = ${start};`, ...lines, ""].join("\n");
  const words = [start, ...used.values()]
    .join(" ")
    .replaceAll(/<[a-z_\d]+>/g, " ")
    .match(/[a-z']+/g);
  return { jsgf, words: [...new Set(words)].filter((word) => !SOUND_WORDS.has(word)) };
}

function alternativesOf({ kinds, digitCounts, choices }: ExpectedAnswer, isKnown: GrammarInput["isKnown"]): string[] {
  const rules = [...kinds].flatMap((kind) => {
    const isCounted = kind === "DIGITS" && digitCounts.length > 0;
    return isCounted ? digitCounts.map((count) => `<digits_${count}>`) : `<${RULE_OF[kind]}>`;
  });
  if (kinds.has("DATE") && kinds.has("TIME")) rules.push("<moment>");
  return [...rules, ...choices.map(spellOut).filter((choice) => choice.split(" ").every(isKnown))];
}

function collectRules(text: string, found: Map<string, string>): Map<string, string> {
  for (const [, name = ""] of text.matchAll(/<([a-z_\d]+)>/g)) {
    const rule = RULES[name];
    if (rule === undefined || found.has(name)) continue;
    found.set(name, rule);
    collectRules(rule, found);
  }
  return found;
}

/** Spells out digits inside a choice: "2 bedrooms" as "two bedrooms". */
function spellOut(choice: string): string {
  return choice
    .replaceAll(/\d+/g, (digits) => ` ${sayNumber(digits)} `)
    .replaceAll(/\s+/g, " ")
    .trim();
}
