import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

type Json = Record<string, unknown>;

let dashboard: Dashboard;

/** Makes a flow with two published versions that share new sessions. */
async function makeSplitFlow(): Promise<{ id: string; apiId: string }> {
  const { world } = dashboard;
  const { body } = await world.request("POST", "/flows", { body: { name: "Reminder", firstMessage: "Good day." } });
  const id = String(body.id);
  await world.request("PUT", `/flows/${id}`, { body: { firstMessage: "Hello." } });
  const splits = [1, 2].map((version) => ({ version, percent: 50 }));
  const saved = await world.request("PUT", `/flows/${id}/split`, { body: { splits } });
  expect(saved.status, saved.text).toBe(200);
  return { id, apiId: String(body.apiId) };
}

/** Puts figures into the results that the page reads: what hundreds of calls would come to. */
async function answerWith(figures: Json): Promise<void> {
  await dashboard.page.route(/\/results\?/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as Json), ...figures } });
  });
}

function versionOf(flowApiId: string, version: number, value: number): Json {
  const counts = { calls: 100, dialled: 100, answeredByPerson: 100, answeredByMachine: 0, talked: 100 };
  const costs = { cost: "0", simulatedCost: "1", costPerSuccess: 0.01 };
  const successRate = { value, low: value - 0.05, high: value + 0.05 };
  return { flowApiId, version, ...counts, succeeded: value * 100, ...costs, successRate };
}

function numberOf(phoneNumber: string, dials: number, answerRate: number): Json {
  const counts = { calls: dials, dialled: dials, answeredByPerson: 0, answeredByMachine: 0, talked: 0, succeeded: 0 };
  const costs = { cost: "0", simulatedCost: "0", costPerSuccess: null, successRate: null };
  return { phoneNumberId: phoneNumber, phoneNumber, ...counts, dials, answerRate, ...costs };
}

describe.skipIf(CHROMIUM === undefined)("what is worth a look", { timeout: 180_000 }, () => {
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("is listed on home with its proof, and the better version is given everything", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/");
    await page.getByRole("heading", { name: "Newest calls" }).waitFor();
    expect(await page.getByText("Worth a look").count()).toBe(0);
    const flow = await makeSplitFlow();
    const difference = { value: 0.7, low: 0.6, high: 0.8 };
    const compared = { flowApiId: flow.apiId, version: 1, comparedWith: 2, difference, words: "" };
    await answerWith({
      tools: [{ tool: "book_demo", calls: 145, failed: 145 }],
      verdicts: [{ ...compared, verdict: "BETTER" }],
      versions: [versionOf(flow.apiId, 1, 0.9), versionOf(flow.apiId, 2, 0.2)],
      hours: [
        { weekday: 2, hour: 9, dials: 90, answeredByPerson: 60, answeredByMachine: 0, answerRate: 0.67 },
        { weekday: 2, hour: 12, dials: 95, answeredByPerson: 0, answeredByMachine: 90, answerRate: 0 },
      ],
      numbers: [numberOf("+12025550190", 185, 0.86), numberOf("+12025550194", 156, 0.14)],
      askedForHuman: 7,
    });
    const splitIsAsked = Promise.withResolvers<void>();
    await page.route(/\/split$/, async (route) => {
      await splitIsAsked.promise;
      await route.continue();
    });
    await dashboard.open("/");
    await page.getByText("The tool book_demo failed in 145 of 145 calls.").waitFor();
    // A line that is still being read has its room, so nothing below it moves.
    const wishes = page.getByText("7 people asked for a human in vain.");
    await page.getByText("First steps").waitFor();
    const before = await wishes.boundingBox();
    await page.locator("[data-visible]").filter({ hasText: "Version 1 is better" }).waitFor();
    splitIsAsked.resolve();
    await page.locator("li:not(:has([data-visible]))").filter({ hasText: "Version 1 is better" }).waitFor();
    expect(await wishes.boundingBox()).toEqual(before);
    await page.getByText("Nobody answers from 12:00 to 13:00: not one of 95 dials.").waitFor();
    await page.getByText("7 people asked for a human in vain.").waitFor();
    const proof = page.getByRole("listitem").filter({ hasText: "book_demo" }).getByRole("link");
    expect(await proof.getAttribute("href")).toMatch(/\/calls\?result=.*tool%3Dbook_demo/);
    await page.getByText("Reminder: Version 1 is better: 90% of its answered calls are completed").waitFor();
    const weak = page.getByRole("listitem").filter({ hasText: "People answer 14% of 156 dials from" });
    expect(await weak.textContent()).toContain("and 86% from the other numbers.");
    expect(await weak.getByRole("link").getAttribute("href")).toMatch(/\/analytics\?lastDays=7&cards=NUMBERS$/);
    const found = await dashboard.inspect("home-worth-a-look");

    await page.getByRole("link", { name: "Show the versions" }).click();
    await page.getByText("completed", { exact: true }).first().waitFor();
    await page.getByText("No criterion of success is set").waitFor();
    found.push(...(await dashboard.inspect("flow-verdict")));
    await page.getByRole("button", { name: "Give version 1 everything" }).click();
    await page.getByText("Now the shares are: v1 50%, v2 50%.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Give version 1 everything" }).click();
    await dashboard.heard("Version 1 takes every new session.");
    await page.getByText("It takes every new session.").waitFor();
    const { body } = await world.request("GET", `/flows/${flow.id}/split`);
    expect(body.splits).toEqual([{ version: 1, percent: 100 }]);

    await dashboard.open("/");
    await page.getByText("7 people asked for a human in vain.").waitFor();
    await page.getByText("Version 1 is better").waitFor({ state: "detached" });
    expect(found).toEqual([]);
  });
});
