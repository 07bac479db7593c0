import { type Dialogue, type Item, sayAndAsk } from "./dialogue.ts";
import { understandAnswer } from "./understand/answer.ts";
import { splitTakenBack, trimMarks } from "./understand/corrected.ts";
import { parseDate } from "./understand/date.ts";
import { readVolunteered } from "./understand/volunteered.ts";
import { parseYesNo } from "./understand/yes-no.ts";
import { stemsOf, toSentences, wholeWords } from "./words.ts";

/** Words that begin or mark a correction of something said before, besides those of the lexicon. */
const MARKERS = wholeWords(
  "actually|(?:no,? )?wait|make the|hang on|hold on|sorry|make (?:it|that)|scratch that|(?:was|is) wrong|i was wrong|not what i|instead|change (?:the|my|that)|should (?:be|say)|on second thought|" +
    "eigentlich|moment|halt|warten sie|entschuldigung|doch lieber|war falsch|stimmt nicht|statt(?:dessen)?|ändern|vielmehr|" +
    "en realidad|espere?|perdón|mejor|estaba mal|en vez de|cambie|cambiar|" +
    "en fait|attendez|pardon|plutôt|c'était faux|au lieu de|changez|changer|finalement|" +
    "egentligen|vänta|förlåt|snarare|var fel|istället|i stället|ändra|förresten",
);

/**
 * Stores corrections of earlier answers that an utterance holds ("Thai. Oh, and it is thirty people, not twenty-five")
 * and returns the rest of it, for the open question. Null when nothing was corrected.
 */
export function takeCorrections(dialogue: Dialogue, text: string): string | null {
  if (dialogue.answers.size === 0) return null;
  const { lexicon } = dialogue;
  const segments = toSegments(text);
  let isAnnounced = false;
  const kept = segments.filter((segment, i) => {
    if (isAnnounced && (correctNamed(dialogue, segment) || correctLast(dialogue, segment)))
      return (isAnnounced = false);
    isAnnounced = announces(dialogue, segment);
    if (isAnnounced) return false;
    const explicit = lexicon.explicitCorrection.exec(segment);
    const weak = MARKERS.exec(segment) ?? lexicon.weakCorrection.exec(segment);
    const isMarked = explicit !== null || (weak !== null && (i > 0 || weak.index < NEAR_START));
    return !isMarked || !correct(dialogue, segment, explicit ?? weak, explicit === null);
  });
  return kept.length === segments.length ? null : kept.join(" ");
}

/** True for a sentence that only says that something was wrong: the next one says what is right. */
function announces({ lexicon }: Dialogue, segment: string): boolean {
  const explicit = lexicon.explicitCorrection.exec(segment);
  return (
    explicit !== null && trimMarks(segment.slice(explicit.index + explicit[0].length)).replace(/[.!]+$/, "") === ""
  );
}

function correctNamed(dialogue: Dialogue, segment: string): boolean {
  return namedIn(dialogue, segment).some((item) => change(dialogue, item, trimMarks(segment)));
}

/** Replaces the last answer, also a name. */
function correctLast(dialogue: Dialogue, segment: string): boolean {
  const last = dialogue.lastAnswered;
  return last !== undefined && dialogue.answers.has(last) && change(dialogue, last, trimMarks(segment));
}

const NEAR_START = 12;

/** Splits an utterance into sentences, and where another matter begins: ", oh and", " and by the way". */
function toSegments(text: string): string[] {
  // "At two p.m. Oh, and ..." are two sentences.
  const ended = text.replaceAll(/(?<![\p{L}\p{N}])([ap])\.m\.\s+(?=\p{Lu})/giu, "$1m. ");
  return toSentences(ended).flatMap((sentence) =>
    sentence
      .split(
        /[,;]\s+(?=(?:oh|and|but|also|ach|und|aber|ah|y|pero|et|mais|och|men)[\s,]+(?:i|the|make|it|actually|by|wait|sorry|could|can|please|change|ich|das|die|der|es|la|el|lo|je|le|jag|det)\b)/i,
      )
      .filter((part) => part !== ""),
  );
}

function correct(dialogue: Dialogue, segment: string, marker: RegExpExecArray | null, isWeak: boolean): boolean {
  const { lexicon, calendar } = dialogue;
  const open = dialogue.phase === "ASKING" ? dialogue.items[dialogue.at] : undefined;
  const rest = trimMarks(marker ? segment.slice(marker.index + marker[0].length) : segment);
  const whole = trimMarks(segment);
  if (rest === "" && whole === "") return false;
  const named = namedIn(dialogue, whole);
  if (named.some((item) => change(dialogue, item, whole) || change(dialogue, item, rest))) return true;
  // What answers the open question corrects it, or nothing.
  const answers = (part: string): boolean =>
    open !== undefined && understandAnswer(open.field, part, lexicon, calendar) !== undefined;
  const isForOpen = open && isPlain(open) && (answers(rest) || (isWeak && answers(segment)));
  if (isForOpen) return false;
  const older = [...dialogue.answers.keys()].toReversed();
  return older.some(
    (item) =>
      isChangedBy(dialogue, item, rest, open) && (change(dialogue, item, rest) || change(dialogue, item, whole)),
  );
}

/** True when words without the name of an answer can still mean it. */
function isChangedBy(dialogue: Dialogue, item: Item, text: string, open: Item | undefined): boolean {
  const { lexicon, calendar, lastAnswered } = dialogue;
  if (!isPlain(item)) return false;
  if (item.field.kind === "BOOLEAN") return parseYesNo(text, lexicon) !== undefined && sharesWord(item, text);
  const isLast = item === lastAnswered;
  if (open && !isPlain(open)) return readVolunteered(item.field, text, lexicon, calendar) !== undefined;
  return isLast || item.field.kind !== "CHOICES";
}

/**
 * Processes a correction such as "No, I meant Tuesday" on its own: it changes an earlier answer. Returns false when the
 * text corrects nothing, or says more.
 */
export function hearCorrection(dialogue: Dialogue, text: string): boolean {
  const marker = dialogue.lexicon.explicitCorrection.exec(text);
  const rest = marker ? trimMarks(text.slice(marker.index + marker[0].length)) : "";
  if (rest === "" || dialogue.answers.size === 0) return false;
  const open = dialogue.items[dialogue.at];
  const { lexicon, calendar } = dialogue;
  const mayBeAnswer = open && (isPlain(open) || dialogue.misses > 0);
  if (mayBeAnswer && understandAnswer(open.field, rest, lexicon, calendar) !== undefined) return false;
  if (!replaceAny(dialogue, rest)) return false;
  sayAndAsk(dialogue, dialogue.lexicon.phrases.corrected);
  return true;
}

/** Replaces the answer that a text is about: one that it names, the last one, or one of its kind. */
export function replaceAny(dialogue: Dialogue, text: string): boolean {
  const { lastAnswered } = dialogue;
  if (namedIn(dialogue, text).some((item) => change(dialogue, item, text))) return true;
  if (lastAnswered !== undefined && dialogue.answers.has(lastAnswered) && change(dialogue, lastAnswered, text))
    return true;
  const older = [...dialogue.answers.keys()].filter((item) => isPlain(item) && item.field.kind !== "BOOLEAN");
  return older.toReversed().some((item) => change(dialogue, item, text));
}

/** Returns the answers that a text names, the latest first: "The number of people should be four". */
function namedIn(dialogue: Dialogue, text: string): Item[] {
  const named = [...dialogue.answers.keys()].filter((item) => isPlain(item) && sharesWord(item, text));
  return named.toReversed();
}

function sharesWord({ field }: Item, text: string): boolean {
  const stems = stemsOf(text);
  return [...stemsOf(`${field.about} ${field.path.join(" ")}`)].some((stem) => stems.has(stem));
}

/** True for a kind that does not take any words. */
function isPlain({ field }: Item): boolean {
  return field.kind !== "TEXT" && field.kind !== "LIST";
}

/** Changes an answer to the value of a text that differs from it. */
function change(dialogue: Dialogue, item: Item, text: string): boolean {
  const { lexicon, calendar, answers } = dialogue;
  // The day of a date is no number of anything else.
  if (item.field.kind === "NUMBER" && parseDate(text, lexicon, calendar) !== undefined) return false;
  const old = JSON.stringify(answers.get(item));
  const parts = [
    text,
    ...splitTakenBack(text, lexicon),
    ...text.split(/[,;]\s+|\s(?=not\s|nicht\s|no\s|pas\s|inte\s)/),
  ].map(trimMarks);
  for (const part of [parts[0] as string, ...parts.slice(1).toReversed()]) {
    const value = understandAnswer(item.field, part, lexicon, calendar);
    if (value === undefined || JSON.stringify(value) === old) continue;
    answers.set(item, value);
    return true;
  }
  return false;
}
