import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { LONG_CONVERSATION } from "../kit/dashboard/long-conversation.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const NOTE = "Mention the parking behind the house.";
const ASKS_QUESTIONS = "+12025550102";
/** Longer than a busy machine stands still. */
const RINGS_20_S = "+12025550153";

describe.skipIf(CHROMIUM === undefined)("live calls", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn({ speed: 1 })));

  it("says what would be here while nobody is on the line", async () => {
    await dashboard.open("/live");
    await dashboard.page.getByText("No calls in progress").waitFor();
    expect(await dashboard.inspect("live-empty")).toEqual([]);
  });

  it("follows a call from ringing to its end without a reload: heard, whispered to, ended", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/live?view=list");
    await page.evaluate("window.wasNotReloaded = true");
    const late = await place(RINGS_20_S, "Rita");
    await place(ASKS_QUESTIONS, "Ada <img src=x onerror=alert(1)>");
    const row = page.getByRole("row", { name: /Ada/ });
    await rowOf("Rita").getByText("Ringing").waitFor();
    await row.getByText("In progress").waitFor();
    const found = await dashboard.inspect("live");
    await rowOf("Rita").getByText("In progress").waitFor();
    await world.request("POST", `/call-rows/${late}/end`, { body: {} });
    await rowOf("Rita").waitFor({ state: "detached" });
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
    await dashboard.heard("heeds it from its next turn on");
    await lines.filter({ hasText: NOTE }).waitFor();
    expect(await lines.count()).toBeGreaterThan(early);
    found.push(...(await dashboard.inspect("live-drawer")));
    await drawer.getByRole("button", { name: "End call" }).click();
    await page.getByRole("dialog", { name: "End this call?" }).getByRole("button", { name: "End call" }).click();
    await drawer.getByText("Ended by request").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("No calls in progress").waitFor();
    const modes = () =>
      world.database.query("select data->>'mode' as mode from events where type like 'call.supervision_%' order by id");
    await expect
      .poll(async () => (await modes()).map(({ mode }) => mode as unknown))
      .toEqual(["LISTEN", "TAKE_OVER", "LISTEN", null]);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true);
    expect(found).toEqual([]);
  });

  it("supervises from the tiles by key: heard, taken over, given words, and ended", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/live");
    const rowId = await place(ASKS_QUESTIONS, "Bea");
    const tile = page.locator(".tile", { hasText: "Bea" });
    await tile.getByText("Hello from Acme.").or(tile.getByText("people will come")).waitFor();
    // The sound of either side is drawn.
    await tile.locator(".wave-agent[d*=M]").waitFor({ state: "attached" });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("l");
    const dock = page.getByRole("region", { name: "Supervised call" });
    await dock.getByText("You hear both sides").waitFor();
    await page.keyboard.press("t");
    await dock.getByText("The agent says no more").waitFor();
    await page.keyboard.press("s");
    await page.getByLabel("Say to the person").fill("We open at nine.");
    await page.keyboard.press("Enter");
    await dashboard.heard("The agent's voice says it next.");
    await page.keyboard.press("Escape");
    await tile.getByText("We open at nine.").waitFor();
    const found = await dashboard.inspect("live-tiles");
    await page.keyboard.press("l");
    await dock.getByRole("button", { name: "Listen in" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "End this call?" }).getByRole("button", { name: "End call" }).click();
    await tile.waitFor({ state: "detached" });
    await dock.getByText("This call is over.").waitFor();
    const { body } = await world.request("GET", `/call-rows/${rowId}`);
    const typed = (body.transcript as { supervisor?: string }[]).filter(({ supervisor }) => supervisor === "TYPED");
    expect(typed).toMatchObject([{ content: "We open at nine." }]);
    expect(found).toEqual([]);
  });

  it("opens no microphone for a call that was left before its audio was there", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/live?view=list");
    const rowId = await place(ASKS_QUESTIONS, "Cleo");
    await rowOf("Cleo").getByText("In progress").waitFor();
    await page.evaluate(`(() => {
      const devices = navigator.mediaDevices;
      const open = devices.getUserMedia.bind(devices);
      globalThis.opened = 0;
      devices.getUserMedia = (asked) => (globalThis.opened++, open(asked));
    })()`);
    const held = Promise.withResolvers<void>();
    await page.route(/\/supervise$/, async (route) => (await held.promise, route.continue()), { times: 1 });
    await rowOf("Cleo").getByRole("link").click();
    const drawer = page.getByRole("dialog");
    const asked = page.waitForRequest(/\/supervise$/);
    await drawer.getByRole("button", { name: "Take over" }).click();
    await asked;
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    const answered = page.waitForResponse(/\/supervise$/);
    held.resolve();
    await answered;
    // All effects of the first answer have happened by the time that the audio of a second one is there.
    await rowOf("Cleo").getByRole("link").click();
    await drawer.getByRole("button", { name: "Listen in" }).click();
    await drawer.getByText("You hear both sides").waitFor();
    expect(await page.evaluate("globalThis.opened")).toBe(0);
    await page.keyboard.press("Escape");
    await world.request("POST", `/call-rows/${rowId}/end`, { body: {} });
    await page.getByText("No calls in progress").waitFor();
  });

  it("ends the calls that are selected, and leaves the others alone", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/live?view=list");
    const rowIds: string[] = [];
    for (const [i, name] of ["Ida", "Joe", "Kim"].entries()) rowIds.push(await place(`+1202555010${i}`, name));
    for (const name of ["Ida", "Joe"]) await rowOf(name).getByRole("checkbox").check();
    await rowOf("Kim").waitFor();
    const selected = page.getByRole("toolbar", { name: "Selected rows" });
    await selected.getByRole("button", { name: "End" }).click();
    const question = page.getByRole("dialog", { name: "End 2 calls?" });
    await question.waitFor();
    const found = await dashboard.inspect("live-end");
    await question.getByRole("button", { name: "End" }).click();
    await dashboard.heard("End: 2 done.");
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

  const rowOf = (name: string) => dashboard.page.getByRole("row", { name: new RegExp(name) });

  async function place(customerNumber: string, contactName: string): Promise<string> {
    const { status, text, body } = await dashboard.world.request("POST", "/outbound/calls", {
      body: { customerNumber, contactName, flow: LONG_CONVERSATION },
    });
    if (status !== 200) throw new Error(text);
    return String(body.rowId);
  }
});
