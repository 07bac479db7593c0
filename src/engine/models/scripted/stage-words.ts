import {
  CHOOSE_EDGE,
  type JsonSchema,
  type ModelMessage,
  NO_EDGE,
  RECORD_FIELDS,
  type StageTurn,
  type TurnRequest,
} from "#src/engine/models/models.ts";
import { awaitedBy, YES_OR_NO } from "./awaited.ts";
import { readBriefing } from "./briefing.ts";
import { createDialogue, type Dialogue, type Item } from "./dialogue.ts";
import type { FieldKind } from "./fields.ts";
import { place } from "./fill-output.ts";
import type { PlannedCall } from "./plan-calls.ts";
import { fill } from "./questions.ts";
import { takeIn } from "./replay.ts";
import { understandAnswer } from "./understand/answer.ts";
import { isBareYesNo } from "./understand/intent.ts";
import { chooseMeaning } from "./understand/meaning.ts";
import { parseYesNo } from "./understand/yes-no.ts";
import { normalise, stemsOf } from "./words.ts";

/** Derives the state of a dialogue within one stage: it asks for the fields of the stage, and hears of all others. */
export function replayStage(request: TurnRequest, stage: StageTurn): Dialogue {
  const { messages, language } = request;
  const whole = createDialogue(readBriefing(messages), stage.outputs, language);
  const all = [...new Set([...whole.items, ...whole.callbackItems])];
  const nameOf = ({ field }: Item) => field.path[0] ?? "";
  const items =
    stage.type === "CONFIRM" ? [] : stage.fields.flatMap((name) => all.filter((item) => nameOf(item) === name));
  const others = all.filter((item) => !items.includes(item));
  const known = stage.type === "CONFIRM" ? stage.recorded : stage.recordedAtEntry;
  const dialogue: Dialogue = { ...whole, items, others, phase: "ASKING", asks: true, hasSpoken: true };
  for (const item of all) {
    const value = at(known[nameOf(item)], item.field.path.slice(1));
    if (value !== undefined) dialogue.answers.set(item, value);
  }
  for (const call of messages.flatMap(({ toolCalls }) => toolCalls ?? [])) dialogue.calls.set(call.id, call);
  dialogue.at = items.findIndex((item) => !dialogue.answers.has(item));
  if (dialogue.at < 0) Object.assign(dialogue, { at: items.length, phase: "CHATTING", asks: false });
  if (stage.type === "TALK") for (const message of since(messages, stage)) takeIn(dialogue, message);
  return dialogue;
}

/** Returns the messages behind those that the person had sent before the stage. */
function since(messages: ModelMessage[], { heardAtEntry }: StageTurn): ModelMessage[] {
  let heard = 0;
  const from = messages.findIndex(({ role }) => role === "USER" && ++heard > heardAtEntry);
  if (from < 0) return [];
  // The agent's words before them are the question that they answer.
  let first = from;
  while (first > 0 && messages[first - 1]?.role !== "USER" && messages[first - 1]?.role !== "SYSTEM") first--;
  return messages.slice(first);
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (one, name) => (one !== null && typeof one === "object" ? (one as Record<string, unknown>)[name] : undefined),
    value,
  );
}

/** Returns the calls that record what the person said and choose what they meant; none once that is judged. */
export function judgeWords(dialogue: Dialogue, { messages }: TurnRequest, stage: StageTurn): PlannedCall[] {
  if (stage.isDecided) return [];
  const said = normalise(messages.findLast(({ role }) => role === "USER")?.content ?? "");
  const calls: PlannedCall[] = [];
  const isConfirmed = stage.type === "CONFIRM" && hearConfirmation(dialogue, stage, said);
  const values = changedValues(dialogue, stage);
  if (isConfirmed) calls.push({ name: RECORD_FIELDS, input: { values: {}, isConfirmed } });
  else if (Object.keys(values).length > 0) calls.push({ name: RECORD_FIELDS, input: { values } });
  if (stage.choices.length > 0) {
    calls.push({ name: CHOOSE_EDGE, input: { edge: chooseMeaning(said, stage.choices) ?? NO_EDGE } });
  }
  return calls;
}

/** Hears the reply to values that were read back: true for a yes. Anything else may correct a value. */
function hearConfirmation(dialogue: Dialogue, stage: StageTurn, said: string): boolean {
  const { lexicon } = dialogue;
  const isYes = parseYesNo(said, lexicon) === true;
  if (isYes && stage.isReadBack && (isBareYesNo(said, lexicon) || !lexicon.explicitCorrection.test(said))) return true;
  if (!isYes) correct(dialogue, stage, said);
  return false;
}

/** Kinds of answers from the one that fewest words fit to the one that most do. */
const BY_DISTINCTION: FieldKind[] = ["EMAIL", "DATE_TIME", "DATE", "PHONE", "CHOICE", "CHOICES", "TIME", "NUMBER"];

/** Replaces the value that a correction names, else the one of the kind that it fits best. */
function correct(dialogue: Dialogue, { fields }: StageTurn, said: string): void {
  const { lexicon, calendar, answers } = dialogue;
  const own = dialogue.others.filter(({ field }) => fields.includes(field.path[0] ?? ""));
  const stems = stemsOf(said);
  const isNamed = ({ field }: Item) =>
    [...stemsOf(`${field.about} ${field.path.join(" ")}`)].some((one) => stems.has(one));
  const rank = (item: Item) => (isNamed(item) ? -1 : BY_DISTINCTION.indexOf(item.field.kind));
  const candidates = own
    .filter(({ field }) => BY_DISTINCTION.includes(field.kind))
    .toSorted((a, b) => rank(a) - rank(b));
  for (const item of candidates) {
    const value = understandAnswer(item.field, said, lexicon, calendar);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(answers.get(item))) continue;
    answers.set(item, value);
    return;
  }
}

/** Returns the values that differ from what is recorded, and null for what the person did not give when asked. */
function changedValues(dialogue: Dialogue, { recorded, fields }: StageTurn): Record<string, unknown> {
  const { items, others, answers } = dialogue;
  const values: Record<string, unknown> = {};
  for (const item of [...items, ...others]) {
    if (answers.has(item)) place(values, item.field.path, answers.get(item));
  }
  for (const name of Object.keys(values)) {
    const isOpen = items.some((item, i) => item.field.path[0] === name && !answers.has(item) && i >= dialogue.at);
    const isSame = JSON.stringify(values[name]) === JSON.stringify(recorded[name]);
    if (isSame || (isOpen && dialogue.phase === "ASKING")) delete values[name];
  }
  for (const [i, { field }] of items.entries()) {
    const name = field.path[0] ?? "";
    const wasPassed = i < dialogue.at && !items.some((one, j) => one.field.path[0] === name && j >= dialogue.at);
    const isKnown = Object.hasOwn(values, name) || Object.hasOwn(recorded, name);
    if (fields.includes(name) && wasPassed && !isKnown) values[name] = null;
  }
  return values;
}

/** Returns the words of a stage that has nothing to ask, and undefined where the dialogue has them. */
export function ask(dialogue: Dialogue, { hasSpoken }: StageTurn): string | undefined {
  const { items, end, lexicon } = dialogue;
  if (items.length > 0 || (end !== undefined && end !== "COMPLETED") || dialogue.question !== undefined)
    return undefined;
  if (hasSpoken) return "";
  return dialogue.heard === "" && end === "COMPLETED" ? lexicon.phrases.notUnderstood : lexicon.phrases.anythingElse;
}

/** Returns the words of a CONFIRM: the values, or the question for what is wrong with them. */
export function confirm(dialogue: Dialogue, { messages }: TurnRequest, stage: StageTurn): string | undefined {
  const { lexicon } = dialogue;
  const said = messages.findLast(({ role }) => role === "USER")?.content;
  if (stage.isReadBack && said !== undefined) {
    takeIn(dialogue, { role: "USER", content: said });
    if (dialogue.end !== undefined && dialogue.end !== "COMPLETED") return undefined;
    if (parseYesNo(normalise(said), lexicon) === false) return lexicon.phrases.whatIsWrong;
  }
  const values = stage.fields.map((name) => `${toLabel(name)}: ${toWords(stage.recorded[name], dialogue)}`);
  return fill(lexicon.phrases.readBack, { values: values.join(", ") });
}

/** Returns the schema of the answer that a turn in a stage waits for. */
export function awaitedInStage(dialogue: Dialogue, { type }: StageTurn): JsonSchema | null {
  return type === "CONFIRM" ? YES_OR_NO : awaitedBy(dialogue);
}

function toLabel(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, (_all, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replaceAll(/[_-]+/g, " ");
}

function toWords(value: unknown, { lexicon }: Dialogue): string {
  if (value === undefined || value === null) return "–";
  if (typeof value === "boolean") return value ? lexicon.phrases.yesWord : lexicon.phrases.noWord;
  if (typeof value === "string") return value.replace(/(?<=^|T)(\d\d:\d\d):00(?:\.0+)?Z?$/, "$1");
  if (typeof value !== "object") return String(value as string | number);
  return Object.values(value)
    .map((one) => toWords(one, { lexicon } as Dialogue))
    .join(", ");
}
