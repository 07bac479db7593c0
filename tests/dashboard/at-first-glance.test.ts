import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const WIDTHS = [390, 768, 1280];
const LISTS = "/calls /jobs /flows /contacts /tools /numbers /agents /developers/webhooks /transcriptions".split(" ");
/** Headers of what decides about a row. */
const DECIDING = ["Outcome", "Status", "State", "Result", "Rate"];
const NOT_DELIVERED = "+12025550171";
const HOUR_MS = 3_600_000;

let dashboard: Dashboard;

/** Waits until the page has taken a new size: its state by the width, its layout, and what is measured of that. */
async function afterLayout(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((done) => { let frames = 10; (function next() { frames-- > 0 ? requestAnimationFrame(next) : done(); })(); })",
  );
}

/** Returns the deciding headers of tables that are out of sight, and boxes that scroll without showing it. */
function findHidden(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    for (const table of document.querySelectorAll("table")) {
      const heads = [...table.querySelectorAll("thead th")].filter((head) => head.offsetParent !== null);
      for (const [index, head] of heads.entries()) {
        const isFirst = heads.slice(0, index).every((one) => one.textContent.trim() === "");
        if (!isFirst && !${JSON.stringify(DECIDING)}.includes(head.textContent)) continue;
        const clip = head.closest(".scroll-box")?.getBoundingClientRect().right ?? innerWidth;
        if (head.getBoundingClientRect().right > Math.min(clip, innerWidth) + 1)
          found.push(table.ariaLabel + " hides " + head.textContent);
      }
      const box = table.closest(".scroll-box");
      if (!box) found.push(table.ariaLabel + " is in no box");
      else if (box.scrollWidth > box.clientWidth + 1 && !box.parentElement.dataset.more?.includes("right"))
        found.push(table.ariaLabel + " scrolls without a sign");
      else if (box.scrollWidth > box.clientWidth + 1 && box.tabIndex !== 0)
        found.push(table.ariaLabel + " is not reached by Tab");
    }
    return found;
  })()`);
}

/** Places calls that end in known ways, and waits until their results are added; returns the job's id. */
async function makeResults(flowId: string): Promise<string> {
  const { world } = dashboard;
  const rows = Array.from({ length: 14 }, (_, i) => ({ customerNumber: `+12025550${100 + (i % 3)}` }));
  const body = { name: "Reminders", flowId, rows, retryConfig: { maxAttempts: 1 } };
  const jobId = String((await world.request("POST", "/call-jobs", { body })).body.id);
  await world.until(`/call-jobs/${jobId}`, ({ completedAt }) => completedAt !== null, 120_000);
  await world.until(`/results?jobId=${jobId}`, ({ waiting }) => waiting === 0, 60_000);
  return jobId;
}

describe.skipIf(CHROMIUM === undefined)("what a stranger sees at first glance", { timeout: 300_000 }, () => {
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("shows name and outcome of each list on any width, and where a table goes on beside", async () => {
    const { page, world } = dashboard;
    const call = await world.call("+12025550100", { contactName: "Bartholomew Featherstonehaugh" });
    const jobId = await makeResults(world.sample.flow.id);
    const found: string[] = [];
    const details = [`/calls/${String(call.id)}`, `/jobs/${jobId}`, `/jobs/${jobId}?tab=results`];
    for (const path of [...LISTS, ...details]) {
      await dashboard.open(path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await dashboard.picture(`narrow${path.replaceAll(/[0-9a-f-]{36}/g, "id").replaceAll(/[/?=]/g, "-")}-${width}`);
        await afterLayout(page);
        found.push(...(await findHidden(page)).map((fault) => `${path} at ${width}: ${fault}`));
      }
    }
    expect(found).toEqual([]);
    const box = page.locator(".scroll-frame[data-more=right]").first();
    await page.setViewportSize({ width: 390, height: 900 });
    await box.waitFor();
    const label = await box.getByRole("region").getAttribute("aria-label");
    await page.evaluate("for (const box of document.querySelectorAll('.scroll-box')) box.scrollLeft = 9_999");
    await page.locator(`.scroll-frame[data-more=left] > [aria-label="${label}"]`).first().waitFor();
    expect(await dashboard.inspect("scrolled-table")).toEqual([]);
  });

  it("shows how many dials stand behind an answer rate, and where they are few", async () => {
    const { page, world } = dashboard;
    const jobId = await makeResults(world.sample.flow.id);
    const slot = (weekday: number, hour: number, dials: number, answered: number) => ({
      weekday,
      hour,
      dials,
      answeredByPerson: answered,
      answeredByMachine: 0,
      answerRate: answered / dials,
    });
    const hours = [
      slot(1, 9, 120, 40),
      slot(2, 10, 1_240, 600),
      slot(3, 9, 3, 3),
      slot(5, 14, 12, 2),
      slot(5, 12, 95, 0),
    ];
    await page.route("**/results?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), hours } });
    });
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 2_400 });
      await dashboard.open(`/jobs/${jobId}?tab=results`);
      const heat = page.getByRole("table", { name: "Percent of dials that a person answered" });
      await heat.waitFor();
      await dashboard.picture(`heat-${width}`);
      expect(await heat.locator("td[data-dialled] small").allInnerTexts()).toEqual(
        expect.arrayContaining(["120", "1,240", "3", "12"]),
      );
      expect(await heat.locator("td[data-few] a > span[aria-hidden]").allInnerTexts()).toEqual([
        expect.stringMatching(/^100\s+3$/),
      ]);
      expect(await heat.locator("td[data-nobody] small").allInnerTexts()).toEqual(["95"]);
      const box = await heat.locator("xpath=..").evaluate((one) => [one.scrollWidth, one.clientWidth]);
      // Only a wide screen shows all hours side by side, and may have to scroll.
      expect([width, width >= 1280 || box[0] === box[1]]).toEqual([width, true]);
    }
    found.push(...(await dashboard.inspect("heat")));
    await page.unroute("**/results?*");
    expect(found).toEqual([]);
  });

  it("says until when a call waits, and for what", async () => {
    const { page, world } = dashboard;
    const scheduledAt = new Date(Date.now() + 5 * HOUR_MS).toISOString();
    const placed = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550100", contactName: "Carla", scheduledAt, rowData: { callbackNote: "" } },
    });
    expect(placed.status, placed.text).toBe(200);
    await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550101", contactName: "Later", scheduledAt },
    });
    await world.database.query(
      `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country,
         number_class, phone_number_id, contact_name, attempts_made, max_attempts, due_at)
       select workspace_id, gen_random_uuid(), job_id, gen_random_uuid(), 'WAITING_FOR_RETRY', 'BUSY', customer_number,
         number_country, number_class, phone_number_id, 'Rita', 1, 2, due_at from call_rows
        where workspace_id = $1 and id = $2`,
      [world.sample.workspaceId, String(placed.body.rowId)],
    );
    await dashboard.open("/calls");
    const due = await page.evaluate<string>(
      `new Date(${JSON.stringify(scheduledAt)}).toLocaleString("en-GB", { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" })`,
    );
    const stateOf = (name: string) =>
      page
        .getByRole("row", { name: new RegExp(name) })
        .locator(".status")
        .innerText();
    await expect.poll(() => stateOf("Carla")).toBe(`Callback due ${due}`);
    expect(await stateOf("Rita")).toBe(`Retry due ${due}`);
    expect(await stateOf("Later")).toBe(`Due ${due}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await dashboard.picture(`waiting-${width}`);
      await afterLayout(page);
      expect(await findHidden(page)).toEqual([]);
      // A small screen has a short badge, and the time below it.
      expect(await stateOf("Carla")).toBe(width < 992 ? "Callback" : `Callback due ${due}`);
      expect(await page.getByText(due).filter({ visible: true }).count()).toBe(3);
    }
    const found = await dashboard.inspect("calls-waiting");
    await dashboard.open(`/calls/${String(placed.body.rowId)}`);
    await page.getByText("Callback due").first().waitFor();
    expect(await page.locator(".facts").first().innerText()).toMatch(/Callback due\s+.*(CET|CEST|GMT)/);
    expect([...found, ...(await dashboard.inspect("call-waiting"))]).toEqual([]);
  });

  it("says plainly how a flow's versions share sessions, and what a publication does to that", async () => {
    const { page, world } = dashboard;
    const { body: flow } = await world.request("POST", "/flows", { body: { name: "Split", firstMessage: "One." } });
    const path = `/flows/${String(flow.id)}`;
    const draft = (firstMessage: string) => world.request("PUT", `${path}/draft`, { body: { firstMessage } });
    await draft("Two.");
    expect((await world.request("POST", `${path}/publish`, { body: { percent: 50 } })).status).toBe(200);
    await draft("Three.");
    await draft("Two.");
    await dashboard.open(path);
    await page.getByRole("link", { name: "Traffic split: v1 50%, v2 50%" }).waitFor();
    await page.getByText("draft without changes").waitFor();
    expect(await page.getByText("Draft", { exact: true }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Publish" }).isDisabled()).toBe(true);
    await makeResults(String(flow.id));
    await page.getByRole("link", { name: /^Traffic split/ }).click();
    const table = page.getByRole("table", { name: "Results by version" });
    await expect
      .poll(() => table.getByRole("columnheader").allInnerTexts())
      .toEqual(["Version", "Rate", "Likely range", "Success", "Person", "Calls", "Cost of a success"]);
    await page.getByText("versions 1 and 2", { exact: false }).waitFor();
    const { versions } = (await world.request("GET", `/results?flowApiId=${String(flow.apiId)}`)).body as {
      versions: { version: number; succeeded: number; answeredByPerson: number; calls: number }[];
    };
    for (const { version, succeeded, answeredByPerson, calls } of versions) {
      const row = table
        .getByRole("row")
        .filter({ has: page.getByRole("cell", { name: String(version), exact: true }) });
      const cells = await row.first().getByRole("cell").allInnerTexts();
      expect(cells.slice(3, 6)).toEqual([succeeded, answeredByPerson, calls].map(String));
    }
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await dashboard.picture(`flow-shares-${width}`);
    }
    found.push(...(await dashboard.inspect("flow-split")));
    await draft("Three.");
    await dashboard.load(path);
    await page.getByText("Draft", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("The running traffic split ends").waitFor();
    found.push(...(await dashboard.inspect("flow-publish-split")));
    await page.getByLabel("Share of new sessions, in percent").fill("20");
    await page.getByText("Afterwards 20 % of them take version 3, and the rest version 2.", { exact: false }).waitFor();
    expect(found).toEqual([]);
  });

  it("shows at once that a message was not delivered, in the chat and in the list", async () => {
    const { page, world } = dashboard;
    const body = { channel: "SMS", contactPhone: NOT_DELIVERED, contactName: "Nils", initialMessage: "Hello." };
    const { session } = (await world.request("POST", "/outbound/chats", { body })).body as { session: { id: string } };
    await world.until(`/chat-sessions/${session.id}/messages`, ({ content }) =>
      (content as { deliveryStatus: string }[]).some(({ deliveryStatus }) => deliveryStatus === "FAILED"),
    );
    await dashboard.open(`/chats?chat=${session.id}`);
    await page.getByRole("log", { name: "Messages" }).getByText("Not delivered").waitFor();
    await page.getByRole("link", { name: /Nils/ }).getByText("Not delivered").waitFor();
    expect(await dashboard.inspect("chat-undelivered")).toEqual([]);
  });

  it("names a job's first number and how many others there are, and all of them in its plan", async () => {
    const { page, world } = dashboard;
    const numbers = ["+12025550181", "+12025550182", "+12025550183"];
    for (const phoneNumber of numbers) {
      const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX", phoneNumber } });
      expect(made.status, made.text).toBeLessThan(300);
    }
    const rows = [{ customerNumber: "+12025550100" }];
    const job = await world.request("POST", "/call-jobs", {
      body: {
        name: "Many numbers",
        rows,
        fromPhoneNumbers: numbers,
        startAt: new Date(Date.now() + HOUR_MS).toISOString(),
      },
    });
    expect(job.status, job.text).toBe(200);
    await dashboard.open(`/jobs/${String(job.body.id)}?tab=plan`);
    const withoutGaps = async () => (await page.locator("main").innerText()).replaceAll(/\s/g, "");
    await expect.poll(withoutGaps).toMatch(/\+1202555018\dand2more/);
    const plan = page.locator("dl").filter({ hasText: "Call from" });
    const listed = (await plan.locator("dd").first().innerText()).replaceAll(/\s/g, "").split(",");
    expect(listed.toSorted()).toEqual(numbers);
    expect(await dashboard.inspect("job-numbers")).toEqual([]);
  });
});
