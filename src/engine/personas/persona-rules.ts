import { toError } from "#src/platform/kernel/errors.ts";
import { createListener } from "./listening.ts";
import { OWN_FACTS } from "./person.ts";
import type { Behaviour, Do, FileFault, Listened, When, Words, WrittenPersona } from "./persona-schema.ts";
import { listFillIns, listTexts } from "./words.ts";

const FACT_NAME = /^[a-z][A-Za-z0-9]{0,39}$/;
const ACTIONS = ["say", "phrase", "answer", "mistake", "hold", "digits", "ramble", "silence", "hangUp"] as const;
/** Actions that need a question before them. */
const ANSWERS: readonly string[] = ["answer", "mistake", "hold"];
const SPOKEN: readonly string[] = ["say", "phrase", "answer", "mistake"];
const MOMENTS = ["opening", "waiting", "goodbye", "always"] as const;
const HEARD_ONLY = ["heard", "asked", "about", "evenAtGoodbye"] as const;

/** Returns the broken rules of a persona whose shape is right. */
export function findRuleFaults(written: WrittenPersona): FileFault[] {
  const { facts = {}, phrases = {}, answers = [], behaviours = [], kind, key, drivenBy, goal, description } = written;
  const known = new Set<string>([...OWN_FACTS, ...Object.keys(facts)]);
  return [
    ...Object.entries(facts).flatMap(([name, value]) => findFactFaults(name, value)),
    ...Object.entries(phrases).flatMap(([name, words]) => findWordFaults(`phrases.${name}`, words as Words, known)),
    ...answers.flatMap(({ asked, say }, i) => [
      ...findListenedFaults(`answers[${i}].asked`, asked),
      ...findWordFaults(`answers[${i}].say`, say, known),
    ]),
    ...behaviours.flatMap((behaviour, i) => findBehaviourFaults(`behaviours[${i}]`, behaviour, known)),
    ...when(
      behaviours.length > 0 && isBareMachine(kind),
      "behaviours",
      `do not go with the kind ${kind}: nobody is there`,
    ),
    ...when(answers.length > 0 && isBareMachine(kind), "answers", `do not go with the kind ${kind}: nobody is there`),
    ...when(key !== undefined && kind !== "MENU", "key", "is for the kind MENU alone"),
    ...when(
      drivenBy === "MODEL" && !goal && !description,
      "goal",
      "is missing: it tells the model what this person wants",
    ),
  ];
}

function isBareMachine(kind: WrittenPersona["kind"]): boolean {
  return kind === "VOICEMAIL" || kind === "VOICEMAIL_FULL" || kind === "FAX";
}

function findFactFaults(name: string, value: unknown): FileFault[] {
  const path = `facts.${name}`;
  if (!FACT_NAME.test(name)) return [{ path, message: "must be named with letters and digits, like orderNumber" }];
  const isNumber = typeof value === "number";
  return when(name === "phone" && isNumber, path, "must be in quotes: as a number it would lose its +");
}

function findBehaviourFaults(path: string, behaviour: Behaviour, known: Set<string>): FileFault[] {
  const { say, hold } = behaviour.do;
  return [
    ...findWhenFaults(`${path}.when`, behaviour.when),
    ...findDoFaults(`${path}.do`, behaviour.do, behaviour.when),
    ...(say === undefined ? [] : findWordFaults(`${path}.do.say`, say, known)),
    ...(hold?.wait === undefined ? [] : findWordFaults(`${path}.do.hold.wait`, hold.wait, known)),
    ...(hold?.back === undefined ? [] : findWordFaults(`${path}.do.hold.back`, hold.back, known)),
  ];
}

function findWhenFaults(path: string, it: When): FileFault[] {
  const moments = MOMENTS.filter((name) => it[name]);
  const onHearing = HEARD_ONLY.find((name) => it[name] !== undefined);
  const isUnspoken = it.opening === true || it.waiting === true;
  return [
    ...when(moments.length > 1, path, `must have only one of ${moments.join(", ")}`),
    ...when(isUnspoken && onHearing !== undefined, path, `cannot have ${onHearing} where nothing is heard`),
    ...when(
      it.toTurn !== undefined && it.toTurn < (it.fromTurn ?? 1),
      `${path}.toTurn`,
      "must not be before the first turn",
    ),
    ...(it.heard === undefined ? [] : findListenedFaults(`${path}.heard`, it.heard)),
    ...(it.about === undefined ? [] : findListenedFaults(`${path}.about`, it.about)),
  ];
}

function findDoFaults(path: string, it: Do, { opening, waiting, always }: When): FileFault[] {
  const [action, other] = ACTIONS.filter((name) => it[name] !== undefined);
  if (action === undefined) return [{ path, message: `must have one of ${ACTIONS.join(", ")}` }];
  const isSpoken = SPOKEN.includes(action);
  return [
    ...when(other !== undefined, path, `must have one thing to do, not both ${action} and ${other}`),
    ...when(
      ANSWERS.includes(action) && (opening ?? waiting ?? always) === true,
      `${path}.${action}`,
      "needs something heard before it: it cannot be done when opening, waiting or always",
    ),
    ...when(
      it.interrupt !== undefined && !isSpoken && action !== "hangUp",
      `${path}.interrupt`,
      `does not go with ${action}`,
    ),
    ...when(it.thenHangUp === true && !isSpoken, `${path}.thenHangUp`, `does not go with ${action}`),
    ...when(it.optsOut === true && !isSpoken, `${path}.optsOut`, `does not go with ${action}`),
  ];
}

function findListenedFaults(path: string, listened: Listened): FileFault[] {
  try {
    createListener(listened);
    return [];
  } catch (error) {
    return [{ path: `${path}.matches`, message: `is not an RE2 pattern: ${toError(error).message}` }];
  }
}

function findWordFaults(path: string, words: Words, known: Set<string>): FileFault[] {
  const names = new Set(listTexts(words).flatMap(listFillIns));
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({ path, message: `uses {${name}}, which is not among the facts` }));
}

function when(isBroken: boolean, path: string, message: string): FileFault[] {
  return isBroken ? [{ path, message }] : [];
}
