import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BUILT_IN_NAMES, findBuiltIn } from "./built-in.ts";
import { parsePersonaFile, PersonaFault, readPersona } from "./persona-file.ts";
import { PHRASES } from "./phrases.ts";
import { readYaml } from "./yaml-text.ts";

/** Returns the message about a text that is not a persona. */
function faultOf(text: string, fileName = "hurried.persona.yaml"): string {
  try {
    parsePersonaFile(text, fileName);
  } catch (error) {
    if (error instanceof PersonaFault) return error.message;
    throw error;
  }
  throw new Error("It was taken for a persona.");
}

describe("a file that is right", () => {
  test("is plain data, with what was left out filled in", () => {
    const persona = parsePersonaFile(
      "name: Ada\nkind: SCREENER\nfacts: { phone: '+1 202 555 0101', number: 4 }",
      "a.yaml",
    );
    expect(JSON.parse(JSON.stringify(persona))).toEqual(persona);
    expect(persona).toMatchObject({
      kind: "SCREENER",
      answeredBy: "MACHINE_SCREENING",
      attitude: "AGREES",
      drivenBy: "SCRIPT",
      behaviours: [],
      facts: { phone: "+1 202 555 0101", number: 4 },
    });
  });

  test("may say what the carrier takes the person for", () => {
    expect(readPersona({ name: "Ada", answeredBy: "UNCERTAIN" }, "x").answeredBy).toBe("UNCERTAIN");
  });

  test.each(BUILT_IN_NAMES)("is %s, which is built in, and says what it is", (name) => {
    expect(findBuiltIn(name)?.description).toMatch(/\.$/);
  });

  test("is not found by any other name", () => {
    for (const name of ["nobody", "__proto__", "constructor", "../built-in", ""])
      expect(findBuiltIn(name)).toBeUndefined();
  });
});

describe("a fault", () => {
  test.each([
    [
      "name: Ada\nbehaviours:\n  - when: { turns: 3 }\n    do: { silence: true }",
      "3:13 behaviours[0].when.turns must be a list of whole numbers from 1 to 1000",
    ],
    [
      "name: Ada\nbehaviours:\n  - when: { turn: [3] }\n    do: { silence: true }",
      "3:13 behaviours[0].when.turn is not known; known are turns, fromTurn",
    ],
    ["name: Ada\nattitude: KIND", "2:1 attitude must be one of AGREES, DECLINES"],
    ["description: Ada", "1:1 name is missing"],
    ["name: Ada\nfacts:\n  phone: +12025550100", "3:3 facts.phone must be in quotes: as a number it would lose its +"],
    ["name: Ada\nfacts:\n  __proto__: x", "3:3 facts.__proto__ must be named with letters and digits"],
    [
      "name: Ada\nbehaviours:\n  - when: {}\n    do: { say: Hi, silence: true }",
      "4:5 behaviours[0].do must have one thing to do, not both say and silence",
    ],
    ["name: Ada\nbehaviours:\n  - when: {}\n    do: {}", "4:5 behaviours[0].do must have one of say, phrase"],
    [
      "name: Ada\nbehaviours:\n  - when: { opening: true }\n    do: { mistake: true }",
      "4:11 behaviours[0].do.mistake needs something heard before it",
    ],
    [
      "name: Ada\nbehaviours:\n  - when: { opening: true, heard: hi }\n    do: { say: Hi }",
      "3:5 behaviours[0].when cannot have heard where nothing is heard",
    ],
    [
      "name: Ada\nbehaviours:\n  - when: { heard: { matches: '(' } }\n    do: { say: Hi }",
      "3:22 behaviours[0].when.heard.matches is not an RE2 pattern",
    ],
    [
      "name: Ada\nanswers:\n  - { asked: order, say: 'It is {orderNumber}.' }",
      "3:21 answers[0].say uses {orderNumber}, which is not among the facts",
    ],
    [
      "name: Ada\nanswers:\n  - { asked: order, say: { nl: Hallo } }",
      "3:21 answers[0].say must be a text, a list of texts, or texts by language (en, es, de, fr, sv)",
    ],
    ["name: Ada\nkey: 2\nkind: MENU", "2:1 key must be one key of 0-9, * and #, in quotes"],
    ["name: Ada\nkey: '2'", "2:1 key is for the kind MENU alone"],
    [
      "name: Ada\nkind: FAX\nbehaviours:\n  - { when: {}, do: { silence: true } }",
      "3:1 behaviours do not go with the kind FAX",
    ],
    ["name: Ada\ndrivenBy: MODEL", "1:1 goal is missing: it tells the model what this person wants"],
    ["- Ada", "1:1 the persona must be a mapping"],
    ["", "1:1 the persona must be a mapping"],
  ])("in %j is told with its place", (text, message) => {
    expect(faultOf(text)).toContain(`hurried.persona.yaml:${message}`);
  });

  test("is told of each part that has one, and once", () => {
    expect(faultOf("name: 3\nkind: CAT\npace: { thinkMs: -1 }\nanswers: [{ asked: a, say: 5 }]").split("\n")).toEqual([
      "hurried.persona.yaml:1:1 name must be a text of 1 to 100 characters",
      "hurried.persona.yaml:2:1 kind must be one of PERSON, VOICEMAIL, VOICEMAIL_FULL, MENU, SCREENER, FAX",
      "hurried.persona.yaml:4:23 answers[0].say must be a text, a list of texts, or texts by language (en, es, de, fr, sv)",
      "hurried.persona.yaml:3:9 pace.thinkMs must be a whole number from 0 to 60000",
    ]);
  });

  test("in plain data is told with its path", () => {
    expect(() => readPersona({ name: "Ada", facts: [] }, "scenarios[2].persona")).toThrow(
      "scenarios[2].persona facts must be a mapping of names to texts or numbers",
    );
  });
});

describe("a hostile text", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (let i = 0; i < 9; i++) {
    const [last, next] = ["abcdefghij"[i], "abcdefghij"[i + 1]];
    bomb.push(`${next}: &${next} [${`*${last}, `.repeat(9)}]`);
  }

  test.each([
    ["syntax that breaks off", "name: [Ada", "2:1|1:11"],
    ["a tag", "name: !!js/function 'x'", "1:7"],
    ["a key that comes twice", "name: Ada\nname: Bea", "2:1 name is given twice"],
    ["a key that is no text", "name: Ada\n? [a]\n: b", "2:3|2:1"],
    ["two documents", "name: Ada\n---\nname: Bea", ""],
    ["aliases of aliases", bomb.join("\n"), "1:1 cannot be read as YAML"],
    ["itself as a part of itself", "name: &a [*a]", ""],
    ["a depth without end", `name: ${"[".repeat(20_000)}`, ""],
    ["more than any person needs", `name: Ada\ndescription: ${"x".repeat(70_000)}`, " is larger than 64 KiB"],
    ["what no database stores", 'name: "A\\u0000"', "1:1 name holds characters that no text may hold"],
    ["half a character", 'name: "\\ud800"', ""],
  ])("with %s is refused in words", (_what, text, place) => {
    const message = faultOf(text);
    expect(message).toMatch(/^hurried\.persona\.yaml[: ]/);
    expect(
      place.split("|").some((part) => message.includes(part)),
      message,
    ).toBe(true);
  });

  test("as plain data is refused as well: a ring, a depth, a crowd", () => {
    const ring: Record<string, unknown> = { name: "Ada" };
    ring.facts = { ring };
    expect(() => readPersona(ring, "x")).toThrow("nested more than 12 levels");
    expect(() => readPersona({ name: "Ada", answers: Array(6_000).fill(1) }, "x")).toThrow("is too large");
  });

  test("of many keys, anchors or brackets is counted before it is read", () => {
    const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1`).join("\n");
    expect(Object.keys(readYaml(keys(5_000), "s.yaml", 2 ** 21).value as object)).toHaveLength(5_000);
    for (const text of [keys(100_000), "- &a x\n- *a\n".repeat(10_000), "[".repeat(100_000)])
      expect(() => readYaml(text, "s.yaml", 2 ** 21)).toThrow(/^s\.yaml has /);
  });
});

describe("the documentation", () => {
  const text = readFileSync(new URL("../../../docs/personas.md", import.meta.url), "utf8");

  test("names everybody who is built in, and every phrase", () => {
    for (const name of BUILT_IN_NAMES) expect(text).toContain(`\`${name}\``);
    for (const phrase of Object.keys(PHRASES.en)) expect(text).toMatch(new RegExp(`\\b${phrase}\\b`));
  });
});
