import { expect, it } from "vitest";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { completeTimes } from "./complete-times.ts";

const text = (format: string) => ({ type: "string", format });
const SCHEMA = {
  type: "object",
  properties: {
    at: text("time"),
    when: text("date-time"),
    note: { type: "string" },
    visits: { type: "array", items: { type: "object", properties: { at: text("time") } } },
  },
};
/** Summer in New York: four hours behind UTC. */
const TIMES = { zone: "America/New_York", at: new Date("2026-07-01T14:00:00Z") };

it.each([
  [{ at: "14:15" }, { at: "14:15:00-04:00" }],
  [{ at: "14:15:30" }, { at: "14:15:30-04:00" }],
  [{ when: "2026-07-02T09:00" }, { when: "2026-07-02T09:00:00-04:00" }],
  [{ when: "2026-07-02 09:00:00" }, { when: "2026-07-02T09:00:00-04:00" }],
  // Winter, when that day comes.
  [{ when: "2026-12-01T09:00" }, { when: "2026-12-01T09:00:00-05:00" }],
  [{ visits: [{ at: "08:00" }, { at: "09:30" }] }, { visits: [{ at: "08:00:00-04:00" }, { at: "09:30:00-04:00" }] }],
])("%j becomes %j, which fits its schema", (given, wanted) => {
  const completed = completeTimes(SCHEMA, given, TIMES);
  expect(completed).toEqual(wanted);
  expect(validateAgainst(SCHEMA, completed)).toEqual([]);
});

it.each([
  { at: "14:15:00Z" },
  { at: "14:15:00+02:00" },
  { at: "half past two" },
  { at: "2026-07-02T09:00" },
  { when: "14:15" },
  { when: "2026-13-41T09:00" },
  { note: "14:15", other: "14:15" },
  { at: null, visits: "08:00" },
])("%j stays as it is", (given) => {
  expect(completeTimes(SCHEMA, given, TIMES)).toEqual(given);
});
