import type { Person } from "#src/carriers/sandbox/person.ts";
import type { Question } from "#src/carriers/sandbox/question.ts";
import { type Persona, SILENCE, speak } from "#src/carriers/sandbox/reaction.ts";
import { createAgreeing, createHuman } from "./people.ts";

/** 04: picks up and says nothing. */
export function createSilent(person: Person): Persona {
  return createHuman(person, () => SILENCE, { open: () => SILENCE, hear: () => SILENCE });
}

const TRANSFER = /transfer|connect|put you through|colleague|verbinde|kolleg|collègue|compañer|koppla/i;

/** 06: asks for a human twice; without a transfer, makes do with the agent. */
export function createWantingHuman(person: Person): Persona {
  return createHuman(person, (question, turn, text) => {
    if (turn > 1 && TRANSFER.test(text)) return speak(person.phrases.okay);
    return speak(turn <= 2 ? person.phrases.human : person.agree(question));
  });
}

/** 07: not the person the agent wants; hangs up when asked again. */
export function createWrongPerson(person: Person): Persona {
  return createHuman(person, (_question, turn) =>
    turn === 1 ? speak(person.phrases.wrongPerson) : speak(person.phrases.stillWrong, { thenHangsUp: true }),
  );
}

/** 08: has no time now and says when to call. */
export function createCallingLater(person: Person): Persona {
  return createHuman(person, () => speak(person.phrases.later));
}

/** 09: gives one wrong answer when asked for data, and corrects it in the next turn. */
export function createMistaken(person: Person): Persona {
  let mistaken: { question: Question; turn: number } | undefined;
  return createHuman(person, (question, turn) => {
    const mistake = person.mistake(question);
    if (mistake !== null && (mistaken === undefined || mistaken.turn === turn)) {
      mistaken = { question, turn };
      return speak(mistake);
    }
    if (mistaken === undefined || turn !== mistaken.turn + 1) return speak(person.agree(question));
    const correction = `${person.phrases.correction} ${person.agree(mistaken.question)}`;
    const isAskedAgain = question.kind === mistaken.question.kind || question.kind === "STATEMENT";
    return speak(isAskedAgain ? correction : `${correction} ${person.agree(question)}`);
  });
}

/** 50: hangs up one second after picking up. */
export function createHangingUpAtOnce(person: Person): Persona {
  const hangUp = { kind: "HANG_UP", delayMs: 1_000 } as const;
  return createHuman(person, () => hangUp, { open: () => hangUp, hear: () => ({ ...hangUp, delayMs: 200 }) });
}

/** 51: hangs up in the middle of the agent's third turn, whatever that is. */
export function createHangingUpMidSentence(person: Person): Persona {
  const human = createAgreeing(person);
  const hangUp = { kind: "HANG_UP", delayMs: 0, interruptsAfterFraction: 0.5 } as const;
  return { ...human, hear: (text, turn) => (turn < 3 ? human.hear(text, turn) : hangUp) };
}

const FIRST_MONOLOGUE_MS = 60_000;
const LONGEST_TEXT_CHARACTERS = 1_500;

/** 55: never stops talking; every monologue is twice as long as the one before, so any limit is reached. */
export function createNeverStopping(person: Person): Persona {
  let monologues = 0;
  let lastTurn = 0;
  const monologue = () => {
    const durationMs = FIRST_MONOLOGUE_MS * 2 ** Math.min(monologues++, 10);
    const sentence = `${person.phrases.rambling} `;
    const count = Math.floor(Math.min(LONGEST_TEXT_CHARACTERS, (durationMs / 1000) * 15) / sentence.length);
    return speak(sentence.repeat(Math.max(1, count)).trim(), { delayMs: 0, durationMs, interruptsAfterFraction: 0.7 });
  };
  const hear = (text: string, turn: number) => {
    person.understand(text);
    if (turn === lastTurn) monologues--;
    lastTurn = turn;
    return monologue();
  };
  return createHuman(person, monologue, { open: monologue, hear, goOn: monologue });
}
