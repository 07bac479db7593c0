import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { Workbook } from "../../web/src/ui/table/xlsx.ts";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { traceMainThread } from "../kit/dashboard/main-thread.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const HOSTILE = "Ada <img src=x onerror=alert(1)>";

let dashboard: Dashboard;
// The refused save is a 409, which browsers write to the console by themselves.
onDashboard(async () => (dashboard = await Dashboard.startSignedIn()), /status of 409/);

/** Saves the file offered there; returns its name and content. */
async function save(where: Locator): Promise<[string, string]> {
  const [file] = await Promise.all([
    dashboard.page.waitForEvent("download"),
    where.getByRole("link", { name: /^Save/ }).click(),
  ]);
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

/** Creates a job of two people; returns its id. */
async function makeJob(name: string, more: { startAt?: string } = {}): Promise<string> {
  const rows = [
    { customerNumber: "+12025550100", contactName: HOSTILE, rowData: { note: "=1+1" } },
    { customerNumber: "+12025550101" },
  ];
  const reply = await dashboard.world.request("POST", "/call-jobs", { body: { name, rows, ...more } });
  if (reply.status >= 300) throw new Error(reply.text);
  return String(reply.body.id);
}

/** Creates the same job and runs it to its end. */
async function makeFinishedJob(name: string): Promise<void> {
  await dashboard.world.until(`/call-jobs/${await makeJob(name)}`, ({ completedAt }) => completedAt !== null);
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** Goes from the empty list to the wizard. */
async function openWizard(): Promise<void> {
  const { page } = dashboard;
  await dashboard.open("/jobs");
  await page.getByRole("heading", { name: "No call jobs yet" }).waitFor();
  await dashboard.picture("jobs-empty");
  await page.getByRole("link", { name: "New job" }).first().click();
  await page.getByText("Drop a list with phone numbers here").waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/jobs\/new$/);
  await dashboard.picture("new-job");
}

/** Maps a pasted list, checks the faults shown by line, and checks who is skipped before anybody is called. */
async function fillWizard(): Promise<void> {
  const { page } = dashboard;
  await page.getByRole("button", { name: "Paste lines" }).click();
  await page
    .getByLabel("Lines")
    .fill(
      [
        "Mobile;Name;First name;Note",
        "(202) 555-0100;Ada <img src=x onerror=alert(1)>;Ada;=1+1",
        "202 555 0110;אדם כהן;Adam;",
        "+12025550132;Sam;Sam;x",
        "+1 202 555 0100;Ada again;Ada;",
        "nobody;X;X;X",
        "+12025550130;Quinn",
      ].join("\n"),
    );
  await page.getByRole("button", { name: "Read lines" }).click();
  await page.getByLabel("Country code for numbers without one").fill("+1");
  await page.getByText("Lines that cannot be called (2)").waitFor();
  await page.getByText("Repeated, left out").waitFor();
  expect(await dashboard.inspect("new-job-columns")).toEqual([]);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name of the job").fill("Reminders, week 48");
  await page.getByLabel("Attempts a person").fill("2");
  await page.getByLabel("Waits between attempts").fill("tomorrow");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Write waits such as").waitFor();
  await dashboard.picture("new-job-fault");
  await page.getByLabel("Waits between attempts").fill("1 min");
  await page.getByRole("switch", { name: "Only call at certain hours" }).click();
  expect(await dashboard.inspect("new-job-settings")).toEqual([]);
  await page.getByRole("switch", { name: "Only call at certain hours" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.poll(() => page.locator("main").textContent()).toContain("3Lines left out");
  // What will happen is there before anybody is called: the words that the first person hears, and whose number rings.
  const first = page.getByRole("region", { name: "First call" });
  await first.getByText("Ada <img src=x onerror=alert(1)>").first().waitFor();
  await first.getByText(/, version 1$/).waitFor();
  await first.getByText(/^At once; there it is /).waitFor();
  await page.getByText("The number is on this workspace's do-not-call list.").click();
  await page.getByRole("cell", { name: "+12025550132" }).waitFor();
  await page.getByRole("button", { name: "Forecast" }).click();
  await page.getByText("Calls that are placed").waitFor();
  expect(await dashboard.inspect("new-job-check")).toEqual([]);
  await pictureWidths("new-job-check");
}

/** Keeps pictures of a screen in four widths, in none of which it scrolls sideways. */
async function pictureWidths(name: string): Promise<void> {
  const { page } = dashboard;
  for (const width of [390, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 1_800 });
    await dashboard.picture(`${name}-${width}`);
    const tooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect([width, await page.evaluate(tooWide)]).toEqual([width, false]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Starts the job, which runs to its end on its own page. */
async function watchJob(): Promise<string[]> {
  const { page } = dashboard;
  await page.getByRole("button", { name: "Start calling" }).click();
  await page.getByRole("heading", { name: "Reminders, week 48", level: 1 }).waitFor();
  await page.getByText("3 of 3 rows done").waitFor();
  await page.getByText("Ada <img src=x onerror=alert(1)>").waitFor();
  await page.getByRole("button", { name: /^Reached ?1$/ }).click();
  await page.waitForURL(/status=COMPLETED/);
  await page.getByText("1–1 of 1").waitFor();
  await page.goBack();
  const found = await dashboard.inspect("job");
  await page.locator(".mantine-SegmentedControl-root").getByText("Table").click();
  await page.getByRole("table", { name: "Rows by outcome" }).waitFor();
  await page.getByRole("tab", { name: "API" }).click();
  await dashboard.picture("job-api");
  return found;
}

/** Adds rows, and checks the notice about settings that somebody else changed meanwhile. */
async function changeJob(id: string): Promise<void> {
  const { page, world } = dashboard;
  await dashboard.open(`/jobs/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Add rows" }).click();
  await page.getByRole("button", { name: "Use 20 simulated people" }).click();
  await page.getByRole("button", { name: "Add 20 rows" }).click();
  await page.getByText("0 of 22 rows done").waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change settings" }).click();
  await page.getByLabel("Calls at once").fill("2");
  await page.getByLabel("Address").fill("https://example.com/hook");
  await world.request("PATCH", `/call-jobs/${id}`, { body: { name: "Theirs", maxConcurrency: 5 } });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Somebody else saved first").waitFor();
  await dashboard.picture("job-settings");
  await page.getByRole("button", { name: "Keep both" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "I have copied it" }).click();
  const job = await world.until(`/call-jobs/${id}`, ({ maxConcurrency }) => maxConcurrency === 2);
  expect(job).toMatchObject({ name: "Theirs", maxConcurrency: 2, totalRows: 22 });
}

/** Cancels single calls that wait: the waiting ones of a selection, and one from its page. */
async function cancelCalls(id: string): Promise<void> {
  const { page, world } = dashboard;
  await page.getByRole("tab", { name: "Rows" }).click();
  const rows = page.getByRole("region", { name: "Rows of the job" }).getByRole("row");
  for (const number of ["+12025550100", "+12025550101"])
    await rows.filter({ hasText: number }).first().getByRole("checkbox").check();
  const selected = page.getByRole("toolbar", { name: "Selected rows" });
  await selected.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("dialog", { name: "Cancel 2 calls?" }).getByRole("button", { name: "Cancel calls" }).click();
  // The toolbar has gone, and with it the button that was pressed.
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
  await expect.poll(focused).toBe("Rows of the job");
  await page.getByText("2 of 22 rows done").waitFor();
  // The job's counters may be newer than its rows.
  await expect.poll(() => rows.filter({ hasText: "Cancelled" }).count()).toBe(2);
  await rows.filter({ hasText: "Due" }).first().getByRole("link").click();
  await page.getByRole("button", { name: "Cancel call" }).click();
  // The reply comes after the live event that takes the button away.
  const { promise: isGone, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/cancel", async (route) => {
    const response = await route.fetch();
    await isGone;
    await route.fulfill({ response });
  });
  await page.getByRole("dialog").getByRole("button", { name: "Cancel call" }).click();
  await page.getByText("Cancelled").first().waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Cancel call" }).count()).toBe(0);
  letGo();
  await dashboard.heard("The call is cancelled.");
  await page.unroute("**/cancel");
  await dashboard.open(`/jobs/${id}`);
  await page.getByText("3 of 22 rows done").waitFor();
  const job = (await world.request("GET", `/call-jobs/${id}`)).body;
  expect(job).toMatchObject({ processedRows: 3, errorRows: 3, completedAt: null });
}

/** Checks what is still to come of the job, pauses and cancels it. */
async function cancelJob(): Promise<void> {
  const { page } = dashboard;
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.getByText("https://example.com/hook").waitFor();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("The number is on this workspace's do-not-call list.").waitFor();
  await page.getByRole("button", { name: "Forecast" }).click();
  await page.getByText("Calls that are placed").waitFor();
  expect(await dashboard.inspect("job-plan")).toEqual([]);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("This job is paused").waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Cancel job" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel job" }).click();
  await page.getByText("22 of 22 rows done").waitFor();
}

describe.skipIf(CHROMIUM === undefined)("call jobs in the dashboard", { timeout: 180_000 }, () => {
  it("leads from an empty list through the wizard to a job that runs to its end on its own page", async () => {
    await openWizard();
    await fillWizard();
    expect(await watchJob()).toEqual([]);
  });

  it("takes more rows and other settings, and cancels calls that wait and the job", async () => {
    const id = await makeJob("Tomorrow", { startAt: tomorrow() });
    await changeJob(id);
    await cancelCalls(id);
    await cancelJob();
    expect((await dashboard.world.request("GET", `/call-jobs/${id}`)).body.status).toBe("CANCELLED");
  });

  it("lists jobs, narrowed by the address", async () => {
    const { page } = dashboard;
    await makeFinishedJob("Called yesterday");
    await makeJob("To be called", { startAt: tomorrow() });
    await dashboard.open("/jobs?status=COMPLETED");
    await page.getByRole("link", { name: "Called yesterday" }).waitFor();
    expect(await page.getByRole("link", { name: "To be called" }).count()).toBe(0);
    await dashboard.open("/jobs");
    await page.getByRole("link", { name: "To be called" }).waitFor();
    expect(await dashboard.inspect("jobs")).toEqual([]);
  });

  it("keeps the filters of the rows while another tab is shown", async () => {
    const { page } = dashboard;
    const id = await makeJob("Filtered", { startAt: tomorrow() });
    await dashboard.open(`/jobs/${id}?status=QUEUED&search=ada`);
    const rows = page.getByRole("table", { name: "Rows of the job" }).getByRole("row");
    await rows.filter({ hasText: HOSTILE }).waitFor();
    await page.getByRole("tab", { name: "Plan" }).click();
    await page.getByRole("button", { name: "Forecast" }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=QUEUED&search=ada&tab=plan");
    await page.getByRole("tab", { name: "Rows" }).click();
    await rows.filter({ hasText: HOSTILE }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=QUEUED&search=ada");
    expect(await rows.filter({ hasText: "+12025550101" }).count()).toBe(0);
  });

  it("tells a search that not all names of a large list are indexed yet, until they are", async () => {
    const { page, world } = dashboard;
    const id = await makeJob("Large list", { startAt: tomorrow() });
    await world.database.query("update call_jobs set named_rows = 1 where id = $1", [id]);
    await dashboard.open(`/jobs/${id}`);
    await page.getByRole("table", { name: "Rows of the job" }).waitFor();
    const note = page.getByText("1 of 2 rows can be found by name so far");
    expect(await note.count()).toBe(0);
    await dashboard.open(`/jobs/${id}?search=ada`);
    await note.waitFor();
    expect(await dashboard.inspect("job-names-pending")).toEqual([]);
    await world.database.query("update call_jobs set named_rows = null where id = $1", [id]);
    await note.waitFor({ state: "detached" });
  });

  it("makes a report of a job and shows its page where nothing of it can run", async () => {
    const { page } = dashboard;
    await makeFinishedJob("Called for a report");
    await dashboard.open("/automations");
    await page.getByRole("button", { name: "New report" }).click();
    await page.getByLabel("Name", { exact: false }).first().fill("Every job");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Every job", level: 1 }).waitFor();
    await page.getByText("No files yet").waitFor();
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("combobox", { name: "Call job" }).click();
    await page.getByRole("option", { name: "Called for a report" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    const file = page.getByRole("row", { name: /Page/ });
    await file.waitFor();
    expect(await dashboard.inspect("report")).toEqual([]);
    await file.click();
    const frame = page.locator("iframe");
    await frame.waitFor();
    expect([await frame.getAttribute("sandbox"), await frame.getAttribute("src")]).toEqual(["", null]);
    await frame
      .contentFrame()
      .getByRole("heading", { name: /Called for a report/ })
      .first()
      .waitFor();
    await dashboard.picture("report-page");
    expect(await save(page.getByRole("dialog"))).toEqual([
      expect.stringMatching(/\.html$/),
      expect.stringMatching(/^<!doctype html>[^]*<h1>Report of Called for a report</),
    ]);
    await page.keyboard.press("Escape");
    const [name, text] = await save(page.getByRole("row", { name: /Table/ }));
    expect([name, text]).toEqual([expect.stringMatching(/\.csv$/), expect.stringContaining("+12025550100")]);
    // Spreadsheets would calculate it.
    expect(text).not.toMatch(/(^|[,\n"])=1\+1/);
    await page.getByRole("row", { name: /Table/ }).click();
    await page.getByRole("cell", { name: HOSTILE }).waitFor();
    await dashboard.picture("report-table");
    await dashboard.open("/automations");
    expect(await dashboard.inspect("reports")).toEqual([]);
  });

  it("makes a job of selected calls, with all that their agent knew, and of selected contacts", async () => {
    const { page, world } = dashboard;
    const { body: flow } = await world.request("POST", "/flows", {
      body: { name: "Again", masterPrompt: "{{orderId}}" },
    });
    const known = { rowData: { orderId: "A-17" }, contextData: { crm: 42 }, flowId: flow.id };
    for (const code of ["01", "10"]) await world.call(`+120255503${code}`, { contactName: `Chosen ${code}`, ...known });
    await dashboard.open("/calls");
    const select = async () => {
      for (const name of ["Chosen 01", "Chosen 10"])
        await page.getByRole("row").filter({ hasText: name }).first().getByRole("checkbox").check();
      await page.getByRole("toolbar").getByRole("button", { name: "New call job" }).click();
      await page.waitForURL(/\/jobs\/new$/);
    };
    await select();
    await page.getByText("Selected calls").waitFor();
    // They are still there when the page is loaded anew, but not once their job is made.
    await page.reload();
    await page.getByText("Selected calls").waitFor();
    expect(await dashboard.inspect("new-job-chosen")).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Name of the job").fill("Called again");
    expect(await page.getByRole("combobox", { name: "Flow" }).inputValue()).toBe("Again");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Start calling" }).click();
    await page.getByRole("heading", { name: "Called again", level: 1 }).waitFor();
    const jobId = page.url().split("/").at(-1) ?? "";
    const { content } = (await world.request("GET", `/call-jobs/${jobId}/rows`)).body;
    const numbers = ["+12025550301", "+12025550310"];
    expect(content).toHaveLength(2);
    for (const customerNumber of numbers) {
      expect(content).toContainEqual(expect.objectContaining({ customerNumber, ...known }));
    }
    await page.goBack();
    await page.getByText("Drop a list with phone numbers here").waitFor();
    await dashboard.open("/contacts");
    await select();
    await page.getByText("Selected contacts").waitFor();
  });

  it("stays smooth while a job of 10,000 rows runs: no task of the page takes 100 ms", async () => {
    const { page, world } = dashboard;
    const rows = Array.from({ length: 10_000 }, (_, i) => ({
      customerNumber: `+1415${5_550_000 + i}`,
      contactName: `Person ${i}`,
    }));
    const { body } = await world.request("POST", "/call-jobs", { body: { name: "Ten thousand", rows } });
    const path = `/call-jobs/${String(body.id)}`;
    await dashboard.open(`/jobs/${String(body.id)}`);
    const done = async () => Number((await world.request("GET", path)).body.processedRows);
    const before = await done();
    const shown = new Set<string>();
    const tasks = await traceMainThread(dashboard.context.browser() as never, page, async () => {
      const look = async () => shown.add((await page.getByText(/of 10,000 rows done/).textContent()) ?? "").size;
      // The page moves while the job runs.
      await expect.poll(look, { interval: 700 }).toBeGreaterThan(4);
    });
    await world.request("POST", `${path}/cancel`);
    expect(await done()).toBeGreaterThan(before);
    expect(tasks.length).toBeGreaterThan(100);
    expect(tasks.filter(({ busyMs }) => busyMs > 100)).toEqual([]);
  });

  it("reads the list of an XLSX, with its numbers as they are", async () => {
    const { page } = dashboard;
    await dashboard.open("/jobs/new");
    const workbook = new Workbook();
    await workbook.add([
      ["Phone", "Name", "Note"],
      [],
      [12_025_550_100, "Zoë", 'a, "b"'],
      ["+12025550101", "Ada", null],
    ]);
    const buffer = Buffer.from(await (await workbook.finish()).arrayBuffer());
    await page.locator('input[type="file"]').setInputFiles({ name: "people.xlsx", mimeType: "", buffer });
    await page.getByText("people.xlsx").first().waitFor();
    await page.getByLabel("Country code").fill("+1");
    const facts = () => page.locator("main").textContent();
    await expect.poll(facts).toMatch(/People to call\s*2(?!\d)|(?<!\d)2\s*People to call/);
    const other = Buffer.from("PK\u0003\u0004 nothing of a spreadsheet");
    await dashboard.open("/jobs/new");
    await page.locator('input[type="file"]').setInputFiles({ name: "people.xlsx", mimeType: "", buffer: other });
    await page.getByRole("alert").getByText("The spreadsheet could not be read.").waitFor();
  });

  it("reads a file of 100,000 lines, and judges them, without a task of 100 ms", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/jobs/new");
    const lines = Array.from({ length: 100_000 }, (_, i) => `+1415${2_000_000 + i},Zoë ${i},"said ""yes"", then left"`);
    lines[70_000] = "nobody,at all,-";
    const file = join(world.dataDir, "long.csv");
    writeFileSync(file, ["phone,name,note", ...lines].join("\n"));
    const tasks = await traceMainThread(dashboard.context.browser() as never, page, async () => {
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText("99,999").waitFor();
      await page.getByRole("cell", { name: "70,002" }).waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Name of the job").waitFor();
    });
    expect(tasks.length).toBeGreaterThan(50);
    expect(tasks.filter(({ busyMs }) => busyMs > 100)).toEqual([]);
  });
});
