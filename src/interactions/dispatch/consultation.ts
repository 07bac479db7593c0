import { phrasesFor } from "#src/engine/conversation/phrases.ts";
import { lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { parseYesNo } from "#src/engine/models/scripted/understand/yes-no.ts";

/** Returns the question to the target of a transfer, and a reader of its answer. */
export function consultationIn(language: string) {
  const lexicon = lexiconFor(language);
  return {
    question: phrasesFor(language).takeCall,
    understand: (text: string) => parseYesNo(text, lexicon),
  };
}
