import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { LONG_CONVERSATION } from "../kit/dashboard/long-conversation.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { ServerProcess } from "../kit/server-process.ts";

/* One database, two nodes: the dashboard is looked at on one that dials nothing, the other holds every call. */

const SECRET = "a secret that both nodes share";
const ASKS_QUESTIONS = "+12025550102";
/** Longer than a busy machine stands still. */
const RINGS_20_S = "+12025550153";
const SILENT = "+12025550104";
const NOTE = "Mention the parking behind the house.";
/** Lets a test hear what the page plays. */
const LISTENER = `(() => {
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target === this.context.destination) {
      if (window.ear?.context !== this.context) window.ear = new AnalyserNode(this.context, { fftSize: 2048 });
      connect.call(this, window.ear);
    }
    return connect.call(this, target, ...rest);
  };
})()`;
const LOUDNESS = `(() => {
  if (!window.ear) return 0;
  const samples = new Float32Array(window.ear.fftSize);
  window.ear.getFloatTimeDomainData(samples);
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
})()`;

describe.skipIf(CHROMIUM === undefined)("live calls of another node", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  let far: ServerProcess | undefined;
  const start = async () => {
    dashboard = await Dashboard.startSignedIn({ roles: ["api"], speed: 1, env: { PARLEY_SECRET: SECRET } });
    far = await ServerProcess.create({ DATABASE_URL: dashboard.world.database.url, PARLEY_SECRET: SECRET });
    await far.start();
    await dashboard.context.addInitScript(LISTENER);
    return dashboard;
  };
  onDashboard(start, undefined, async () => far?.stop());

  async function place(customerNumber: string, contactName: string): Promise<string> {
    const body = { customerNumber, contactName, flow: LONG_CONVERSATION };
    const { status, text, body: placed } = await dashboard.world.request("POST", "/outbound/calls", { body });
    if (status !== 200) throw new Error(text);
    return String(placed.rowId);
  }

  it("are followed line by line, heard, whispered to, taken over and ended", async () => {
    const { page } = dashboard;
    await dashboard.open("/live?view=list");
    const late = await place(RINGS_20_S, "Rita Example");
    const rings = page.getByRole("row", { name: /Rita/ });
    await rings.getByText("Ringing").waitFor();
    await dashboard.world.request("POST", `/call-rows/${late}/end`, { body: {} });
    await rings.waitFor({ state: "detached" });
    await place(ASKS_QUESTIONS, "Ada Example");
    const row = page.getByRole("row", { name: /Ada/ });
    await row.getByText("In progress").waitFor();
    await row.getByRole("link").click();
    const drawer = page.getByRole("dialog");
    const lines = drawer.locator(".line");
    await drawer.getByRole("button", { name: "Listen in" }).click();
    await drawer.getByText("You hear both sides").waitFor();
    await expect.poll(() => page.evaluate<number>(LOUDNESS)).toBeGreaterThan(0.01);
    await expect.poll(() => lines.count()).toBeGreaterThan(0);
    const early = await lines.count();
    await drawer.getByLabel("Whisper to the agent").fill(NOTE);
    await page.keyboard.press("Enter");
    await lines.filter({ hasText: NOTE }).waitFor();
    // The note is a line, too.
    await expect.poll(() => lines.count()).toBeGreaterThan(early + 1);
    await drawer.getByText("Take over").click();
    await drawer.getByText("The agent says no more").waitFor();
    await drawer.getByRole("button", { name: "End call" }).click();
    await page.getByRole("dialog", { name: "End this call?" }).getByRole("button", { name: "End call" }).click();
    await drawer.getByText("Ended by request").waitFor();
    await page.keyboard.press("Escape");
    await row.waitFor({ state: "detached" });
    // The node that holds the call writes them.
    const modes = () =>
      dashboard.world.database.query(
        "select data->>'mode' as mode from events where type like 'call.supervision_%' order by id",
      );
    await expect
      .poll(async () => (await modes()).map(({ mode }) => mode as unknown))
      .toEqual(["LISTEN", "TAKE_OVER", null]);
  });

  it("are lost with their node: who listens is told so, and what became of the call", async () => {
    const { page } = dashboard;
    await dashboard.open("/live?view=list");
    await place(SILENT, "Grace Example");
    const row = page.getByRole("row", { name: /Grace/ });
    await row.getByText("In progress").waitFor();
    await row.getByRole("link").click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: "Listen in" }).click();
    await drawer.getByText("You hear both sides").waitFor();
    await drawer.locator(".line", { hasText: "Hello from Acme." }).waitFor();
    const rowId = new URL(page.url()).searchParams.get("call");
    far?.kill();
    await drawer.getByText("The connection to the server that holds the call was lost.").waitFor();
    // As whichever node takes the call over does while the carrier is asked about it.
    await dashboard.world.database.query("update call_rows set status = 'UNKNOWN' where ended_at is null");
    await page.locator("tr", { hasText: "Grace" }).getByText("Unknown").waitFor();
    await drawer.getByText("Unknown", { exact: true }).waitFor();
    await far?.start();
    await drawer.getByText("Failed", { exact: true }).waitFor();
    await drawer.getByText("The server stopped during the call.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("No calls in progress").waitFor();
    const { body } = await dashboard.world.request("GET", `/call-rows/${rowId}`);
    expect([body.status, body.outcome, body.nextAttemptAt]).toEqual(["FAILED", "INTERRUPTED", null]);
  });
});
