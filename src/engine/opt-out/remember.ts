import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";

/** Judgements that are kept, and the longest utterance whose judgement is: together less than a megabyte. */
const MOST = 1_000;
const LONGEST = 200;

/**
 * Returns a judge of utterances that keeps its last judgements, because several parts of a call judge the same one.
 * `usual` is the language of the conversation (BCP 47).
 */
export function rememberJudgements<T>(judge: (text: string, usual: string) => T): (text: string, usual?: string) => T {
  const judged = new BoundedMap<string, T>(MOST);
  return (text, usual = "en") => {
    if (text.length > LONGEST) return judge(text, usual);
    const key = `${usual.slice(0, 2).toLowerCase()} ${text}`;
    return judged.getOrMake(key, () => judge(text, usual));
  };
}
