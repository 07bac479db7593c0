/** Expressions by which people opt out in one language, as regular expressions over folded text. */
export interface OptOutLanguage {
  /** ISO 639-1. */
  code: string;
  /**
   * Beginnings of words (four letters, or shorter words whole) without which no pattern below matches. An utterance
   * without any of them is not tried in this language.
   */
  cues: string;
  /** Says plainly that contact should end. */
  plain: string[];
  /** Forbids a call ("do not call me"); not an opt-out when a time or a place limits it. */
  forbidding: string[];
  /** Looks alike but means something else; removed before the other patterns are tried. */
  innocent: string[];
  /** Says that contact is to go on: "I don't want you to stop calling". As innocent; as an answer to `ask` it is a no. */
  keeps: string[];
  /** Limits the words before it to a time, a place or a way: "before noon", "at work". */
  limits: string;
  /** Replaces the forbidden contact by another one in the rest of the text: "call my mobile". */
  instead: string;
  /** Whole utterances without their polite words: "stop", "stop it". */
  bare: string;
  /** Polite words around such an utterance. */
  polite: string;
  /** Single words that opt out as a whole message (SMS, WhatsApp). */
  keywords: string;
  yes: string;
  no: string;
  phrases: OptOutPhrases;
}

/** Phrases of the engine for a person who opts out. */
export interface OptOutPhrases {
  /** Asks whether contact should end. */
  ask: string;
  /** Confirms that the list was written. */
  done: string;
  /** Acknowledges the opt-out when the list could not be written. */
  noted: string;
}
