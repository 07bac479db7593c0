import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dashboard } from "./dashboard-desk.ts";

describe("flows in the dashboard", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.startSignedIn();
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  it("makes a flow from a template, tries the unsaved text in a chat, and publishes it", async () => {
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
    await page.getByRole("button", { name: "End and extract" }).click();
    await page.getByText("interested", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Good day", { exact: false }).last().waitFor();
    found.push(...(await dashboard.inspect("flow-publish")));
    await page.getByLabel("What changed").fill("A friendlier opening.");
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByText("v2 published").waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("A friendlier opening.").waitFor();
    found.push(...(await dashboard.inspect("flow-versions")));
    expect(found).toEqual([]);
  });

  it("runs the form's text against a simulated person, and calls it from the page", async () => {
    const { page, world } = dashboard;
    await dashboard.open(`/flows/${world.sample.flow.id}`);
    await page.getByRole("tab", { name: "Persona" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("link", { name: "Open the run" }).waitFor({ timeout: 30_000 });
    const found = await dashboard.inspect("flow-persona");
    await page.getByRole("tab", { name: "Phone" }).click();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText("You are connected: write below.").waitFor();
    found.push(...(await dashboard.inspect("flow-phone")));
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByRole("link", { name: "Open this call" }).waitFor();
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
    await page.getByRole("textbox", { name: "First message" }).fill("What I wrote.");
    await other.getByRole("button", { name: "Save draft" }).click();
    await other.getByText("Not saved yet").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Somebody else saved first").waitFor();
    const found = await dashboard.inspect("flow-stale");
    expect(await page.getByLabel("Your version").textContent()).toContain("What I wrote.");
    expect(await page.getByLabel("Stored version").textContent()).toContain("What the other one wrote.");
    const draft = await world.request("GET", `/flows/${world.sample.flow.id}/draft`);
    expect(draft.body.firstMessage).toBe("What the other one wrote.");
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await page.getByText("Not saved yet").waitFor({ state: "detached" });
    expect((await world.request("GET", `/flows/${world.sample.flow.id}/draft`)).body.firstMessage).toBe(
      "What I wrote.",
    );
    await other.close();
    expect(found).toEqual([]);
  });

  it("asks no other host and writes no error to the console", () => {
    // The refused save is a 409, which browsers write to the console by themselves.
    expect(dashboard.faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  });
});
