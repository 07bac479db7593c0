import type { OutputDefinition } from "#src/models/models.ts";
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

/**
 * Where a conversation stands. It is a fold over what the person said: the same messages give the same state.
 *
 * OPENING  until the person has reacted to the first message (or while a screener asks who calls)
 * ASKING   one question after the other
 * CHATTING nothing to ask: one answer, then goodbye
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
  lexicon: Lexicon;
  phase: "OPENING" | "ASKING" | "CHATTING" | "ENDED";
  /** The question that is open, as an index of `items`. */
  at: number;
  /** How often the open question was answered with something that does not fit. */
  misses: number;
  lastAnswered: Item | undefined;
  end: EndKind | undefined;
  /** The next turn: what is said first, and whether the open question follows. */
  lead: string;
  asks: boolean;
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
    lexicon: lexiconFor(language),
    phase: "OPENING",
    at: 0,
    misses: 0,
    lastAnswered: undefined,
    end: undefined,
    lead: "",
    asks: false,
    heard: "",
  };
}

/** The words of the next turn. */
export function toSpeech(dialogue: Dialogue): string {
  const open = dialogue.asks ? dialogue.items[dialogue.at] : undefined;
  const question = open ? askFor(open.field, dialogue.lexicon) : "";
  return [dialogue.lead, question].filter((part) => part !== "").join(" ");
}

/** Says something, then the open question, if there is one. */
export function sayAndAsk(dialogue: Dialogue, lead: string): void {
  if (dialogue.items.length > 0) dialogue.phase = "ASKING";
  dialogue.lead = lead;
  dialogue.asks = dialogue.items.length > 0;
}

/** Says goodbye in the words of that end. */
export function finish(dialogue: Dialogue, end: EndKind, lead: string): void {
  dialogue.phase = "ENDED";
  dialogue.end = end;
  dialogue.lead = lead;
  dialogue.asks = false;
}

/** Keeps an answer and goes on. */
export function accept(dialogue: Dialogue, item: Item, value: unknown): void {
  dialogue.answers.set(item, value);
  dialogue.lastAnswered = item;
  goOn(dialogue);
}

/** The next question, or goodbye after the last. `lead` replaces the usual acknowledgement. */
export function goOn(dialogue: Dialogue, lead?: string): void {
  const { phrases } = dialogue.lexicon;
  dialogue.at++;
  dialogue.misses = 0;
  if (dialogue.at >= dialogue.items.length) return finish(dialogue, "COMPLETED", phrases.goodbye);
  sayAndAsk(dialogue, lead ?? (phrases.acknowledgements[dialogue.at % phrases.acknowledgements.length] as string));
}
