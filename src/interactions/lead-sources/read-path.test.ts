import { expect, test } from "vitest";
import { listPaths, readPath } from "./read-path.ts";

const DELIVERY = {
  id: 7,
  lead: { phones: ["+12025550100", "+12025550101"], "first.name": "Ada" },
  "lead[city]": "Graz",
  fields: [
    { name: "phone", values: ["+12025550102"] },
    { name: "e.mail", values: ["ada@example.com"] },
  ],
};

test.each([
  ["id", 7],
  ["lead.phones.1", "+12025550101"],
  ["lead[city]", "Graz"],
  ["fields[name=phone].values.0", "+12025550102"],
  ["fields[name=e.mail].values.0", "ada@example.com"],
  ["$", DELIVERY],
  ["lead.phones.2", undefined],
  ["lead.phones.length", undefined],
  ["fields[name=fax].values.0", undefined],
  ["id.toString", undefined],
  ["constructor.name", undefined],
  ["__proto__", undefined],
  ["lead..phones", undefined],
  ["", undefined],
  ["[", undefined],
])("the path %j leads to %j", (path, value) => {
  expect(readPath(DELIVERY, path)).toEqual(value);
});

test("every listed path leads to its sample, and those that cannot are left out", () => {
  const found = listPaths(DELIVERY);
  for (const { path, sample } of found) expect(readPath(DELIVERY, path)).toBe(sample);
  expect(found.map(({ path }) => path)).toEqual([
    "id",
    "lead.phones.0",
    "lead.phones.1",
    "lead[city]",
    "fields.0.name",
    "fields.0.values.0",
    "fields.1.name",
    "fields.1.values.0",
  ]);
});

test("a delivery of thousands of members lists no more than two hundred", () => {
  expect(listPaths(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, i])))).toHaveLength(200);
});
