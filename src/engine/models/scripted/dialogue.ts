import type { OutputDefinition, ToolCall } from "#src/engine/models/models.ts";
import type { Briefing } from "./briefing.ts";
import { type Field, fieldsOf } from "./fields.ts";
import type { Lexicon } from "./lexicon-shape.ts";
import { lexiconFor } from "./lexicon.ts";
import { askFor } from "./questions.ts";
import { readBack } from "./read-back.ts";
import type { Calendar } from "./understand/date.ts";

/** A field of one of the outputs. */
export interface Item {
  output: string;
  field: Field;
}

/** Ends of a conversation from the model's side. */
export type EndKind = "COMPLETED" | "WRONG_PERSON" | "CALLBACK" | "HUMAN" | "OPTED_OUT" | "DECLINED";

/** A call that the person wants later, with the date and time as far as they named them. */
export interface Callback {
  date: string | undefined;
  time: string | undefined;
  /** Only a time was named, so the day is a guess. */
  isGuess: boolean;
  note: string;
  /** The person was asked for the time. */
  wasAsked: boolean;
  /** The call is arranged, or will not be. */
  isSettled: boolean;
}

/**
 * State of a conversation, folded from its messages: the same messages give the same state.
 *
 * OPENING  until the person has reacted to the first message (or while a screener asks who calls)
 * ASKING   one question after the other
 * CHATTING nothing to ask: answers what it can, and says goodbye
 * ENDED    goodbye has been said; only a correction still counts
 */
export interface Dialogue {
  readonly briefing: Briefing;
  readonly calendar: Calendar;
  /** Questions in their order. */
  readonly items: Item[];
  /** Fields that are not asked for here, and filled when the person speaks of them. */
  readonly others: Item[];
  /** Fields that are filled when the person wants to be called later. */
  readonly callbackItems: Item[];
  readonly answers: Map<Item, unknown>;
  /** Values that were put together from what was heard, and count once the person has confirmed them. */
  readonly unconfirmed: Map<Item, unknown>;
  /** Tool calls by their id. */
  readonly calls: Map<string, ToolCall>;
  lexicon: Lexicon;
  phase: "OPENING" | "ASKING" | "CHATTING" | "ENDED";
  /** Index in `items` of the open question. */
  at: number;
  /** Times that the open question got an answer that does not fit. */
  misses: number;
  /** Turns of the person since the last answer or the last question that was opened. */
  stalled: number;
  /** Half of an answer to an open question for a day and a time. */
  half: { date?: string | undefined; time?: string | undefined };
  lastAnswered: Item | undefined;
  end: EndKind | undefined;
  /** Question of the person that only the knowledge base may answer. */
  question: string | undefined;
  /** The person was offered a call about their question. */
  wasOffered: boolean;
  callback: Callback | undefined;
  /** The request for a human is on the call's record. */
  isHumanNoted: boolean;
  /** Results of tools that are still to be said. */
  updates: string[];
  /** A tool waits until the person has confirmed their words. */
  isUnconfirmed: boolean;
  /** The next turn: the words that come first, and whether the open question follows. */
  lead: string;
  asks: boolean;
  /** The person has heard `lead` already. */
  leadWasSaid: boolean;
  /** The agent has spoken at all. */
  hasSpoken: boolean;
  /** The agent's words that the person has heard since they last spoke. */
  heard: string;
}

/** Creates the state of a conversation before its first word. */
export function createDialogue(briefing: Briefing, outputs: OutputDefinition[], language: string): Dialogue {
  const all = outputs.flatMap((output) => fieldsOf(output).fields.map((field) => ({ output: output.name, field })));
  const asked = all.filter(({ field }) => !field.isForCallback || field.isRequired);
  return {
    briefing,
    calendar: { today: briefing.today, zone: briefing.zone, monthFirst: /^en(?:-(?:us|ph))?$/i.test(language) },
    items: asked.length > 0 ? asked : all,
    others: [],
    callbackItems: all.filter(({ field }) => field.isForCallback),
    answers: new Map(),
    unconfirmed: new Map(),
    calls: new Map(),
    lexicon: lexiconFor(language),
    phase: "OPENING",
    at: 0,
    misses: 0,
    stalled: 0,
    half: {},
    lastAnswered: undefined,
    end: undefined,
    question: undefined,
    wasOffered: false,
    callback: undefined,
    isHumanNoted: false,
    updates: [],
    isUnconfirmed: false,
    lead: "",
    asks: false,
    leadWasSaid: false,
    hasSpoken: false,
    heard: "",
  };
}

/** Returns the text of the next turn. */
export function toSpeech(dialogue: Dialogue): string {
  const { updates, lead, leadWasSaid, phase } = dialogue;
  const first = leadWasSaid ? "" : lead;
  // Results of tools follow "Got it", but precede "goodbye".
  const parts = phase === "ENDED" ? [...updates, first] : [first, ...updates, openQuestion(dialogue)];
  return parts.filter((part) => part !== "").join(" ");
}

/** Returns the question of the next turn; empty when it asks none. */
export function openQuestion(dialogue: Dialogue): string {
  const open = dialogue.asks ? dialogue.items[dialogue.at] : undefined;
  if (!open) return "";
  if (dialogue.unconfirmed.has(open)) return readBack(dialogue.unconfirmed.get(open), open.field, dialogue.lexicon);
  return askFor(open.field, dialogue.lexicon);
}

/** Sets a turn that says something, then the open question, if there is one. */
export function sayAndAsk(dialogue: Dialogue, lead: string): void {
  const hasItems = dialogue.items.length > 0;
  if (hasItems) dialogue.phase = "ASKING";
  // Without a question the turn still needs words: silence would look like a fault.
  dialogue.lead = lead === "" && !hasItems ? dialogue.lexicon.phrases.anythingElse : lead;
  dialogue.asks = hasItems;
}

/** Sets a turn that says something and waits, without the open question. */
export function pause(dialogue: Dialogue, lead: string): void {
  dialogue.lead = lead;
  dialogue.asks = false;
}

/** Sets a turn that says something and returns to the point before the person asked for something else. */
export function resume(dialogue: Dialogue, lead: string): void {
  const { phrases } = dialogue.lexicon;
  if (dialogue.phase === "ENDED") pause(dialogue, join(lead, phrases.chatGoodbye));
  else if (dialogue.items.length > 0) sayAndAsk(dialogue, lead);
  else {
    dialogue.phase = "CHATTING";
    pause(dialogue, join(lead, phrases.anythingElse));
  }
}

/** Ends the conversation; `lead` is the goodbye of that end. */
export function finish(dialogue: Dialogue, end: EndKind, lead: string): void {
  dialogue.phase = "ENDED";
  dialogue.end = end;
  pause(dialogue, lead);
}

/** Stores an answer and goes on. */
export function accept(dialogue: Dialogue, item: Item, value: unknown): void {
  record(dialogue, item, value);
  goOn(dialogue);
}

/** Stores an answer. */
export function record(dialogue: Dialogue, item: Item, value: unknown): void {
  dialogue.answers.set(item, value);
  dialogue.unconfirmed.delete(item);
  dialogue.stalled = 0;
  dialogue.lastAnswered = item;
}

/** Asks the next question, or says goodbye after the last. `lead` replaces the usual acknowledgement. */
export function goOn(dialogue: Dialogue, lead?: string): void {
  const { phrases } = dialogue.lexicon;
  passOn(dialogue);
  if (dialogue.at >= dialogue.items.length) return finish(dialogue, "COMPLETED", join(lead ?? "", phrases.goodbye));
  sayAndAsk(dialogue, lead ?? (phrases.acknowledgements[dialogue.at % phrases.acknowledgements.length] as string));
}

/** Opens the next question without an answer. */
function passOn(dialogue: Dialogue): void {
  const { items, answers, unconfirmed } = dialogue;
  const left = items[dialogue.at];
  if (left) unconfirmed.delete(left);
  do dialogue.at++;
  while (dialogue.at < items.length && answers.has(items[dialogue.at] as Item));
  Object.assign(dialogue, { misses: 0, stalled: 0, half: {} });
}

/** Asks the first question without an answer; says goodbye when there is none. */
export function askFirst(dialogue: Dialogue, lead: string): void {
  const { items, answers } = dialogue;
  dialogue.at = items.findIndex((item) => !answers.has(item));
  if (dialogue.at >= 0) return sayAndAsk(dialogue, lead);
  dialogue.at = items.length;
  finish(dialogue, "COMPLETED", join(lead, dialogue.lexicon.phrases.goodbye));
}

/** Joins two parts of a turn. */
export function join(first: string, second: string): string {
  return first === "" ? second : `${first} ${second}`;
}
