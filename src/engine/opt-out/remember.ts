/** Judgements that are kept, and the longest utterance whose judgement is: together less than a megabyte. */
const MOST = 1_000;
const LONGEST = 200;

/**
 * Returns a judge of utterances that keeps its last judgements, because several parts of a call judge the same one.
 * `usual` is the language of the conversation (BCP 47).
 */
export function rememberJudgements<T>(judge: (text: string, usual: string) => T): (text: string, usual?: string) => T {
  const judged = new Map<string, T>();
  return (text, usual = "en") => {
    if (text.length > LONGEST) return judge(text, usual);
    const key = `${usual.slice(0, 2).toLowerCase()} ${text}`;
    const known = judged.get(key);
    if (known !== undefined) return known;
    const judgement = judge(text, usual);
    // The oldest goes first, in the order of insertion.
    const [oldest] = judged.keys();
    if (judged.size >= MOST && oldest !== undefined) judged.delete(oldest);
    judged.set(key, judgement);
    return judgement;
  };
}
