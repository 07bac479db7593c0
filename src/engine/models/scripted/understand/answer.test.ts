import { expect, it } from "vitest";
import type { JsonSchema } from "#src/engine/models/models.ts";
import { type Field, fieldsOf } from "#src/engine/models/scripted/fields.ts";
import { lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { understandAnswer } from "./answer.ts";

// A Saturday.
const CALENDAR = { today: "2026-11-21", monthFirst: true };

it.each<[JsonSchema, string, unknown]>([
  [{ type: "boolean" }, "sí", true],
  [{ type: "number" }, "three point five", 3.5],
  [{ type: "string", format: "email" }, "anna dot berg at example dot com", "anna.berg@example.com"],
  [{ type: "string", format: "email" }, "My e-mail is anna.berg@example.com.", "anna.berg@example.com"],
  [{ type: "string", format: "time" }, "at 14:30", "14:30:00Z"],
  [{ type: "string", format: "date-time" }, "tomorrow at five", "2026-11-22T17:00:00Z"],
  [{ type: "string", enum: ["YES", "NO", "MAYBE"] }, "yeah", "YES"],
  [{ type: "string", enum: ["good", "bad"] }, "it was not good, bad", "bad"],
  [{ type: "string", enum: ["red", "blue"] }, "2", "blue"],
  [{ type: "string", enum: ["red", "blue", "green"] }, "the second one", "blue"],
  [{ type: "string", enum: ["red", "blue", "green"] }, "the last one, please", "green"],
  [{ type: "string", enum: ["red", "blue", "green"] }, "option two", "blue"],
  [{ type: "string", enum: ["red", "blue", "green"] }, "just a second", undefined],
  [{ type: "string", enum: ["red", "blue", "green"] }, "the first or the second", undefined],
  [{ type: "string", enum: ["red", "blue", "green"] }, "the fifth", undefined],
  [{ type: "string", enum: ["PHONE_CALL", "TEXT_MESSAGE"] }, "not phone, text", "TEXT_MESSAGE"],
  [{ type: "string", enum: ["PHONE", "E_MAIL"] }, "by e-mail", "E_MAIL"],
  [{ type: "integer", enum: [0, 1, 2] }, "two", 2],
  [{ type: "integer", enum: [10, 20, 30] }, "2", undefined],
  [{ type: "integer" }, "two or three", undefined],
  [{ type: "string", pattern: "^\\d{4}$" }, "it is four two oh nine", "4209"],
  [{ type: "string", pattern: "^\\d{4}$" }, "four two oh", undefined],
  [{ type: "string", pattern: "^.{0,9}$" }, "there is one thing more", undefined],
  [{ type: "integer" }, "four or so", 4],
  [{ type: "string", format: "email" }, "jane underscore doe at example dot com", "jane_doe@example.com"],
  [{ type: "string", format: "email" }, "It is j a n e dash doe at example dot com", "jane-doe@example.com"],
  [{ type: "integer", enum: [1, 2, 3] }, "3", 3],
  [{ type: ["string", "null"], enum: ["a lot", "a little", null] }, "a little", "a little"],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "seven", 7],
  [{ $ref: "#/properties/unused" }, "anything", "anything"],
  [{ type: "array", items: { type: "string" } }, "apples, pears and plums", ["apples", "pears", "plums"]],
  [{ type: "array", items: { enum: ["red", "blue", "green"] } }, "green and red", ["green", "red"]],
  [{ type: "string", pattern: "^[A-Z]{2}\\d+$" }, "AB12", "AB12"],
  [{ type: "string", maxLength: 3 }, "Hello there", undefined],
  [{ type: "string", enum: ["phone", "e-mail"] }, "email please", "e-mail"],
  [{ type: "string", enum: ["phone", "e-mail"] }, "phone or e-mail", undefined],
])("%j: %s", (schema, reply, expected) => {
  const output = { name: "out", description: "", schema: { type: "object", properties: { field: schema } } };
  const field = fieldsOf(output).fields[0] as Field;
  expect(understandAnswer(field, reply, lexiconFor("en"), CALENDAR)).toEqual(expected);
});
