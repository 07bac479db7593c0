import { describe, expect, test } from "vitest";
import { createPersona } from "./create-persona.ts";
import { Person } from "./person.ts";
import { parsePersonaFile } from "./persona-file.ts";
import type { Persona, Reaction } from "./reaction.ts";

const QUESTION = "Hello, do you have a minute?";

function personaOf(lines: string, seed = 4): Persona {
  return createPersona(parsePersonaFile(`name: Ada\n${lines}`, "ada.yaml"), seed);
}

function textOf(reaction: Reaction | null): string {
  return reaction?.kind === "SPEAK" ? reaction.text : (reaction?.kind ?? "NOTHING");
}

/** Returns the replies of a persona to the same words, turn by turn. */
function hearAll(persona: Persona, ...texts: string[]): string[] {
  return texts.map((text, i) => textOf(persona.hear(text, i + 1)));
}

describe("facts", () => {
  const knows = "facts: { name: Zoë Ng, number: 4, date: 2026-12-24, choice: milk, open: My tap drips., order: A-17 }";

  test("that are long and hostile are told wrongly at once", () => {
    const facts = { email: `${"@".repeat(1_997)}.\n@` };
    const person = new Person({ facts, phrases: {} as never, language: "en" }, 1);
    const told = Array.from({ length: 5 }, () => person.mistake({ kind: "EMAIL" }));
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toContain(" at @@");
  });

  test("are the answers to questions of their type, in the language spoken", () => {
    expect(
      hearAll(
        personaOf(knows),
        "What is your name?",
        "How many people will come?",
        "On which date?",
        "Would you like tea, coffee or milk?",
        "What can we do for you?",
        "What is your e-mail?",
      ),
    ).toEqual([
      "My name is Zoë Ng.",
      "4.",
      "On 2026-12-24, please.",
      "milk, please.",
      "My tap drips.",
      "My e-mail is zoe.ng@example.com.",
    ]);
    expect(hearAll(personaOf(knows), "Wie heißen Sie?")).toEqual(["Mein Name ist Zoë Ng."]);
  });

  test.each([
    ["What is your postal code?", "My postal code is 12345."],
    ["¿Cuál es su código postal?", "Mi código postal es el 28013."],
    ["Wie lautet Ihre Postleitzahl?", "Meine Postleitzahl ist 10115."],
    ["Quel est votre code postal ?", "Mon code postal est le 75011."],
    ["Vilket postnummer har du?", "Mitt postnummer är 114 55."],
  ])("have a postal code of the language: %s", (question, answer) => {
    expect(hearAll(personaOf(""), question)).toEqual([answer]);
    expect(hearAll(personaOf("facts: { postalCode: '99999' }"), question)).toEqual([
      answer.replace(/\d[\d ]*\d/, "99999"),
    ]);
  });

  test("fill what is said word for word", () => {
    const persona = personaOf(`${knows}\nanswers: [{ asked: [order, purchase], say: "It is {order}, for {name}." }]`);
    expect(hearAll(persona, "What is your order number?", "Thank you. What is your name?")).toEqual([
      "It is A-17, for Zoë Ng.",
      "My name is Zoë Ng.",
    ]);
  });
});

describe("answers", () => {
  test("come before facts, whole words in any case, the first that fits, once where it says so", () => {
    const persona = personaOf(`answers:
  - { asked: NAME, say: Who wants to know?, once: true }
  - { asked: { matches: "(?i)e-?mail" }, say: I have none. }`);
    expect(
      hearAll(persona, "What is your name?", "What is your name?", "Your email, please?", "Is that a username?"),
    ).toEqual(["Who wants to know?", "My name is Claire Moreau.", "I have none.", "Yes, that works for me."]);
  });

  test("heed what is asked, not what was said before it", () => {
    const persona = personaOf("answers: [{ asked: order, say: A-17. }]");
    expect(hearAll(persona, "Thank you for your order. Do you have a minute?")).toEqual(["Yes, that works for me."]);
  });
});

describe("behaviours", () => {
  test("come in the turns they name, the first that fits, and leave the goodbye polite", () => {
    const persona = personaOf(`behaviours:
  - { when: { turns: [2] }, do: { say: Two. } }
  - { when: { fromTurn: 2, toTurn: 4, everyTurn: 2 }, do: { say: Even. } }
  - { when: { fromTurn: 5 }, do: { say: Late. } }`);
    expect(hearAll(persona, QUESTION, QUESTION, QUESTION, QUESTION, QUESTION, "Goodbye.")).toEqual([
      "Yes, that works for me.",
      "Two.",
      "Yes, that works for me.",
      "Even.",
      "Late.",
      "Thank you, goodbye.",
    ]);
  });

  test("come in every third turn from the first", () => {
    const persona = personaOf("behaviours: [{ when: { everyTurn: 3 }, do: { say: Hm. } }]");
    const turns = hearAll(persona, ...Array<string>(7).fill(QUESTION)).flatMap((said, i) =>
      said === "Hm." ? [i + 1] : [],
    );
    expect(turns).toEqual([1, 4, 7]);
  });

  test("refuse one kind of question, and agree to the rest", () => {
    const persona = personaOf("behaviours: [{ when: { asked: [EMAIL, PHONE] }, do: { answer: DECLINES } }]");
    expect(hearAll(persona, "What is your e-mail?", "What is your phone number?", QUESTION)).toEqual([
      "I would rather not say.",
      "I would rather not say.",
      "Yes, that works for me.",
    ]);
  });

  test("heed words: whole ones anywhere in the turn, or those of the question", () => {
    const persona = personaOf(`behaviours:
  - { when: { heard: [recorded, "tape it"] }, do: { say: I do not want that., thenHangUp: true } }
  - { when: { about: price }, do: { say: Too much. } }`);
    expect(hearAll(persona, "Our price is low. Are you in?", "Is the price right?")).toEqual([
      "Yes, that works for me.",
      "Too much.",
    ]);
    expect(persona.hear("We tape it. Is that all right?", 3)).toMatchObject({ thenHangsUp: true });
    expect(textOf(persona.hear("I have prerecorded nothing.", 4))).toBe("Okay.");
  });

  test("once is once, and is taken back while the agent goes on in the same turn", () => {
    const persona = personaOf("behaviours: [{ when: { asked: NAME, once: true }, do: { say: Guess. } }]");
    expect(textOf(persona.hear("What is your name?", 1))).toBe("Guess.");
    expect(textOf(persona.hear("What is your name? Are you well?", 1))).toMatch(/^Yes/);
    expect(textOf(persona.hear("So what is your name?", 2))).toBe("Guess.");
    expect(textOf(persona.hear("What is your name?", 3))).toMatch(/^My name is/);
  });

  test("by chance are the same for a seed, and differ between seeds", () => {
    const lines = "behaviours: [{ when: { chance: 0.5 }, do: { say: Hm. } }]";
    const playOf = (seed: number) => hearAll(personaOf(lines, seed), ...Array<string>(12).fill(QUESTION)).join(" ");
    const plays = [1, 2, 3, 4, 5, 6].map(playOf);
    expect(plays).toEqual([1, 2, 3, 4, 5, 6].map(playOf));
    expect(new Set(plays).size).toBeGreaterThan(3);
    expect(plays.join(" ").split("Hm.").length - 1).toBeGreaterThan(20);
    expect(plays.join(" ").split("Hm.").length - 1).toBeLessThan(52);
  });

  test("are also for picking up, for a wait and for the goodbye", () => {
    const persona = personaOf(`behaviours:
  - { when: { opening: true }, do: { say: Yes? } }
  - { when: { waiting: true, once: true }, do: { say: Are you there? } }
  - { when: { goodbye: true }, do: { say: Already? } }`);
    expect(textOf(persona.open())).toBe("Yes?");
    expect([textOf(persona.goOn()), textOf(persona.goOn())]).toEqual(["Are you there?", "SILENCE"]);
    expect(hearAll(persona, QUESTION, "Goodbye.")).toEqual(["Yes, that works for me.", "Already?"]);
  });

  test("press keys, hang up, interrupt, hold the line without an answer", () => {
    const persona = personaOf(`behaviours:
  - { when: { turns: [1] }, do: { digits: "12#", thinkMs: 0 } }
  - { when: { turns: [2] }, do: { hold: { ms: 20000, wait: Wait., back: Here I am., thenAnswers: false } } }
  - { when: { turns: [3] }, do: { answer: AGREES, interrupt: 0.3 } }
  - { when: { turns: [4] }, do: { hangUp: true, thinkMs: 50 } }`);
    expect(persona.hear(QUESTION, 1)).toEqual({ kind: "DIGITS", digits: "12#", delayMs: 0 });
    expect(persona.hear(QUESTION, 2)).toMatchObject({ text: "Wait. Here I am.", durationMs: 20_000 });
    expect(persona.hear(QUESTION, 3)).toMatchObject({ kind: "SPEAK", interruptsAfterFraction: 0.3 });
    expect(persona.hear(QUESTION, 4)).toEqual({ kind: "HANG_UP", delayMs: 50 });
  });

  test("correct a mistake in the next turn, also when it was asked for one kind alone", () => {
    const persona = personaOf("behaviours: [{ when: { asked: EMAIL }, do: { mistake: true } }]");
    expect(hearAll(persona, "How many are you?", "What is your e-mail?", "And your name?")).toEqual([
      "3.",
      "My e-mail is claire.moreau at example.",
      "Sorry, I said that wrong. My e-mail is claire.moreau@example.com. My name is Claire Moreau.",
    ]);
  });
});

describe("words", () => {
  test("are one of a list by the seed, and of the language spoken, or of English where that has none", () => {
    const lines = "behaviours: [{ when: {}, do: { say: { en: [One., Two.], de: Eins. } } }]";
    expect(hearAll(personaOf(lines, 2), QUESTION)).toEqual(["One."]);
    expect(hearAll(personaOf(lines, 3), QUESTION)).toEqual(["Two."]);
    expect(hearAll(personaOf(lines), "Guten Tag, haben Sie eine Minute?")).toEqual(["Eins."]);
    expect(hearAll(personaOf(lines, 2), "Bonjour, avez-vous une minute ?")).toEqual(["One."]);
  });

  test("of the file take the place of the usual ones, in their language alone", () => {
    const lines = 'phrases: { yes: { en: Yep. }, email: "{0}, all small." }';
    expect(hearAll(personaOf(lines), QUESTION, "What is your e-mail?")).toEqual([
      "Yep.",
      "claire.moreau@example.com, all small.",
    ]);
    expect(hearAll(personaOf(lines), "Hej, har du en minut?")).toEqual(["Ja, det passar bra."]);
  });

  test("are said at the pace of the file", () => {
    const answer = personaOf("pace: { thinkMs: 900, gapMs: 500, gapWords: 2 }").hear(QUESTION, 1);
    expect(answer).toMatchObject({ delayMs: 900, spread: { pieces: ["Yes, that", "works for", "me."], pauseMs: 500 } });
  });
});

describe("notes", () => {
  test("tell of the turn in which somebody asked never to be called again, unless it was taken back", () => {
    const persona = personaOf("behaviours: [{ when: { asked: YES_NO }, do: { phrase: neverAgain } }]");
    persona.hear("Do you have a minute?", 1);
    expect(persona.notes).toMatchObject([{ code: "OPTED_OUT", turn: 1 }]);
    persona.hear("Do you have a minute? I am from Acme. What is your name?", 1);
    expect(persona.notes).toEqual([]);
    persona.hear("Do you have a minute?", 2);
    expect(persona.notes).toMatchObject([{ code: "OPTED_OUT", turn: 2 }]);
  });

  test("tell of own words that are one", () => {
    const persona = personaOf("kind: SCREENER\nbehaviours: [{ when: {}, do: { say: Leave me be., optsOut: true } }]");
    persona.hear("This is Ada.", 1);
    expect(persona.notes).toEqual([]);
    persona.hear("Do you have a minute?", 2);
    expect(persona.notes).toMatchObject([{ code: "OPTED_OUT", turn: 2 }]);
  });

  test("tell of somebody who would never stop, and has hung up", () => {
    const persona = personaOf("behaviours: [{ when: { waiting: true }, do: { say: Hello? } }]");
    let count = 0;
    while (persona.goOn().kind === "SPEAK" && count < 2_000) count++;
    expect(count).toBe(500);
    expect(persona.goOn()).toMatchObject({ kind: "HANG_UP" });
    expect(persona.hear(QUESTION, 1)).toMatchObject({ kind: "HANG_UP" });
    expect(persona.notes.map(({ code }) => code)).toEqual(["SPEECH_LIMIT"]);
  });
});

test("a menu with another key, and other words, reaches the same person", () => {
  const menu = personaOf('kind: MENU\nkey: "#"\nphrases: { menu: Press the hash. }\nattitude: DECLINES');
  expect(textOf(menu.open())).toBe("Press the hash.");
  expect(textOf(menu.hearDigits("1"))).toBe("That is not a valid choice. Press the hash.");
  expect(textOf(menu.hearDigits("#"))).toBe("Hello?");
  expect(textOf(menu.hear(QUESTION, 1))).toBe("No, thank you.");
});
