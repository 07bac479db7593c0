import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Tab } from "../kit/console-harness.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { CLIENT, IdentityServer } from "../kit/sign-on/identity-server.ts";

describe.skipIf(CHROMIUM === undefined)("a company's sign-in in the dashboard", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  let identities: IdentityServer;
  onDashboard(
    async () => {
      dashboard = await Dashboard.startSignedIn({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
      identities = await IdentityServer.start(dashboard.world.url, ["acme"]);
      return dashboard;
    },
    // The browser goes to the provider.
    /\/(auth|session|ask)\b/,
    () => identities[Symbol.asyncDispose](),
  );

  it("is set up and tested by an owner, who makes a SCIM token; a colleague signs in by it, in vain and in fact", async () => {
    const { page, world } = dashboard;
    const found: string[] = [];
    await dashboard.open("/settings/sign-on");
    await page.getByRole("button", { name: "Add provider" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: false }).first().fill("Acme");
    await dialog.getByLabel("Key", { exact: false }).first().fill("acme");
    await dialog.getByText(`${world.url}/api/sign-on/acme/callback`).waitFor();
    await dialog.getByLabel("Issuer").fill(identities.issuer);
    await dialog.getByLabel("Client ID").fill(CLIENT.clientId);
    await dialog.getByLabel("Client secret").fill(CLIENT.clientSecret);
    await dialog.getByLabel("E-mail domains").fill("acme.example");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("More scopes").fill("groups");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Add group" }).click();
    await dialog.getByLabel("Group 1", { exact: true }).fill("callers");
    found.push(...(await dashboard.inspect("provider-dialog")));
    await dialog.getByRole("button", { name: "Save provider" }).click();
    await dashboard.heard("Saved. Test the connection before people use it.");
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText(`${identities.issuer} answers.`, { exact: false }).waitFor();
    await page.getByRole("button", { name: "Make token of Acme" }).click();
    await page.getByText("svc_scim_", { exact: false }).waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
    found.push(...(await dashboard.inspect("sign-on")));

    const visitor = await dashboard.openSeat(Object.assign(new Tab(world), { cookie: "none=0" }));
    identities.person = { sub: "ada", email: "ada@acme.example", name: "Ada Acme", groups: ["callers"] };
    await visitor.goto(`${world.url}/w/${world.sample.workspaceId}/calls`);
    await visitor.getByRole("link", { name: "Sign in with Acme" }).click();
    await visitor.getByText("You have no account here, and sign-ins make none.", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Change Acme" }).click();
    await page.getByLabel("Make an account at somebody's first sign-in").check();
    // Another owner saves first: both changes are kept, and nothing is typed again.
    const providers = "/identity-providers";
    const [{ id: providerId }] = (await dashboard.owner.ask("GET", providers)).body as unknown as [{ id: string }];
    await dashboard.owner.ask("PATCH", `${providers}/${providerId}`, { groupClaim: "roles" });
    await page.getByRole("button", { name: "Save provider" }).click();
    await page.getByText("Somebody else saved first").waitFor();
    await page.getByRole("button", { name: "Keep both" }).click();
    await page.getByText("makes an account").waitFor();
    const [kept] = (await dashboard.owner.ask("GET", providers)).body as unknown as object[];
    expect(kept).toMatchObject({ groupClaim: "roles", createsAccounts: true });
    await dashboard.owner.ask("PATCH", `${providers}/${providerId}`, { groupClaim: "groups" });
    dashboard.forgive(/status of 409/);
    await visitor.goto(`${world.url}/w/${world.sample.workspaceId}/calls`);
    await visitor.getByRole("link", { name: "Sign in with Acme" }).click();
    await visitor.getByRole("heading", { name: "Calls", level: 1 }).waitFor();
    expect(new URL(visitor.url()).pathname).toBe(`/w/${world.sample.workspaceId}/calls`);
    await dashboard.open("/settings/people");
    await page.getByRole("row", { name: "Ada Acme" }).getByText("by group").waitFor();
    found.push(...(await dashboard.inspect("people-by-group")));
    expect(found).toEqual([]);
  });
});
