import type { Person } from "#src/carriers/sandbox/person.ts";
import { type Persona, type Reaction, SILENCE, speak } from "#src/carriers/sandbox/reaction.ts";
import { createAgreeing } from "./people.ts";

/** 20: a voicemail that plays its greeting, records, and gives up after ten seconds of silence. */
export function createVoicemail(person: Person): Persona {
  return {
    open: () => speak(person.phrases.greeting),
    hear: () => SILENCE,
    goOn: () => ({ kind: "HANG_UP", delayMs: 10_000 }),
    hearDigits: () => null,
    outcome: () => "VOICEMAIL",
  };
}

/** 21: a voicemail that takes no message. */
export function createFullVoicemail(person: Person): Persona {
  return {
    open: () => speak(person.phrases.full, { thenHangsUp: true }),
    hear: () => ({ kind: "HANG_UP", delayMs: 500 }),
    goOn: () => ({ kind: "HANG_UP", delayMs: 500 }),
    hearDigits: () => null,
    outcome: () => "VOICEMAIL",
  };
}

/** 23: a fax, which says nothing a person could hear; the exchange ends the call. */
export function createFax(): Persona {
  const silent = (): Reaction => SILENCE;
  return { open: silent, hear: silent, goOn: silent, hearDigits: () => null, outcome: () => "FAX" };
}

/** An agent that presses nothing is put through after this many menus, as many systems do. */
const MENUS_WITHOUT_A_KEY = 3;

/** 22: a menu; key 1 reaches a person who agrees. */
export function createMenu(person: Person): Persona {
  const human = createAgreeing(person);
  let reached = false;
  let menus = 0;
  let lastTurn = 0;
  const putThrough = (): Reaction => {
    reached = true;
    return speak(person.phrases.hello, { delayMs: 2_000 });
  };
  const playMenu = (): Reaction =>
    ++menus > MENUS_WITHOUT_A_KEY ? putThrough() : speak(person.phrases.menu, { delayMs: 1_000 });
  return {
    open: playMenu,
    hear(text, turn) {
      if (reached) return human.hear(text, turn);
      person.understand(text);
      if (turn === lastTurn) menus--;
      lastTurn = turn;
      return playMenu();
    },
    goOn: () => (reached ? SILENCE : playMenu()),
    hearDigits(digits) {
      if (reached) return null;
      return digits.endsWith("1") ? putThrough() : speak(`${person.phrases.badKey} ${person.phrases.menu}`);
    },
    outcome: () => (reached ? "ANSWERED" : "IVR"),
  };
}

/** 24: a screener that asks who is calling, then a person who agrees. */
export function createScreener(person: Person): Persona {
  const human = createAgreeing(person);
  let stage: "ASKING" | "HOLDING" | "PERSON" = "ASKING";
  let statedInTurn = 0;
  return {
    open: () => speak(person.phrases.screener),
    hear(text, turn) {
      if (stage === "ASKING") statedInTurn = turn;
      person.understand(text);
      stage = turn === statedInTurn ? "HOLDING" : "PERSON";
      return stage === "HOLDING" ? speak(person.phrases.hold) : human.hear(text, turn);
    },
    goOn() {
      if (stage === "ASKING") return speak(person.phrases.screener, { delayMs: 3_000 });
      if (stage === "PERSON") return SILENCE;
      stage = "PERSON";
      return speak(person.phrases.hello, { delayMs: 2_000 });
    },
    hearDigits: () => null,
    outcome: () => (stage === "PERSON" ? "ANSWERED" : "CALL_SCREENED"),
  };
}
