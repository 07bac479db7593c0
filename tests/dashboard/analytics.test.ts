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
    await page.getByText("Choose other days or filters.").waitFor();
    await dashboard.picture("analytics-empty");
    const jobId = await makeResults();
    const { body } = await world.request("GET", `/results?jobId=${jobId}`);
    const funnel = body.funnel as Record<string, number>;
    await dashboard.open("/analytics");
    await page.getByRole("table", { name: "Steps of the calls" }).waitFor();
    expect(await countOf("Steps of the calls", "A person answered")).toBe(funnel.answeredByPerson);
    expect(await countOf("Steps of the calls", "A machine answered")).toBe(funnel.answeredByMachine);
    const fields = body.fields as { field: string; filled: number }[];
    const attending = fields.find(({ field }) => field === "attending")?.filled ?? 0;
    await page.getByText(`Known from ${attending} of ${funnel.answeredByPerson} answered calls`).first().waitFor();
    await page.getByText("Dials, including retries").waitFor();
    await page.getByText("Completed, of answered calls").waitFor();
    expect(await page.getByText("Success of answered calls").count()).toBe(0);
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
    await page.getByRole("option", { name: "attending is Yes" }).click();
    await page.getByText("Succeeded: attending is Yes").waitFor();
    expect(new URL(page.url()).searchParams.get("goal")).toBe("attending=true");
    await page.getByRole("button", { name: "Tables as CSV" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Outcomes" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("results-outcomes.csv");
    const coming = await countOf("Steps of the calls", "Succeeded: attending is Yes");
    await page.getByRole("table", { name: "Values of attending" }).getByRole("link", { name: "Yes" }).click();
    await page.getByText("Calls whose attending is true").waitFor();
    await page.getByText(`1–${coming} of ${coming}`).waitFor();
    found.push(...(await dashboard.inspect("calls-behind-a-figure")));
    await page.getByRole("link", { name: "Analytics" }).last().click();
    await page.getByRole("table", { name: "Steps of the calls" }).waitFor();
    expect([...found, ...(await saveBoard(jobId))]).toEqual([]);
  }, 300_000);

  /** Saves two cards of one flow's version as a board, which opens again as it was. */
  async function saveBoard(jobId: string): Promise<string[]> {
    const { page, world } = dashboard;
    const { flowApiId, flowId } = (await world.request("GET", `/call-jobs/${jobId}`)).body;
    await page.getByRole("combobox", { name: "Days" }).click();
    await page.getByRole("option", { name: "The last 7" }).click();
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("combobox", { name: "Version" }).click();
    await page.getByRole("option", { name: "Version 1" }).click();
    expect(new URL(page.url()).searchParams.get("flowApiId")).toBe(flowApiId);
    await page.getByRole("button", { name: "More filters (1)" }).click();
    await page.getByRole("combobox", { name: "Version" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Cards: 7 of 7" }).click();
    for (const card of ["Outcomes and reasons", "When people answer", "What people said", "Phone numbers", "Tools"]) {
      await page.getByRole("checkbox", { name: card }).click();
    }
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Save as board" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(HOSTILE);
    const found = await dashboard.inspect("analytics-board-new");
    await page.getByRole("button", { name: "Save board" }).click();
    await page.waitForURL(/board=/);
    await dashboard.open("/analytics");
    await page.getByRole("table", { name: "Results by phone number" }).waitFor();
    await page.getByRole("combobox", { name: "Board" }).click();
    await page.getByRole("option", { name: HOSTILE }).click();
    await page.getByRole("table", { name: "Results by phone number" }).waitFor({ state: "detached" });
    await page.getByRole("table", { name: "Results by version" }).waitFor();
    const [board] = (await world.request("GET", "/results/boards")).body as unknown as object[];
    const filters = { lastDays: 7, flowApiId, flowVersion: 1 };
    expect(board).toMatchObject({ name: HOSTILE, filters, cards: ["FUNNEL", "VERSIONS"] });
    found.push(...(await dashboard.inspect("analytics-board")));
    return [...found, ...(await defineSuccess(String(flowId)))];
  }

  /** Says what counts as a success of the flow, which the results then say, too. */
  async function defineSuccess(flowId: string): Promise<string[]> {
    const { page } = dashboard;
    await dashboard.open(`/flows/${flowId}?tab=success`);
    await page.getByRole("button", { name: "Add a condition" }).click();
    const condition = page.getByRole("group", { name: "Condition 1" });
    await condition.getByRole("combobox", { name: "Field" }).click();
    await page.getByRole("option", { name: "attending" }).click();
    await condition.getByRole("combobox", { name: "Comparison" }).click();
    await page.getByRole("option", { name: "is", exact: true }).click();
    const found = await dashboard.inspect("flow-success");
    await page.getByRole("button", { name: "Save success" }).click();
    await dashboard.heard("Saved. The calls there are so far are counted anew.");
    await page.getByRole("link", { name: "Results of this flow" }).click();
    await page.getByRole("row", { name: /^Succeeded: attending is (true|false)/ }).waitFor();
    return found;
  }

  it("show what a board of one job counts, and name the job", async () => {
    const { page, world } = dashboard;
    const make = async (path: string, body: object) => {
      const made = await world.request("POST", path, { body });
      expect(made.status, made.text).toBeLessThan(300);
      return String(made.body.id);
    };
    const row = { customerNumber: "+12025550100" };
    const jobId = await make("/call-jobs", { name: "Spring survey", flowId: world.sample.flow.id, rows: [row] });
    await make("/results/boards", { name: "Of one job", filters: { jobId }, cards: ["FUNNEL"] });
    await dashboard.load("/analytics");
    await page.getByRole("combobox", { name: "Board" }).click();
    const read = page.waitForRequest((request) => request.url().includes(`/results?jobId=${jobId}`));
    await page.getByRole("option", { name: "Of one job" }).click();
    await read;
    await page.getByRole("button", { name: "More filters (1)" }).click();
    await expect.poll(() => page.getByRole("combobox", { name: "Call job" }).inputValue()).toBe("Spring survey");
    // A change of the board keeps its job.
    await page.getByRole("button", { name: "Change board" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Change board" }).click();
    await dashboard.heard("The board Of one job is saved.");
    const boards = (await world.request("GET", "/results/boards")).body as unknown as { name: string }[];
    expect(boards.find(({ name }) => name === "Of one job")).toMatchObject({ filters: { jobId } });
  });

  it("stand in a tab of each job", async () => {
    const { page } = dashboard;
    const jobId = await makeResults();
    await dashboard.open(`/jobs/${jobId}/results`);
    expect(new URL(page.url()).searchParams.get("tab")).toBe("results");
    await page.getByRole("table", { name: "Steps of the calls" }).waitFor();
    expect(await countOf("Steps of the calls", "Ended")).toBe(ENDS.length);
    const found = await dashboard.inspect("job-results");
    await page.getByRole("table", { name: "Calls by outcome" }).getByRole("link", { name: "Fax" }).click();
    await page.waitForURL(/\/calls\?result=.*outcome/);
    await page.getByText("Calls with the outcome Fax").waitFor();
    await page.getByRole("link", { name: "Results of the job" }).waitFor();
    await page.getByText(/^1 call$/).waitFor();
    expect(await page.getByRole("columnheader", { name: "Our number" }).count()).toBe(0);
    // The service does not sort these, so that an order in the address would say what is not so.
    await page.getByRole("columnheader", { name: "Duration" }).click();
    expect(new URL(page.url()).searchParams.get("sort")).toBeNull();
    expect(found).toEqual([]);
  }, 120_000);
});
