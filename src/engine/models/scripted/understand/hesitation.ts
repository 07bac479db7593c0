const HESITATION =
  /^(?:(?:uh+|um+|uhm|erm?|hm+|hmm+|so|well|like|okay|ok|let me (?:see|think)|you know|i mean|what do you call it|(?:s?he|it)'s|like|ähm?|öhm?|also|na ja|sozusagen|wie heißt das|eh|este|pues|o sea|bueno|cómo se dice|euh|ben|bah|alors|comment dire|öh|eh|alltså|liksom|vad heter det)(?:[\s,.…]+|$))+/i;
const HESITATION_INSIDE =
  /[\s,]+(?:uh+|um+|uhm|erm?|hm+|what do you call it|wie heißt das|cómo se dice|comment dire|vad heter det|ähm?|euh|öh)(?=[\s,.…]+),?/gi;

/** Returns a text without the sounds and words of somebody who thinks. */
export function dropHesitation(text: string): string {
  const rest = text.replaceAll(HESITATION_INSIDE, " ").replace(HESITATION, "").trim();
  return rest === "" ? text : rest.replace(HESITATION, "").replace(/^(?:an?)[\s,]+(?=an? )/i, "");
}
