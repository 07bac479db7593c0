import { expect, test } from "vitest";
import type { JsonSchema, ModelMessage, OutputDefinition } from "#src/engine/models/models.ts";
import { createScriptedModel } from "./scripted-model.ts";

/** Pieces that would make a backtracking pattern slow; such a text would exceed the test's time limit. */
const PIECES = [
  ..."a|-|.|?|,|:|/|@|1|\u0000|\uD800|\n|'| ".split("|"),
  "9 ",
  "a b ",
  "no ",
  "not ",
  "nothing, ",
  "and ",
  ", but ",
  "one ",
  "twenty-",
  "a dot ",
  " at ",
  "would ",
  "is ",
  "x. ",
  "1:",
  "+1 ",
  "in a b ",
  "half past ",
  "zweihundertund",
  "how about ",
  "by the way, ",
];
const KINDS: Record<string, JsonSchema> = {
  yes: { type: "boolean" },
  count: { type: "integer" },
  day: { type: "string", format: "date" },
  time: { type: "string", format: "time" },
  moment: { type: "string", format: "date-time" },
  mail: { type: "string", format: "email" },
  phoneNumber: { type: "string" },
  name: { type: "string" },
  choice: { type: "string", enum: ["large", "small"] },
  choices: { type: "array", items: { type: "string", enum: ["a", "b"] } },
  list: { type: "array", items: { type: "string" } },
  comment: { type: "string" },
};

test.each(["en", "es", "de", "fr", "sv"])(
  "%s: a long text of any one piece is answered at every question",
  async (language) => {
    const model = createScriptedModel();
    const outputs: OutputDefinition[] = [{ name: "o", description: "", schema: { type: "object", properties: KINDS } }];
    const signal = new AbortController().signal;
    for (const piece of PIECES) {
      const said = piece.repeat(Math.ceil(20_000 / piece.length));
      const messages: ModelMessage[] = [
        { role: "SYSTEM", content: "Date: 2026-11-21" },
        { role: "ASSISTANT", content: "Hello." },
      ];
      for (let turn = 0; turn < 2 * Object.keys(KINDS).length; turn++) {
        messages.push({ role: "USER", content: said });
        let text = "";
        for await (const part of model.respond({ messages, tools: [], outputs, language, signal }))
          if (part.kind === "TEXT") text += part.text;
        expect(text).not.toBe("");
        messages.push({ role: "ASSISTANT", content: text });
      }
    }
  },
);
