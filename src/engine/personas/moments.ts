import { createListener } from "./listening.ts";
import type { When } from "./persona-schema.ts";
import type { Question } from "./question.ts";

/** A moment at which a persona may act. */
export type Moment =
  | { kind: "OPENING"; turn: 0 }
  /** The agent waits, and there is nothing left to answer. */
  | { kind: "WAITING"; turn: number }
  /** The agent has said this; `asked` is its question, or the whole text when it asks nothing. */
  | { kind: "HEARD"; turn: number; text: string; asked: string; question: Question };

/** A moment at which the agent has spoken. */
export type Heard = Extract<Moment, { kind: "HEARD" }>;

/** True when a moment matches `when`; `chance` is a number from 0 to 1 for that moment. */
export type Condition = (moment: Moment, chance: number) => boolean;

/** Compiles a `when` once, for all moments of a call. */
export function createCondition(when: When): Condition {
  const { fromTurn, toTurn = Infinity, everyTurn = 1, turns, chance: least = 1 } = when;
  const kinds = when.asked === undefined ? undefined : [when.asked].flat();
  const hears = when.heard === undefined ? undefined : createListener(when.heard);
  const isAbout = when.about === undefined ? undefined : createListener(when.about);
  const isInTurn = (turn: number): boolean =>
    turn >= (fromTurn ?? 0) &&
    turn <= toTurn &&
    (turn - (fromTurn ?? 1)) % everyTurn === 0 &&
    (turns?.includes(turn) ?? true);
  return (moment, chance) => {
    if (least < 1 && chance >= least) return false;
    if (moment.kind === "OPENING") return when.opening === true || when.always === true;
    if (!isInTurn(moment.turn)) return false;
    if (moment.kind === "WAITING") return when.waiting === true || when.always === true;
    return (
      isSpokenTo(when, moment.question) &&
      (kinds?.includes(moment.question.kind) ?? true) &&
      (hears?.(moment.text) ?? true) &&
      (isAbout?.(moment.asked) ?? true)
    );
  };
}

/** True when a moment with words matches `when`. A goodbye gets a polite answer unless the behaviour asks for it. */
function isSpokenTo(when: When, question: Question): boolean {
  if (when.opening || when.waiting) return false;
  if (when.always || when.evenAtGoodbye) return true;
  const isGoodbye = question.kind === "GOODBYE";
  return when.goodbye ? isGoodbye : !isGoodbye || [when.asked].flat().includes("GOODBYE");
}

/** Returns a number in [0, 1) that depends only on the seed, the behaviour and the turn. */
export function chanceOf(seed: number, behaviour: number, turn: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(behaviour + 1, 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 15)) + Math.imul(turn + 1, 0x27d4eb2f), 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
