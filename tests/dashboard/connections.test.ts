import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { VendorServer } from "../kit/connected-apps/vendor-server.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

describe.skipIf(CHROMIUM === undefined)("the dashboard's connections", () => {
  let dashboard: Dashboard;
  onDashboard(
    async () => (dashboard = await Dashboard.startSignedIn({ env: { ALLOW_PRIVATE_NETWORK: "1" } })),
    /status of 422/,
  );

  it("connects an account at its provider, installs its tools and shows when a sign-in is needed", async () => {
    const { page, world } = dashboard;
    await using vendor = await VendorServer.start("CAL_COM");
    vendor.redirectUri = `${world.url}/connections/callback`;
    await dashboard.open("/connections");
    const found = await dashboard.inspect("connections-empty");
    await page.getByRole("button", { name: "Add connection" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Front office");
    await dialog.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "Cal.com" }).click();
    await dialog.getByText(vendor.redirectUri).waitFor();
    await dialog.getByLabel("Client id").fill(vendor.clientId);
    await dialog.getByRole("textbox", { name: "Client secret" }).fill(vendor.clientSecret);
    await dialog.getByLabel("Server").fill(vendor.origin);
    found.push(...(await dashboard.inspect("connections-add")));
    await dialog.getByRole("button", { name: "Add connection" }).click();
    await page.getByText("Not connected").waitFor();
    // The vendor consents at once and sends the browser back.
    await page.getByRole("button", { name: "Sign in to Front office" }).click();
    await page.getByText("Connected", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    dashboard.forgive(new RegExp(`^foreign: ${vendor.origin}`));
    await page.getByRole("button", { name: "Install the Cal.com tools" }).click();
    await page.getByRole("dialog").getByLabel("Event type").fill("123");
    await page.getByRole("dialog").getByRole("button", { name: "Install" }).click();
    await dashboard.heard("4 tools are there.");
    const tools = (await world.request("GET", "/tools")).body as unknown as { id: string; name: string }[];
    const { id } = tools.find(({ name }) => name === "list_slots") ?? { id: "" };
    vendor.takeBackConsent();
    const days = { input: { start: "2026-12-01", end: "2026-12-02" } };
    await dashboard.owner.ask("POST", `/workspaces/${world.sample.workspaceId}/tools/${id}/run`, days);
    await dashboard.open("/connections");
    await page.getByText("Needs sign in").waitFor();
    await page.getByText("The provider refused the refresh").waitFor();
    found.push(...(await dashboard.inspect("connections")));
    expect(found).toEqual([]);
  });

  it("says why a sign-in did not succeed", async () => {
    const { page, world } = dashboard;
    const state = `${world.sample.workspaceId}.forged`;
    await page.goto(`${world.url}/connections/callback?state=${state}&code=forged`);
    await page.getByText("The sign-in did not succeed").first().waitFor();
    await page.getByText("belongs to no sign-in of this session").waitFor();
    await page.getByRole("button", { name: "Back to the connections" }).click();
    await page.getByRole("heading", { name: "Connections" }).waitFor();
    expect(page.url()).toBe(`${world.url}/w/${world.sample.workspaceId}/connections`);
  });
});
