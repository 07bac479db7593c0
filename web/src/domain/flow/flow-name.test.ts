import { expect, it } from "vitest";
import { nameAmong } from "./flow-name.ts";

const flows = [
  { apiId: "reminder", name: "Reminder" },
  { apiId: "lead", name: "Lead" },
  { apiId: "lead-2", name: "Lead" },
  { apiId: "bare", name: null },
] as Parameters<typeof nameAmong>[0];

it("a flow is shown by its name, with the apiId only where two have the same", () => {
  expect(["reminder", "lead", "lead-2", "bare", "gone"].map((apiId) => nameAmong(flows, apiId))).toEqual([
    "Reminder",
    "Lead (lead)",
    "Lead (lead-2)",
    "bare",
    "gone",
  ]);
});
