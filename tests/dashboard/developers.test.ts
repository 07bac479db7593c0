import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

describe.skipIf(CHROMIUM === undefined)("the developers' screens of the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()), /status of 422/);

  it("shows webhooks as they arrive, fails one, and sends it again", async () => {
    const { page, world } = dashboard;
    await dashboard.open("/developers");
    await page.getByText("Nothing was sent yet").waitFor();
    const found = await dashboard.inspect("deliveries-empty");
    await page.getByRole("link", { name: "See one arrive" }).click();
    await page.getByRole("button", { name: "Send all events here" }).click();
    await page.getByRole("button", { name: "Stop sending events here" }).waitFor();
    await page.getByRole("button", { name: "Send a test request" }).click();
    await page.getByText("test.request").first().waitFor();
    await page.getByRole("button", { name: "Fail once" }).click();
    await page.getByText("The next 1 get 500").waitFor();
    const contextData = { crm: "C-7", items: [1.5, null] };
    const call = await world.call("+12025550100", { contactName: '"><img src=x onerror=alert(1)>', contextData });
    await page.getByText("session.ended").first().waitFor();
    found.push(...(await dashboard.inspect("inspector")));
    await dashboard.open(`/calls/${String(call.id)}`);
    await page.getByText("returned as sent").waitFor();
    await dashboard.open("/developers?status=DELIVERED");
    const time = await page.locator("tbody time").first().elementHandle();
    await time?.hover();
    await page.getByText(/ UTC$/).waitFor();
    // An element that was replaced under the pointer takes the click with it that had begun on it.
    expect(await time?.evaluate((element) => element.isConnected)).toBe(true);
    await page
      .getByRole("link")
      .filter({ hasText: /\d\d:\d\d/ })
      .first()
      .click();
    await page.getByText("Attempt 1").waitFor();
    await page.getByText("webhook-signature").first().waitFor();
    found.push(...(await dashboard.inspect("delivery")));
    await page.getByRole("button", { name: "Send again" }).click();
    await dashboard.heard("It is on its way.");
    await page.getByText("Attempt 2").waitFor();
    await dashboard.open("/developers");
    await page.getByText("session.started").first().waitFor();
    found.push(...(await dashboard.inspect("deliveries")));
    expect(found).toEqual([]);
  });

  it("adds a webhook whose signing secret is shown once", async () => {
    const { page } = dashboard;
    await dashboard.open("/developers/webhooks");
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Address" }).fill("http://10.0.0.1/hook");
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await page.getByText(/private or reserved/).waitFor();
    const found = await dashboard.inspect("webhook-add");
    await dialog.getByRole("textbox", { name: "Address" }).fill("https://example.com/hooks/parley");
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText("https://example.com/hooks/parley").waitFor();
    found.push(...(await dashboard.inspect("webhooks")));
    expect(found).toEqual([]);
  });

  it("lists API requests beside the limits of their credentials, and how to connect", async () => {
    const { page, world } = dashboard;
    await world.request("GET", "/flows");
    await world.request("GET", "/call-jobs/none");
    await dashboard.open("/developers/requests?status=CLIENT_ERROR");
    await page.getByText("/call-jobs/none", { exact: true }).waitFor();
    await page.getByRole("progressbar").first().waitFor();
    const found = await dashboard.inspect("requests");
    await page.getByText("/call-jobs/none", { exact: true }).click();
    await page.locator("code", { hasText: /^curl/ }).waitFor();
    found.push(...(await dashboard.inspect("request")));
    await dashboard.open("/developers/connect");
    await page.getByRole("tab", { name: "Cursor" }).click();
    await page.getByText('"X-API-Key": "YOUR_API_KEY"').waitFor();
    found.push(...(await dashboard.inspect("connect")));
    await dashboard.open("/developers/reference");
    await page.getByLabel("Search the operations").fill("post outbound call");
    await page
      .getByRole("button", { name: /outbound\/calls/ })
      .first()
      .click();
    await page.locator("code", { hasText: /^curl/ }).waitFor();
    found.push(...(await dashboard.inspect("reference")));
    expect(found).toEqual([]);
  });

  it("shows balance and one's own account", async () => {
    const { page, world } = dashboard;
    await world.call("+12025550100");
    await dashboard.open("/settings/balance");
    await page.getByRole("button", { name: "Top up" }).click();
    await page.getByLabel(/Amount/).fill("25,50");
    await page.getByRole("dialog").getByRole("button", { name: "Top up" }).click();
    await page.getByText("$25.50").first().waitFor();
    const found = await dashboard.inspect("settings-balance");
    await dashboard.open("/settings/account");
    found.push(...(await dashboard.inspect("settings-account")));
    expect(found).toEqual([]);
  });
});
