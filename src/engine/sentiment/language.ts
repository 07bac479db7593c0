/**
 * Words by which people show how they feel in one language. Each list holds folded words and phrases, separated by
 * commas; a `*` at the end of an entry stands for any ending. At each place in the text the longest entry counts alone.
 */
export interface SentimentLanguage {
  /** ISO 639-1. */
  code: string;
  /** Common words by which the language is recognised; they say nothing about feelings. */
  common: string;
  /** Turns the words after it round: "not happy". */
  negations: string;
  /** Means anger by itself. */
  furious: string;
  /** Means anger beside another such word, and displeasure alone. */
  angry: string;
  /** Means displeasure. */
  bad: string;
  /** Means content. */
  good: string;
  /** Means more than content. */
  great: string;
  /** Looks like one of the above and says nothing: "good morning", "no problem". */
  plain: string;
}
