/** Languages of the scripted model. */
export type LanguageCode = "en" | "es" | "de" | "fr" | "sv";

/** Intents of a person other than to answer the question. */
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

/** The fixed sentences, with `{…}` as placeholders. */
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
  humanAsked: string;
  transfer: string;
  transferFailed: string;
  optOut: string;
  optedOut: string;
  optOutNoted: string;
  declined: string;
  goodbye: string;
  chatAnswer: string;
  chatGoodbye: string;
  offerCallback: string;
  questionNoted: string;
  anythingElse: string;
  callbackWhen: string;
  callbackSet: string;
  callbackFailed: string;
  callbackNoted: string;
  toolFailed: string;
  toolStarted: string;
  isThatRight: string;
  /** Reads back the values that a person is to confirm. */
  readBack: string;
  whatIsWrong: string;
  yesWord: string;
  noWord: string;
  andTime: string;
  andDay: string;
  goodbyeWord: string;
}

/**
 * Notation of a time of day: `{h}` is the hour, to which the minutes are added. With `{m}` for spoken minutes, the
 * number is their sign.
 */
export type ClockPhrase = [pattern: string, minutes: number];

/** Data of the model for one language. Words are regular expressions joined by |. */
export interface Lexicon {
  code: LanguageCode;
  phrases: ScriptPhrases;
  /** Words shared with other languages (one point for the language), and words that identify it (two). */
  commonWords: string;
  tellingWords: string;
  /** An opt-out is judged separately, in all languages at once (src/engine/opt-out). */
  intents: Record<Exclude<Intent, "OPT_OUT">, RegExp>;
  yes: RegExp;
  /** Counts as yes only without a no: "I can" in "I can't". */
  weakYes: RegExp;
  no: RegExp;
  explicitCorrection: RegExp;
  weakCorrection: RegExp;
  /** Matches a whole answer that says there is nothing: "no, that's all". Tried on short texts only. */
  nothing: RegExp;
  /** Words that negate the rest of their clause, and words that introduce the correct value. */
  negators: RegExp;
  butRather: RegExp;
  /** Words before a name that is not the speaker's own. */
  denials: RegExp;
  /** "All of them", "except". */
  all: RegExp;
  except: RegExp;
  /** First words of a question without a question mark. */
  questionStart: RegExp;
  /** Words before a question that are not part of it: "and", "by the way". */
  questionLead: RegExp;
  /** A question that is an answer: "how about Friday?". */
  proposal: RegExp;
  /** "Any time". */
  anyTime: RegExp;
  /** "Later", where its words do not name a part of the day. */
  later: RegExp;
  /** A word for the next day. */
  tomorrow: string;
  /** "Do you speak", with the name of a language nearby. */
  speaks: RegExp;
  /** Words of a person who is back at the phone. */
  amBack: RegExp;
  /** The engine's question after a silence. */
  stillThere: RegExp;
  hereIAm: RegExp;
  /** Questions of an opening line: for the right person, or for the right time. */
  asksIdentity: RegExp;
  asksForTime: RegExp;
  /** Words before an answer in free text. */
  leadIn: RegExp;
  numbers: Record<string, number>;
  /** Words inside a number that add nothing: "and". */
  numberJoiners: string[];
  /** Numbers are written as one word: "zweihundertfünf". */
  compoundNumbers: boolean;
  unitsBeforeTens: boolean;
  decimalWords: string[];
  half: RegExp;
  /** Amounts without a number word: "just me", "a couple". */
  quantities: [RegExp, number][];
  /** One more than the number in the first group: "me plus two". */
  mePlus: RegExp;
  /** Coins after a sum of money: "and ninety-nine cents". */
  cents: RegExp;
  /** Words before a digit that comes twice or three times. */
  twice: string[];
  thrice: string[];
  /** Words of a phone number that stand for a digit or a plus. */
  phoneWords: Record<string, string>;
  minus: RegExp;
  thousandsSeparator: string;
  weekdays: RegExp[];
  months: RegExp[];
  relativeDays: [RegExp, number][];
  inDays: RegExp;
  inWeeks: RegExp;
  /** Beside a weekday: a week after the next one of its name. */
  weekLater: RegExp;
  /** Beside a weekday: in the week that begins on the coming Monday. */
  nextWeek: RegExp;
  /** "First" to "fifth" where they differ from the ordinals of dates, and "last". */
  places: Record<string, number>;
  lastOne: RegExp;
  /** Holidays with a fixed date, as MM-DD. */
  holidays: [RegExp, string][];
  dateFillers: string[];
  /** Name of a day without its month; `{d}` is the day. */
  dayOfMonth: string;
  ordinals: Record<string, number>;
  clock: ClockPhrase[];
  noon: RegExp;
  midnight: RegExp;
  morning: RegExp;
  afternoon: RegExp;
  evening: RegExp;
  emailAt: RegExp;
  emailDot: RegExp;
  and: RegExp;
  /** Words by which a master prompt names the company that the agent speaks for; the name is the first group. */
  company: RegExp;
}
