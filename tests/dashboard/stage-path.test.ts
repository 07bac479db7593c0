import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

const say = (text: string) => ({ type: "SAY", text });
const stages = [
  {
    id: "greet",
    name: "Greet them",
    type: "TALK",
    onEntry: [say("Is this a good time?")],
    edges: [{ id: "on", to: "bye", label: "has answered", when: { type: "ALWAYS" } }],
  },
  { id: "bye", name: "Say goodbye", type: "END", onEntry: [say("Goodbye.")] },
];

describe.skipIf(CHROMIUM === undefined)("stages on the page of a call", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("lists the stages with the edges between them, and shows the first line of each", async () => {
    const { page, world } = dashboard;
    const flow = await world.request("POST", "/flows", { body: { name: "Stages", firstMessage: "Hello.", stages } });
    expect(flow.status, flow.text).toBeLessThan(300);
    const { body } = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550100", flowId: flow.body.id },
    });
    const rowId = String(body.rowId);
    await world.until(`/call-rows/${rowId}`, (row) => row.endedAt !== null);
    await dashboard.open(`/calls/${rowId}`);
    await page.getByText(/· has answered$/).waitFor();
    await page.getByRole("button", { name: "Say goodbye" }).click();
    await page.locator(".line[data-current]").filter({ hasText: "Goodbye." }).waitFor();
    const found = await dashboard.inspect("call-stages");
    // A live call: the drawer follows it from stage to stage, on the map too.
    const { owner } = dashboard;
    await owner.ask("PATCH", `/workspaces/${world.sample.workspaceId}`, { sandboxSpeed: 1 });
    const live = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550154", flowId: flow.body.id },
    });
    await dashboard.open(`/live?call=${String(live.body.rowId)}`);
    const drawer = page.getByRole("dialog");
    const current = (name: string) => drawer.locator("[aria-current=step]").filter({ hasText: name });
    await current("Greet them").waitFor();
    await drawer.getByRole("button", { name: "Map" }).click();
    await drawer.locator(".stage-node[data-mark=CURRENT]").filter({ hasText: "Greet them" }).waitFor();
    found.push(...(await dashboard.inspect("live-stages")));
    await drawer
      .locator(".stage-node[data-mark=PASSED]")
      .filter({ hasText: "Greet them" })
      .waitFor({ timeout: 60_000 });
    expect(found).toEqual([]);
  });
});
