import { describe, expect, test } from "vitest";
import { readQuestion } from "#src/engine/personas/question.ts";
import type { Persona, Reaction } from "#src/engine/personas/reaction.ts";
import { createPersona } from "./persona.ts";
import { simulate } from "./sandbox-numbers.ts";

function personaOf(code: string, prefix = "+120255501"): Persona {
  const behaviour = simulate(prefix + code, 1);
  if (behaviour.kind !== "ANSWERS") throw new Error(`${code} does not answer`);
  return createPersona(behaviour, 4);
}

function textOf(reaction: Reaction): string {
  return reaction.kind === "SPEAK" ? reaction.text : reaction.kind;
}

describe("reading a question", () => {
  test.each([
    ["Hello, this is Ada from Acme. Do you have a minute?", "YES_NO"],
    ["Great. And would you recommend us?", "YES_NO"],
    ["¿Quiere usted seguir?", "YES_NO"],
    ["Möchten Sie einen Termin?", "YES_NO"],
    ["Är det ett bra tillfälle?", "YES_NO"],
    ["Yes or no: the customer has a dog?", "YES_NO"],
    ["Could you tell me your e-mail address?", "EMAIL"],
    ["Please give me your full name.", "NAME"],
    ["Wie heißen Sie?", "NAME"],
    ["What is the best phone number to reach you?", "PHONE"],
    ["To protect your data, what is your postal code?", "POSTAL_CODE"],
    ["Could you give me your ZIP, please?", "POSTAL_CODE"],
    ["What is your zip code?", "POSTAL_CODE"],
    ["And your postcode?", "POSTAL_CODE"],
    ["Wie lautet Ihre Postleitzahl?", "POSTAL_CODE"],
    ["Welche PLZ haben Sie?", "POSTAL_CODE"],
    ["¿Cuál es su código postal?", "POSTAL_CODE"],
    ["Quel est votre code postal ?", "POSTAL_CODE"],
    ["Vilket postnummer har du?", "POSTAL_CODE"],
    ["Is your postal code 12345?", "YES_NO"],
    ["Which day suits you best?", "DATE"],
    ["¿Qué día le viene bien?", "DATE"],
    ["What time would suit you?", "TIME"],
    ["How many people live with you?", "NUMBER"],
    ["Hur många är ni?", "NUMBER"],
    ["Why did you choose us?", "OPEN"],
    ["Did you get our e-mail?", "YES_NO"],
    ["Thank you for your time. Goodbye.", "GOODBYE"],
    ["Merci beaucoup, au revoir.", "GOODBYE"],
    ["I have written that down.", "STATEMENT"],
  ])("%s", (text, kind) => {
    expect(readQuestion(text).kind).toBe(kind);
  });

  test("finds the options of a choice and the bounds of a scale", () => {
    expect(readQuestion("Which one would you like: morning, late afternoon or evening?")).toEqual({
      kind: "CHOICE",
      options: ["morning", "late afternoon", "evening"],
    });
    expect(readQuestion("Would you like tea or coffee?")).toEqual({ kind: "CHOICE", options: ["tea", "coffee"] });
    expect(readQuestion("On a scale from 1 to 5, how happy are you?")).toEqual({ kind: "NUMBER", from: 1, to: 5 });
  });
});

describe("people", () => {
  test("00 answers what is asked, and hangs up after the goodbye", () => {
    const agrees = personaOf("00");
    expect(textOf(agrees.hear("Do you have a minute?", 1))).toMatch(/^Yes/);
    expect(textOf(agrees.hear("What is your e-mail?", 2))).toMatch(/\w+\.\w+@example\.com/);
    expect(textOf(agrees.hear("On a scale from 1 to 5, how was it?", 3))).toBe("4.");
    expect(textOf(agrees.hear("Which one: red, green or blue?", 4))).toMatch(/^(red|green|blue), please/);
    expect(textOf(agrees.hear("On which date?", 5))).toMatch(/\d{4}-\d\d-\d\d/);
    expect(agrees.hear("Goodbye.", 6)).toMatchObject({ kind: "SPEAK", thenHangsUp: true });
  });

  test.each([
    ["Guten Tag, haben Sie eine Minute?", /^Ja/],
    ["Bonjour, avez-vous une minute ?", /^Oui/],
    ["Hej, har du en minut?", /^Ja, det/],
    ["Hola, ¿tiene usted un minuto?", /^Sí/],
  ])("answer in the agent's language: %s", (text, answer) => {
    expect(textOf(personaOf("00").hear(text, 1))).toMatch(answer);
  });

  test("01 declines everything", () => {
    expect(textOf(personaOf("01").hear("Would you like to join?", 1))).toMatch(/^No/);
    expect(textOf(personaOf("01").hear("Please choose: yes please, not now or never again?", 1))).toMatch(/^not now/);
    expect(textOf(personaOf("01").hear("What is your name?", 1))).toMatch(/rather not/);
  });

  test("02 asks three different questions", () => {
    const asks = personaOf("02");
    const said = [1, 2, 3, 4, 5, 6].map((turn) => textOf(asks.hear("Do you have a minute?", turn)));
    expect(new Set(said.filter((text) => text.endsWith("?"))).size).toBe(3);
  });

  test("03 interrupts, 04 says nothing", () => {
    expect(personaOf("03").hear("Do you have a minute?", 1)).toHaveProperty("interruptsAfterFraction");
    expect(personaOf("04").hear("Do you have a minute?", 1).kind).toBe("SILENCE");
    expect(personaOf("04").open().kind).toBe("SILENCE");
  });

  test("05 speaks Swedish in London and Spanish elsewhere, whatever the agent speaks", () => {
    expect(textOf(personaOf("05").hear("Do you have a minute?", 1))).toMatch(/^Sí/);
    expect(textOf(personaOf("05", "+4420794601").hear("Do you have a minute?", 1))).toMatch(/^Ja, det/);
  });

  test("06 wants a human, 07 is somebody else and leaves, 08 names a time", () => {
    expect(textOf(personaOf("06").hear("Do you have a minute?", 1))).toMatch(/human/);
    const wrong = personaOf("07");
    expect(textOf(wrong.hear("Am I speaking with Ada?", 1))).toMatch(/wrong person/);
    expect(wrong.hear("Do you know Ada?", 2)).toMatchObject({ thenHangsUp: true });
    expect(textOf(personaOf("08").hear("Do you have a minute?", 1))).toMatch(/tomorrow at five/);
  });

  test("09 gives one bad answer and corrects it, also when the agent has moved on", () => {
    const asked = personaOf("09");
    expect(textOf(asked.hear("What is your e-mail?", 1))).not.toMatch(/@/);
    expect(textOf(asked.hear("I did not get that. What is your e-mail?", 2))).toMatch(/@example\.com/);
    expect(textOf(asked.hear("How many are you?", 3))).toMatch(/^\d\.$/);
    const moved = personaOf("09");
    moved.hear("On a scale from 1 to 5, how was it?", 1);
    expect(textOf(moved.hear("What is your name?", 2))).toMatch(/4\. My name is/);
  });

  test("54 talks slowly, 55 talks longer every time and never says goodbye, 80 keeps the agent waiting", () => {
    const slow = personaOf("54").hear("Do you have a minute?", 1);
    expect(slow.kind === "SPEAK" && slow.durationMs).toBeGreaterThan(8_000);
    const dialogues = personaOf("55");
    const durations = ["Hello?", "Goodbye.", "Goodbye."]
      .map((text, i) => dialogues.hear(text, i + 1))
      .map((it) => it.kind === "SPEAK" && it.durationMs);
    expect(durations[1]).toBeGreaterThan(durations[0] as number);
    expect(dialogues.hear("Goodbye. Really.", 3)).toHaveProperty("durationMs", durations[2]);
    expect(dialogues.goOn()).not.toHaveProperty("thenHangsUp");
    expect(personaOf("80").hear("Do you have a minute?", 1)).toMatchObject({ kind: "SPEAK", durationMs: 10_000 });
  });
});

describe("machines", () => {
  test("22 plays its menu until the right key, then a person agrees", () => {
    const menu = personaOf("22");
    expect(textOf(menu.open())).toMatch(/Press 1/);
    expect(textOf(menu.hear("Hello, this is Ada. Do you have a minute?", 1))).toMatch(/Press 1/);
    expect(menu.outcome()).toBe("IVR");
    expect(textOf(menu.hearDigits("2") as Reaction)).toMatch(/not a valid choice/);
    expect(textOf(menu.hearDigits("1") as Reaction)).toMatch(/Hello/);
    expect(textOf(menu.hear("Do you have a minute?", 2))).toMatch(/^Yes/);
    expect(menu.outcome()).toBe("ANSWERED");
  });

  test("24 asks who is calling, then a person agrees", () => {
    const screener = personaOf("24");
    expect(textOf(screener.open())).toMatch(/say your name/);
    expect(textOf(screener.hear("This is Ada from Acme about your order.", 1))).toMatch(/stay on the line/);
    expect(screener.outcome()).toBe("CALL_SCREENED");
    expect(textOf(screener.goOn())).toMatch(/Hello/);
    expect(textOf(screener.hear("Do you have a minute?", 2))).toMatch(/^Yes/);
    expect(screener.outcome()).toBe("ANSWERED");
  });

  test("20 plays a greeting and takes the message, 21 takes none", () => {
    expect(textOf(personaOf("20").open())).toMatch(/after the beep/);
    expect(personaOf("20").hear("Please call us back.", 1).kind).toBe("SILENCE");
    expect(personaOf("21").open()).toMatchObject({ thenHangsUp: true });
  });
});
