import type { Behaviour } from "./behaviour.ts";
import { Person } from "./person.ts";
import {
  createCallingLater,
  createHangingUpAtOnce,
  createHangingUpMidSentence,
  createMistaken,
  createNeverStopping,
  createSilent,
  createWantingHuman,
  createWrongPerson,
} from "./personas/difficult-people.ts";
import { createFax, createFullVoicemail, createMenu, createScreener, createVoicemail } from "./personas/machines.ts";
import {
  createAgreeing,
  createAskingBack,
  createDeclining,
  createHolding,
  createInterrupting,
  createSlow,
} from "./personas/people.ts";
import type { Persona } from "./reaction.ts";

/** Whoever answers a call that behaves like this; the seed chooses the person behind it. */
export function createPersona(behaviour: Behaviour & { kind: "ANSWERS" }, seed: number): Persona {
  const person = new Person(seed);
  switch (behaviour.persona) {
    case "AGREES":
      return createAgreeing(person);
    case "DECLINES":
      return createDeclining(person);
    case "ASKS_BACK":
      return createAskingBack(person);
    case "INTERRUPTS":
      return createInterrupting(person);
    case "SILENT":
      return createSilent(person);
    case "FOREIGN":
      return createAgreeing(new Person(seed, behaviour.to.startsWith("+44") ? "sv" : "es"));
    case "WANTS_HUMAN":
      return createWantingHuman(person);
    case "WRONG_PERSON":
      return createWrongPerson(person);
    case "CALL_LATER":
      return createCallingLater(person);
    case "BAD_DATA":
      return createMistaken(person);
    case "VOICEMAIL":
      return createVoicemail(person);
    case "VOICEMAIL_FULL":
      return createFullVoicemail(person);
    case "IVR":
      return createMenu(person);
    case "FAX":
      return createFax();
    case "SCREENER":
      return createScreener(person);
    case "HANGS_UP_AT_ONCE":
      return createHangingUpAtOnce(person);
    case "HANGS_UP_MID_SENTENCE":
      return createHangingUpMidSentence(person);
    case "SLOW":
      return createSlow(person);
    case "NEVER_STOPS":
      return createNeverStopping(person);
    case "HOLDS":
      return createHolding(person, behaviour.holdMs ?? 0);
  }
}
