import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../browser.ts";
import { Dashboard } from "./dashboard-desk.ts";

describe.skipIf(CHROMIUM === undefined)("settings in the dashboard", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.startSignedIn({ env: { OUTBOUND_ALLOW: "127.0.0.1:9999" } });
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  it("saves the workspace, and tells a second person that somebody else saved first", async () => {
    const { page, owner, world } = dashboard;
    const { workspaceId } = world.sample;
    await dashboard.open("/settings");
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Reminders");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await name.fill("Mine");
    expect((await owner.ask("PATCH", `/workspaces/${workspaceId}`, { name: "Theirs" })).status).toBe(200);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else saved first").waitFor();
    const found = await dashboard.inspect("settings-stale");
    await page.getByRole("button", { name: "Back to the form" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await name.inputValue()).toBe("Mine");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await expect.poll(async () => (await owner.ask("GET", `/workspaces/${workspaceId}`)).body.name).toBe("Mine");
    found.push(...(await dashboard.inspect("settings-workspace")));
    expect(found).toEqual([]);
  });

  it("limits countries and hours, and keeps numbers off the phone", async () => {
    const { page, owner, world } = dashboard;
    const { workspaceId } = world.sample;
    await dashboard.open("/settings/compliance");
    await page.getByRole("radio", { name: "Only these" }).check();
    await page.getByRole("combobox", { name: "Countries" }).fill("germ");
    await page.getByRole("option", { name: "Germany (DE)" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("switch", { name: "Call at certain hours only" }).click();
    await page.getByText("Other hours").click();
    await page.getByLabel("Hours 2: until").fill("08:00");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be after start, on the same day.").first().waitFor();
    await page.getByLabel("Hours 2: until").fill("15:30");
    const found = await dashboard.inspect("settings-compliance");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await owner.ask("GET", `/workspaces/${workspaceId}`)).body.callingWindow)
      .toMatchObject({ windows: [{ start: "08:00" }, { days: ["SAT"], end: "15:30" }] });
    await dashboard.open("/settings/do-not-call");
    await page.getByRole("button", { name: "Add numbers" }).first().click();
    await page.getByLabel("Numbers", { exact: true }).fill("phone\n+49 30 901820\n0049 30 901821,=cmd()\n030 12");
    await page.getByText("2 numbers found.").waitFor();
    found.push(...(await dashboard.inspect("settings-do-not-call-add")));
    await page.getByRole("button", { name: "Add 2" }).click();
    await page.getByText("+4930901821").waitFor();
    await page.getByLabel("Number begins with").fill("004930901820");
    await expect.poll(() => page.getByText("+4930901821").count()).toBe(0);
    await page.getByLabel("Take +4930901820 off the list").click();
    await page.getByRole("button", { name: "Take it off" }).click();
    await page.getByText("No number begins so").waitFor();
    await dashboard.open("/settings/do-not-call");
    found.push(...(await dashboard.inspect("settings-do-not-call")));
    expect(found).toEqual([]);
  });

  it("invites, changes roles after asking, and writes it all into the audit log", async () => {
    const { page } = dashboard;
    await dashboard.open("/settings/people");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Name", { exact: true }).fill('<img src=x onerror="document.title=1">');
    await page.getByLabel("Builder").check();
    await page.getByRole("button", { name: "Make link" }).click();
    await page.getByText(/\/invite\//).waitFor();
    const found = await dashboard.inspect("settings-invitation");
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText("Open invitations").first().waitFor();
    found.push(...(await dashboard.inspect("settings-people")));
    await page.getByRole("button", { name: /Withdraw/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await expect.poll(() => page.getByText("Open invitations").count()).toBe(0);
    await dashboard.open("/settings/audit?action=invitation");
    await page.getByText("invitation.", { exact: false }).first().waitFor();
    found.push(...(await dashboard.inspect("settings-audit")));
    expect(found).toEqual([]);
  });

  it("configures a model, whose key is not shown again", async () => {
    const { page } = dashboard;
    await dashboard.open("/settings/models");
    const found = await dashboard.inspect("settings-models-empty");
    await page.getByRole("button", { name: "Add model" }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("House model");
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("small");
    await page.getByLabel("Address").fill("http://127.0.0.1:9999/v1");
    await page.getByLabel("Key", { exact: true }).fill("sk-secret");
    found.push(...(await dashboard.inspect("settings-model")));
    await page.getByRole("dialog").getByRole("button", { name: "Add model" }).click();
    await page.getByRole("button", { name: "Try it: House model" }).click();
    await page.getByText("It did not answer").waitFor();
    await page.keyboard.press("Escape");
    found.push(...(await dashboard.inspect("settings-models")));
    expect(await page.content()).not.toContain("sk-secret");
    expect(found).toEqual([]);
  });

  it("shows balance, speech and one's own account", async () => {
    const { page, world } = dashboard;
    await world.call("+12025550100");
    await dashboard.open("/settings/balance");
    await page.getByRole("button", { name: "Top up" }).click();
    await page.getByLabel(/Amount/).fill("25,50");
    await page.getByRole("dialog").getByRole("button", { name: "Top up" }).click();
    await page.getByText("$25.50").first().waitFor();
    const found = await dashboard.inspect("settings-balance");
    await dashboard.open("/settings/speech");
    found.push(...(await dashboard.inspect("settings-speech")));
    await dashboard.open("/settings/account");
    found.push(...(await dashboard.inspect("settings-account")));
    expect(found).toEqual([]);
  });

  it("asks no other host and writes no error to the console but for what the server refused", () => {
    expect(dashboard.faults.filter((fault) => !/status of 4(09|22)/.test(fault))).toEqual([]);
  });
});
