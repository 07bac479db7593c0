import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { saidInTones } from "../kit/tone-recordings.ts";

const HOSTILE = "<img src=x onerror=alert(1)> مرحبا";

const EMPTY = [
  ["/data", "No applications yet"],
  ["/agents", "No knowledge yet"],
  ["/transcriptions", "No transcription jobs yet"],
  ["/numbers", "No phone numbers yet"],
  ["/numbers?tab=carriers", "No carrier yet"],
] as const;

describe.skipIf(CHROMIUM === undefined)("the dashboard's tools, numbers, data, knowledge and transcriptions", () => {
  let dashboard: Dashboard;
  onDashboard(
    async () => (dashboard = await Dashboard.startSignedIn({ env: { ALLOW_PRIVATE_NETWORK: "1" } })),
    /status of 409/,
  );

  /** In one scheme only, which is enough for a screen that differs in words from one that is inspected. */
  async function glance(name: string): Promise<string[]> {
    await dashboard.picture(name);
    return (await dashboard.axe()).map((line) => `${name} ${line}`);
  }

  it("makes a tool, runs it once against the echo, and keeps a colleague's change from being overwritten", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/tools");
    const found = await glance("tools");
    await page.getByRole("button", { name: "Create tool" }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("look_up_order");
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("Finds an order by its number.");
    await page.getByLabel("URL").fill(`${world.url}/api/external/v1/test/sync-echo`);
    await page.getByLabel("Headers").fill(`{"X-API-Key":"${world.sample.apiKey}"}`);
    await page.getByRole("button", { name: "Add parameter" }).click();
    await page.getByRole("group", { name: "parameter 1" }).getByLabel("Name").fill("orderId");
    found.push(...(await glance("tool-new")));
    await page.getByRole("button", { name: "Create tool" }).click();
    await page.waitForURL(/\/tools\/[0-9a-f-]{36}$/);
    await page.getByLabel("Input").fill('{"orderId":"A-17"}');
    await page.getByRole("button", { name: "Run once" }).click();
    await page.getByText("What the model is told").waitFor();
    const request = page.getByRole("region", { name: "Request" });
    await expect.poll(() => request.innerText()).toContain("A-17");
    expect(await request.innerText()).not.toContain(world.sample.apiKey);
    found.push(...(await dashboard.inspect("tool-run")));
    const toolId = page.url().split("/").at(-1) ?? "";
    await world.request("PUT", `/tools/${toolId}`, { body: { groupName: "Theirs" } });
    await page.getByRole("textbox", { name: "Description", exact: true }).first().fill("Mine.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody else saved first").waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.getByRole("textbox", { name: "Description", exact: true }).first().inputValue()).toBe("Mine.");
    await page.getByRole("main").getByRole("link", { name: "Tools" }).click();
    await page.getByRole("link", { name: "look_up_order" }).click();
    await expect.poll(() => page.getByLabel("Description").first().inputValue()).toBe("Mine.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody else saved first").waitFor();
    await page.getByRole("button", { name: "Keep both" }).click();
    await expect
      .poll(async () => (await world.request("GET", `/tools/${toolId}`)).body)
      .toMatchObject({ groupName: "Theirs", description: "Mine." });
    expect(found).toEqual([]);
  });

  it("makes a copy of a tool that is right as it is", async () => {
    const { page, world } = dashboard;
    const plan = [{ type: "CODE", code: "return 1;" }];
    const body = { name: "one", description: "One.", toolType: "CODE", executionPlan: plan };
    const made = await world.request("POST", "/tools", { body });
    await dashboard.open(`/tools/${String(made.body.id)}`);
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("button", { name: "Create tool" }).click();
    await page.getByRole("heading", { name: "one_copy", level: 1 }).waitFor();
    const copy = await world.request("GET", `/tools/${page.url().split("/").at(-1)}`);
    expect(copy.body).toMatchObject({ name: "one_copy", executionPlan: plan });
  });

  it("echoes by the callback of async tools", async () => {
    const { page } = dashboard;
    await dashboard.open("/tools");
    await page.getByRole("button", { name: "Echo endpoints" }).click();
    await page.getByLabel("Delay in seconds").fill("0");
    await page.getByRole("button", { name: "Async echo" }).click();
    await page.getByText("Completed", { exact: true }).waitFor();
    expect(await dashboard.inspect("tools-echo")).toEqual([]);
  });

  it("adds a sandbox number from a search, suspends it and shows why", async () => {
    const { page } = dashboard;
    await dashboard.open("/numbers");
    await page.getByRole("button", { name: "Add number" }).first().click();
    await page.getByLabel("Country").fill("GB");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("radio").first().click();
    const found = await glance("numbers-add");
    await page.getByRole("button", { name: /^Add \+44/ }).click();
    await page.getByRole("link", { name: /\+44/ }).click();
    await page.getByRole("dialog").getByLabel("Label").fill(HOSTILE);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await dashboard.heard("Saved.");
    await page.getByRole("button", { name: "Test call" }).click();
    const drawer = page.getByRole("dialog", { name: "Place a call" });
    await expect.poll(() => drawer.getByLabel("From").first().inputValue()).toMatch(/^\+44/);
    await expect.poll(() => drawer.getByLabel("Number to call").first().inputValue()).toBe("+12025550100");
    await drawer.getByLabel("Name of the contact").fill(HOSTILE);
    const words = drawer.getByRole("region", { name: "First call" }).locator("blockquote");
    await words.filter({ hasText: HOSTILE }).waitFor();
    const foundInDrawer = await dashboard.inspect("place-call");
    await drawer.getByLabel("Number to call").first().fill("+19005551234");
    await drawer.getByText("This person would not be called").waitFor();
    // Escape would close the numbers that the field offers.
    await drawer.getByLabel("Name of the contact").click();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByText("No new calls leave from it.").waitFor();
    found.push(...foundInDrawer);
    found.push(...(await dashboard.inspect("number")));
    await page.keyboard.press("Escape");
    await page.getByText("<img src=x").first().waitFor();
    found.push(...(await dashboard.inspect("numbers")));
    await page.getByRole("tab", { name: "Carriers" }).click();
    await page.getByText("needs no carrier").waitFor();
    found.push(...(await dashboard.inspect("carriers-sandbox")));
    expect(found).toEqual([]);
  });

  it("keeps customers and records, and shows hostile fields as text", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/data");
    const found = await glance("data");
    await page.getByRole("button", { name: "Create application" }).first().click();
    await page.getByLabel("Name").fill("Clinic");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL(/\/data\/[0-9a-f-]{36}$/);
    await page.getByRole("button", { name: "Add store" }).click();
    await page.getByLabel("Key").fill("bookings");
    await page.getByRole("dialog").getByRole("button", { name: "Add store" }).click();
    await page.getByRole("link", { name: "bookings" }).waitFor();
    found.push(...(await glance("application")));
    const appId = page.url().split("/").at(-1) ?? "";
    const ada = await world.request("POST", `/applications/${appId}/customers`, {
      body: { name: "Ada Example", phone: "+12025550100" },
    });
    await page.getByRole("link", { name: "bookings" }).click();
    await page.getByText("No records yet").waitFor();
    await page.getByRole("button", { name: "Add record" }).first().click();
    await page
      .getByLabel("Fields")
      .fill(JSON.stringify({ note: HOSTILE, sum: "=1+1" }).replace("}", ',"big":12345678901234567890}'));
    await page.getByLabel("Customer id").last().fill(String(ada.body.id));
    await page.getByRole("dialog").getByRole("button", { name: "Add record" }).click();
    await page.getByRole("link", { name: HOSTILE }).click();
    await page.getByText("Ada Example").waitFor();
    await expect.poll(() => page.getByLabel("Fields").innerText()).toContain("12345678901234567890");
    found.push(...(await dashboard.inspect("record")));
    await page.getByRole("link", { name: "Open customer" }).click();
    await page.getByLabel("External id").last().waitFor();
    found.push(...(await dashboard.inspect("customer")));
    expect(found).toEqual([]);
  });

  it("keeps the input of dialogs and drawers left by Back or a link, and drops that of closed or saved ones", async () => {
    const { page, world } = dashboard;
    const application = await world.request("POST", "/applications", { body: { name: "Drafts" } });
    const customers = `/applications/${String(application.body.id)}/customers`;
    const eve = await world.request("POST", customers, { body: { name: "Eveline" } });
    await world.request("POST", customers, { body: { name: "Zoe" } });
    await dashboard.open(`/data/${String(application.body.id)}/customers`);
    const back = "What you typed here before is back.";
    const name = page.getByRole("dialog").getByLabel("Name");
    const leaveOf = async (row: string, text: string) => {
      await page.getByRole("link", { name: row }).click();
      await name.fill(text);
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    };
    await leaveOf("Eveline", "Eveline typed");
    await page.getByRole("link", { name: "Zoe" }).click();
    await expect.poll(() => name.inputValue()).toBe("Zoe");
    await page.keyboard.press("Escape");
    await world.request("PUT", `${customers}/${String(eve.body.id)}`, { body: { email: "eve@example.com" } });
    await page.getByRole("link", { name: "Eveline" }).click();
    await dashboard.heard(back);
    expect(await name.inputValue()).toBe("Eveline typed");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Keep both" }).click();
    await page.getByRole("link", { name: "Eveline typed" }).click();
    await expect.poll(() => page.getByRole("dialog").getByLabel("E-mail").inputValue()).toBe("eve@example.com");
    expect(await name.inputValue()).toBe("Eveline typed");
    await page.keyboard.press("Escape");
    await leaveOf("Zoe", "Zoe typed");
    await page.getByRole("link", { name: "Zoe" }).click();
    await dashboard.heard(back);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Zoe" }).click();
    await expect.poll(() => name.inputValue()).toBe("Zoe");
    await page.keyboard.press("Escape");
    for (const [path, action, label] of [
      ["/agents", "New knowledge base", "Name"],
      ["/settings/do-not-call", "Add numbers", "Numbers"],
    ] as const) {
      await dashboard.open("/flows");
      await dashboard.open(path);
      await page.getByRole("button", { name: action }).first().click();
      await page.getByRole("dialog").getByLabel(label).fill("+1 202 555 0100");
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await dashboard.open(path);
      await page.getByRole("button", { name: action }).first().click();
      await dashboard.heard(back);
      expect(await page.getByRole("dialog").getByLabel(label).inputValue()).toBe("+1 202 555 0100");
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: action }).first().click();
      expect(await page.getByRole("dialog").getByLabel(label).inputValue()).toBe("");
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    }
  });

  it("shows the rows that are left after the only one of the last page was deleted", async () => {
    const { page, world } = dashboard;
    const application = await world.request("POST", "/applications", { body: { name: "Pages" } });
    const customers = `/applications/${String(application.body.id)}/customers`;
    for (let i = 0; i < 51; i++) await world.request("POST", customers, { body: { name: `Customer ${i}` } });
    await dashboard.open(`/data/${String(application.body.id)}/customers?page=1`);
    await page.getByRole("link", { name: /^Customer/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.getByRole("link", { name: /^Customer/ }).count()).toBe(50);
    expect(new URL(page.url()).searchParams.has("page")).toBe(false);
  });

  it("reads a document into the knowledge base and finds its passage", async () => {
    const { page } = dashboard;
    await dashboard.open("/agents");
    const found = await glance("agents");
    await page.getByRole("button", { name: "New knowledge base" }).first().click();
    await page.getByLabel("Name").fill("Reception");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("button", { name: "Add knowledge" }).click();
    const buffer = Buffer.from("# Hours\n\nOn Sundays we are closed. On Mondays we open at nine.\n");
    await page.locator("input[type=file]").setInputFiles({ name: "hours.md", mimeType: "text/markdown", buffer });
    await page.getByLabel("Title").waitFor();
    found.push(...(await glance("knowledge-add")));
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Ready").waitFor();
    await page.getByLabel("What a caller would ask").fill("Sundays");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("On Sundays we are closed.").waitFor();
    found.push(...(await dashboard.inspect("agent")));
    expect(found).toEqual([]);
  });

  it("uploads a recording, warns of unknown metadata keys and shows the transcript", async () => {
    const { page } = dashboard;
    await dashboard.open("/transcriptions");
    const found = await glance("transcriptions");
    await page.getByRole("button", { name: "Metadata fields" }).click();
    await page.getByRole("dialog").getByLabel("Fields", { exact: true }).waitFor();
    found.push(...(await glance("metadata-fields")));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Create job" }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Hotline");
    found.push(...(await glance("transcription-new")));
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const metadata = page.getByLabel("Metadata of what is sent");
    const buffer = saidInTones("Hello, this is a test.");
    const file = { name: "one.wav", mimeType: "audio/wav", buffer };
    await metadata.fill('{"shift":"night"');
    await page.locator("input[type=file]").first().setInputFiles(file);
    await page.getByRole("alert").filter({ hasText: "Not valid JSON" }).first().waitFor();
    await page.getByLabel("Or by URL").fill("https://example.com/one.wav");
    await page.getByRole("button", { name: "Add by address" }).click();
    await page.locator("form").getByText("Not valid JSON").waitFor();
    await metadata.fill('{"shift":"night"}');
    await page.locator("input[type=file]").first().setInputFiles(file);
    await page.getByText("Unrecognised metadata keys").waitFor();
    await page.getByRole("table").getByText("Completed").waitFor();
    found.push(...(await dashboard.inspect("transcription-job")));
    await page.getByRole("link", { name: "one.wav" }).click();
    await page.getByText("Copy transcript").or(page.getByLabel("Copy transcript")).first().waitFor();
    // The row may have moved under the pointer, and its note must not open beside the drawer.
    await page.mouse.move(0, 0);
    found.push(...(await dashboard.inspect("recording")));
    expect(found).toEqual([]);
  });

  it("says what an empty workspace lacks, and what a carrier asks for", async () => {
    const { page, owner } = dashboard;
    const made = await owner.ask("POST", "/workspaces", { name: "Empty", mode: "LIVE" });
    const id = String(made.body.id);
    const found: string[] = [];
    for (const [path, text] of EMPTY) {
      await dashboard.open(path, id);
      await page.getByText(text).waitFor();
      found.push(...(await glance(`empty${path.replaceAll(/[^a-z]+/g, "-")}`)));
    }
    await page.getByRole("button", { name: "Add account" }).click();
    await page.getByText("authToken").waitFor();
    found.push(...(await dashboard.inspect("carrier-add")));
    expect(found).toEqual([]);
  });

  it("offers all of more than 200 flows where one is chosen", async () => {
    const { page, owner } = dashboard;
    const made = await owner.ask("POST", "/workspaces", { name: "Many flows", mode: "SANDBOX", sample: false });
    const id = String(made.body.id);
    const flows = `/workspaces/${id}/flows`;
    for (let i = 0; i < 201; i++)
      expect((await owner.ask("POST", flows, { name: `Flow ${i}`, firstMessage: "Hello." })).status).toBe(200);
    await dashboard.open("/settings", id);
    await page.getByRole("combobox", { name: "Flow" }).click();
    await expect.poll(() => page.getByRole("option").count()).toBe(201);
    await dashboard.open("/chats", id);
    await page.getByRole("button", { name: "Start a chat" }).first().click();
    await page.getByRole("combobox", { name: "Flow" }).click();
    await expect.poll(() => page.getByRole("option").count()).toBe(201);
  });

  it("names the call job of a report, also when many newer ones are there", async () => {
    const { page, world } = dashboard;
    const job = await world.request("POST", "/call-jobs", {
      body: { name: "Long ago", flowId: world.sample.flow.id, rows: [{ customerNumber: "+12025550100" }] },
    });
    const made = await world.request("POST", "/automations", {
      body: { name: "One job", kind: "CALL_JOB_REPORT", callJobId: job.body.id },
    });
    await page.route(
      /\/call-jobs\?/,
      async (route) => await route.fulfill({ json: { content: [], totalElements: 0 } }),
    );
    await dashboard.open(`/automations/${String(made.body.id)}`);
    await page.getByRole("button", { name: "Change" }).click();
    await expect.poll(() => page.getByRole("combobox", { name: "Call job" }).inputValue()).toBe("Long ago");
    await page.unroute(/\/call-jobs\?/);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  });

  it("finds the call job for a report by its name, also when many newer ones are there", async () => {
    const { page, world } = dashboard;
    const make = (name: string) =>
      world.request("POST", "/call-jobs", {
        body: { name, flowId: world.sample.flow.id, rows: [{ customerNumber: "+12025550100" }] },
      });
    expect((await make("Winter survey")).status).toBeLessThan(300);
    const report = { name: "Any job", kind: "CALL_JOB_REPORT" };
    const made = await world.request("POST", "/automations", { body: report });
    // As if more jobs were newer than a page holds.
    const newest = (url: URL) => url.pathname.endsWith("/call-jobs") && !url.searchParams.has("name");
    await page.route(newest, (route) => route.fulfill({ json: { content: [], totalElements: 0 } }));
    await dashboard.load(`/automations/${String(made.body.id)}`);
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("combobox", { name: "Call job" }).fill("winter");
    await page.getByRole("option", { name: "Winter survey" }).click();
    await expect.poll(() => page.getByRole("combobox", { name: "Call job" }).inputValue()).toBe("Winter survey");
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await dashboard.heard("It runs. Its files appear here.");
    await page.unroute(newest);
  });
});
