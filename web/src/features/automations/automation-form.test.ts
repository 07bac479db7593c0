import { expect, it } from "vitest";
import { toForm, toInput } from "./automation-form.ts";
import type { Automation } from "./automation.ts";

const stored = {
  name: "Export",
  kind: "EXPORT",
  enabled: true,
  schedule: null,
  export: {
    format: "CSV",
    status: [],
    outcome: [],
    createdAfter: "2026-03-01T10:30:00.000Z",
    createdBefore: "2026-04-01T10:30:00.000Z",
  },
} as unknown as Automation;

it("leaves the times of an export alone where no other day is chosen", () => {
  const form = { ...toForm(stored, "Europe/Berlin"), name: "Another name" };
  expect(toInput(form, stored).export).toEqual(stored.export);
  const moved = toInput({ ...form, from: "2026-03-02" }, stored).export;
  expect(moved).toEqual({ ...stored.export, createdAfter: new Date("2026-03-02T00:00").toISOString() });
});
