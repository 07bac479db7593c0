import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const HOSTILE = "<img src=x onerror=alert(1)> مرحبا";
const WIDTHS = [390, 768, 1280, 1440];
const ENDS = "00 01 02 04 07 09 20 21 23 10 13 30 32 50".split(" ");

let dashboard: Dashboard;

/** Runs a job of known people to its end, until its results are added; returns its id. */
async function makeResults(): Promise<string> {
  const { world } = dashboard;
  const schema = {
    type: "object",
    properties: {
      attending: { type: "boolean" },
      guests: { type: "integer", minimum: 1 },
      [HOSTILE]: { type: "string" },
    },
  };
  const flow = { name: "Counted", firstMessage: "Good day.", structuredOutputs: [{ name: "visit", schema }] };
  const made = await world.request("POST", "/flows", { body: flow });
  expect(made.status, made.text).toBe(200);
  const rows = ENDS.map((end) => ({ customerNumber: `+120255501${end}` }));
  const body = { name: "Reminders", flowId: made.body.id, rows, retryConfig: { maxAttempts: 1 } };
  const jobId = String((await world.request("POST", "/call-jobs", { body })).body.id);
  await world.until(`/call-jobs/${jobId}`, ({ completedAt }) => completedAt !== null, 60_000);
  await world.until(`/results?jobId=${jobId}`, ({ waiting }) => waiting === 0);
  return jobId;
}

/** Returns the count that a table of bars shows for a line. */
async function countOf(table: string, line: string): Promise<number> {
  const row = dashboard.page.getByRole("table", { name: table }).getByRole("row", { name: line });
  return Number(await row.getByRole("cell").nth(1).innerText());
}

describe.skipIf(CHROMIUM === undefined)("results in the dashboard", () => {
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("show what calls came to, lead from a bar to its calls, and keep their filters in the address", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/analytics");
    await page.getByText("Choose other days, or other filters.").waitFor();
    await dashboard.picture("analytics-empty");
    const jobId = await makeResults();
    const { body } = await world.request("GET", `/results?jobId=${jobId}`);
    const funnel = body.funnel as Record<string, number>;
    await dashboard.open("/analytics");
    await page.getByRole("table", { name: "Steps of the calls" }).waitFor();
    expect(await countOf("Steps of the calls", "A person answered")).toBe(funnel.answeredByPerson);
    expect(await countOf("Steps of the calls", "A machine answered")).toBe(funnel.answeredByMachine);
    expect(await page.locator("main img, [onerror]").count()).toBe(0);
    const found = await dashboard.inspect("analytics");
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 2_400 });
      await dashboard.picture(`analytics-${width}`);
      const tooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
      expect([width, await page.evaluate(tooWide)]).toEqual([width, false]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("combobox", { name: "Success is" }).click();
    await page.getByRole("option", { name: "attending is true" }).click();
    await page.getByText("Succeeded: attending is true").waitFor();
    expect(new URL(page.url()).searchParams.get("goal")).toBe("attending=true");
    await page.getByRole("button", { name: "Tables as CSV" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Outcomes" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("results-outcomes.csv");
    await page.getByRole("link", { name: "Voicemail" }).click();
    await page.waitForURL(/\/calls\?outcome=VOICEMAIL/);
    await page.getByText("+1 202-555-0120").or(page.getByText("+12025550120")).first().waitFor();
    expect(found).toEqual([]);
  }, 180_000);

  it("stand in a tab of each job", async () => {
    const { page } = dashboard;
    const jobId = await makeResults();
    await dashboard.open(`/jobs/${jobId}?tab=results`);
    await page.getByRole("table", { name: "Steps of the calls" }).waitFor();
    expect(await countOf("Steps of the calls", "Over")).toBe(ENDS.length);
    const found = await dashboard.inspect("job-results");
    await page.getByRole("table", { name: "Calls by outcome" }).getByRole("link", { name: "Fax" }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]+\?outcome=FAX/);
    expect(found).toEqual([]);
  }, 120_000);
});
