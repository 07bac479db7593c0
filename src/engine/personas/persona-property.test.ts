import fc from "fast-check";
import { expect, test } from "vitest";
import { createPersona } from "./create-persona.ts";
import { LANGUAGES } from "./language.ts";
import { PersonaFault, parsePersonaFile, readPersona } from "./persona-file.ts";
import { PHRASES } from "./phrases.ts";
import { QUESTION_KINDS } from "./question.ts";
import { PERSONA_KINDS, type Reaction } from "./reaction.ts";

const PHRASE_NAMES = Object.keys(PHRASES.en);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const flag = maybe(fc.constant(true));
const turn = fc.integer({ min: 1, max: 1_000 });
const text = fc.oneof(
  fc.constantFrom("Yes.", "It is {name}.", "{email} or {phone}", "a|b (c) $1 {0}", "¿Qué?"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
);
const texts = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 }));
const words = fc.oneof(texts, fc.dictionary(fc.constantFrom(...LANGUAGES), texts, { minKeys: 1 }));
const listened = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
  fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
  fc.record({ matches: fc.constantFrom("(?i)yes", "a*b", "^$", "(a|b)+c") }),
);
const when = fc.record(
  {
    turns: maybe(fc.array(turn, { minLength: 1, maxLength: 5 })),
    fromTurn: maybe(turn),
    everyTurn: maybe(turn),
    heard: maybe(listened),
    asked: maybe(fc.constantFrom(...QUESTION_KINDS)),
    about: maybe(listened),
    chance: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
    once: flag,
    opening: flag,
    waiting: flag,
    goodbye: flag,
    evenAtGoodbye: flag,
    always: flag,
  },
  { requiredKeys: [] },
);
const action = fc.oneof(
  fc.record({ say: words, interrupt: maybe(fc.double({ min: 0, max: 1, noNaN: true })), thenHangUp: flag }),
  fc.record({ phrase: fc.constantFrom(...PHRASE_NAMES), optsOut: flag }),
  fc.record({ answer: fc.constantFrom("AGREES", "DECLINES"), thinkMs: maybe(fc.integer({ min: 0, max: 60_000 })) }),
  fc.constantFrom({ mistake: true }, { ramble: true }, { silence: true }, { hangUp: true }, { digits: "12#" }),
  fc.record({ hold: fc.record({ ms: fc.integer({ min: 1, max: 600_000 }), wait: words, back: words }) }),
);
const persona = fc.record({
  name: fc.string({ minLength: 1, maxLength: 100 }),
  kind: maybe(fc.constantFrom(...PERSONA_KINDS)),
  language: maybe(fc.constantFrom(...LANGUAGES)),
  attitude: maybe(fc.constantFrom("AGREES", "DECLINES")),
  facts: fc.dictionary(fc.constantFrom("name", "email", "number", "choice", "order"), fc.string({ minLength: 1 })),
  phrases: fc.dictionary(fc.constantFrom(...PHRASE_NAMES), words, { maxKeys: 3 }),
  answers: fc.array(fc.record({ asked: listened, say: words, once: flag }), { maxLength: 3 }),
  behaviours: fc.array(fc.record({ when, do: action }), { maxLength: 5 }),
  pace: maybe(fc.record({ gapMs: fc.integer({ min: 0, max: 60_000 }), gapWords: fc.integer({ min: 1, max: 100 }) })),
});
const heard = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("Hello.", "What is your name?", "Tea or coffee?", "From 1 to 5?", "Goodbye."),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ heard, isNew: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant("WAIT" as const) },
  { weight: 1, arbitrary: fc.constantFrom("1", "#", "99") },
);

/** True when a line could carry out the reaction. */
function isSound(reaction: Reaction): boolean {
  if (reaction.kind === "SILENCE") return true;
  if (reaction.kind === "THINKING") return false;
  const cut = "interruptsAfterFraction" in reaction ? (reaction.interruptsAfterFraction ?? 0) : 0;
  if (!(reaction.delayMs >= 0 && reaction.delayMs <= 60_000 && cut >= 0 && cut <= 1)) return false;
  if (reaction.kind !== "SPEAK") return true;
  const { durationMs = 0, spread } = reaction;
  return (
    reaction.text.isWellFormed() &&
    reaction.text.length < 10_000 &&
    Number.isFinite(durationMs) &&
    (spread === undefined || (spread.pieces.length > 0 && spread.pauseMs >= 0))
  );
}

test("whoever a valid file describes reacts soundly to whatever is heard, for two hundred turns", () => {
  let valid = 0;
  const property = fc.property(
    persona,
    fc.nat(),
    fc.array(step, { minLength: 200, maxLength: 200 }),
    (file, seed, steps) => {
      const written: unknown = JSON.parse(JSON.stringify(file));
      const read = readOrRefuse(written);
      fc.pre(read !== null);
      valid++;
      const someone = createPersona(read, seed);
      const reactions: (Reaction | null)[] = [someone.open()];
      let turn = 0;
      for (const it of steps) {
        if (it === "WAIT") reactions.push(someone.goOn());
        else if (typeof it === "string") reactions.push(someone.hearDigits(it));
        else {
          if (it.isNew || turn === 0) turn++;
          reactions.push(someone.hear(it.heard, turn));
        }
      }
      expect(reactions.filter((reaction) => reaction !== null && !isSound(reaction))).toEqual([]);
    },
  );
  fc.assert(property, { numRuns: 60, maxSkipsPerRun: 300 });
  expect(valid).toBeGreaterThanOrEqual(60);
});

function readOrRefuse(written: unknown) {
  try {
    return readPersona(written, "it");
  } catch (error) {
    if (error instanceof PersonaFault) return null;
    throw error;
  }
}

/** Returns the result of reading, in words. */
function notify(read: () => { name: string }): string {
  try {
    return `it is ${read().name}`;
  } catch (error) {
    return error instanceof PersonaFault ? error.message : `another error: ${String(error)}`;
  }
}

test("any value, and any text, is a persona or a fault in words", () => {
  const anything = fc.anything({ maxDepth: 4 });
  const property = fc.property(anything, fc.string({ unit: "binary" }), (value, yaml) => {
    expect(notify(() => readPersona(value, "it"))).toMatch(/^it/);
    expect(notify(() => parsePersonaFile(yaml, "it.yaml"))).toMatch(/^it/);
  });
  fc.assert(property, { numRuns: 300 });
});
