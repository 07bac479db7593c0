import { type Callback, type Dialogue, finish, type Item, resume } from "./dialogue.ts";
import { understandAnswer } from "./understand/answer.ts";
import { parseDate } from "./understand/date.ts";
import { isBareYesNo } from "./understand/intent.ts";
import { parseBareHour, parseTime } from "./understand/time.ts";
import { parseYesNo } from "./understand/yes-no.ts";
import { joinDateTime } from "./understand/zoned.ts";
import { toTokens } from "./words.ts";

/** Times of day that stand for a part of the day, when a callback is asked for without a time. */
const MORNING = "10:00";
const AFTERNOON = "15:00";
const EVENING = "18:00";

/** Ends the conversation with a callback, at the time that the person named. */
export function callLater(dialogue: Dialogue, text: string): void {
  keepCallback(dialogue, text, text);
  finish(dialogue, "CALLBACK", dialogue.lexicon.phrases.callback);
}

/** Processes the reply to the offer of a call about a question. Returns false when it is neither yes nor no. */
export function hearOffer(dialogue: Dialogue, text: string): boolean {
  const { phrases } = dialogue.lexicon;
  const answer = parseYesNo(text, dialogue.lexicon);
  if (answer === undefined || (!answer && toTokens(text).length > MAX_REFUSAL_WORDS)) return false;
  if (answer) keepCallback(dialogue, text, lastQuery(dialogue));
  resume(dialogue, answer ? phrases.callbackNoted : phrases.acknowledgements[2]);
  return true;
}

const MAX_REFUSAL_WORDS = 5;

function lastQuery({ calls }: Dialogue): string {
  const call = [...calls.values()].findLast(({ name }) => name === "search_knowledge");
  const query = call?.input.query;
  return typeof query === "string" ? query : "";
}

/** Processes the reply to the question when to call back. */
export function hearCallbackTime(dialogue: Dialogue, text: string): void {
  const { callback, lexicon } = dialogue;
  if (!callback) return;
  const when = readWhen(dialogue, text);
  const isRefused = isBareYesNo(text, lexicon) && parseYesNo(text, lexicon) === false;
  callback.date ??= when.date;
  callback.time ??= when.time ?? parseBareHour(text, lexicon);
  if (lexicon.anyTime.test(text)) callback.date ??= tomorrowOf(dialogue);
  settleGaps(dialogue, callback);
  fillCallbackItems(dialogue, callback, text);
  if (callback.date !== undefined) return;
  // The reply named no time that could be arranged.
  callback.isSettled = true;
  if (dialogue.end !== "CALLBACK") return resume(dialogue, isRefused ? "" : lexicon.phrases.callbackNoted);
  finish(dialogue, "CALLBACK", isRefused ? lexicon.phrases.declined : lexicon.phrases.callback);
}

/** Returns the moment of a callback in the person's local time; undefined while it is unknown. */
export function momentOf({ date, time }: Callback): string | undefined {
  return date === undefined || time === undefined ? undefined : `${date}T${time}`;
}

function keepCallback(dialogue: Dialogue, text: string, note: string): void {
  const when = readWhen(dialogue, text);
  const callback: Callback = { ...when, isGuess: false, note, wasAsked: false, isSettled: false };
  dialogue.callback = callback;
  if (when.time !== undefined) settleGaps(dialogue, callback);
  fillCallbackItems(dialogue, callback, text);
}

/** Completes a time alone with today, and a day alone with its morning. */
function settleGaps(dialogue: Dialogue, callback: Callback): void {
  if (callback.date === undefined && callback.time !== undefined) {
    callback.date = dialogue.calendar.today;
    callback.isGuess = true;
  }
  if (callback.date !== undefined) callback.time ??= MORNING;
}

function readWhen(dialogue: Dialogue, text: string): Pick<Callback, "date" | "time"> {
  const { lexicon, calendar } = dialogue;
  const date = parseDate(text, lexicon, calendar);
  return { date, time: parseTime(text, lexicon) ?? partOfDay(dialogue, text) };
}

function partOfDay({ lexicon }: Dialogue, text: string): string | undefined {
  if (lexicon.later.test(text)) return undefined;
  if (lexicon.evening.test(text)) return EVENING;
  if (lexicon.afternoon.test(text)) return AFTERNOON;
  return lexicon.morning.test(text) ? MORNING : undefined;
}

function tomorrowOf({ calendar, lexicon }: Dialogue): string | undefined {
  return parseDate(lexicon.tomorrow, lexicon, calendar);
}

function fillCallbackItems(dialogue: Dialogue, callback: Callback, text: string): void {
  for (const item of dialogue.callbackItems) {
    const value = item.field.kind === "TEXT" ? inWords(callback, text) : valueFor(dialogue, item, callback, text);
    if (value !== undefined) dialogue.answers.set(item, value);
  }
}

function valueFor(dialogue: Dialogue, { field }: Item, { date, time }: Callback, text: string): unknown {
  if (field.kind === "DATE_TIME") return joinDateTime(date, time, dialogue.calendar);
  return field.choices.length > 0 || date !== undefined || time !== undefined
    ? understandAnswer(field, text, dialogue.lexicon, dialogue.calendar)
    : undefined;
}

function inWords({ date, time }: Callback, text: string): string {
  return date === undefined && time === undefined ? text : [date, time].filter((part) => part !== undefined).join(" ");
}
