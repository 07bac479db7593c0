import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard, PASSWORD } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

describe.skipIf(CHROMIUM === undefined)("signing in to the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  // A wrong password, and a link that never was.
  onDashboard(async () => (dashboard = await Dashboard.start()), /status of 4\d\d .*\/(sign-in|links\/)/);

  it("says where the set-up link is while nobody owns the installation", async () => {
    const { page, world } = dashboard;
    await page.goto(`${world.url}/`);
    await page.getByRole("heading", { name: "Open the set-up link" }).waitFor();
    expect(await dashboard.inspect("set-up-hint")).toEqual([]);
  });

  it("sets the installation up by the link, signs out, refuses a wrong password, and returns to the page that was asked for", async () => {
    const { page, world } = dashboard;
    await page.goto(`${world.url}/setup/${await dashboard.setupLink()}`);
    await page.getByLabel("Your name").fill("Olive Owner");
    // There is a workspace, made on the command line: a second one would have the same name.
    expect(await page.getByLabel("First workspace").count()).toBe(0);
    expect(await dashboard.inspect("set-up")).toEqual([]);
    await page.getByLabel("E-mail").fill("olive@example.com");
    await page.getByLabel(/^Password/).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator(".mantine-PasswordInput-error").waitFor();
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/w\//);
    await page.getByTitle("Account and appearance").click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
    expect(await dashboard.inspect("sign-in")).toEqual([]);
    await page.goto(`${world.url}/w/${world.sample.workspaceId}/calls?status=FAILED`);
    await page.getByLabel("E-mail").fill("olive@example.com");
    await page.getByLabel(/^Password/).fill("a wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/calls\?status=FAILED$/);
  });

  it("saves in a tab that was open before the same person signed in again in another one", async () => {
    const { page, world } = dashboard;
    await dashboard.load("/settings/account");
    const data = { email: "olive@example.com", password: PASSWORD };
    // The cookies are those of the browser, as in a second tab.
    const entered = await page.request.post(`${world.url}/api/console/sign-in`, { data });
    expect(entered.status()).toBe(200);
    await page.getByLabel("Your name").fill("Olive Oyl");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect.poll(() => page.getByTitle("Account and appearance").innerText()).toContain("Olive Oyl");
    dashboard.forgive(/status of 403/);
  });

  it("tells of a link that no longer works", async () => {
    const { page, world } = dashboard;
    await page.goto(`${world.url}/reset/never-existed-00000000000000000000000000000`);
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(() => heading.textContent()).toBe("This link no longer works");
  });
});
