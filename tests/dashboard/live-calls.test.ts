import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../browser.ts";
import { Dashboard } from "./dashboard-desk.ts";

const NOTE = "Mention the parking behind the house.";
const ASKS_QUESTIONS = "+12025550102";

describe.skipIf(CHROMIUM === undefined)("live calls", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.startSignedIn({ speed: 1 });
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  it("says what would be here while nobody is on the line", async () => {
    await dashboard.open("/live");
    await dashboard.page.getByText("No calls in progress").waitFor();
    expect(await dashboard.inspect("live-empty")).toEqual([]);
  });

  it("follows a call from ringing to its end without a reload: heard, whispered to, ended", async () => {
    const { page, world } = dashboard;
    await page.evaluate("window.wasNotReloaded = true");
    const body = { customerNumber: ASKS_QUESTIONS, contactName: "Ada <img src=x onerror=alert(1)>" };
    await world.request("POST", "/outbound/calls", { body });
    const row = page.getByRole("row", { name: /Ada/ });
    await row.getByText("Ringing").waitFor({ timeout: 20_000 });
    await row.getByText("In progress").waitFor({ timeout: 20_000 });
    const found = await dashboard.inspect("live");
    await row.getByRole("link").click();
    const drawer = page.getByRole("dialog");
    const lines = drawer.locator(".line");
    await expect.poll(() => lines.count(), { timeout: 45_000 }).toBeGreaterThan(0);
    const early = await lines.count();
    await drawer.getByRole("button", { name: "Listen in" }).click();
    await drawer.getByText("You hear both sides").waitFor();
    await drawer.getByText("Take over").click();
    await drawer.getByText("The agent says no more").waitFor();
    await drawer.getByText("Listen", { exact: true }).click();
    await drawer.getByText("You hear both sides").waitFor();
    await drawer.getByLabel("Whisper to the agent").fill(NOTE);
    await page.keyboard.press("Enter");
    await page.getByText("heeds it from its next turn on").waitFor();
    await lines.filter({ hasText: NOTE }).waitFor({ timeout: 30_000 });
    expect(await lines.count()).toBeGreaterThan(early);
    found.push(...(await dashboard.inspect("live-drawer")));
    await drawer.getByRole("button", { name: "End call" }).click();
    await page.getByRole("dialog", { name: "End this call?" }).getByRole("button", { name: "End call" }).click();
    await drawer.getByText("Ended by request").waitFor({ timeout: 20_000 });
    await page.keyboard.press("Escape");
    await page.getByText("No calls in progress").waitFor();
    const modes = await world.database.query(
      "select data->>'mode' as mode from events where type like 'call.supervision_%' order by id",
      [],
    );
    expect(modes.map(({ mode }) => mode)).toEqual(["LISTEN", "TAKE_OVER", "LISTEN", null]);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true);
    expect(found).toEqual([]);
  }, 150_000);

  it("ends the calls that are selected, and leaves the others alone", async () => {
    const { page, world } = dashboard;
    const rowIds: string[] = [];
    for (const [i, contactName] of ["Ida", "Joe", "Kim"].entries()) {
      const body = { customerNumber: `+1202555010${String(2 + i)}`, contactName };
      rowIds.push(String((await world.request("POST", "/outbound/calls", { body })).body.rowId));
    }
    const rowOf = (name: string) => page.getByRole("row", { name: new RegExp(name) });
    for (const name of ["Ida", "Joe"]) await rowOf(name).getByRole("checkbox").check();
    await rowOf("Kim").waitFor();
    const selected = page.getByRole("toolbar", { name: "Selected rows" });
    await selected.getByRole("button", { name: "End" }).click();
    const question = page.getByRole("dialog", { name: "End 2 calls?" });
    const found = await dashboard.inspect("live-end");
    await question.getByRole("button", { name: "End" }).click();
    await page.getByText("End: 2 done.").waitFor();
    for (const name of ["Ida", "Joe"]) await rowOf(name).waitFor({ state: "detached" });
    await selected.waitFor({ state: "detached" });
    await rowOf("Kim").waitFor();
    const rows = await Promise.all(rowIds.map((id) => world.request("GET", `/call-rows/${id}`)));
    const ends = rows.map(({ body }) => body.endReason);
    expect(ends).toEqual(["ENDED_BY_REQUEST", "ENDED_BY_REQUEST", null]);
    await world.request("POST", `/call-rows/${rowIds[2] ?? ""}/end`, { body: {} });
    await page.getByText("No calls in progress").waitFor();
    expect(found).toEqual([]);
  });

  it("asks no other host and writes no error to the console", () => {
    expect(dashboard.faults).toEqual([]);
  });
});
