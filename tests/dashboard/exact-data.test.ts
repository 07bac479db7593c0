import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { goToStep } from "../kit/dashboard/job-steps.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import type { World } from "../kit/world.ts";

const ID = "12345678901234567890";
/** Nothing of it survives JSON.parse and JSON.stringify. */
const CONTEXT = `{"crm":${ID},"2":1.10,"1":-0,"twice":1e3,"twice":{"contextData":{"deep":0.10}}}`;

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, "");
const shown = async (page: Page, region: string) =>
  withoutSpaces(await page.getByRole("region", { name: region }).first().innerText());

/** The contextData of a row in the bytes of the API's reply. */
async function readContext(world: World, rowId: string): Promise<string> {
  const { text } = await world.request("GET", `/call-rows/${rowId}`);
  return withoutSpaces(text.slice(text.indexOf('"contextData":')));
}

async function placeCall(world: World): Promise<string> {
  const raw = `{"customerNumber":"+12025550100","contactName":"Exact","contextData":${CONTEXT}}`;
  const { body } = await world.request("POST", "/outbound/calls", { raw });
  const rowId = String(body.rowId);
  await world.until(`/call-rows/${rowId}`, (row) => row.endedAt !== null);
  return rowId;
}

describe.skipIf(CHROMIUM === undefined)("data of customers in the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("shows contextData as it was sent, and calls again with the same text", async () => {
    const { page, world } = dashboard;
    const rowId = await placeCall(world);
    await dashboard.open(`/calls/${rowId}`);
    expect(await shown(page, "contextData")).toBe(CONTEXT);
    // No webhook was sent, so there is nothing to compare it with.
    expect(await page.getByText(/returned as sent|kept as sent/).count()).toBe(0);
    await page.getByRole("tab", { name: "JSON" }).click();
    expect(await shown(page, "Call as JSON")).toContain(`"contextData":${CONTEXT}`);
    await page.getByRole("button", { name: "Call again" }).click();
    const dialog = page.getByRole("dialog", { name: "Place a call" });
    await dialog.getByText(ID).first().waitFor();
    await dialog.getByRole("button", { name: "Call (simulated)" }).click();
    await page.waitForURL((url) => /\/calls\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(rowId));
    const again = page.url().split("/").at(-1) ?? "";
    expect(await readContext(world, again)).toContain(`"contextData":${CONTEXT}`);
  });

  it("hands contextData of selected calls to a job as it was sent", async () => {
    const { page, world } = dashboard;
    await placeCall(world);
    await dashboard.load("/calls");
    const row = page.getByRole("row", { name: /Exact/ }).first();
    await row.getByRole("checkbox").check();
    await page.getByRole("button", { name: "New call job" }).click();
    await page.waitForURL(/\/jobs\/new/);
    await page.getByText(ID).first().waitFor();
    expect(withoutSpaces(await page.locator("main").innerText())).toContain(CONTEXT);
    for (const _ of ["settings", "check"]) await goToStep(page, "Continue");
    await page.getByRole("button", { name: "Start calling" }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/);
    const jobId = /\/jobs\/([0-9a-f-]{36})/.exec(page.url())?.[1];
    const { text } = await world.request("GET", `/call-jobs/${String(jobId)}/rows`);
    expect(withoutSpaces(text)).toContain(`"contextData":${CONTEXT}`);
  });

  it("shows contextData of a chat as it was sent, and never a rounded number in a test made from a call", async () => {
    const { page, world } = dashboard;
    const raw = `{"channel":"CHAT","contactIdentifier":"exact","contextData":${CONTEXT}}`;
    const { body, text } = await world.request("POST", "/outbound/chats", { raw });
    expect(body.session, text).toBeDefined();
    // The only chat is the first, which is open from the start.
    await page.setViewportSize({ width: 1440, height: 900 });
    await dashboard.open("/chats");
    await page.getByText(ID).first().waitFor();
    expect(await shown(page, "Context data")).toBe(CONTEXT);
    await dashboard.open(`/calls/${await placeCall(world)}`);
    await page.getByRole("button", { name: "Make a test" }).click();
    const suite = page.getByRole("region", { name: "test suite" });
    await suite.waitFor();
    expect(await suite.innerText()).not.toContain("12345678901234567000");
  });

  it("lists, opens and exports records with all digits", async () => {
    const { page, world } = dashboard;
    const { id, storeKey } = world.sample.application;
    const path = `/applications/${id}/stores/${storeKey}`;
    const made = await world.request("POST", path, { raw: `{"account":${ID},"price":1.10}` });
    expect(made.status, made.text).toBe(200);
    await dashboard.open(`/data/${id}/${storeKey}`);
    await page.getByRole("row").filter({ hasText: ID }).filter({ hasText: "1.10" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await (await download).createReadStream();
    let csv = "";
    for await (const chunk of file) csv += String(chunk);
    expect(csv).toMatch(new RegExp(`${ID}.*1\\.10|1\\.10.*${ID}`));
  });
});
