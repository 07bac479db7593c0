import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { inviteMember, PASSWORD, setUpOwner, Tab } from "../kit/console-harness.ts";
import { freePort } from "../kit/free-port.ts";
import { CookieBrowser } from "../kit/sign-on/cookie-browser.ts";
import { CLIENT, IdentityServer } from "../kit/sign-on/identity-server.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;
let identities: IdentityServer;
let acmeId: string;
let people = 0;

beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  owner = await setUpOwner(world);
  identities = await IdentityServer.start(world.url, ["acme"]);
  acmeId = await addProvider("acme", identities.issuer, {
    scopes: ["groups"],
    groupRoles: [{ group: "callers", workspaceId: world.sample.workspaceId, role: "OPERATOR" }],
  });
});
afterAll(async () => {
  await identities[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});
afterEach(() => change({ createsAccounts: true, linksByEmail: false, refusesPasswords: false }));

async function addProvider(key: string, issuer: string, more: object): Promise<string> {
  const body = { key, name: key, issuer, ...CLIENT, domains: ["example.com"], createsAccounts: true, ...more };
  const reply = await owner.ask("POST", "/identity-providers", body);
  if (reply.status !== 201) throw new Error(reply.text);
  expect(reply.text).not.toContain(CLIENT.clientSecret);
  return String(reply.body.id);
}

async function change(settings: object): Promise<void> {
  const reply = await owner.ask("PATCH", `/identity-providers/${acmeId}`, settings);
  if (reply.status !== 200) throw new Error(reply.text);
}

/** Somebody of the provider whom the service does not know yet. */
function newPerson(more: object = {}) {
  const sub = `person-${++people}`;
  return { sub, email: `${sub}@example.com`, email_verified: true, name: `Person ${people}`, groups: [], ...more };
}

/** Signs the provider's person in; gives the browser and where it ended. */
async function signOn(key = "acme", next = "/") {
  const browser = new CookieBrowser(world.url);
  const end = await browser.follow(`/api/sign-on/${key}/start?next=${encodeURIComponent(next)}`);
  return { browser, end, fault: end.searchParams.get("fault") };
}

async function sessionOf(browser: CookieBrowser) {
  const tab = new Tab(world);
  tab.cookie = browser.cookie;
  return { tab, session: (await tab.ask("GET", "/session")).body as { user: { id: string; email: string } | null } };
}

async function rolesOf(browser: CookieBrowser): Promise<[string, string][]> {
  const { session } = await sessionOf(browser);
  const { workspaces } = session as unknown as { workspaces: { id: string; role: string }[] };
  return workspaces.map(({ id, role }) => [id, role]);
}

async function audited(action: string): Promise<{ target: string | null; details: Record<string, unknown> }[]> {
  return world.database.query("select target, details from audit_log where action = $1 order by id", [action]);
}

describe("signing in by a company's provider", () => {
  it("makes the account, gives the role of the group, and opens the page that was asked for", async () => {
    identities.person = newPerson({ groups: ["callers"] });
    const { browser, end } = await signOn("acme", "/w/x/calls?status=FAILED");
    expect(end.pathname + end.search).toBe("/w/x/calls?status=FAILED");
    const { session } = await sessionOf(browser);
    expect(session.user).toMatchObject({ email: identities.person.email, isInstallationOwner: false });
    expect(await rolesOf(browser)).toEqual([[world.sample.workspaceId, "OPERATOR"]]);
    expect((await audited("user.signed_in")).at(-1)?.details).toEqual({ provider: "acme" });
    expect((await audited("member.joined")).at(-1)).toMatchObject({ target: identities.person.email });
  });

  it("is the same account at the next sign-in, whatever the e-mail address is by then", async () => {
    identities.person = newPerson();
    const first = await sessionOf((await signOn()).browser);
    identities.person = { ...identities.person, email: "renamed@example.com" };
    const second = await sessionOf((await signOn()).browser);
    expect(second.session.user?.id).toBe(first.session.user?.id);
  });

  it("changes and takes the role with the group, and leaves a role given by hand", async () => {
    const { workspaceId } = world.sample;
    const other = (await world.createWorkspace()).workspaceId;
    identities.person = newPerson({ groups: ["callers"] });
    const { browser } = await signOn();
    const { session } = await sessionOf(browser);
    await world.database.query("insert into memberships (workspace_id, user_id, role) values ($1, $2, 'VIEWER')", [
      other,
      session.user?.id,
    ]);
    const roles = [
      { group: "callers", workspaceId, role: "OPERATOR" },
      { group: "callers", workspaceId: other, role: "OWNER" },
      { group: "builders", workspaceId, role: "BUILDER" },
    ];
    await change({ groupRoles: roles });
    expect(new Map(await rolesOf(browser))).toEqual(
      new Map([
        [workspaceId, "OPERATOR"],
        [other, "VIEWER"],
      ]),
    );
    identities.person = { ...identities.person, groups: ["callers", "builders"] };
    expect(new Map(await rolesOf((await signOn()).browser)).get(workspaceId)).toBe("BUILDER");
    identities.person = { ...identities.person, groups: [] };
    await signOn();
    // The session from before lost the role, too.
    expect(await rolesOf(browser)).toEqual([[other, "VIEWER"]]);
    const taken = await audited("member.removed");
    expect(taken.at(-1)?.target).toBe(identities.person.email);
    await change({ groupRoles: roles.slice(0, 1) });
  });

  it("makes a role that an owner changed one given by hand", async () => {
    const { workspaceId } = world.sample;
    identities.person = newPerson({ groups: ["callers"] });
    const { browser } = await signOn();
    const { session } = await sessionOf(browser);
    const path = `/workspaces/${workspaceId}/members`;
    await owner.ask("PUT", `${path}/${session.user?.id}`, { role: "VIEWER" });
    identities.person = { ...identities.person, groups: [] };
    await signOn();
    expect(await rolesOf(browser)).toEqual([[workspaceId, "VIEWER"]]);
  });

  it("signs out at the provider as well", async () => {
    identities.person = newPerson();
    const { browser } = await signOn();
    const { tab } = await sessionOf(browser);
    const reply = await tab.ask("POST", "/sign-out");
    expect(reply.status).toBe(200);
    const url = new URL(String(reply.body.url));
    expect(url.origin).toBe(identities.issuer);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${world.url}/sign-in`);
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<form");
    const rows = await world.database.query("select encode(sign_out_url, 'escape') as text from sign_on_sessions");
    expect(JSON.stringify(rows)).not.toContain("id_token_hint");
  });
});

describe("a sign-in is refused", () => {
  it("without an account where none are made, of another domain, and without an e-mail address", async () => {
    const faults: [object, object, string][] = [
      [{ createsAccounts: false }, {}, "NO_ACCOUNT"],
      [{}, { email: "eve@elsewhere.com" }, "WRONG_DOMAIN"],
      [{}, { email: undefined }, "NO_EMAIL"],
      [{}, { email_verified: false }, "EMAIL_UNVERIFIED"],
    ];
    for (const [settings, claims, fault] of faults) {
      await change({ createsAccounts: true, ...settings });
      identities.person = newPerson(claims);
      const ended = await signOn();
      expect(ended.fault).toBe(fault);
      expect((await sessionOf(ended.browser)).session.user).toBeNull();
      expect((await audited("user.sign_in_refused")).at(-1)?.details).toEqual({ reason: fault });
    }
  });

  it("with the e-mail address of an account, unless that is set and the address is verified", async () => {
    const member = await inviteMember(world, world.sample.workspaceId, "VIEWER");
    const { body } = await member.ask("GET", "/session");
    const { email, id } = body.user as { email: string; id: string };
    identities.person = newPerson({ email });
    expect((await signOn()).fault).toBe("EMAIL_TAKEN");
    await change({ linksByEmail: true });
    identities.person = { ...identities.person, email_verified: false };
    expect((await signOn()).fault).toBe("EMAIL_UNVERIFIED");
    identities.person = { ...identities.person, email_verified: true };
    const { browser } = await signOn();
    expect((await sessionOf(browser)).session.user?.id).toBe(id);
    // The address moved on to another person at the provider.
    identities.person = newPerson({ email });
    expect((await signOn()).fault).toBe("EMAIL_TAKEN");
  });

  it("of a disabled account", async () => {
    identities.person = newPerson();
    const { browser } = await signOn();
    const { session } = await sessionOf(browser);
    await owner.ask("DELETE", `/users/${session.user?.id}`);
    expect((await sessionOf(browser)).session.user).toBeNull();
    expect((await signOn()).fault).toBe("DISABLED");
  });

  it("when the person refuses at the provider", async () => {
    identities.person = newPerson();
    identities.refuses = true;
    expect((await signOn()).fault).toBe("REFUSED");
    identities.refuses = false;
  });

  it("when the answer is brought twice, by another browser, or for another provider", async () => {
    identities.person = newPerson();
    const browser = new CookieBrowser(world.url);
    let url = new URL("/api/sign-on/acme/start", world.url);
    while (!url.pathname.endsWith("/callback")) url = await browser.step(url);
    const faultOf = async (who: CookieBrowser, where: URL) => (await who.step(where)).searchParams.get("fault");
    expect(await faultOf(new CookieBrowser(world.url), url)).toBe("EXPIRED");
    const swapped = new URL(url);
    swapped.searchParams.set("state", `${"x".repeat(22)}.${"y".repeat(43)}`);
    expect(await faultOf(browser, swapped)).toBe("EXPIRED");
    const answers = await Promise.all([faultOf(browser, url), faultOf(browser, url)]);
    expect(answers.filter((fault) => fault === null)).toHaveLength(1);
    expect(answers).toContain("EXPIRED");
    expect(await faultOf(browser, url)).toBe("EXPIRED");
    const again = new CookieBrowser(world.url);
    let other = new URL("/api/sign-on/acme/start", world.url);
    while (!other.pathname.endsWith("/callback")) other = await again.step(other);
    expect(await faultOf(again, new URL(other.href.replace("/acme/", "/another/")))).toBe("EXPIRED");
  });

  it("when the person stayed at the provider for more than ten minutes", async () => {
    identities.person = newPerson();
    const browser = new CookieBrowser(world.url);
    let url = new URL("/api/sign-on/acme/start", world.url);
    while (!url.pathname.endsWith("/callback")) url = await browser.step(url);
    await world.database.query("update sign_on_attempts set created_at = now() - interval '11 minutes'");
    expect((await browser.step(url)).searchParams.get("fault")).toBe("EXPIRED");
  });

  it("by a provider that does not answer", async () => {
    await addProvider("gone", `http://127.0.0.1:${await freePort()}`, {});
    expect((await signOn("gone")).fault).toBe("UNREACHABLE");
    expect((await signOn("never-was")).fault).toBe("EXPIRED");
  });
});

describe("the page to open afterwards", () => {
  it.each([
    "https://elsewhere.example.com/",
    "//elsewhere.example.com/",
    "/\\elsewhere.example.com/",
    "/\t/elsewhere.example.com",
    "\\\\elsewhere.example.com",
    "/..//elsewhere.example.com",
    "javascript:alert(1)",
    "http://user@127.0.0.1/",
  ])("is one of this dashboard: %s", async (next) => {
    identities.person = newPerson();
    const { end, fault } = await signOn("acme", next);
    expect(fault).toBeNull();
    expect(end.origin).toBe(world.url);
    expect(end.pathname.startsWith("//")).toBe(false);
  });
});

describe("passwords of a provider's domains", () => {
  it("are refused where it is set, by somebody who needs none, until the operator allows them", async () => {
    await change({ linksByEmail: true });
    const refusal = await owner.ask("PATCH", `/identity-providers/${acmeId}`, { refusesPasswords: true });
    expect([refusal.status, refusal.text]).toEqual([
      422,
      expect.stringContaining("sign in with this provider yourself"),
    ]);
    identities.person = newPerson({ email: "owner@example.com" });
    expect((await signOn()).fault).toBeNull();
    await change({ refusesPasswords: true });
    const tab = new Tab(world);
    const refused = await tab.signIn("owner@example.com");
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("Sign in with acme")]);
    expect((await tab.signIn("owner@elsewhere.com")).status).toBe(401);
    const link = await world.operator("user.invite", { workspaceId: world.sample.workspaceId, role: "VIEWER" });
    const token = String(link.url).split("/").at(-1);
    const account = { token, name: "New", email: "new@example.com", password: PASSWORD };
    expect((await tab.ask("POST", "/invitations/accept", account)).status).toBe(403);
    await world.operator("sign-on.passwords", { key: "acme", allowed: true });
    expect((await tab.signIn("owner@example.com")).status).toBe(200);
    expect((await tab.ask("POST", "/invitations/accept", account)).status).toBe(200);
  });
});

describe("the settings", () => {
  it("are for owners of the installation", async () => {
    const { workspaceId } = await world.createWorkspace();
    const member = await inviteMember(world, workspaceId, "OWNER");
    expect((await member.ask("GET", "/identity-providers")).status).toBe(403);
    expect((await new Tab(world).ask("GET", "/identity-providers")).status).toBe(401);
    const names = await new Tab(world).ask("GET", "/sign-on");
    expect(names.body).toContainEqual({ key: "acme", name: "acme" });
  });

  it("refuse an issuer that is read in the clear or is no web address, and settings without domains", async () => {
    const send = (more: object) =>
      owner.ask("POST", "/identity-providers", {
        key: "bad",
        name: "Bad",
        issuer: "https://id.example.com",
        ...CLIENT,
        ...more,
      });
    expect((await send({ issuer: "http://id.example.com" })).status).toBe(422);
    expect((await send({ issuer: "ftp://id.example.com" })).status).toBe(422);
    expect((await send({ issuer: "http://169.254.169.254/" })).status).toBe(422);
    expect((await send({ createsAccounts: true })).status).toBe(422);
    expect((await send({ key: "acme" })).status).toBe(422);
    expect((await send({ groupRoles: [{ group: "g", workspaceId: acmeId, role: "OWNER" }] })).status).toBe(422);
  });

  it("are tested by reading the provider's metadata", async () => {
    const ask = async (id: string) => (await owner.ask("POST", `/identity-providers/${id}/test`)).body;
    expect(await ask(acmeId)).toMatchObject({ ok: true });
    const gone = await addProvider("gone-too", `http://127.0.0.1:${await freePort()}`, {});
    expect(await ask(gone)).toMatchObject({ ok: false });
  });

  it("deleted, end the sessions of the provider and the roles of its groups", async () => {
    const second = await IdentityServer.start(world.url, ["second"]);
    const groupRoles = [{ group: "callers", workspaceId: world.sample.workspaceId, role: "VIEWER" }];
    const id = await addProvider("second", second.issuer, { scopes: ["groups"], groupRoles });
    second.person = newPerson({ groups: ["callers"] });
    const { browser } = await signOn("second");
    expect(await rolesOf(browser)).toHaveLength(1);
    const before = await owner.ask("GET", `/workspaces/${world.sample.workspaceId}/members`);
    expect(before.body).toContainEqual(expect.objectContaining({ email: second.person.email, isByGroup: true }));
    expect((await owner.ask("DELETE", `/identity-providers/${id}`)).status).toBe(204);
    expect((await sessionOf(browser)).session.user).toBeNull();
    const after = await owner.ask("GET", `/workspaces/${world.sample.workspaceId}/members`);
    expect(after.text).not.toContain(second.person.email);
    await second[Symbol.asyncDispose]();
  });
});
