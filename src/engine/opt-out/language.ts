/** What people say in one language when they want no more calls, as regular expressions over folded text. */
export interface OptOutLanguage {
  /** ISO 639-1. */
  code: string;
  /**
   * Beginnings (four letters, or shorter words whole) of the words without which no pattern below matches: an utterance
   * that holds none of them is not looked at in this language.
   */
  cues: string;
  /** Says plainly that contact is to end. */
  plain: string[];
  /** Forbids a call ("do not call me"): nothing at all when a time or a place limits it. */
  forbidding: string[];
  /** May mean it: the person is asked. */
  doubtful: string[];
  /** Too weak to ask about, enough for a person to read the transcript again. */
  hints: string[];
  /** Means something else although it looks alike: taken out before anything is looked for. */
  innocent: string[];
  /** Limits what stands before it to a time, a place or a way: "before noon", "at work". */
  limits: string;
  /** Replaces what was forbidden by another way in the rest of the text: "call my mobile". */
  instead: string;
  /** Whole utterances without their polite words: "stop", "stop it". */
  bare: string;
  /** Polite words around such an utterance. */
  polite: string;
  /** Single words that end messages as a whole message (SMS, WhatsApp). */
  keywords: string;
  yes: string;
  no: string;
  phrases: OptOutPhrases;
}

/** What the engine says to somebody who opts out. */
export interface OptOutPhrases {
  /** Asks whether contact shall end. */
  ask: string;
  /** After the list was written. */
  done: string;
  /** When the list could not be written. */
  noted: string;
}
