import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";

/** Words by which people take back what they have just said, besides those of the lexicon. */
const TAKEN_BACK = wholeWords(
  "(?:oh,? )?you know what|tell you what|no,? wait|wait,? no|wait|no,? sorry|sorry|pardon|actually|scratch that|strike that|hang on|hold on|or rather|i mean|make (?:that|it)|let's (?:make it|say)|(?:hmm+,? )?no|nah|(?:let's )?call it|oops|my mistake|on second thou?ghts?|" +
    "quatsch|wissen sie was|ach n(?:ein|ee)|nein|nee|nö|moment|halt|warten sie|entschuldigung|vielmehr|besser gesagt|ich meine|doch lieber|sagen wir|nein doch|" +
    "perdón|perdone|sabe qué|espere?|no,? espera|mejor dicho|mejor|digo|quiero decir|en realidad|bueno no|ay no|no|" +
    "vous savez quoi|euh non|ah non|non|pardon|attendez|plutôt|enfin|je veux dire|en fait|finalement|" +
    "vet du vad|nej,? vänta|vänta|nej|förlåt|eller rättare sagt|rättare sagt|jag menar|egentligen|förresten|eller nej",
  "giu",
);
const PLAIN_NO = /^(?:no|nein|nee|nö|non|nej)$/i;
const BEFORE = /(?:^|[\s,.;:!?…–—-])$/u;

/**
 * Splits an answer where the person takes something back; the later part counts more. One part: nothing is taken back.
 * `isStrict`: a "no" takes something back only before a pause, because "no breakfast" rules something out.
 */
export function splitTakenBack(text: string, lexicon: Lexicon, isStrict = false): string[] {
  // The fields of a schema are tried on the same words one after the other.
  if (last?.text !== text || last.lexicon !== lexicon || last.isStrict !== isStrict)
    last = { text, lexicon, isStrict, parts: splitAnew(text, lexicon, isStrict) };
  return last.parts;
}

let last: { text: string; lexicon: Lexicon; isStrict: boolean; parts: string[] } | undefined;

function splitAnew(text: string, lexicon: Lexicon, isStrict: boolean): string[] {
  const parts: string[] = [];
  let from = 0;
  const marks = [...text.matchAll(TAKEN_BACK), ...matchesOf(lexicon.weakCorrection, text)].toSorted(
    (a, b) => a.index - b.index || b[0].length - a[0].length,
  );
  for (const mark of marks) {
    if (mark.index < from || !BEFORE.test(text.slice(0, mark.index))) continue;
    const next = text[mark.index + mark[0].length] ?? "";
    if (isStrict && PLAIN_NO.test(mark[0]) && !/[,.!;:…–—]/.test(next)) continue;
    parts.push(text.slice(from, mark.index));
    from = mark.index + mark[0].length;
  }
  parts.push(text.slice(from));
  return parts.map(trimMarks).filter((part) => part !== "");
}

const everywhere = new WeakMap<RegExp, RegExp>();

function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  let all = everywhere.get(pattern);
  if (!all) everywhere.set(pattern, (all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`)));
  return [...text.matchAll(all)];
}

/** Words that draw the conclusion from what was said before them: "the fence is close, so birch". */
const CONCLUSION =
  /[,.;:…–—-]\s*(?:(?:and|und|y|et|och)\s+)?(?:so(?: that makes(?: it)?| it's| let's say)?|now(?: it's)?|jetzt|ahora|maintenant|also|deshalb|daher|así que|por eso|entonces|o sea|donc|alors|så|alltså)[,:]?\s+(?=\S)/giu;

/** Returns what follows the last word that concludes; undefined where there is none. */
export function conclusionOf(text: string): string | undefined {
  const concluding = [...text.matchAll(CONCLUSION)].at(-1);
  return concluding && trimMarks(text.slice(concluding.index + concluding[0].length));
}

/** Returns a text without marks and blanks around it. */
export function trimMarks(text: string): string {
  return text.replaceAll(/^[\s,.;:!…–—-]+|[\s,;:…–—-]+$/gu, "");
}
