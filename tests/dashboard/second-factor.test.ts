import type { CDPSession } from "playwright-core";
import { describe, expect, it } from "vitest";
import { appCode } from "../kit/app-code.ts";
import { CHROMIUM } from "../kit/browser.ts";
import { inviteMember } from "../kit/console-harness.ts";
import { Dashboard, PASSWORD } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { freePort } from "../kit/free-port.ts";

/** Gives the browser a security key of its own that checks the person. */
async function plugIn(dashboard: Dashboard): Promise<CDPSession> {
  const session = await dashboard.context.newCDPSession(dashboard.page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

describe.skipIf(CHROMIUM === undefined)("second factors in the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  // Reads of a workspace that may not be entered yet, and a code that is wrong.
  onDashboard(async () => {
    const port = String(await freePort());
    // Browsers offer passkeys at a host name only.
    dashboard = await Dashboard.startSignedIn({ env: { PORT: port, PARLEY_URL: `http://localhost:${port}` } });
    return dashboard;
  }, /status of 4\d\d/);

  async function signOut(): Promise<void> {
    const { page } = dashboard;
    await page.getByTitle("Account and appearance").click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
  }

  it("makes a passkey, and signs in with it and no password", async () => {
    const { page } = dashboard;
    const key = await plugIn(dashboard);
    await dashboard.open("/settings/account");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Laptop");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Your recovery codes").waitFor();
    expect(await dashboard.inspect("recovery-codes")).toEqual([]);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("list", { name: "Passkeys" }).getByText("Laptop").waitFor();
    expect(await dashboard.inspect("account-passkey")).toEqual([]);
    await signOut();
    expect(await dashboard.inspect("sign-in-passkey")).toEqual([]);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await key.detach();
  });

  it("leads a member of a workspace that requires one through it, and asks for the code from then on", async () => {
    const { page, world } = dashboard;
    const { workspaceId } = await world.createWorkspace();
    await world.operator("workspace.update", { id: workspaceId, requiresSecondFactor: true });
    const tab = await inviteMember(world, workspaceId, "VIEWER");
    await dashboard.context.clearCookies();
    await dashboard.signInAs(tab);
    await page.goto(`${world.url}/w/${workspaceId}`);
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(await dashboard.inspect("second-factor-required")).toEqual([]);
    await page.getByRole("button", { name: "Set up an app" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    expect(await dashboard.inspect("authenticator-app")).toEqual([]);
    await page.getByRole("button", { name: "Type it instead" }).click();
    const secret = ((await page.getByRole("region", { name: "secret" }).textContent()) ?? "").replaceAll(" ", "");
    await page.getByLabel("Code of the app").fill(appCode(secret, Date.now() - 30_000));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Your recovery codes").waitFor();
    const codes = await page.getByRole("region", { name: "recovery codes" }).innerText();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await signOut();
    await page.getByLabel("E-mail").fill(`viewer-${workspaceId.slice(-6)}@example.com`);
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    expect(await dashboard.inspect("second-step")).toEqual([]);
    const code = page.getByLabel("Code");
    await code.fill("000000");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await code.fill(codes.split("\n")[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });

  it("asks for the code of somebody whose company's provider asked for one factor alone", async () => {
    const { page, world } = dashboard;
    const { workspaceId } = await world.createWorkspace();
    const tab = await inviteMember(world, workspaceId, "VIEWER");
    const { secret } = (await tab.ask("POST", "/second-factor/totp")).body as { secret: string };
    const made = await tab.ask("POST", "/second-factor/totp/confirm", { code: appCode(secret, Date.now()) });
    const { recoveryCodes } = made.body as { recoveryCodes: string[] };
    await world.operator("workspace.update", { id: workspaceId, requiresSecondFactor: true });
    const email = `viewer-${workspaceId.slice(-6)}@example.com`;
    const sessions = "user_id = (select id from users where email = $1)";
    await world.database.query(`update user_sessions set provider_factor = false where ${sessions}`, [email]);
    await dashboard.context.clearCookies();
    await dashboard.signInAs(tab);
    await page.goto(`${world.url}/w/${workspaceId}`);
    await page.getByRole("heading", { name: "Show your second factor" }).waitFor();
    expect(await dashboard.inspect("second-factor-shown")).toEqual([]);
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByText("is wrong, or was used before").waitFor();
    await page.getByLabel("Code").fill(recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  });

  it("asks who one is before a change some time after the sign-in", async () => {
    const { page, world, owner } = dashboard;
    await dashboard.context.clearCookies();
    await owner.signIn("owner@example.com");
    // Whichever factors an earlier test left: the operator takes them away.
    await world.operator("user.reset-second-factor", { email: "owner@example.com" });
    await owner.signIn("owner@example.com");
    await dashboard.signInAs(owner);
    await world.database.query("update user_sessions set created_at = created_at - interval '11 minutes'");
    await dashboard.open("/settings/account");
    await page.getByRole("button", { name: "Set up an app" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.waitFor();
    expect(await dashboard.inspect("confirm")).toEqual([]);
    await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  });

  it("limits and rotates a key, and says which ones expire this week", async () => {
    const { page, world, owner } = dashboard;
    await owner.signIn("owner@example.com");
    await dashboard.signInAs(owner);
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await world.operator("key.create", { workspaceId: world.sample.workspaceId, name: "Nightly", expiresAt });
    await dashboard.open("/credentials");
    await page.getByText("Credentials expire this week").waitFor();
    expect(await dashboard.inspect("credentials-expiring")).toEqual([]);
    await page.getByLabel("Actions for Nightly").click();
    await page.getByRole("menuitem", { name: "Expiry and addresses" }).click();
    await page.getByLabel("Accepted from").fill("203.0.113.0/24");
    expect(await dashboard.inspect("credential-limits")).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dashboard.heard("Saved. It holds from the next request on.");
    await page.getByRole("cell", { name: "203.0.113.0/24" }).waitFor();
    await page.getByLabel("Actions for Nightly").click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByText("Nightly is ready").waitFor();
  });
});
