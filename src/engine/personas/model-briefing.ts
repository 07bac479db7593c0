import type { Person } from "./person.ts";
import type { Listened, PersonaFile } from "./persona-schema.ts";
import { listTexts } from "./words.ts";

const LANGUAGE_NAMES = { en: "English", es: "Spanish", de: "German", fr: "French", sv: "Swedish" } as const;

const MANNER = `Write only the words that you say aloud, in one to three short sentences: no quotation marks, no names before
them, nothing about gestures or sounds. Never say that you play a part, and never take the caller's part.
Say what you know only when you are asked for it, and make nothing up that contradicts it.
- To hang up after your words, or without any, write [HANG_UP] at the end. Do so when the talk is over.
- When you ask never to be called again, write [OPT_OUT] at the end.
- To say nothing at all, write only [SILENCE].`;

/**
 * Writes the system prompt for a model that speaks as this person: who they are, what they want and know, how to hang
 * up.
 */
export function writeBriefing(file: PersonaFile, person: Person): string {
  const facts = [...person.facts].map(([name, value]) => `- ${name}: ${value}`);
  const answers = file.answers.map(({ asked, say }) => {
    const [words = ""] = listTexts(say);
    return `- Asked about ${nameListened(asked)}: ${words}`;
  });
  return [
    "You are on the phone: somebody has called you, and you play the person who picked up. You are not an assistant.",
    `Who you are: ${file.name}. ${file.description}`.trim(),
    ...(file.goal ? [`What you want: ${file.goal}`] : []),
    file.attitude === "AGREES"
      ? "Where that does not say otherwise, you agree to what you are asked."
      : "Where that does not say otherwise, you want nothing of it and would rather not tell anything.",
    `What you know:\n${facts.join("\n")}`,
    ...(answers.length > 0 ? [`What you say when you are asked:\n${answers.join("\n")}`] : []),
    file.language
      ? `You speak ${LANGUAGE_NAMES[file.language]} and nothing else.`
      : "You speak the language in which you are spoken to.",
    MANNER,
  ].join("\n\n");
}

function nameListened(listened: Listened): string {
  if (typeof listened === "string") return listened;
  return Array.isArray(listened) ? listened.join(", ") : `what matches ${listened.matches}`;
}
