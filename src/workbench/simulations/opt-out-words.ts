import type { Turn } from "#src/engine/conversation/plan.ts";
import { detectLanguage, lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { findIntent } from "#src/engine/models/scripted/understand/intent.ts";

/** Returns the 1-based line in which the person's words ask for no more calls; null when none does. */
export function findOptOutWords(transcript: Turn[], language: string): number | null {
  let lexicon = lexiconFor(language);
  for (const { role, content, index } of transcript) {
    if (role !== "USER") continue;
    lexicon = detectLanguage(content, lexicon);
    if (findIntent(content, lexicon) === "OPT_OUT") return index + 1;
  }
  return null;
}
