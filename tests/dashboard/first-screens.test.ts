import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

/** Presses two keys at once, of which a busy page receives one much later than the other. */
const PRESS_G_C = `(() => {
  const [first, second] = ["g", "c"].map((key) => new KeyboardEvent("keydown", { key, bubbles: true }));
  document.body.dispatchEvent(first);
  for (const until = performance.now() + 2_000; performance.now() < until; );
  document.body.dispatchEvent(second);
})()`;

describe.skipIf(CHROMIUM === undefined)("the first screens of the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  // A refused save is a 409, which browsers write to the console by themselves.
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()), /status of 409/);

  it("shows home, calls and credentials of an empty workspace", async () => {
    await dashboard.open("/");
    await dashboard.page.getByText("First steps").waitFor();
    const found = await dashboard.inspect("home-empty");
    await dashboard.open("/calls");
    await dashboard.page.getByText("No calls yet").waitFor();
    found.push(...(await dashboard.inspect("calls-empty")));
    expect(found).toEqual([]);
  });

  it("places a call from a drawer and shows all that came of it", async () => {
    const { page, world } = dashboard;
    const { id, apiId } = (await world.request("POST", "/flows", { body: { name: "x", masterPrompt: "Help." } })).body;
    await world.request("PUT", `/flows/${String(id)}`, { body: { name: null } });
    await dashboard.open("/");
    await page.getByRole("link", { name: "Place a call" }).click();
    await page.getByRole("dialog", { name: "Place a call" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/calls$/);
    await page.getByRole("button", { name: "Place a call" }).first().click();
    // A flow that has lost its name is shown by its apiId.
    const flow = page.getByRole("combobox", { name: "Flow" });
    await flow.fill(String(apiId));
    await page.getByRole("option", { name: String(apiId) }).waitFor();
    await flow.fill("");
    await page.getByRole("combobox", { name: "Number to call" }).fill("+12025550102");
    await page.getByLabel("Name of the contact").fill("Ada Example");
    await page.getByRole("button", { name: "Call (simulated)" }).waitFor();
    const found = await dashboard.inspect("place-call");
    await page.getByRole("button", { name: "Call (simulated)" }).click();
    await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
    await page.getByText("partySize").waitFor();
    await page.locator(".wave div").first().waitFor();
    await page.getByRole("tab", { name: "Latency" }).click();
    await page.getByText("The scripted model spoke, which takes no time").waitFor();
    found.push(...(await dashboard.inspect("call")));
    // A line of the transcript plays the recording from there, and the transcript follows it.
    await page
      .getByRole("button", { name: /^Play from/ })
      .nth(2)
      .click();
    await page.locator(".line[data-current] .word-now").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".tool-line").first().click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByText('"transcriptText"').waitFor();
    await page.getByRole("tab", { name: /Attempts/ }).click();
    found.push(...(await dashboard.inspect("call-attempts")));
    await page.getByRole("button", { name: "Make a test" }).click();
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByText("Passed", { exact: true }).waitFor();
    found.push(...(await dashboard.inspect("call-test")));
    expect(found).toEqual([]);
  });

  it("turns a sentence of a call into a test, a better draft, and both versions' results side by side", async () => {
    const { page, world } = dashboard;
    const made = await world.request("POST", "/flows", {
      body: { name: "Greeting", firstMessage: "Hi there, {{ contactName }}." },
    });
    const call = await world.call("+12025550100", { flowId: made.body.id, contactName: "Wilhelmina Quist" });
    await dashboard.open(`/calls/${String(call.id)}`);
    // A call without latencies opens with another tab.
    await page.getByRole("tab", { name: /Attempts/, selected: true }).waitFor();
    await page
      .getByRole("link", { name: /^Test and fix the line at/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "From a sentence to a better flow" }).waitFor();
    await expect
      .poll(() => page.getByLabel("The agent must not say this again").inputValue())
      .toMatch(/^Hi there, Wilhelmina/);
    await page.getByRole("button", { name: "Run on the published version" }).waitFor();
    await page.getByLabel("The agent must not say this again").fill("Hi there");
    await page.getByLabel("It must say this").fill("Good morning, Wilhelmina Quist");
    await page.getByRole("button", { name: "Show the test" }).click();
    const test = page.getByRole("textbox", { name: "Test", exact: true });
    await test.getByText("Made from a call").waitFor();
    expect(await test.innerText()).not.toMatch(/Wilhelmina|Quist/);
    await page.getByRole("textbox", { name: "First message" }).fill("Good morning, {{ contactName }}.");
    const found = await dashboard.inspect("sentence");
    await page.getByRole("button", { name: "Run on both versions" }).click();
    await page.getByText("The draft passes what the published version does not.").waitFor();
    const [published, draft] = [/^Published, version 1/, /^Draft/].map((title) =>
      page.locator("section").filter({ has: page.getByRole("heading", { name: title }) }),
    );
    await published?.getByText("Failed", { exact: true }).waitFor();
    await draft?.getByText("Passed", { exact: true }).waitFor();
    await draft?.getByText("Differs from line 1 on.").waitFor();
    found.push(...(await dashboard.inspect("sentence-runs")));
    const saved = await world.request("GET", `/flows/${String(made.body.id)}/draft`);
    expect(saved.body).toMatchObject({ firstMessage: "Good morning, {{ contactName }}.", name: "Greeting" });
    const path = `/flows/${String(made.body.id)}/draft`;
    const { updatedAt: _at, updatedBy: _by, flowId: _flow, baseVersion: _base, ...fields } = saved.body;
    await page.getByRole("textbox", { name: "First message" }).fill("Welcome, {{ contactName }}.");
    await world.request("PUT", path, {
      body: { ...fields, firstMessage: "Hello from Ada.", masterPrompt: "Be brief." },
    });
    await page.getByRole("button", { name: "Run on both versions" }).click();
    await page.getByRole("dialog").getByText("Hello from Ada.").waitFor();
    await page.getByRole("button", { name: "Keep both" }).click();
    await expect
      .poll(async () => (await world.request("GET", path)).body)
      .toMatchObject({ firstMessage: "Welcome, {{ contactName }}.", masterPrompt: "Be brief." });
    await page.getByRole("link", { name: "Publish it on the flow" }).click();
    await page.getByRole("heading", { name: "Greeting", level: 1 }).waitFor();
    expect(found).toEqual([]);
  });

  it("lists calls with filters in the address", async () => {
    const { page, world } = dashboard;
    for (const code of ["01", "10", "11", "20", "30", "06", "50"])
      await world.call(`+120255501${code}`, { contactName: `Person ${code}` });
    await dashboard.open("/calls");
    await page.getByText("Person 50").waitFor();
    const found = await dashboard.inspect("calls");
    await page.getByLabel("Outcome").first().click();
    await page.getByRole("option", { name: "Busy" }).click();
    await page.waitForURL(/outcome=BUSY/);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByText("Person 50").count()).toBe(0);
    await page.getByText("Person 10").waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save these filters" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Busy ones");
    await page.getByRole("button", { name: "Save view" }).click();
    await dashboard.open("/calls");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Busy ones" }).click();
    await page.waitForURL(/outcome=BUSY/);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
    expect(lines.length).toBe(2);
    expect(lines[1]).toMatch(/^Person 10,\+12025550110,BUSY,FAILED,/);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
    await page.goBack();
    await page.waitForURL(/outcome=BUSY/);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    // Who types a word and waits does not lose the space after it.
    await page.getByLabel("Name or number").pressSequentially("pers ");
    await page.waitForURL(/search=pers$/);
    await page.getByLabel("Name or number").pressSequentially("0130");
    await page.waitForURL(/search=pers./);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await page.getByText("Person 30").waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Name or number").inputValue()).toBe("pers 0130");
    await dashboard.open("/");
    await page.getByText("Person 50").first().waitFor();
    found.push(...(await dashboard.inspect("home")));
    expect(found).toEqual([]);
  });

  it("tells of a list that could not be read instead of the list, and reads it when it is tried again", async () => {
    const { page, world } = dashboard;
    const list = "**/call-history?*";
    await world.call("+12025550150", { contactName: "Person in the list" });
    await page.route(list, (route) => route.fulfill({ status: 500, json: {} }));
    await dashboard.open("/calls");
    await page.getByText("This could not be loaded").waitFor();
    // News of the call may have it read once more.
    await expect.poll(() => page.locator("[aria-busy]").count()).toBe(0);
    expect(await dashboard.inspect("calls-fault")).toEqual([]);
    await page.unroute(list);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Person in the list").waitFor();
    expect(await page.getByText("This could not be loaded").count()).toBe(0);
    // The browser logs the 500 that was asked for here.
    dashboard.forgive(/status of 500/);
  });

  it("says that invitations and top-ups could not be read, and reads them when it is tried again", async () => {
    const { page } = dashboard;
    const screens: [path: string, read: string][] = [
      ["/settings/people", "**/invitations"],
      ["/settings/balance", "**/billing/top-ups"],
    ];
    for (const [path, read] of screens) {
      await page.route(read, (route) => route.fulfill({ status: 500, json: {} }));
      await dashboard.load(path);
      await page.getByText("This could not be loaded").waitFor();
      await page.unroute(read);
      await page.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => page.getByText("This could not be loaded").count()).toBe(0);
    }
    dashboard.forgive(/status of 500/);
  });

  it("makes a key that is shown once and hears of its first request", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/credentials");
    const found = await dashboard.inspect("credentials");
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByLabel("Name").fill("Nightly import");
    found.push(...(await dashboard.inspect("credentials-create")));
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByText("Listening for the first request").waitFor();
    found.push(...(await dashboard.inspect("credentials-secret")));
    const key = await page.locator(".code").first().innerText();
    expect((await world.request("GET", "/flows", { key: key.trim() })).status).toBe(200);
    await page.getByText("The first request has arrived").waitFor();
    await page.keyboard.press("Escape");
    // Closing the dialog returns the focus to where it was.
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Create key");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Create a credential" }).waitFor();
    expect(found).toEqual([]);
  });

  it("takes nobody back who left before the answer came, but links to what was made and shows a key", async () => {
    const { page } = dashboard;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/(outbound\/calls|credentials\/keys)$/, async (route) => {
      await held;
      await route.continue();
    });
    await dashboard.open("/calls?new=call");
    // The toast with the link closes by itself.
    await dashboard.stretchTimers(12_000);
    await page.getByRole("combobox", { name: "Number to call" }).fill("+12025550100");
    await Promise.all([
      page.waitForRequest(/\/outbound\/calls$/),
      page.getByRole("button", { name: "Call (simulated)" }).click(),
    ]);
    await dashboard.go("/credentials?new=key");
    await page.getByLabel("Name").fill("Left alone");
    await Promise.all([
      page.waitForRequest(/\/credentials\/keys$/),
      page.getByRole("dialog").getByRole("button", { name: "Create key" }).click(),
    ]);
    await dashboard.go("/flows");
    answer();
    const dialog = page.getByRole("dialog", { name: "Left alone is ready" });
    await dialog.waitFor();
    await dashboard.heard("The call is queued.");
    expect(new URL(page.url()).pathname).toMatch(/\/flows$/);
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
    await page.unroute(/\/(outbound\/calls|credentials\/keys)$/);
  });

  it("opens the palette and the sheet of shortcuts by keys", async () => {
    const { page } = dashboard;
    await dashboard.open("/");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search or jump to …").fill("cred");
    const found = await dashboard.inspect("palette");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "API credentials", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByText("Keyboard shortcuts").waitFor();
    const places = await page.locator("aside nav a").allTextContents();
    for (const place of places)
      expect(
        await page.getByRole("dialog").getByText(place.replace(/\d+$/, ""), { exact: true }).count(),
      ).toBeGreaterThan(0);
    expect(places.length).toBeGreaterThan(15);
    found.push(...(await dashboard.inspect("shortcuts")));
    await page.keyboard.press("Escape");
    await page.getByText("Keyboard shortcuts").waitFor({ state: "hidden" });
    await page.evaluate(PRESS_G_C);
    await page.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
    expect(found).toEqual([]);
  });
});
