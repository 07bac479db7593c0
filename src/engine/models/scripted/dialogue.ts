import type { OutputDefinition, ToolCall } from "#src/engine/models/models.ts";
import type { Briefing } from "./briefing.ts";
import { type Field, fieldsOf } from "./fields.ts";
import type { Lexicon } from "./lexicon-shape.ts";
import { lexiconFor } from "./lexicon.ts";
import { askFor } from "./questions.ts";
import type { Calendar } from "./understand/date.ts";

/** A field of one of the outputs. */
export interface Item {
  output: string;
  field: Field;
}

/** How a conversation ends from the model's side. */
export type EndKind = "COMPLETED" | "WRONG_PERSON" | "CALLBACK" | "HUMAN" | "OPTED_OUT" | "DECLINED";

/** A call that the person wants later, as far as they have said when. */
export interface Callback {
  date: string | undefined;
  time: string | undefined;
  /** Only a time was said, so the day is a guess. */
  isGuess: boolean;
  note: string;
  /** They were asked when. */
  wasAsked: boolean;
  /** It is arranged, or will not be. */
  isSettled: boolean;
}

/**
 * Where a conversation stands. It is a fold over its messages: the same messages give the same state.
 *
 * OPENING  until the person has reacted to the first message (or while a screener asks who calls)
 * ASKING   one question after the other
 * CHATTING nothing to ask: answers what it can, and says goodbye
 * ENDED    goodbye has been said; only a correction still counts
 */
export interface Dialogue {
  readonly briefing: Briefing;
  readonly calendar: Calendar;
  /** What is asked, in order. */
  readonly items: Item[];
  /** What is filled when the person wants to be called later. */
  readonly callbackItems: Item[];
  readonly answers: Map<Item, unknown>;
  /** Calls of tools by their id. */
  readonly calls: Map<string, ToolCall>;
  lexicon: Lexicon;
  phase: "OPENING" | "ASKING" | "CHATTING" | "ENDED";
  /** The question that is open, as an index of `items`. */
  at: number;
  /** How often the open question was answered with something that does not fit. */
  misses: number;
  /** Half an answer to an open question for a day and a time. */
  half: { date?: string | undefined; time?: string | undefined };
  lastAnswered: Item | undefined;
  end: EndKind | undefined;
  /** What the person asked that only the knowledge base may answer. */
  question: string | undefined;
  /** They were offered a call about it. */
  wasOffered: boolean;
  callback: Callback | undefined;
  /** The wish for a human is on the call's record. */
  isHumanNoted: boolean;
  /** Answers of tools that are still to be told. */
  updates: string[];
  /** A tool waits for words that the person has to confirm first. */
  isUnconfirmed: boolean;
  /** The next turn: what is said first, and whether the open question follows. */
  lead: string;
  asks: boolean;
  /** The first of it has been said already. */
  leadWasSaid: boolean;
  /** The agent has said anything at all. */
  hasSpoken: boolean;
  /** What the person has heard of the agent since they last spoke. */
  heard: string;
}

/** A conversation before its first word. */
export function createDialogue(briefing: Briefing, outputs: OutputDefinition[], language: string): Dialogue {
  const all = outputs.flatMap((output) => fieldsOf(output).fields.map((field) => ({ output: output.name, field })));
  const asked = all.filter(({ field }) => !field.isForCallback || field.isRequired);
  return {
    briefing,
    calendar: { today: briefing.today, monthFirst: /^en(?:-(?:us|ph))?$/i.test(language) },
    items: asked.length > 0 ? asked : all,
    callbackItems: all.filter(({ field }) => field.isForCallback),
    answers: new Map(),
    calls: new Map(),
    lexicon: lexiconFor(language),
    phase: "OPENING",
    at: 0,
    misses: 0,
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

/** The words of the next turn. */
export function toSpeech(dialogue: Dialogue): string {
  const { updates, lead, leadWasSaid, phase } = dialogue;
  const first = leadWasSaid ? "" : lead;
  // "Got it", then what is new; but what is new before "goodbye".
  const parts = phase === "ENDED" ? [...updates, first] : [first, ...updates, openQuestion(dialogue)];
  return parts.filter((part) => part !== "").join(" ");
}

/** The question that the next turn asks; empty when it asks none. */
export function openQuestion(dialogue: Dialogue): string {
  const open = dialogue.asks ? dialogue.items[dialogue.at] : undefined;
  return open ? askFor(open.field, dialogue.lexicon) : "";
}

/** Says something, then the open question, if there is one. */
export function sayAndAsk(dialogue: Dialogue, lead: string): void {
  const hasItems = dialogue.items.length > 0;
  if (hasItems) dialogue.phase = "ASKING";
  // With nothing to ask there is still something to be said: silence would be taken for a fault.
  dialogue.lead = lead === "" && !hasItems ? dialogue.lexicon.phrases.anythingElse : lead;
  dialogue.asks = hasItems;
}

/** Says something and waits, without the open question. */
export function pause(dialogue: Dialogue, lead: string): void {
  dialogue.lead = lead;
  dialogue.asks = false;
}

/** Says something and goes back to where the talk was before the person asked for something else. */
export function resume(dialogue: Dialogue, lead: string): void {
  const { phrases } = dialogue.lexicon;
  if (dialogue.phase === "ENDED") pause(dialogue, join(lead, phrases.chatGoodbye));
  else if (dialogue.items.length > 0) sayAndAsk(dialogue, lead);
  else {
    dialogue.phase = "CHATTING";
    pause(dialogue, join(lead, phrases.anythingElse));
  }
}

/** Says goodbye in the words of that end. */
export function finish(dialogue: Dialogue, end: EndKind, lead: string): void {
  dialogue.phase = "ENDED";
  dialogue.end = end;
  pause(dialogue, lead);
}

/** Keeps an answer and goes on. */
export function accept(dialogue: Dialogue, item: Item, value: unknown): void {
  record(dialogue, item, value);
  goOn(dialogue);
}

/** Keeps an answer. */
export function record(dialogue: Dialogue, item: Item, value: unknown): void {
  dialogue.answers.set(item, value);
  dialogue.lastAnswered = item;
}

/** The next question, or goodbye after the last. `lead` replaces the usual acknowledgement. */
export function goOn(dialogue: Dialogue, lead?: string): void {
  const { phrases } = dialogue.lexicon;
  passOn(dialogue);
  if (dialogue.at >= dialogue.items.length) return finish(dialogue, "COMPLETED", join(lead ?? "", phrases.goodbye));
  sayAndAsk(dialogue, lead ?? (phrases.acknowledgements[dialogue.at % phrases.acknowledgements.length] as string));
}

/** Makes the next question that has no answer yet the open one. */
function passOn(dialogue: Dialogue): void {
  const { items, answers } = dialogue;
  do dialogue.at++;
  while (dialogue.at < items.length && answers.has(items[dialogue.at] as Item));
  dialogue.misses = 0;
  dialogue.half = {};
}

/** The first question is the first one that the person has not answered already; goodbye when there is none. */
export function askFirst(dialogue: Dialogue, lead: string): void {
  const { items, answers } = dialogue;
  dialogue.at = items.findIndex((item) => !answers.has(item));
  if (dialogue.at >= 0) return sayAndAsk(dialogue, lead);
  dialogue.at = items.length;
  finish(dialogue, "COMPLETED", join(lead, dialogue.lexicon.phrases.goodbye));
}

/** Two parts of what is said. */
export function join(first: string, second: string): string {
  return first === "" ? second : `${first} ${second}`;
}
