import type { FlowFields } from "#web/domain/flow/flow.ts";

/** The words of a draft that are changed here. */
export interface DraftWords {
  firstMessage: string;
  masterPrompt: string;
}

/** Words being changed, and the stored version that they are a change of. */
export interface Changed<T extends FlowFields = FlowFields> {
  words: DraftWords;
  base: T;
}

/** Returns the words of a flow or its draft. */
export function wordsOf({ firstMessage, masterPrompt }: FlowFields): DraftWords {
  return { firstMessage: firstMessage ?? "", masterPrompt: masterPrompt ?? "" };
}

/** Returns true for words that are those of a flow or its draft. */
export function isSame({ firstMessage, masterPrompt }: DraftWords, stored: FlowFields): boolean {
  const words = wordsOf(stored);
  return firstMessage === words.firstMessage && masterPrompt === words.masterPrompt;
}

/**
 * Returns the change on top of the version that is stored now. Unchanged words follow it. Changed words keep their base
 * when somebody else changed the words as well, so that a save is refused rather than overwriting those.
 */
export function followStored<T extends FlowFields>(changed: Changed<T>, stored: T): Changed<T> {
  const { words, base } = changed;
  if (isSame(words, base)) return { words: wordsOf(stored), base: stored };
  return isSame(wordsOf(base), stored) || isSame(words, stored) ? { words, base: stored } : changed;
}
