/** The languages the scripted model speaks. */
export type LanguageCode = "en" | "es" | "de" | "fr" | "sv";

/** What a person may want other than to answer the question. */
export type Intent =
  | "OPT_OUT"
  | "WRONG_PERSON"
  | "ROBOT"
  | "HUMAN"
  | "SCREENING"
  | "CALLBACK"
  | "WHO"
  | "WHY"
  | "SOURCE"
  | "HOW_LONG"
  | "HOLD"
  | "REPEAT"
  | "GO_ON"
  | "DONT_KNOW"
  | "NOT_INTERESTED"
  | "GOODBYE";

/** The fixed sentences; `{…}` is filled in. */
export interface ScriptPhrases {
  opening: string;
  selfWithCompany: string;
  self: string;
  topic: string;
  acknowledgements: [string, string, string];
  corrected: string;
  notUnderstood: string;
  yesOrNo: string;
  tellMe: string;
  whichOf: string;
  or: string;
  asDate: string;
  asTime: string;
  asNumber: string;
  asEmail: string;
  fromTo: string;
  source: string;
  oneLeft: string;
  someLeft: string;
  cannotAnswer: string;
  takeYourTime: string;
  wrongPerson: string;
  callback: string;
  human: string;
  transfer: string;
  transferFailed: string;
  optOut: string;
  optedOut: string;
  optOutNoted: string;
  declined: string;
  goodbye: string;
  chatAnswer: string;
  chatGoodbye: string;
}

/**
 * How times of day are told: `{h}` stands for the hour, the minutes are added to it. Where `{m}` stands for spoken
 * minutes, the number is their sign.
 */
export type ClockPhrase = [pattern: string, minutes: number];

/** All the model knows of one language. Words are regular expressions joined by |. */
export interface Lexicon {
  code: LanguageCode;
  phrases: ScriptPhrases;
  /** Words that others share (one sign of the language), and words that tell it (two). */
  commonWords: string;
  tellingWords: string;
  intents: Record<Intent, RegExp>;
  yes: RegExp;
  /** Counts as yes only where nothing says no: "I can" in "I can't". */
  weakYes: RegExp;
  no: RegExp;
  explicitCorrection: RegExp;
  weakCorrection: RegExp;
  /** The engine's question after a silence. */
  stillThere: RegExp;
  hereIAm: RegExp;
  /** What an opening line asks: whether this is the right person, or the right time. */
  asksIdentity: RegExp;
  asksForTime: RegExp;
  /** What precedes an answer in free words. */
  leadIn: RegExp;
  numbers: Record<string, number>;
  /** Words inside a number that add nothing: "and". */
  numberJoiners: string[];
  /** Numbers are written as one word: "zweihundertfünf". */
  compoundNumbers: boolean;
  unitsBeforeTens: boolean;
  decimalWords: string[];
  half: RegExp;
  minus: RegExp;
  thousandsSeparator: string;
  weekdays: RegExp[];
  months: RegExp[];
  relativeDays: [RegExp, number][];
  inDays: RegExp;
  inWeeks: RegExp;
  dateFillers: string[];
  /** How a day is named without its month; `{d}` stands for the day. */
  dayOfMonth: string;
  ordinals: Record<string, number>;
  clock: ClockPhrase[];
  noon: RegExp;
  midnight: RegExp;
  morning: RegExp;
  afternoon: RegExp;
  emailAt: RegExp;
  emailDot: RegExp;
  and: RegExp;
  /** How a master prompt names whom the agent speaks for; the name is the first group. */
  company: RegExp;
}
