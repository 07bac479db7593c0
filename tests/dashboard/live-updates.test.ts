import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../browser.ts";
import { Dashboard } from "./dashboard-desk.ts";

const HOSTILE = '<img src=x onerror="document.title=1">';

describe.skipIf(CHROMIUM === undefined)("a dashboard that stays open", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.startSignedIn({ speed: 10 });
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  it("shows a call that somebody else placed: in the list, on home, and its words as they are said", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/");
    await page.evaluate("window.wasNotReloaded = true");
    const placed = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550102", contactName: "Ada Example", contextData: { crm: "42" } },
    });
    const active = page.locator(".active-call", { hasText: "Ada Example" });
    await active.waitFor({ timeout: 20_000 });
    await active.click();
    await page.waitForURL(`**/calls/${String(placed.body.rowId)}`);
    const lines = page.locator(".line");
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBeGreaterThan(0);
    const early = await lines.count();
    await dashboard.picture("call-live");
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBeGreaterThan(early);
    await page.getByRole("heading", { name: "Recording" }).waitFor({ timeout: 30_000 });
    await page.getByText("partySize").waitFor();
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true);
  });

  it("shows hostile names and words as they are, and runs none of them", async () => {
    const { page, world } = dashboard;
    const call = await world.call("+12025550100", {
      contactName: HOSTILE,
      rowData: { company: HOSTILE, rtl: "\u202Eمرحبا", formula: "=cmd|calc!A1" },
      contextData: { html: HOSTILE },
    });
    await dashboard.open(`/calls/${String(call.id)}`);
    await page.getByRole("heading", { name: HOSTILE, level: 1 }).waitFor();
    await page.locator(".line-text", { hasText: "onerror" }).first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe(`${HOSTILE} · Parley`);
    await dashboard.picture("call-hostile");
    await dashboard.open("/calls");
    await page.getByText(HOSTILE).waitFor();
    expect(await page.locator("img").count()).toBe(0);
  });

  it("asks for the password again when the session has ended, and comes back to the same page", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/calls");
    expect((await dashboard.owner.ask("DELETE", "/sessions")).status).toBe(204);
    expect((await dashboard.owner.ask("POST", "/sign-out")).status).toBe(204);
    const { url } = await world.operator("user.reset", { email: "owner@example.com" });
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor({ timeout: 20_000 });
    expect(new URL(page.url()).searchParams.get("next")).toBe(`/w/${world.sample.workspaceId}/calls`);
    await page.goto(String(url));
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await page.getByLabel(/^New password/).fill("another horse battery");
    await page.getByRole("button", { name: "Save and sign in" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });

  it("asks no other host and writes no error to the console", () => {
    // A session that ends under an open page is told by a 401, which browsers write to the console.
    expect(dashboard.faults.filter((fault) => !/status of 401/.test(fault))).toEqual([]);
  });
});
