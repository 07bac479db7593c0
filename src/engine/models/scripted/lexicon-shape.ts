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
  andTime: string;
  andDay: string;
  goodbyeWord: string;
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
  /** An opt-out is judged apart, in all languages at once (src/opt-out). */
  intents: Record<Exclude<Intent, "OPT_OUT">, RegExp>;
  yes: RegExp;
  /** Counts as yes only where nothing says no: "I can" in "I can't". */
  weakYes: RegExp;
  no: RegExp;
  explicitCorrection: RegExp;
  weakCorrection: RegExp;
  /** The whole of an answer that says there is nothing: "no, that's all". Tried on short texts only. */
  nothing: RegExp;
  /** Words that take back what stands beside them in a clause, and words after which the right thing comes. */
  negators: RegExp;
  butRather: RegExp;
  /** What stands before a name that is not one's own. */
  denials: RegExp;
  /** "All of them", "except". */
  all: RegExp;
  except: RegExp;
  /** How a question begins that has lost its mark. */
  questionStart: RegExp;
  /** What leads into a question and is none of it: "and", "by the way". */
  questionLead: RegExp;
  /** A question that is an answer: "how about Friday?". */
  proposal: RegExp;
  /** Whenever it suits. */
  anyTime: RegExp;
  /** "Later", where its words name no part of the day. */
  later: RegExp;
  /** A word for the next day. */
  tomorrow: string;
  /** "Do you speak"; a language's name stands near it. */
  speaks: RegExp;
  /** The person has come back to the phone. */
  amBack: RegExp;
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
  /** Amounts that hold no number word: "just me", "a couple". */
  quantities: [RegExp, number][];
  /** One more than the number in the first group: "me plus two". */
  mePlus: RegExp;
  /** Coins after a sum of money: "and ninety-nine cents". */
  cents: RegExp;
  /** Said before a digit that comes twice or three times. */
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
  /** "First" to "fifth" where they are no ordinals of dates, and "last". */
  places: Record<string, number>;
  lastOne: RegExp;
  /** Feasts that have a date of their own, as MM-DD. */
  holidays: [RegExp, string][];
  dateFillers: string[];
  /** How a day is named without its month; `{d}` stands for the day. */
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
  /** How a master prompt names whom the agent speaks for; the name is the first group. */
  company: RegExp;
}
