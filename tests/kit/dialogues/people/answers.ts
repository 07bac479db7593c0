import { readFileSync } from "node:fs";
import type { JsonSchema } from "#src/engine/models/models.ts";
import { fieldsOf } from "#src/engine/models/scripted/fields.ts";
import { lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { understandAnswer } from "#src/engine/models/scripted/understand/answer.ts";
import { normalise } from "#src/engine/models/scripted/words.ts";

/** Reply of a person to one question, and the value that they mean; "null": none. */
export interface Answer {
  family: string;
  schema: JsonSchema;
  language: string;
  say: string;
  wanted: string;
}

const FORMATS: Record<string, string> = {
  date: "date",
  time: "time",
  datetime: "date-time",
  email: "email",
  phone: "phone",
};

/** Reads answers.txt: families of answers, one a line. */
export function readAnswers(): Answer[] {
  const answers: Answer[] = [];
  let family = "";
  for (const line of readFileSync(new URL("answers.txt", import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("## ")) family = line.slice(3);
    const [kind = "", language = "", title = "", said = ""] = line.split("|");
    const [say = "", wanted = ""] = said.split(" => ");
    if (wanted !== "" && !line.startsWith("#"))
      answers.push({ family, schema: { title, ...toSchema(kind) }, language, say, wanted });
  }
  return answers;
}

function toSchema(kind: string): JsonSchema {
  const [type = "", rest = ""] = kind.split(":");
  const values = rest.split(",");
  if (type === "enum") return { type: "string", enum: values };
  if (type === "choices") return { type: "array", items: { type: "string", enum: values } };
  if (type === "list") return { type: "array", items: { type: "string" } };
  if (type === "labels") return { oneOf: rest.split(";").map(toLabel) };
  const format = FORMATS[type];
  return format === undefined ? { type } : { type: "string", format };
}

function toLabel(pair: string): JsonSchema {
  const [value = "", title = ""] = pair.split("=");
  return { const: value, title };
}

/** Returns the value that the scripted model hears in an answer, as answers.txt writes it. */
export function hearAnswer({ schema, language, say }: Answer): string {
  const output = { name: "talk", description: "", schema: { type: "object", properties: { it: schema } } };
  const [field] = fieldsOf(output).fields;
  if (!field) throw new Error("The schema has no field.");
  const calendar = { today: "2026-10-06", zone: "America/New_York", monthFirst: language === "en-US" };
  return toText(understandAnswer(field, normalise(say), lexiconFor(language), calendar), schema);
}

function toText(value: unknown, { format }: JsonSchema): string {
  if (value === undefined || value === null) return "null";
  if (Array.isArray(value))
    return value
      .map((item) => toText(item, {}))
      .toSorted()
      .join("|");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return format === "time" ? text.slice(0, 5) : text.toLowerCase().replace(/[.]$/, "");
}

/** Returns the value that was meant, in the same form. */
export function meant({ wanted, schema }: Answer): string {
  return wanted.startsWith("[")
    ? toText(JSON.parse(wanted) as string[], schema)
    : wanted.toLowerCase().replace(/[.]$/, "");
}
