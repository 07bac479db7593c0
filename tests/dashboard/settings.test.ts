import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { PageSocket } from "../kit/page-socket.ts";
import type { World } from "../kit/world.ts";

describe.skipIf(CHROMIUM === undefined)("settings in the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(
    async () => (dashboard = await Dashboard.startSignedIn({ env: { OUTBOUND_ALLOW: "127.0.0.1:9999" } })),
    /status of 4(09|22)/,
  );

  it("saves the workspace, and tells a second person that somebody else saved first", async () => {
    const { page, owner, world } = dashboard;
    const { workspaceId } = world.sample;
    await dashboard.open("/settings");
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Reminders");
    await page.getByRole("button", { name: "Save" }).click();
    await dashboard.heard("Saved.");
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

  it("keeps what was typed when a page of settings is left by a link", async () => {
    const { page, owner, world } = dashboard;
    const { workspaceId } = world.sample;
    await dashboard.load("/settings");
    await page.getByRole("textbox", { name: "Burst" }).fill("77");
    await dashboard.open("/settings/compliance");
    await page.getByRole("textbox", { name: "Minutes between attempts" }).fill("45");
    await page.getByRole("link", { name: "People" }).first().click();
    await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole("textbox", { name: "Minutes between attempts" }).inputValue()).toBe("45");
    await page.getByRole("button", { name: "Save" }).click();
    await dashboard.heard("Saved.");
    await page.getByRole("link", { name: "Workspace" }).first().click();
    await expect.poll(() => page.getByRole("textbox", { name: "Burst" }).inputValue()).toBe("77");
    // Only other settings were saved meanwhile, so nobody is asked.
    await page.getByRole("button", { name: "Save" }).click();
    await dashboard.heard("Saved.");
    const stored = (await owner.ask("GET", `/workspaces/${workspaceId}`)).body;
    expect(stored).toMatchObject({ attemptGapMinutes: 45, rateLimit: { capacity: 77 } });
  });

  it("shows who may have asked for no more contact on their call, and decides it", async () => {
    const { page, world } = dashboard;
    const flow = { name: "Visit", masterPrompt: "Ask whether they come.", firstMessage: "Hello, this is the clinic." };
    const words = "unsubscribe me from the newsletter but keep the appointment";
    const [first, second] = ["+12025550100", "+12025550101"] as const;
    const rowId = await dialogue(world, { flow, customerNumber: first, contactName: "Ada Lovelace" }, words);
    await dialogue(world, { flow, customerNumber: second }, words);
    await dashboard.open(`/calls/${rowId}`);
    await page.getByText("They may have asked for no more contact").waitFor();
    const found = await dashboard.inspect("call-in-doubt");
    await page.getByRole("link", { name: "Decide it" }).click();
    const lineOf = (number: string) => page.getByRole("row", { name: number });
    await lineOf(first).getByText(words).waitFor();
    found.push(...(await dashboard.inspect("opt-out-reviews")));
    await lineOf(first).getByRole("button", { name: "Opt out" }).click();
    await page.getByRole("button", { name: "Put on the list" }).click();
    await dashboard.heard(`${first} is not contacted any more.`);
    await expect.poll(() => lineOf(first).count()).toBe(0);
    await lineOf(second).getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("button", { name: "Dismiss review" }).click();
    await page.getByText("Nothing to decide").waitFor();
    expect((await world.request("GET", `/do-not-call/${first}`)).status).toBe(200);
    expect((await world.request("GET", `/do-not-call/${second}`)).status).toBe(404);
    await page.getByPlaceholder("State").click();
    await page.getByRole("option", { name: "Confirmed" }).click();
    await lineOf(first).getByText("Confirmed").waitFor();
    await lineOf(first).getByRole("link").click();
    await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
    expect(await page.getByText("They may have asked for no more contact").count()).toBe(0);
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
    await page.getByLabel("Attempts per day").fill("2");
    await page.getByLabel("Minutes between attempts").fill("90");
    const found = await dashboard.inspect("settings-compliance");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await owner.ask("GET", `/workspaces/${workspaceId}`)).body.callingWindow)
      .toMatchObject({ windows: [{ start: "08:00" }, { days: ["SAT"], end: "15:30" }] });
    expect((await owner.ask("GET", `/workspaces/${workspaceId}`)).body).toMatchObject({
      maxAttemptsPerDay: 2,
      attemptGapMinutes: 90,
    });
    await dashboard.open("/settings/do-not-call");
    await page.getByRole("button", { name: "Add numbers" }).first().click();
    await page.getByLabel("Numbers", { exact: true }).fill("phone\n+49 30 901820\n0049 30 901821,=cmd()\n030 12");
    await page.getByText("2 numbers found.").waitFor();
    found.push(...(await dashboard.inspect("settings-do-not-call-add")));
    await page.getByRole("button", { name: "Add 2" }).click();
    await page.getByText("+4930901821").waitFor();
    await sayWhereCut(page);
    await page.getByLabel("Number begins with").fill("004930901820");
    await expect.poll(() => page.getByText("+4930901821").count()).toBe(0);
    const entries = async () => (await owner.ask("GET", `/workspaces/${workspaceId}/do-not-call`)).body.totalElements;
    const all = await entries();
    await dashboard.stretchTimers(6_000);
    const takeOff = page.getByLabel("Take +4930901820 off the list");
    await takeOff.click();
    await page.getByText("No number begins so").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await takeOff.click();
    await page.getByText("No number begins so").waitFor();
    expect(await entries()).toBe(all);
    // Leaving the page before the time for second thoughts is over does what was asked for.
    await dashboard.load("/settings/do-not-call");
    await expect.poll(entries).toBe(Number(all) - 1);
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
    await page.getByText("Invitation withdrawn").first().waitFor();
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
    await page.getByRole("button", { name: "Actions for House model" }).click();
    await page.getByRole("menuitem", { name: "Change" }).click();
    await page.getByLabel("Address").fill("http://127.0.0.1:9999/v2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("is required again when the address").waitFor();
    await page.getByLabel("Key", { exact: true }).fill("sk-secret");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.content()).not.toContain("sk-secret");
    expect(found).toEqual([]);
  });

  it("shows and keeps how much a model may write and how hard it thinks", async () => {
    const { page, owner, world } = dashboard;
    const path = await makeModel("Thinker");
    expect((await owner.ask("PUT", path, { maxOutputTokens: 2_048, reasoningEffort: "high" })).status).toBe(200);
    const read = async () => {
      const { content } = (await owner.ask("GET", `/workspaces/${world.sample.workspaceId}/models`)).body as {
        content: { id: string }[];
      };
      return content.find(({ id }) => path.endsWith(id));
    };
    const open = async () => {
      await page.getByRole("button", { name: "Actions for Thinker" }).click();
      await page.getByRole("menuitem", { name: "Change" }).click();
    };
    const tokens = page.getByLabel("Output tokens at most");
    const effort = page.getByRole("combobox", { name: "Reasoning effort" });
    await dashboard.open("/settings/models");
    await open();
    expect([await tokens.inputValue(), await effort.inputValue()]).toEqual(["2048", "high"]);
    const found = await dashboard.inspect("settings-model-effort");
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("large");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(read).toMatchObject({ model: "large", maxOutputTokens: 2_048, reasoningEffort: "high" });
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await open();
    await tokens.fill("");
    await effort.click();
    await page.getByRole("option", { name: "minimal" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(read).toMatchObject({ maxOutputTokens: null, reasoningEffort: "minimal" });
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(found).toEqual([]);
  });

  it("overwrites no model that somebody else changed meanwhile, in a dialog as on a page", async () => {
    const { page, owner, world } = dashboard;
    const path = await makeModel("Their model");
    const models = `/workspaces/${world.sample.workspaceId}/models`;
    const read = async () => {
      const { content } = (await owner.ask("GET", models)).body as { content: { id: string }[] };
      return content.find(({ id }) => path.endsWith(id));
    };
    await dashboard.open("/settings/models");
    const change = async (model: string) => {
      await page.getByRole("button", { name: /^Actions for Their model/ }).click();
      await page.getByRole("menuitem", { name: "Change" }).click();
      await page.getByRole("textbox", { name: "Model", exact: true }).fill(model);
    };
    await change("medium");
    // Saved anew without another value of the form: nobody has to be asked.
    expect((await owner.ask("PUT", path, { name: "Their model" })).status).toBe(200);
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(read).toMatchObject({ name: "Their model", model: "medium" });
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await change("large");
    await page.getByLabel("Key", { exact: true }).fill("sk-typed");
    expect((await owner.ask("PUT", path, { name: "Their model II", temperature: 1 })).status).toBe(200);
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Somebody else saved first" });
    await dialog.getByText("Their model II").waitFor();
    const found = await dashboard.inspect("settings-model-stale");
    expect(await dialog.textContent()).not.toContain("sk-typed");
    // Escape leaves the question, not the form below it.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByLabel("Key", { exact: true }).inputValue()).toBe("sk-typed");
    await page.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Their model II").waitFor();
    expect(await read()).toMatchObject({ name: "Their model II", model: "medium" });
    await dialog.getByRole("button", { name: "Keep both" }).click();
    await expect.poll(read).toMatchObject({ name: "Their model II", model: "large", temperature: 1 });
    expect(found).toEqual([]);
  });

  it("tells of a write that fails after its screen was left, and on a screen that is there only by it", async () => {
    const { page, owner, world } = dashboard;
    const started = await owner.ask("POST", `/workspaces/${world.sample.workspaceId}/outbound/chats`, {
      channel: "CHAT",
    });
    const { session } = started.body as { session: { id: string } };
    await makeModel("Old model");
    /** Does something whose write is refused only when `meanwhile` is done. */
    const refuse = async (path: RegExp, act: () => Promise<void>, meanwhile: () => Promise<void>) => {
      const isDone = Promise.withResolvers<void>();
      await page.route(path, async (route) => {
        if (route.request().method() === "GET") return route.fallback();
        await isDone.promise;
        await route.fulfill({ status: 409, json: { message: "The cupboard is full." } });
      });
      await act();
      await meanwhile();
      const reply = page.waitForResponse((response) => response.status() === 409);
      isDone.resolve();
      await reply;
      await page.getByText("The cupboard is full.").waitFor();
      await page.unroute(path);
    };
    const toasts = page.locator(".mantine-Notification-root");
    const leave = () => dashboard.go("/settings/people");
    const addModel = async () => {
      await page.getByRole("button", { name: "Add model" }).first().click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Late model");
      await page.getByRole("textbox", { name: "Model", exact: true }).fill("small");
      await page.getByRole("dialog").getByRole("button", { name: "Add model" }).click();
    };
    const expectToast = async (title: string) => {
      await expect.poll(() => toasts.allTextContents()).toEqual([`${title}The cupboard is full.`]);
      await toasts.getByRole("button", { name: "Dismiss" }).click();
      await expect.poll(() => toasts.count()).toBe(0);
    };
    await dashboard.open("/settings/models");
    // What closes by itself may not be gone before the test has read it.
    await dashboard.stretchTimers(10_000);
    await refuse(/\/models$/, addModel, async () => undefined);
    expect(await page.getByRole("dialog").textContent()).toContain("The cupboard is full.");
    expect(await toasts.count()).toBe(0);
    await dashboard.open("/settings/models");
    await dashboard.stretchTimers(10_000);
    await refuse(/\/models$/, addModel, leave);
    await expectToast("The model was not saved");
    await dashboard.go("/settings/models");
    const removeModel = async () => {
      await page.getByRole("button", { name: "Actions for Old model" }).click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Remove model" }).click();
    };
    await refuse(/\/models\/[^/]+$/, removeModel, leave);
    await expectToast("Old model was not removed");
    await dashboard.go(`/chats?chat=${session.id}`);
    await refuse(/\/take-over/, () => page.getByRole("button", { name: "Take over" }).click(), leave);
    await expectToast("The chat was not taken over");
  });

  /** Gives the path of a model that is there before the page looks. */
  async function makeModel(name: string): Promise<string> {
    const { owner, world } = dashboard;
    const models = `/workspaces/${world.sample.workspaceId}/models`;
    const baseUrl = "http://127.0.0.1:9999/v1";
    const body = { name, provider: "OPENAI_COMPATIBLE", model: "small", baseUrl, apiKey: "sk-secret" };
    const { status, text, body: made } = await owner.ask("POST", models, body);
    if (status >= 300) throw new Error(text);
    return `${models}/${String(made.id)}`;
  }

  it("stores an account at a provider of speech, tests it, and deletes recordings after some days", async () => {
    const { page, owner, world } = dashboard;
    await dashboard.open("/settings/speech");
    await page.getByRole("button", { name: "Set up OpenAI" }).click();
    await page.getByLabel("Key", { exact: true }).fill("sk-voice");
    await page.getByLabel("Address").fill("http://127.0.0.1:9999/v1");
    await page.getByLabel("Voice", { exact: true }).fill("coral");
    const found = await dashboard.inspect("settings-speech-account");
    await page.getByRole("button", { name: "Save account" }).click();
    await page.getByText("own account").waitFor();
    await page.getByRole("button", { name: "Set up Deepgram" }).click();
    await page.getByLabel("Key", { exact: true }).fill("sk-mine");
    const deepgram = `/workspaces/${world.sample.workspaceId}/speech-accounts/DEEPGRAM`;
    const theirs = await owner.ask("PUT", deepgram, { apiKey: "sk-theirs" });
    await page.getByRole("button", { name: "Save account" }).click();
    await page.getByRole("dialog", { name: "Somebody else saved first" }).waitFor();
    const { accounts } = (await owner.ask("GET", deepgram.replace("/DEEPGRAM", ""))).body as { accounts: object[] };
    expect(accounts).toContainEqual(theirs.body);
    await page.getByRole("button", { name: "Take theirs" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Test OpenAI" }).click();
    await page.getByText("It did not speak").waitFor();
    found.push(...(await dashboard.inspect("settings-speech-test")));
    await page.keyboard.press("Escape");
    await page.getByLabel("Days to keep recordings").fill("90");
    await page.getByText("Nobody can bring it back.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await owner.ask("GET", `/workspaces/${world.sample.workspaceId}`)).body.recordingRetentionDays)
      .toBe(90);
    await page.getByRole("button", { name: "Change OpenAI" }).click();
    await page.getByText("One is stored.").waitFor();
    expect(await page.content()).not.toContain("sk-voice");
    await page.getByRole("button", { name: "Cancel" }).click();
    found.push(...(await dashboard.inspect("settings-speech")));
    expect(found).toEqual([]);
  });
});

/** A call over the web in which the person says something, and hangs up when they are asked back; gives its row. */
async function dialogue(world: World, body: object, text: string): Promise<string> {
  const made = (await world.request("POST", "/web-calls", { body })).body as Record<string, string>;
  using page = await PageSocket.hello(String(made.socketUrl), String(made.token));
  await page.next("ready");
  page.send({ type: "accept", mode: "TEXT" });
  await page.next("text");
  page.send({ type: "text", text });
  await page.next("text");
  page.send({ type: "hangup" });
  await world.until(`/call-rows/${made.callRowId}`, (row) => row.endedAt !== null);
  return String(made.callRowId);
}

/** Exports a do-not-call list that is longer than a file may be. */
async function sayWhereCut(page: Page): Promise<void> {
  const row = { number: "+4930901820", source: "OPERATOR", note: null, createdAt: "2026-01-01T00:00:00.000Z" };
  const json = { content: Array.from({ length: 200 }, () => row), totalElements: 200_000, totalIsExact: true };
  const list = /\/do-not-call\?.*size=200/;
  await page.route(list, async (route) => await route.fulfill({ json }));
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.getByText("100,000 rows exported. The list is longer").waitFor();
  await page.unroute(list);
}
