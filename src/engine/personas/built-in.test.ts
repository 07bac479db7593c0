import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { planWith } from "#kit/trial-session.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome } from "#src/engine/conversation/plan.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { CallClock } from "#src/telephony/carriers/sandbox/call-clock.ts";
import { SandboxDialogue } from "#src/telephony/carriers/sandbox/dialogue.ts";
import { BUILT_IN_NAMES, type BuiltInName, readBuiltIn } from "./built-in.ts";
import { createPersona } from "./create-persona.ts";
import type { Persona } from "./reaction.ts";

const FIRST: Record<string, string> = {
  en: "Hello, this is {{ company }}.",
  es: "Hola, le llamo de {{ company }}.",
  de: "Guten Tag, hier ist {{ company }}.",
  fr: "Bonjour, ici {{ company }}.",
  sv: "Hej, det här är {{ company }}.",
};
const SCHEMA = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come to your appointment?" },
    people: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
    email: { type: "string", format: "email", description: "What is your e-mail address?" },
  },
};
const OPT_OUT = { name: "add_to_do_not_call", description: "", inputSchema: { type: "object", properties: {} } };

interface Dialogue {
  persona: Persona;
  outcome: SessionOutcome;
  said: string[];
  heard: string[];
  isOnList: boolean;
  fields: unknown;
}

/** Holds a whole conversation between the built-in agent and a built-in persona. */
async function dialogueWith(name: BuiltInName, language = "en"): Promise<Dialogue> {
  const persona = createPersona(readBuiltIn(name), 5);
  let isOnList = false;
  const plan = planWith(
    { language, firstMessage: FIRST[language] ?? "" },
    {
      outputs: [{ name: "visit", description: "", schema: SCHEMA }],
      grants: { tools: [], systemTools: [OPT_OUT], transferTargets: [] },
    },
  );
  const ports = {
    line: new SandboxDialogue(persona, new CallClock("instant"), undefined, () => undefined),
    model: createScriptedModel(),
    now: () => new Date("2026-11-21T10:00:00Z"),
    validate: validateAgainst,
    answeredBy: "HUMAN" as const,
    onTurn: () => undefined,
    addToDoNotCall: async () => {
      isOnList = true;
    },
  };
  const outcome = await runSession(plan, ports, new AbortController().signal);
  const textsOf = (role: string) => outcome.turns.filter((turn) => turn.role === role).map(({ content }) => content);
  return {
    persona,
    outcome,
    said: textsOf("USER"),
    heard: textsOf("ASSISTANT"),
    isOnList,
    fields: outcome.outputs.visit?.value,
  };
}

const ALL = { coming: true, people: 4, email: "erik.lind@example.com" };

test("the names are those of the files", () => {
  const files = readdirSync(new URL("./files/", import.meta.url)).toSorted();
  expect(files).toEqual(BUILT_IN_NAMES.map((name) => `${name}.persona.yaml`).toSorted());
});

describe("somebody who asks never to be called again", () => {
  test.each(["en", "es", "de", "fr", "sv"])("is put on the list, in %s", async (language) => {
    const dialogue = await dialogueWith("opts-out", language);
    expect([dialogue.isOnList, dialogue.outcome.endReason], dialogue.said.join("\n")).toEqual([
      true,
      "CUSTOMER_OPTED_OUT",
    ]);
    expect(dialogue.persona.notes).toMatchObject([{ code: "OPTED_OUT", turn: 1 }]);
  });

  test("late has answered before", async () => {
    const { isOnList, fields, persona } = await dialogueWith("opts-out-late");
    expect([isOnList, fields]).toEqual([true, { coming: true }]);
    expect(persona.notes).toMatchObject([{ code: "OPTED_OUT", turn: 3 }]);
  });
});

describe("somebody who agrees in the end", () => {
  test.each<[BuiltInName, RegExp, RegExp]>([
    ["sceptic", /Are you a robot\?\n.*where did you get my number\?\nHow long/, /automated assistant/],
    ["busy-parent", /Put that down, please! Sorry\. Yes\./, /How many/],
    ["chatty", /watering my plants/, /e-mail/],
    ["elderly", /Could you say it again, please\?/, /Will you come[^]*Will you come/],
    ["gatekeeper", /^Before I answer[^]*I will get Erik Lind for you\. Hello, this is Erik Lind\./, /e-mail/],
    ["distracted", /Yes/, /Are you still there\?/],
  ])("%s: every field, after what makes it hard", async (name, says, hears) => {
    const { said, heard, fields, outcome } = await dialogueWith(name);
    expect(said.join("\n")).toMatch(says);
    expect(heard.join("\n")).toMatch(hears);
    expect([fields, outcome.endReason]).toEqual([ALL, "AGENT_ENDED_CALL"]);
  });
});

describe("somebody who does not", () => {
  test("changes-mind agrees first, and says so when it changes", async () => {
    const { said } = await dialogueWith("changes-mind");
    expect(said.slice(1, 4)).toEqual([
      "Yes, that works for me.",
      "4.",
      "Wait, I have changed my mind. I do not want this after all.",
    ]);
  });

  test.each<[BuiltInName, RegExp]>([
    ["child", /five years old/],
    ["hostile", /What do you want from me\?/],
  ])("%s hangs up, and nothing was agreed", async (name, says) => {
    const { said, outcome, fields } = await dialogueWith(name);
    expect(said.join("\n")).toMatch(says);
    expect(outcome.endReason).toBe("CUSTOMER_HUNG_UP");
    expect(fields).not.toMatchObject({ coming: true });
  });
});
