import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const ROWS_A_PAGE = 50;

describe.skipIf(CHROMIUM === undefined)("lists and widths of the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("sorts a list that is there as a whole, and offers no arrows for a page of a longer one", async () => {
    const { page, world } = dashboard;
    const entries = Array.from({ length: ROWS_A_PAGE + 1 }, (_, i) => `+1202555${String(1000 + i)}`);
    const add = (numbers: string[]) => Promise.all(numbers.map((number) => world.call(number)));
    await add(entries.slice(0, 3));
    await page.setViewportSize({ width: 1360, height: 850 });
    await dashboard.open("/calls");
    const header = page.getByRole("columnheader", { name: "Contact" });
    await header.getByRole("button").click();
    const numbers = () => page.locator("tbody tr td:nth-child(2)").allInnerTexts();
    await expect.poll(numbers).toEqual(entries.slice(0, 3));
    await header.getByRole("button").click();
    await expect.poll(numbers).toEqual(entries.slice(0, 3).toReversed());
    await add(entries.slice(3));
    await dashboard.open("/calls");
    await page.getByText(`1–${ROWS_A_PAGE} of ${ROWS_A_PAGE + 1}`).waitFor();
    expect(await page.getByRole("columnheader").getByRole("button").count()).toBe(0);
    await dashboard.open("/calls?page=1");
    await page.getByText(`${ROWS_A_PAGE + 1}–${ROWS_A_PAGE + 1} of ${ROWS_A_PAGE + 1}`).waitFor();
    expect(await page.getByRole("columnheader").getByRole("button").count()).toBe(0);
  });

  it("says that a long list is longer than what was counted, and goes on page by page", async () => {
    const { page, world } = dashboard;
    await page.setViewportSize({ width: 1360, height: 850 });
    await world.database.query(
      `insert into contacts (workspace_id, id, phone)
       select $1, gen_random_uuid(), '+4915' || lpad(i::text, 8, '0') from generate_series(1, 10010) i`,
      [world.sample.workspaceId],
    );
    await dashboard.open("/contacts");
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
});
