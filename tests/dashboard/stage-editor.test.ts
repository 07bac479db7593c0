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
          discount: { type: "number", description: "What discount do you have?" },
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
  // A copied stage to which no edge leads is warned of when it is saved.
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()), /status of 422|warned: bye_2/);

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

  it("takes a number that is typed digit by digit, also a negative one with decimals", async () => {
    const { page } = dashboard;
    const id = await openStages();
    await outline(page)
      .getByRole("button", { name: /^→ Goodbye/ })
      .first()
      .click();
    await choose(page, "Field", "discount");
    await choose(page, "Comparison", "is below");
    const value = page.getByRole("textbox", { name: "Value" });
    await value.fill("");
    await value.pressSequentially("-1.05");
    expect(await value.inputValue()).toBe("-1.05");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    const { stages } = await draftOf(id);
    expect(stages[0]?.edges?.[0]?.when).toEqual({
      type: "FIELD",
      field: "discount",
      operator: "BELOW",
      value: -1.05,
    });
  });

  it("is worked by the keyboard alone, on the map and in the outline", async () => {
    const { page } = dashboard;
    const id = await openStages();
    await page.locator(".react-flow__node").nth(2).waitFor();
    await page.getByRole("group", { name: "Read back, Confirmation" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Read back" }).waitFor();
    await page.keyboard.press("Delete");
    await page.getByRole("group", { name: "Read back, Confirmation" }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await page.getByRole("group", { name: "Read back, Confirmation" }).waitFor();
    await page.getByRole("group", { name: "Edge from Ask to Goodbye: does not come" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Edge of Ask" }).waitFor();
    // The outline: choose a stage, go on into its form, add an edge, close the form, and be where one was.
    await outline(page)
      .getByRole("button", { name: /^Read back/ })
      .focus();
    await page.keyboard.press("Enter");
    const add = page.getByRole("combobox", { name: "Add an edge to" });
    for (let step = 0; step < 30 && (await add.and(page.locator(":focus")).count()) === 0; step++)
      await page.keyboard.press("Tab");
    await page.keyboard.type("Ask");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Edge of Read back" }).waitFor();
    await page.getByRole("button", { name: "Close Edge of Read back" }).press("Enter");
    await expect
      .poll(() => page.evaluate<string>("document.activeElement?.textContent ?? ''"))
      .toMatch(/^Read back.*2 edges$/);
    await page.getByRole("button", { name: "Actions for Goodbye" }).press("Enter");
    await page.getByRole("menuitem", { name: "Duplicate" }).press("Enter");
    await page.getByRole("heading", { name: "Goodbye (copy)" }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    const { stages } = await draftOf(id);
    expect(stages.map(({ name, edges = [] }) => [name, ...edges.map(({ to }) => to)])).toEqual([
      ["Ask", "bye", "check"],
      ["Read back", "bye", "ask"],
      ["Goodbye"],
      ["Goodbye (copy)"],
    ]);
  });

  it("shows a refusal at the stage that it is about, and takes steps back", async () => {
    const { page } = dashboard;
    await openStages();
    await outline(page)
      .getByRole("button", { name: /^Goodbye/ })
      .click();
    await choose(page, "Type", "Transfer");
    await page.getByRole("button", { name: "Save draft" }).click();
    await outline(page).getByText("transferTarget: is required.").waitFor();
    await page.getByRole("group", { name: /^Goodbye, Transfer, transferTarget: / }).waitFor();
    const found = await dashboard.inspect("stage-fault");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Redo" }).click();
    await page.getByText("Not saved yet").waitFor();
    expect(found).toEqual([]);
  });

  it("keeps both arguments of a tool while one is renamed through the name of the other", async () => {
    const { page } = dashboard;
    await openStages();
    await outline(page).getByRole("button", { name: /^Ask/ }).click();
    const entry = page.getByRole("group", { name: "On entry", exact: true });
    await entry.getByRole("button", { name: /^Add an action/ }).click();
    await page.getByRole("menuitem", { name: "Call a tool" }).click();
    for (const [index, name] of ["day", "other"].entries()) {
      await entry.getByRole("button", { name: "Add an argument" }).click();
      await entry.getByLabel(`name of argument ${index + 1}`).fill(name);
      await entry.getByLabel(`value of ${name}`).fill(`The ${name}`);
    }
    const second = entry.getByLabel("name of argument 2");
    await second.fill("day");
    await second.fill("days");
    await expect.poll(() => entry.getByLabel("value of day", { exact: false }).count()).toBe(2);
    expect(await entry.getByLabel("value of day").first().inputValue()).toBe("The day");
    expect(await entry.getByLabel("value of days").inputValue()).toBe("The other");
  });

  it("copies stages from one flow into another", async () => {
    const { page, context } = dashboard;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openStages();
    await page.getByRole("button", { name: "Copy all stages" }).click();
    await dashboard.heard("Copied.");
    await openStages({ name: "Without stages", stages: null });
    await page.getByText("This flow is one prompt.").waitFor();
    const found = await dashboard.inspect("stage-none");
    await page.getByRole("button", { name: "Paste stages" }).click();
    await outline(page)
      .getByRole("button", { name: /^Goodbye/ })
      .waitFor();
    await page.evaluate("navigator.clipboard.writeText('Something else')");
    await page.getByRole("button", { name: "Paste stages" }).click();
    await dashboard.heard("The clipboard holds no stages");
    expect(await page.locator(".stage-outline > li").count()).toBe(3);
    expect(found).toEqual([]);
  });

  it("counts on the map how many sessions reached each stage, in a version and a time of choice", async () => {
    const { page, world } = dashboard;
    const id = await openStages();
    for (const customerNumber of ["+12025550100", "+12025550101"]) {
      const { body } = await world.request("POST", "/outbound/calls", { body: { customerNumber, flowId: id } });
      await world.until(`/call-rows/${String(body.rowId)}`, (row) => row.endedAt !== null);
    }
    await dashboard.go(`/flows/${id}?tab=funnel`);
    await page.getByText("2 sessions of version 1").waitFor();
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
    await expect
      .poll(() => row("Ask").innerText())
      .toMatch(/2 \(100\s?%\)\s+0\s[^]*1× → Goodbye does not come\s+1× → Read back/);
    await page.locator(".react-flow__node").filter({ hasText: "1 reached it" }).getByText("Read back").waitFor();
    await page.locator(".react-flow__edge").getByText("does not come · 1×").waitFor();
    const found = await dashboard.inspect("stage-funnel");
    await choose(page, "Time", "From day to day");
    await page.getByLabel("Last day").fill("2026-01-02");
    await page.getByText("No call or chat of version 1 ended in this time.").waitFor();
    expect(page.url()).toContain("last=2026-01-02");
    expect(found).toEqual([]);
  });

  it("marks a test on the map stage by stage: a chat as it goes on, a simulated person from any stage on", async () => {
    const { page } = dashboard;
    await openStages();
    const marked = (mark: string) => page.locator(`.stage-node[data-mark=${mark}]`).allInnerTexts();
    const trail = page.getByRole("list", { name: "Stages so far" });
    await page.getByRole("button", { name: "Start a chat" }).click();
    for (const text of ["Good evening", "Yes, I am coming"]) {
      await page.getByPlaceholder("Answer as the customer would").fill(text);
      await page.keyboard.press("Enter");
      await page.getByRole("log").getByText(text).waitFor();
      await page.getByLabel("The agent is writing").waitFor({ state: "detached" });
    }
    await trail.getByRole("button", { name: "Read back" }).and(page.locator("[aria-current=step]")).waitFor();
    await expect.poll(async () => (await marked("CURRENT")).join()).toMatch(/^Read back/);
    expect((await marked("PASSED")).join()).toMatch(/^Ask/);
    const found = await dashboard.inspect("stage-test");
    await page.getByRole("tab", { name: "Persona" }).click();
    await expect.poll(() => page.locator(".stage-node[data-mark]").count()).toBe(0);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await trail.getByRole("button", { name: "Read back" }).waitFor();
    await expect.poll(async () => (await marked("PASSED")).length).toBe(2);
    await trail.getByRole("button", { name: "Ask" }).press("Enter");
    await expect.poll(async () => (await marked("CURRENT")).join()).toMatch(/^Ask/);
    expect(await marked("PASSED")).toEqual([]);
    expect(found).toEqual([]);
  });

  it("says on the page of a simulation what no persona reached, and draws it", async () => {
    const { page, world } = dashboard;
    const made = await world.request("POST", "/flows", { body: FLOW });
    const suite = {
      suite: "Only those who come",
      flow: made.body.apiId,
      scenarios: [{ name: "comes", persona: "agrees" }],
    };
    const run = await world.request("POST", "/simulations", { body: { suite } });
    await world.until(`/simulations/${String(run.body.id)}`, (body) => body.endedAt !== null);
    await dashboard.open(`/simulations/${String(run.body.id)}`);
    await page.getByText("No persona ever reached Goodbye.").waitFor();
    await page.locator(".edge-missed").getByText("does not come · 0×").waitFor();
    await page.getByRole("row", { name: /^Ask Goodbye does not come nobody/ }).waitFor();
    const found = await dashboard.inspect("stage-coverage");
    const inline = { ...FLOW, stages: FLOW.stages.map((stage) => ({ ...stage, name: null })) };
    const sent = await world.request("POST", "/simulations", {
      body: { suite: { ...suite, flow: { document: inline } } },
    });
    await world.until(`/simulations/${String(sent.body.id)}`, (body) => body.endedAt !== null);
    await dashboard.open(`/simulations/${String(sent.body.id)}`);
    await page.getByText("No persona ever reached bye.").waitFor();
    await page.locator(".edge-missed").first().waitFor();
    expect(found).toEqual([]);
  });

  it("fits screens of every width, and needs no map on a phone", async () => {
    const { page } = dashboard;
    await openStages();
    const found: string[] = [];
    for (const width of [390, 768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 850 });
      await outline(page)
        .getByRole("button", { name: /^Read back/ })
        .waitFor();
      await expect.poll(() => page.locator(".react-flow__node").count()).toBe(width < 768 ? 0 : 3);
      await dashboard.picture(`stage-outline-${width}`);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        found.push(...(await dashboard.axe()).map((line) => `${width} ${colorScheme} ${line}`));
      }
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      expect([width, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([width, width]);
      await outline(page)
        .getByRole("button", { name: /^Read back/ })
        .click();
      await page.getByRole("heading", { name: "Read back" }).waitFor();
      await dashboard.picture(`stage-form-${width}`);
      found.push(...(await dashboard.axe()).map((line) => `${width} form ${line}`));
      await page.getByRole("button", { name: "Close Read back" }).click();
    }
    expect(found).toEqual([]);
  });
});
