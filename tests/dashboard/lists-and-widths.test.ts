import type { Page } from "playwright-core";
import { readSheet } from "read-excel-file/node";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import type { World } from "../kit/world.ts";

const ROWS_A_PAGE = 50;
const CALLS = 59;

const SCREENS =
  "/ /analytics /flows /tools /agents /data /jobs /jobs/new /calls /live /chats /contacts /numbers /settings".split(
    " ",
  );

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const fits = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  for (let presses = 0; presses < 120; presses++) {
    const text = await page.evaluate<string>(
      "(({ activeElement: a }) => a.getAttribute('aria-label') ?? a.labels?.[0]?.textContent ?? a.textContent.trim())(document)",
    );
    if (fits(text)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${String(name)}.`);
}

/** Stores ended calls that took a minute, two minutes and so on, and waits for their measures. */
async function fillCalls({ database, sample }: World): Promise<string[]> {
  const { workspaceId } = sample;
  await database.query("delete from call_rows where workspace_id = $1", [workspaceId]);
  await database.query(
    `insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms,
       model_ms, usage, recorded)
     select $1, ('01900000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, '[]', '{}', '{}', i * 60000, '[]', '{}',
       false from generate_series(1, ${CALLS}) i
     on conflict (workspace_id, row_id) do nothing`,
    [workspaceId],
  );
  const rows = await database.query<{ id: string }>(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country,
       number_class, phone_number_id, contact_name, attempts_made, started_at, answered_at, ended_at)
     select $1, ('01900000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, '00000000-0000-0000-0000-000000000000',
       gen_random_uuid(), 'COMPLETED', 'ANSWERED', '+442070024981', 'GB', 'FIXED',
       '00000000-0000-0000-0000-000000000000', case when i = 7 then '=cmd|'' /C calc''!A0' end, 1, now(), now(), now()
     from generate_series(1, ${CALLS}) i returning id`,
    [workspaceId],
  );
  const measured = "select count(*)::int as n from call_facts where workspace_id = $1 and duration_ms is not null";
  await expect.poll(async () => (await database.query<{ n: number }>(measured, [workspaceId]))[0]?.n).toBe(CALLS);
  return rows.map(({ id }) => id);
}

describe.skipIf(CHROMIUM === undefined)("lists and widths of the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("sorts calls by the service over all pages, in the address, and offers no other order", async () => {
    const { page, world } = dashboard;
    const ids = await fillCalls(world);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dashboard.open("/calls");
    const header = page.getByRole("columnheader", { name: "Duration" });
    await header.getByRole("button").click();
    await page.waitForURL(/\?sort=-durationSeconds$/);
    const durations = () => page.locator("tbody tr td:nth-child(6)").allInnerTexts();
    const minutes = (from: number, count: number) => Array.from({ length: count }, (_, i) => `${from - i}:00`);
    await expect.poll(durations).toEqual(minutes(ids.length, ROWS_A_PAGE));
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(durations).toEqual(minutes(ids.length - ROWS_A_PAGE, ids.length - ROWS_A_PAGE));
    await page.reload();
    await expect.poll(durations).toEqual(minutes(ids.length - ROWS_A_PAGE, ids.length - ROWS_A_PAGE));
    await header.getByRole("button").click();
    await page.waitForURL(/\?sort=durationSeconds$/);
    await expect.poll(async () => (await durations())[0]).toBe("1:00");
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
    const sorted = await page
      .getByRole("columnheader")
      .filter({ has: page.getByRole("button") })
      .allInnerTexts();
    expect(sorted).toEqual(["Started", "Duration", "Cost"]);
    expect(await dashboard.inspect("calls-sorted")).toEqual([]);
  });

  it("shows twenty rows on a laptop, the outcome in colour, numbers in groups and the columns that were chosen", async () => {
    const { page, world } = dashboard;
    await fillCalls(world);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dashboard.open("/calls");
    const bottoms = await page
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(20);
    const headers = () => page.getByRole("columnheader").allInnerTexts();
    expect((await headers()).slice(1, 3)).toEqual(["Contact", "Outcome"]);
    const number = page.locator("tbody tr .phone").first();
    // Gaps are space between boxes: what is copied is the number.
    await expect.poll(() => number.locator("span").allInnerTexts()).toEqual(["+44", "20", "7002", "4981"]);
    expect(await number.textContent()).toBe("+442070024981");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Our number" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Cost" }).click();
    await page.keyboard.press("Escape");
    await page.reload();
    await expect.poll(headers).toContain("Our number");
    // What is chosen is shown although none of these calls has a value.
    expect(await headers()).toContain("Latency p50");
    expect(await headers()).not.toContain("Cost");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitem", { name: "Show the usual columns" }).click();
    await expect.poll(headers).toContain("Cost");
    expect(await headers()).not.toContain("Our number");
    expect(await headers()).not.toContain("Latency p50");
  });

  it("saves exactly the filtered rows as XLSX, as texts that no spreadsheet runs", async () => {
    const { page, world } = dashboard;
    await fillCalls(world);
    await dashboard.open("/calls?search=calc&sort=-durationSeconds");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export XLSX" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("calls.xlsx");
    const rows = await readSheet(await file.path());
    expect(rows.slice(1).map(([name, number]) => [name, number])).toEqual([["=cmd|' /C calc'!A0", "+442070024981"]]);
  });

  it("is worked by keys alone: rows, ranges, the menu, and what to do with the selected ones", async () => {
    const { page, world } = dashboard;
    await fillCalls(world);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dashboard.open("/calls");
    const active = page.locator("tbody tr[data-active]");
    const selected = page.getByRole("toolbar", { name: "Selected rows" }).getByText(/selected$/);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    expect(await active.evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+J");
    await expect.poll(() => selected.innerText()).toBe("3 selected");
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+X");
    await expect.poll(() => selected.innerText()).toBe(`${ROWS_A_PAGE - 1} selected`);
    await page.keyboard.press("m");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Export CSV");
    await page.getByRole("button", { name: "Clear selection" }).press("Enter");
    await page.getByRole("row").nth(2).getByRole("checkbox").click();
    await page
      .getByRole("row")
      .nth(6)
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await expect.poll(() => selected.innerText()).toBe("5 selected");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
  });

  it("turns nothing around that stands beside the words of others", async () => {
    const { page, world } = dashboard;
    const name = "Ann\u202Eevil\u2067";
    const { body } = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550100", contactName: name, contextData: { note: name } },
    });
    await world.until(`/call-rows/${String(body.rowId)}`, (row) => row.endedAt !== null);
    for (const path of ["/", "/calls", "/contacts", `/calls/${String(body.rowId)}`]) {
      await dashboard.open(path);
      await expect.poll(() => page.locator("main").innerText()).toContain("Annevil");
      expect(await page.locator("main").innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
      expect(await page.title()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    }
    expect(await page.getByRole("region", { name: "contextData" }).first().innerText()).toContain("Ann\\u202eevil");
  });

  it("says that a long list is longer than what was counted, and goes on page by page", async () => {
    const { page, world } = dashboard;
    await page.setViewportSize({ width: 1360, height: 850 });
    await world.database.query(
      `insert into contacts (workspace_id, id, phone)
       select $1, gen_random_uuid(), '+4915' || lpad(i::text, 8, '0') from generate_series(1, 10010) i`,
      [world.sample.workspaceId],
    );
    await dashboard.load("/contacts");
    await page.getByText(`1–${ROWS_A_PAGE} of 10,000+`).waitFor();
    expect(await page.getByRole("button", { name: "Last page" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText(`${ROWS_A_PAGE + 1}–${2 * ROWS_A_PAGE} of 10,000+`).waitFor();
    // Until the next page is there, the last one is shown dimmed.
    await expect.poll(() => page.locator('[style*="opacity: 0.6"]').count()).toBe(0);
    expect(await dashboard.inspect("long-list")).toEqual([]);
    const [found] = await world.database.query<{ count: number }>("select count(*)::int as count from contacts");
    const total = found?.count ?? 0;
    const lastPage = Math.floor((total - 1) / ROWS_A_PAGE);
    await dashboard.open(`/contacts?page=${lastPage}`);
    const shown = [lastPage * ROWS_A_PAGE + 1, total, total].map((count) => count.toLocaleString("en-US"));
    await page.getByText(`${shown[0]}–${shown[1]} of ${shown[2]}`, { exact: true }).waitFor();
  });

  it.each([767, 768, 769])("has navigation and filters at %i px", async (width) => {
    const { page, world } = dashboard;
    // A list without rows shows no filters.
    await world.call("+12025550100");
    await page.setViewportSize({ width, height: 1024 });
    await dashboard.open("/calls");
    const burger = page.getByRole("button", { name: "Open navigation" });
    const link = page.getByRole("link", { name: "Call jobs" });
    const filters = page.getByRole("button", { name: /^Filters/ });
    const search = page.getByRole("textbox", { name: "Name or number" });
    const isSmall = width < 768;
    expect([await burger.isVisible(), await link.isVisible()]).toEqual([isSmall, !isSmall]);
    expect([await filters.isVisible(), await search.isVisible()]).toEqual([isSmall, !isSmall]);
    if (isSmall) await burger.click();
    await link.click();
    await page.waitForURL(/\/jobs$/);
    await page.getByRole("heading", { level: 1, name: "Call jobs" }).waitFor();
    expect(await dashboard.axe()).toEqual([]);
  });

  it("can be read and worked at 200 % zoom, and moves nothing for who asked for less motion", async () => {
    const { page, world } = dashboard;
    const row = await world.call("+12025550100");
    // 1280 by 800 pixels at 200 %.
    await page.setViewportSize({ width: 640, height: 400 });
    const wide: string[] = [];
    for (const path of [...SCREENS, `/calls/${String(row.id)}`]) {
      await dashboard.open(path);
      const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (over > 0) wide.push(`${path}: ${over} px`);
      const moving = await page.evaluate<number>(
        "document.getAnimations().filter(({ playState }) => playState === 'running').length",
      );
      if (moving > 0) wide.push(`${path}: ${moving} animations`);
    }
    expect(wide).toEqual([]);
    await dashboard.open("/calls");
    await page.getByRole("button", { name: /^Filters/ }).click();
    await page.getByRole("textbox", { name: "Name or number" }).fill("0100");
    await page.waitForURL(/search=0100/);
    await page.getByRole("button", { name: "Place a call" }).click();
    const call = page.getByRole("dialog").getByRole("button", { name: "Call (simulated)" });
    await call.scrollIntoViewIfNeeded();
    expect(await call.isVisible()).toBe(true);
  });

  it("places a call, starts a job and answers a chat by the keyboard alone", async () => {
    const { page } = dashboard;
    const { keyboard } = page;
    await page.setViewportSize({ width: 1360, height: 850 });
    await dashboard.open("/");
    await keyboard.press("g");
    await keyboard.press("c");
    await page.waitForURL(/\/calls$/);
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    await keyboard.press("n");
    await page.getByRole("dialog", { name: "Place a call" }).waitFor();
    await tabTo(page, "Call (simulated)");
    await keyboard.press("Enter");
    await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
    await keyboard.press("g");
    await keyboard.press("j");
    await page.waitForURL(/\/jobs$/);
    await page.getByRole("heading", { level: 1, name: "Call jobs" }).waitFor();
    await keyboard.press("n");
    await page.waitForURL(/\/jobs\/new/);
    await tabTo(page, "Use 20 simulated people");
    await keyboard.press("Enter");
    for (const [step, name] of ["Continue", "Continue", "Start calling"].entries()) {
      // The button of the step before may still be there.
      await expect.poll(() => page.locator(".mantine-Stepper-stepIcon[data-completed]").count()).toBe(step);
      await expect.poll(() => page.getByRole("button", { name }).isEnabled()).toBe(true);
      await tabTo(page, name);
      await keyboard.press("Enter");
      await dashboard.settle();
    }
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/);
    await keyboard.press("g");
    await keyboard.press("m");
    await page.waitForURL(/\/chats$/);
    await page.getByRole("heading", { level: 1, name: "Chats" }).waitFor();
    await keyboard.press("n");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, /^Start/);
    await keyboard.press("Enter");
    await page.waitForURL(/chat=/);
    await tabTo(page, /^Message( of the person)?$/);
    await keyboard.type("Hello there");
    await keyboard.press("Enter");
    await page.getByRole("log").getByText("Hello there").first().waitFor();
  });
});
