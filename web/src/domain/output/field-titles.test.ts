import { expect, it } from "vitest";
import { findOutput, humanizeField, titlesOf } from "./field-titles.ts";

it("fields get the titles of their schemas, unless two schemas disagree", () => {
  const titles = titlesOf([
    { schema: { properties: { confirmed: { title: "Will come" }, note: { type: "string" }, day: { title: "Day" } } } },
    { schema: { properties: { confirmed: { title: "Will come" }, day: { title: "Date of the visit" } } } },
    { schema: {} },
  ]);
  expect([...titles]).toEqual([["confirmed", "Will come"]]);
});

it("a name without a title is shown as words", () => {
  expect(
    ["appointment_confirmed", "partySize", "visit.attending", "SKU", "grund-der-absage", "_", "öffnungsZeit"].map(
      humanizeField,
    ),
  ).toEqual([
    "Appointment confirmed",
    "Party size",
    "Visit, attending",
    "SKU",
    "Grund der absage",
    "_",
    "Öffnungs zeit",
  ]);
});

it("of two outputs with one name, a call shows that of its flow", () => {
  const outputs = [
    { id: "1", name: "appointment" },
    { id: "2", name: "appointment" },
  ];
  expect(findOutput(outputs, "appointment", ["2", "3"])?.id).toBe("2");
  expect(findOutput(outputs, "appointment", ["3"])?.id).toBe("1");
  expect(findOutput(outputs, "lead", ["2"])).toBeUndefined();
});
