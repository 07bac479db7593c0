import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const say = (text: string) => ({ type: "SAY", text });
const FLOW = {
  name: "Table for tonight",
  firstMessage: "Hello, this is Green Street Grill.",
  structuredOutputs: [
    {
      name: "table",
      schema: {
        type: "object",
        properties: {
          coming: { type: "boolean", description: "Will you come tonight?" },
          people: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
        },
      },
    },
  ],
  stages: [
    {
      id: "ask",
      name: "Ask",
      type: "TALK",
      fields: ["coming"],
      edges: [
        {
          id: "no",
          to: "bye",
          label: "does not come",
          when: { type: "FIELD", field: "coming", operator: "EQUALS", value: false },
        },
        { id: "yes", to: "check", when: { type: "COLLECTED" } },
      ],
    },
    {
      id: "check",
      name: "Read back",
      type: "CONFIRM",
      fields: ["people"],
      edges: [{ id: "right", to: "bye", when: { type: "ALWAYS" } }],
    },
    { id: "bye", name: "Goodbye", type: "END", onEntry: [say("Goodbye.")] },
  ],
};

describe.skipIf(CHROMIUM === undefined)("the editor of stages", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()), /status of 422/);

  async function openStages(more: object = {}): Promise<string> {
    const made = await dashboard.world.request("POST", "/flows", { body: { ...FLOW, ...more } });
    expect(made.status, made.text).toBeLessThan(300);
    const id = String(made.body.id);
    await dashboard.open(`/flows/${id}?tab=stages`);
    return id;
  }

  async function draftOf(id: string): Promise<typeof FLOW> {
    return (await dashboard.world.request("GET", `/flows/${id}/draft`)).body as unknown as typeof FLOW;
  }

  const outline = (page: Page) => page.getByRole("list", { name: "Outline of the stages" });
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };

  it("adds a stage, connects it by a condition that is chosen, saves the draft, and shows the change in words", async () => {
    const { page } = dashboard;
    const id = await openStages();
    await page.locator(".react-flow__node").nth(2).waitFor();
    await page.getByRole("group", { name: "Ask, Conversation" }).click();
    await page.getByRole("textbox", { name: "Name of the stage" }).fill("Ask them");
    const found = await dashboard.inspect("stage-chosen");
    await page.getByRole("button", { name: "Add a stage" }).click();
    // The new edge is there, and its stage is open.
    await page.getByRole("textbox", { name: "Name of the stage" }).fill("Large party");
    await choose(page, "Type", "End");
    await outline(page)
      .getByRole("button", { name: /^→ Large party/ })
      .click();
    await choose(page, "Taken when", "A field has a value");
    await choose(page, "Field", "people");
    await choose(page, "Comparison", "is above");
    await page.getByRole("textbox", { name: "Value" }).fill("8");
    found.push(...(await dashboard.inspect("stage-edge")));
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    const { stages } = await draftOf(id);
    expect(stages.map(({ name, type }) => [name, type])).toEqual([
      ["Ask them", "TALK"],
      ["Read back", "CONFIRM"],
      ["Goodbye", "END"],
      ["Large party", "END"],
    ]);
    expect(stages[0]?.edges?.at(-1)).toMatchObject({
      to: stages[3]?.id,
      when: { type: "FIELD", field: "people", operator: "ABOVE", value: 8 },
    });
    await page.getByRole("button", { name: "Publish" }).click();
    const changes = page.getByRole("region", { name: "Changes of Stages" });
    await changes.getByText("→ Large party when people is above 8").waitFor();
    expect(found).toEqual([]);
  });
});
