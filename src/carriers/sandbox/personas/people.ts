import type { Person } from "#src/carriers/sandbox/person.ts";
import type { Question } from "#src/carriers/sandbox/question.ts";
import { type Persona, type Reaction, SILENCE, speak, speechMs } from "#src/carriers/sandbox/reaction.ts";

type React = (question: Question, turn: number, text: string) => Reaction;

/** A human being: says hello, is polite at the end, and otherwise does as `react` says. */
export function createHuman(person: Person, react: React, more: Partial<Persona> = {}): Persona {
  return {
    open: () => speak(person.phrases.hello, { delayMs: 400 }),
    hear(text, turn) {
      const question = person.understand(text);
      if (question.kind === "GOODBYE") return speak(person.phrases.goodbye, { thenHangsUp: true });
      return react(question, turn, text);
    },
    goOn: () => SILENCE,
    hearDigits: () => null,
    outcome: () => "ANSWERED",
    ...more,
  };
}

/** 00: agrees to everything. */
export function createAgreeing(person: Person): Persona {
  return createHuman(person, (question) => speak(person.agree(question)));
}

/** 01: wants nothing of it. */
export function createDeclining(person: Person): Persona {
  return createHuman(person, (question) => speak(person.decline(question)));
}

/** 02: asks something back in the first, third and fifth turn, even at the goodbye. */
export function createAskingBack(person: Person): Persona {
  const human = createAgreeing(person);
  const hear = (text: string, turn: number): Reaction => {
    const answer = human.hear(text, turn);
    const asked = turn % 2 === 1 ? person.phrases.asks[(turn - 1) / 2] : undefined;
    return asked === undefined ? answer : speak(asked);
  };
  return { ...human, hear };
}

/** 03: starts talking before the agent is done, in every second turn. */
export function createInterrupting(person: Person): Persona {
  return createHuman(person, (question, turn) => {
    if (turn % 2 === 0) return speak(person.agree(question));
    const text = question.kind === "STATEMENT" ? person.phrases.pardon : person.agree(question);
    return speak(text, { interruptsAfterFraction: 0.6 });
  });
}

const GAP_MS = 4_000;

/** 54: a slow talker, with gaps of four seconds after every third word. */
export function createSlow(person: Person): Persona {
  return createHuman(person, (question) => {
    const text = person.agree(question);
    const pieces = text.match(/\S+(?: \S+){0,2}/g) ?? [text];
    const durationMs = speechMs(text) + pieces.length * GAP_MS;
    return speak(text, { delayMs: 2_000, durationMs, spread: { pieces, pauseMs: GAP_MS, filledWith: "SILENCE" } });
  });
}

/** 80-89: holds the line for `holdMs` in the first turn, then agrees. */
export function createHolding(person: Person, holdMs: number): Persona {
  return createHuman(person, (question, turn) => {
    const answer = person.agree(question);
    if (turn > 1) return speak(answer);
    const pieces = [person.phrases.wait, `${person.phrases.back} ${answer}`];
    const text = pieces.join(" ");
    const pauseMs = Math.max(0, holdMs - speechMs(text));
    return speak(text, { durationMs: holdMs, spread: { pieces, pauseMs, filledWith: "MUSIC" } });
  });
}
