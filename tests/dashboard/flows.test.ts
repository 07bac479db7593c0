import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { ProviderServer } from "../kit/provider-server.ts";

const SUITE = `suite: Reminder
flow: appointment-reminder
scenarios:
  - name: says yes
    persona: agrees
    expect: { fields: { confirmed: false } }
  - name: hangs up at once
    persona: hangs-up-at-once
    repeat: 3
`;

/** Returns the bodies of publications that are sent from now on. */
function notePublications(page: Page): { acceptUnknownVariables?: boolean }[] {
  const bodies: { acceptUnknownVariables?: boolean }[] = [];
  page.on("request", (request) => {
    if (/\/publish\b/.test(request.url())) bodies.push(request.postDataJSON() as { acceptUnknownVariables?: boolean });
  });
  return bodies;
}

/** Half a second of sound. */
const SOUND = Buffer.alloc(24_000, 1);

describe.skipIf(CHROMIUM === undefined)("flows in the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(
    async () => (dashboard = await Dashboard.startSignedIn({ env: { ALLOW_PRIVATE_NETWORK: "1" } })),
    /status of (409|422)/,
  );

  it("makes a flow from a template, tries its unsaved text in a chat, and publishes it with a note", async () => {
    const found = await tryInChat();
    expect([...found, ...(await publish())]).toEqual([]);
  });

  it("shows what each template is for, and makes its flow, tools and outputs", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/flows");
    await page.getByRole("button", { name: "New flow" }).click();
    const cards = page.getByRole("dialog").locator(".choice");
    await cards.nth(11).waitFor();
    expect(await cards.count()).toBe(12);
    const found = await dashboard.inspect("flow-gallery");
    const card = cards.filter({ hasText: "Payment reminder" });
    await card.scrollIntoViewIfNeeded();
    expect(await card.innerText()).toMatch(/Collects: Postal code, .*\n.*American English · tool find_invoice$/s);
    found.push(...(await dashboard.inspect("flow-gallery-more")));
    await card.click();
    await page.waitForURL(/\/flows\/[0-9a-f-]{36}$/);
    await page.getByText("Payment reminder is there, with 1 tools and 1 structured outputs.").waitFor();
    const tools = await world.request("GET", "/tools");
    const made = (tools.body as unknown as { name: string; mockConfig: unknown }[]).filter(
      ({ name }) => name === "find_invoice",
    );
    expect(made).toMatchObject([{ name: "find_invoice", mockConfig: { enabled: true } }]);
    expect(found).toEqual([]);
  });

  async function tryInChat(): Promise<string[]> {
    const { page } = dashboard;
    await dashboard.open("/flows");
    const found = await dashboard.inspect("flows");
    await page.getByRole("button", { name: "New flow" }).click();
    await page.getByRole("dialog").waitFor();
    found.push(...(await dashboard.inspect("flow-new")));
    await page.getByRole("button", { name: /Lead qualification/ }).click();
    await page.waitForURL(/\/flows\/[0-9a-f-]{36}$/);
    await page.locator(".cm-content").first().waitFor();
    await page.getByRole("textbox", { name: "First message" }).fill("Good day {{ contactName }}, {{ nobody }} here.");
    await page.getByRole("button", { name: "Start a chat" }).click();
    await page.getByText("Good day Ada Example").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Yes, we are still interested.");
    await page.keyboard.press("Enter");
    await page.locator(".bubble-assistant").nth(1).waitFor();
    found.push(...(await dashboard.inspect("flow-chat")));
    await page.getByLabel("Message", { exact: true }).fill("Yes.");
    await page.keyboard.press("Enter");
    await page.locator(".bubble-assistant").nth(2).waitFor();
    await page.getByRole("button", { name: "End and extract" }).click();
    await page.getByRole("region", { name: "Fields of lead" }).waitFor();
    return found;
  }

  async function publish(): Promise<string[]> {
    const { page } = dashboard;
    const found: string[] = [];
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    // What the page sends is known there: neither the chat nor the draft is done with warnings.
    expect(await page.getByText("Done, with warnings").count()).toBe(0);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Good day", { exact: false }).last().waitFor();
    const uses = page.getByRole("region", { name: "Who gets it" });
    await uses
      .getByText("No number, job, widget, lead source or other flow uses this flow.", { exact: false })
      .waitFor();
    found.push(...(await dashboard.inspect("flow-publish")));
    await page.getByLabel("What changed").fill("A friendlier opening.");
    const bodies = notePublications(page);
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByRole("alert").getByText("{{ nobody }}", { exact: false }).waitFor();
    found.push(...(await dashboard.inspect("flow-publish-variables")));
    await page.getByRole("dialog").getByRole("button", { name: "Publish all the same" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(bodies.map((body) => body.acceptUnknownVariables)).toEqual([undefined, true]);
    await page.getByText("v2 published").waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("A friendlier opening.").waitFor();
    found.push(...(await dashboard.inspect("flow-versions")));
    await page.getByRole("tab", { name: "Shares" }).click();
    await page.getByText("Every new session takes version 2.").waitFor();
    found.push(...(await dashboard.inspect("flow-shares")));
    return found;
  }

  it("runs the form's text against a simulated person, and calls it from the page", async () => {
    const { page, world } = dashboard;
    await dashboard.open(`/flows/${world.sample.flow.id}?tab=test`);
    await page.getByRole("tab", { name: "Persona" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("link", { name: "Open the run" }).waitFor();
    const found = await dashboard.inspect("flow-persona");
    await page.getByRole("tab", { name: "Phone" }).click();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText(/^You are (connected: write below|talking)\.$/).waitFor();
    found.push(...(await dashboard.inspect("flow-phone")));
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByRole("link", { name: "Open this call" }).waitFor();
    expect(found).toEqual([]);
  });

  it("leads through its sections, names languages, and lets voices be heard before one is chosen", async () => {
    const { page, owner, world } = dashboard;
    await using server = await ProviderServer.start([
      {
        status: 200,
        json: {
          voices: [
            { id: "v-bella", name: "Bella" },
            { id: "v-sky", name: "Sky <img src=x>" },
          ],
        },
      },
      (response) => response.writeHead(200, { "content-type": "audio/pcm" }).end(SOUND),
    ]);
    const account = { apiKey: "sk", baseUrl: `${server.origin}/v1`, voice: "v-bella" };
    await owner.ask("PUT", `/workspaces/${world.sample.workspaceId}/speech-accounts/OPENAI_COMPATIBLE`, account);
    const path = `/flows/${String(world.sample.flow.id)}`;
    await dashboard.load(path);
    await page.getByText("Bella (the default)").waitFor();
    const found = await dashboard.inspect("flow-editor");
    for (const width of [390, 768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 1_600 });
      await dashboard.picture(`flow-editor-${width}`);
      // Tabs that do not fit say that there is more.
      const cut = page.locator(".scroll-strip[data-more=right]").filter({ has: page.getByRole("tab") });
      await expect.poll(() => cut.count()).toBe(width < 1280 ? 1 : 0);
      const tooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
      expect([width, await page.evaluate(tooWide)]).toEqual([width, false]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const sections = page.getByRole("navigation", { name: "Sections of the flow" });
    // Both are at the page's end, where neither can be scrolled to the top.
    for (const name of ["Limits", "Transfer"]) {
      await sections.getByRole("link", { name }).click();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      expect(await sections.locator("[aria-current]").allTextContents()).toEqual([name]);
    }
    await sections.getByRole("link", { name: "Voice" }).click();
    await page.getByRole("combobox", { name: "Language" }).fill("austrian");
    await page.getByRole("option", { name: "Austrian German · de-AT" }).click();
    await page.getByRole("button", { name: "Choose a voice" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose a voice" });
    await dialog.getByRole("button", { name: "Play Sky <img src=x>" }).click();
    await dialog.getByText(/first sound after .*, just now/).waitFor();
    found.push(...(await dashboard.inspect("flow-voices")));
    expect(server.received.at(-1)?.body.toString()).toContain('"input":"Guten Tag');
    await dialog.getByRole("button", { name: "Choose Sky <img src=x>" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    expect((await world.request("GET", `${path}/draft`)).body).toMatchObject({ language: "de-AT", voiceId: "v-sky" });
    await owner.ask("DELETE", `/workspaces/${world.sample.workspaceId}/speech-accounts/OPENAI_COMPATIBLE`);
    await world.request("DELETE", `${path}/draft`);
    expect(found).toEqual([]);
  });

  it("tells the second of two people who save the same flow, and loses neither text", async () => {
    const { page, world, context } = dashboard;
    const url = `/flows/${world.sample.flow.id}`;
    await dashboard.open(url);
    const other = await context.newPage();
    dashboard.listen(other);
    await other.goto(page.url());
    const first = other.getByRole("textbox", { name: "First message" });
    await first.fill("What the other one wrote.");
    await other.getByRole("textbox", { name: "Name" }).first().fill("Renamed by the other one");
    await page.getByRole("textbox", { name: "First message" }).fill("What I wrote.");
    await page.getByRole("link", { name: "Structured outputs" }).click();
    await other.getByRole("button", { name: "Save draft" }).click();
    await other.getByText("Not saved yet").waitFor({ state: "detached" });
    // What was typed is there again when one comes back, and still knows what it began from.
    await page.getByRole("heading", { name: "Structured outputs", level: 1 }).waitFor();
    await page.goBack();
    await page.getByText("What I wrote.").waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Somebody else saved first").waitFor();
    const found = await dashboard.inspect("flow-stale");
    const changes = await page.getByRole("region", { name: "Changes of First message" }).textContent();
    expect(changes).toContain("What I wrote.");
    expect(changes).toContain("What the other one wrote.");
    const draft = await world.request("GET", `/flows/${world.sample.flow.id}/draft`);
    expect(draft.body.firstMessage).toBe("What the other one wrote.");
    await page.getByRole("button", { name: "Keep both" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    const kept = await world.request("GET", `/flows/${world.sample.flow.id}/draft`);
    expect(kept.body).toMatchObject({ firstMessage: "What I wrote.", name: "Renamed by the other one" });
    await other.close();
    expect(found).toEqual([]);
  });

  it("writes a schema by its form, and says which flows ask for it", async () => {
    const { page } = dashboard;
    await dashboard.open("/outputs");
    await page.getByText("1 flow").first().waitFor();
    const found = await dashboard.inspect("outputs");
    await page.getByRole("button", { name: "New output" }).click();
    await page.getByLabel("Name").fill("visit");
    await page.getByRole("button", { name: "Add a field" }).click();
    const field = page.getByRole("dialog", { name: "Add a field" });
    await field.getByLabel("Name").fill("rating");
    await field.getByLabel("Type").first().click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.getByLabel("Type").first().inputValue()).toBe("Number");
    await field.getByLabel("Question").fill("How was it, from 1 to 5?");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "rating" }).waitFor();
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
    await page.keyboard.press("Control+s");
    await page.keyboard.press("Control+s");
    await page.waitForURL(/\/outputs\/[0-9a-f-]{36}$/);
    expect(sent.filter((url) => url.endsWith("/structured-outputs"))).toHaveLength(1);
    await page.getByText("No flow asks for it", { exact: false }).waitFor();
    found.push(...(await dashboard.inspect("output")));
    expect(found).toEqual([]);
  });

  it("makes a flow's own output a shared one, counts the draft that names it, and shows who changed a flow", async () => {
    const found = await shareTemper();
    expect([...found, ...(await lookAtTemper())]).toEqual([]);
  });

  async function shareTemper(): Promise<string[]> {
    const { page, world } = dashboard;
    const path = `/flows/${world.sample.flow.id}`;
    const own = { name: "mood", schema: { type: "object", properties: { mood: { type: "string" } } } };
    await world.request("PUT", `${path}/draft`, { body: { structuredOutputs: [own, { ...own, name: "hunger" }] } });
    await dashboard.load(path);
    await page.getByRole("button", { name: "Edit mood" }).click();
    const dialog = page.getByRole("dialog", { name: "mood" });
    await dialog.getByLabel("Name").fill("hunger");
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.getByText("Another one of this flow is called so.").waitFor();
    await dialog.getByLabel("Name").fill("temper");
    const found = await dashboard.inspect("flow-own-output");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Share temper" }).click();
    await dashboard.heard("temper is a structured output of the workspace.");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    const { body } = await world.request("GET", `${path}/draft`);
    expect(body.structuredOutputs).toEqual([{ ...own, name: "hunger" }]);
    return found;
  }

  async function lookAtTemper(): Promise<string[]> {
    const { page } = dashboard;
    await dashboard.open("/outputs");
    await page
      .getByRole("row", { name: /temper/ })
      .getByText("1 draft")
      .waitFor();
    await page.getByRole("link", { name: "temper" }).click();
    await page.getByText("draft only").waitFor();
    await page.getByRole("link", { name: "Appointment reminder" }).click();
    await page.getByText(/draft saved .* by Olive Owner/).waitFor();
    await dashboard.open("/flows?state=DRAFT");
    const row = page.getByRole("row", { name: /Appointment reminder/ });
    await row.getByText("Draft", { exact: true }).waitFor();
    await row.getByText("Olive Owner").waitFor();
    return dashboard.inspect("flows-draft");
  }

  it("runs a suite from its text, shows a failure at its line, and compares the next run with it", async () => {
    const { page } = dashboard;
    await dashboard.open("/simulations");
    const found = await dashboard.inspect("simulations");
    await page.getByRole("button", { name: "Run a suite" }).first().click();
    const editor = page.getByRole("textbox", { name: "Suite" });
    await editor.waitFor();
    found.push(...(await dashboard.inspect("simulation-new")));
    const buffer = Buffer.from(`suite: Long\n# ${"a".repeat(1_048_576)}`);
    const long = { name: "long.suite.yaml", mimeType: "text/yaml", buffer };
    await page.locator("input[type=file]").setInputFiles(long);
    await page.getByRole("alert").filter({ hasText: "long.suite.yaml is larger than 1 MB" }).waitFor();
    expect(await editor.textContent()).not.toContain("suite: Long");
    await editor.fill(SUITE);
    await page.getByRole("link", { name: "Simulations" }).last().click();
    await page.getByRole("heading", { name: "Simulations", level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => editor.textContent()).toContain(SUITE.trim().split("\n").at(-1)?.trim());
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/simulations\/[0-9a-f-]{36}$/);
    expect(sent.filter((url) => url.endsWith("/simulations"))).toHaveLength(1);
    await page.locator(".failure").first().waitFor();
    found.push(...(await dashboard.inspect("simulation")));
    const first = page.url();
    await page.getByRole("button", { name: "Run again" }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.getByText("Nothing that anybody would notice differs.").waitFor();
    await page.getByRole("button", { name: "Edit and run" }).click();
    await expect.poll(() => editor.textContent()).toContain("appointment-reminder");
    expect(found).toEqual([]);
  });

  it("edits a run and runs it with the same scenarios, seed, mode and flow as before", async () => {
    const { page, world } = dashboard;
    const flow = { document: { name: "Sent along", firstMessage: "Good morning." } };
    const asked = { only: ["second"], seed: 7, mode: "TEXT", repeat: 2, flow };
    const scenarios = ["first", "second"].map((name) => ({ name, persona: "agrees" }));
    const suite = { suite: "Two", flow: "appointment-reminder", scenarios };
    const { body } = await world.request("POST", "/simulations", { body: { suite, ...asked } });
    await world.until(`/simulations/${String(body.id)}`, ({ endedAt }) => endedAt !== null);
    await dashboard.open(`/simulations/${String(body.id)}`);
    await page.getByRole("button", { name: "Edit and run" }).click();
    expect(await page.getByRole("combobox", { name: "Flow" }).inputValue()).toBe("The one of the earlier run");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL((url) => /simulations\/[0-9a-f-]{36}$/.test(url.href) && !url.href.endsWith(String(body.id)));
    const source = await world.request("GET", `/simulations/${page.url().split("/").at(-1)}/source`);
    expect(source.body).toMatchObject(asked);
  });
});
