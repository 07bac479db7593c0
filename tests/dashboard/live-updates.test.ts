import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { fillWithHostile, HOSTILE } from "../kit/dashboard/hostile-harness.ts";
import { LONG_CONVERSATION } from "../kit/dashboard/long-conversation.ts";
import { traceMainThread } from "../kit/dashboard/main-thread.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

/** Every screen that is no single thing's. */
const SCREENS =
  "/ /analytics /calls /jobs /jobs/new /leads /live /chats /contacts /flows /outputs /tools /agents /data /transcriptions /connections /automations /numbers /simulations /simulations/new /credentials /developers /developers/webhooks /developers/requests /developers/inspector /developers/connect /developers/reference /settings /settings/models /settings/speech /settings/compliance /settings/do-not-call /settings/opt-out-reviews /settings/people /settings/sign-on /settings/balance /settings/audit /settings/account".split(
    " ",
  );

describe.skipIf(CHROMIUM === undefined)("a dashboard that stays open", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(
    async () => (dashboard = await Dashboard.startSignedIn({ speed: 10, env: { OUTBOUND_ALLOW: "127.0.0.1:9" } })),
    /status of 401/,
  );

  it("shows a call that somebody else placed: in the list, on home, and its words as they are said", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/");
    await page.evaluate("window.wasNotReloaded = true");
    const placed = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550102", contactName: "Ada Example", flow: LONG_CONVERSATION },
    });
    const active = page.locator(".active-call", { hasText: "Ada Example" });
    await active.waitFor();
    await active.click();
    await page.waitForURL(`**/calls/${String(placed.body.rowId)}`);
    const lines = page.locator(".line");
    await expect.poll(() => lines.count()).toBeGreaterThan(0);
    const early = await lines.count();
    await dashboard.picture("call-live");
    await expect.poll(() => lines.count()).toBeGreaterThan(early);
    await page.getByRole("heading", { name: "Recording" }).waitFor({ timeout: 120_000 });
    await page.getByText("partySize").first().waitFor();
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true);
  });

  it("shows hostile names and words as they are on every screen, and runs none of them", async () => {
    const { page, world, owner } = dashboard;
    const single = await fillWithHostile(world, owner);
    const call = single.find((path) => path.startsWith("/calls/")) ?? "";
    await dashboard.open(call);
    // Without the control that would turn around what stands behind it.
    const shown = HOSTILE.replace("\u202E", "");
    await page.getByRole("heading", { name: shown, level: 1 }).waitFor();
    await page.locator(".line-text", { hasText: "onerror" }).first().waitFor();
    await expect.poll(() => page.title()).toBe(`${shown} · Parley`);
    await dashboard.picture("call-hostile");
    const shows = new Set([
      "/",
      "/calls",
      "/jobs",
      "/chats",
      "/contacts",
      "/flows",
      "/outputs",
      "/tools",
      "/agents",
      call,
    ]);
    for (const path of [...SCREENS, ...single]) {
      await dashboard.go(path);
      if (shows.has(path)) await page.locator("main", { hasText: "onerror=" }).waitFor();
      expect([path, await page.locator("img, .evil, [onerror]").count()]).toEqual([path, 0]);
      expect([path, await page.title()]).not.toEqual([path, "evil"]);
    }
  });

  it("is as smooth over a call of 5,000 lines, one of them a megabyte long, as over a short one, and finds what was said", async () => {
    const { page, world } = dashboard;
    const call = await world.call("+12025550100");
    const browser = dashboard.context.browser() as never;
    const open = () => dashboard.go(`/calls/${String(call.id)}`);
    await dashboard.open("/calls");
    const ofFewLines = await traceMainThread(browser, page, open);
    await page.route(/\/call-rows\/[0-9a-f-]{36}$/, async (route) => {
      const reply = await route.fetch();
      const body = (await reply.json()) as { transcript: object[]; latency: object; transcriptText: string };
      const [first] = body.transcript;
      const said = `${"So I told them again. ".repeat(50_000)}The needle.`;
      body.transcript = Array.from({ length: 5_000 }, (_, index) => ({
        ...first,
        index,
        role: index % 2 === 0 ? "USER" : "ASSISTANT",
        content: index === 2 ? said : `Line ${index}: ${"so it goes on, ".repeat(8)}`,
      }));
      const turns = Array.from({ length: 2_500 }, (_, index) => ({ index, modelMs: 300 + (index % 99) }));
      await route.fulfill({
        response: reply,
        json: { ...body, transcriptText: said, latency: { ...body.latency, turns } },
      });
    });
    await dashboard.load("/calls");
    const tasks = await traceMainThread(browser, page, async () => {
      await open();
      await page.getByRole("button", { name: /^Show all 1,1/ }).click();
      await page.locator(".transcript").evaluate("(box) => { box.scrollTop = box.scrollHeight / 2; }");
      await page.getByRole("button", { name: "Show less" }).click();
      await page.getByRole("button", { name: /^Show 200 more/ }).click();
      await page.getByLabel("Find in the transcript").fill("line 4321");
      await page.getByText("1 of 5,000 lines").waitFor();
      await page.getByLabel("Find in the transcript").fill("THE NEEDLE");
      await page.locator("mark", { hasText: "The needle" }).waitFor();
      await page.getByRole("tab", { name: "JSON" }).click();
      await page.locator(".code .long-part").first().waitFor();
    });
    await page.unroute(/\/call-rows\/[0-9a-f-]{36}$/);
    expect(await dashboard.inspect("call-long")).toEqual([]);
    expect(tasks.length).toBeGreaterThan(100);
    // Against the same call as it was: a slow machine is slow for both.
    expect(tasks[0]?.busyMs).toBeLessThan(4 * (ofFewLines[0]?.busyMs ?? 0));
  });

  it("asks for the password again when the session has ended, and comes back to the same page", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/calls");
    expect((await dashboard.owner.ask("DELETE", "/sessions")).status).toBe(204);
    expect((await dashboard.owner.ask("POST", "/sign-out")).status).toBe(204);
    const { url } = await world.operator("user.reset", { email: "owner@example.com" });
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe(`/w/${world.sample.workspaceId}/calls`);
    await page.goto(String(url));
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await page.getByLabel(/^New password/).fill("another horse battery");
    await page.getByRole("button", { name: "Save and sign in" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });
});
