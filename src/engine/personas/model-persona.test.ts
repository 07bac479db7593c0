import { afterEach, describe, expect, test, vi } from "vitest";
import type { LanguageModel, ModelMessage } from "#src/engine/models/models.ts";
import { createPersona } from "./create-persona.ts";
import { readModelAnswer } from "./model-answer.ts";
import { readPersona } from "./persona-file.ts";
import type { Persona, Reaction, SettledReaction } from "./reaction.ts";

const NEVER = new AbortController().signal;
const QUESTION = "Hello, do you have a minute?";

afterEach(() => {
  vi.useRealTimers();
});

/** A model that says one text after the other; an error is thrown, null stays unanswered. */
function modelOf(...answers: (string | Error | null)[]): LanguageModel & { seen: ModelMessage[][] } {
  const seen: ModelMessage[][] = [];
  return {
    name: "given",
    seen,
    async *respond({ messages }) {
      seen.push(structuredClone(messages));
      const answer = answers[seen.length - 1] ?? null;
      if (answer === null) await new Promise(() => undefined);
      if (answer instanceof Error) throw answer;
      for (const word of String(answer).split(/(?<= )/)) yield { kind: "TEXT", text: word };
      yield { kind: "USAGE", inputTokens: 1, outputTokens: 1 };
    },
    extract: async () => ({ value: {}, inputTokens: 0, outputTokens: 0 }),
  };
}

function personaOf(model: LanguageModel | undefined, more: object = {}): Persona {
  const written = { name: "A baker", goal: "Wants to cancel the order.", drivenBy: "MODEL", ...more };
  return createPersona(readPersona(written, "baker"), 4, model ? { model } : {});
}

function settle(reaction: Reaction, signal = NEVER): SettledReaction | Promise<SettledReaction> {
  return reaction.kind === "THINKING" ? reaction.settle(signal) : reaction;
}

describe("a model that speaks for a person", () => {
  test("is told who they are, what they want and know, and what was said", async () => {
    const model = modelOf("Who is calling?", "Then cancel it.");
    const more = { facts: { order: "A-17" }, answers: [{ asked: "price", say: "Too much." }], attitude: "DECLINES" };
    const persona = personaOf(model, { language: "sv", ...more });
    await settle(persona.hear(QUESTION, 1));
    await settle(persona.hear("This is Acme.", 2));
    const [system, ...dialogue] = model.seen[1] ?? [];
    for (const reported of [
      "A baker",
      "Wants to cancel the order.",
      "- order: A-17",
      "Too much.",
      "Swedish",
      "[HANG_UP]",
    ])
      expect(system?.content).toContain(reported);
    expect(dialogue).toEqual([
      { role: "USER", content: QUESTION },
      { role: "ASSISTANT", content: "Who is calling?" },
      { role: "USER", content: "This is Acme." },
    ]);
  });

  test("speaks, hangs up, opts out and is silent by its markers", async () => {
    const persona = personaOf(modelOf("Please stop. [OPT_OUT]", "[SILENCE]", "Goodbye. [HANG_UP]", "[hang up]"));
    expect(await settle(persona.hear("One", 1))).toEqual({ kind: "SPEAK", text: "Please stop.", delayMs: 600 });
    expect(persona.notes).toMatchObject([{ code: "OPTED_OUT", turn: 1 }]);
    expect(await settle(persona.hear("Two", 2))).toEqual({ kind: "SILENCE" });
    expect(await settle(persona.hear("Three", 3))).toMatchObject({ text: "Goodbye.", thenHangsUp: true });
    expect(await settle(persona.hear("Four", 4))).toMatchObject({ kind: "HANG_UP" });
  });

  test("is not asked before somebody waits for it, nor for what the next words make useless", async () => {
    const model = modelOf("Yes.", "No.");
    const persona = personaOf(model);
    persona.hear("Hello.", 1);
    const reaction = persona.hear("Hello. Are you the baker?", 1);
    expect(model.seen).toEqual([]);
    await settle(reaction);
    await settle(persona.hear("Really?", 2));
    const first = { role: "USER", content: "Hello. Are you the baker?" };
    expect(model.seen.map((messages) => messages.slice(1))).toEqual([
      [first],
      [first, { role: "ASSISTANT", content: "Yes." }, { role: "USER", content: "Really?" }],
    ]);
  });

  test("leaves what the file says word for word as it is written, and learns of it", async () => {
    const model = modelOf("Fine.");
    const persona = personaOf(model, {
      behaviours: [{ when: { turns: [1] }, do: { say: "Speak up!", interrupt: 0.5 } }],
    });
    expect(persona.hear(QUESTION, 1)).toMatchObject({ text: "Speak up!", interruptsAfterFraction: 0.5 });
    await settle(persona.hear("HELLO.", 2));
    expect(model.seen[0]?.[2]).toEqual({ role: "ASSISTANT", content: "Speak up!" });
  });

  test("also speaks for the person behind a menu", async () => {
    const menu = personaOf(modelOf("The baker."), { kind: "MENU" });
    expect(menu.hear(QUESTION, 1)).toMatchObject({ kind: "SPEAK" });
    menu.hearDigits("1");
    expect(await settle(menu.hear("Who is there?", 2))).toMatchObject({ text: "The baker." });
  });
});

describe("a model that fails", () => {
  test("gives way to the script for the rest of the call, and a note tells why", async () => {
    const model = modelOf("Hello.", new Error("503"), "Never said.");
    const persona = personaOf(model);
    await settle(persona.hear("Hello.", 1));
    expect(await settle(persona.hear(QUESTION, 2))).toMatchObject({ text: "Yes, that works for me." });
    expect(await settle(persona.hear("What is your name?", 3))).toMatchObject({ text: "My name is Claire Moreau." });
    expect(model.seen).toHaveLength(2);
    expect(persona.notes).toMatchObject([{ code: "MODEL_FAILED", turn: 2, message: expect.stringContaining("503") }]);
  });

  test("by never answering is given up after half a minute, though it ignores its signal", async () => {
    vi.useFakeTimers();
    const persona = personaOf(modelOf(null));
    const answer = settle(persona.hear(QUESTION, 1));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await answer).toMatchObject({ text: "Yes, that works for me." });
    expect(persona.notes).toMatchObject([{ code: "MODEL_FAILED" }]);
  });

  test("is no failure when nobody waits any more", async () => {
    const persona = personaOf(modelOf(null));
    const hangUp = new AbortController();
    const answer = settle(persona.hear(QUESTION, 1), hangUp.signal);
    hangUp.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
    expect(persona.notes).toEqual([]);
  });

  test("or is not there at all leaves the script, and a note", () => {
    const persona = personaOf(undefined);
    expect(persona.hear(QUESTION, 1)).toMatchObject({ text: "Yes, that works for me." });
    expect(persona.notes).toMatchObject([{ code: "MODEL_MISSING", turn: 0 }]);
  });

  test("to come to an end says goodbye after sixty turns", async () => {
    const persona = personaOf(modelOf(...Array.from({ length: 80 }, () => "And then?")));
    const said: SettledReaction[] = [];
    for (let turn = 1; turn <= 61; turn++) said.push(await settle(persona.hear("Well.", turn)));
    expect(said[59]).toMatchObject({ text: "And then?" });
    expect(said[60]).toMatchObject({ text: "Thank you, goodbye.", thenHangsUp: true });
    expect(persona.notes).toMatchObject([{ code: "TURN_LIMIT", turn: 61 }]);
  });
});

test.each([
  ['"Yes, please."', "Yes, please."],
  ["[sighs] Well,\n\nyes.\u0000", "Well, yes."],
  ["No\ud800!", "No\ufffd!"],
  ["", ""],
])("of what a model writes, %j, only what can be said is said", (written, said) => {
  expect(readModelAnswer(written)).toEqual({ text: said, hangsUp: false, optsOut: false });
});
