import type { Person } from "./person.ts";
import { type Persona, type Reaction, SILENCE, speak } from "./reaction.ts";

/** A voicemail that plays its greeting, records, and gives up after ten seconds of silence. */
export function createVoicemail(person: Person): Persona {
  return {
    kind: "VOICEMAIL",
    notes: [],
    open: () => speak(person.phrase("greeting")),
    hear: () => SILENCE,
    goOn: () => ({ kind: "HANG_UP", delayMs: 10_000 }),
    hearDigits: () => null,
    outcome: () => "VOICEMAIL",
  };
}

/** A voicemail that takes no message. */
export function createFullVoicemail(person: Person): Persona {
  return {
    kind: "VOICEMAIL_FULL",
    notes: [],
    open: () => speak(person.phrase("full"), { thenHangsUp: true }),
    hear: () => ({ kind: "HANG_UP", delayMs: 500 }),
    goOn: () => ({ kind: "HANG_UP", delayMs: 500 }),
    hearDigits: () => null,
    outcome: () => "VOICEMAIL",
  };
}

/** A fax, which says nothing that a person could hear; the session ends the call. */
export function createFax(): Persona {
  const silent = (): Reaction => SILENCE;
  return {
    kind: "FAX",
    notes: [],
    open: silent,
    hear: silent,
    goOn: silent,
    hearDigits: () => null,
    outcome: () => "FAX",
  };
}

/** Menus after which an agent that presses nothing is put through, as in many systems. */
const MENUS_WITHOUT_A_KEY = 3;

/** A menu; one key leads to the person behind it. */
export function createMenu(person: Person, human: Persona, key: string): Persona {
  let reached = false;
  let menus = 0;
  let lastTurn = 0;
  const putThrough = (): Reaction => {
    reached = true;
    return speak(person.phrase("hello"), { delayMs: 2_000 });
  };
  const playMenu = (): Reaction =>
    ++menus > MENUS_WITHOUT_A_KEY ? putThrough() : speak(person.phrase("menu"), { delayMs: 1_000 });
  return {
    kind: "MENU",
    get notes() {
      return human.notes;
    },
    open: playMenu,
    hear(text, turn) {
      if (reached) return human.hear(text, turn);
      person.understand(text);
      if (turn === lastTurn) menus--;
      lastTurn = turn;
      return playMenu();
    },
    goOn: () => (reached ? human.goOn() : playMenu()),
    hearDigits(digits) {
      if (reached) return null;
      return digits.endsWith(key) ? putThrough() : speak(`${person.phrase("badKey")} ${person.phrase("menu")}`);
    },
    outcome: () => (reached ? "ANSWERED" : "IVR"),
  };
}

/** A screener that asks for the caller's name, and then the person behind it. */
export function createScreener(person: Person, human: Persona): Persona {
  let stage: "ASKING" | "HOLDING" | "PERSON" = "ASKING";
  let statedInTurn = 0;
  return {
    kind: "SCREENER",
    get notes() {
      return human.notes;
    },
    open: () => speak(person.phrase("screener")),
    hear(text, turn) {
      if (stage === "ASKING") statedInTurn = turn;
      person.understand(text);
      stage = turn === statedInTurn ? "HOLDING" : "PERSON";
      return stage === "HOLDING" ? speak(person.phrase("hold")) : human.hear(text, turn);
    },
    goOn() {
      if (stage === "ASKING") return speak(person.phrase("screener"), { delayMs: 3_000 });
      if (stage === "PERSON") return human.goOn();
      stage = "PERSON";
      return speak(person.phrase("hello"), { delayMs: 2_000 });
    },
    hearDigits: () => null,
    outcome: () => (stage === "PERSON" ? "ANSWERED" : "CALL_SCREENED"),
  };
}
