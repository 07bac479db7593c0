import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Authenticator, type Twist } from "../kit/authenticator.ts";
import { inviteMember, PASSWORD, setUpOwner, Tab } from "../kit/console-harness.ts";
import { freePort } from "../kit/free-port.ts";
import { World } from "../kit/world.ts";

let world: World;
let origin: string;
let owner: Tab;

beforeAll(async () => {
  const port = await freePort();
  // Browsers offer passkeys at a host name only.
  origin = `http://localhost:${port}`;
  world = await World.start({ env: { PORT: String(port), PARLEY_URL: origin } });
  owner = await setUpOwner(world);
});
afterAll(() => world[Symbol.asyncDispose]());

type Options = { challenge: string; user: { id: string } };
const begin = async (tab: Tab, path = "/passkeys/options") => (await tab.ask("POST", path)).body as never as Options;

async function register(tab: Tab, key: Authenticator, name = "Key", twist: Twist = {}) {
  return tab.ask("POST", "/passkeys", { name, answer: key.create(await begin(tab), twist) });
}

async function signInBy(tab: Tab, key: Authenticator, twist: Twist = {}) {
  return tab.ask("POST", "/sign-in/passkey", key.get(await begin(tab, "/sign-in/passkey/options"), twist));
}

const actions = async () =>
  (await world.database.query("select action, details from audit_log where action like 'user.%' order by id")) as {
    action: string;
    details: Record<string, unknown>;
  }[];

describe("a passkey", () => {
  it("is made, named, listed, renamed, opens a session without a password, and is deleted", async () => {
    const key = new Authenticator(origin);
    const made = await register(owner, key, "Laptop");
    expect(made.status).toBe(201);
    expect(made.body.recoveryCodes).toHaveLength(10);
    const { id } = made.body.passkey as { id: string };
    const second = await register(owner, new Authenticator(origin, "ed25519"), "Phone");
    expect([second.status, second.body.recoveryCodes]).toEqual([201, null]);
    expect((await register(owner, new Authenticator(origin, "rsa"), "Windows")).status).toBe(201);
    const renamed = await owner.ask("PATCH", `/passkeys/${id}`, { name: "Work laptop" });
    expect(renamed.body).toMatchObject({ name: "Work laptop", lastUsedAt: null, regressedAt: null });
    const tab = new Tab(world);
    const opened = await signInBy(tab, key);
    expect(opened.status).toBe(200);
    expect(opened.body.user).toMatchObject({ email: "owner@example.com", hasSecondFactor: true });
    const list = await tab.ask("GET", "/second-factor");
    expect((list.body.passkeys as { name: string }[]).map(({ name }) => name)).toEqual([
      "Work laptop",
      "Phone",
      "Windows",
    ]);
    expect(list.text).not.toMatch(/publicKey|credentialId|challenge/);
    expect((await tab.ask("DELETE", `/passkeys/${id}`)).status).toBe(204);
    expect((await signInBy(new Tab(world), key)).status).toBe(401);
  });

  it("finishes a sign-in by password, which alone opens nothing", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "VIEWER");
    const key = new Authenticator(origin);
    await register(tab, key);
    const visitor = new Tab(world);
    const first = await visitor.signIn(`viewer-${world.sample.workspaceId.slice(-6)}@example.com`);
    expect(first.body).toMatchObject({ user: null, csrfToken: null, secondStep: ["PASSKEY", "RECOVERY_CODE"] });
    expect((await visitor.ask("GET", "/sessions")).status).toBe(401);
    expect((await signInBy(visitor, key)).status).toBe(200);
    expect((await visitor.ask("GET", "/sessions")).status).toBe(200);
  });

  it("is refused when made for another site, by another page, without a check of the person, or with a weak key", async () => {
    const twists: Twist[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { type: "webauthn.get" },
      { crossOrigin: true },
      // Present, but not verified; verified, but not present.
      { flags: 0x01 },
      { flags: 0x04 },
    ];
    for (const twist of twists) {
      const reply = await register(owner, new Authenticator(origin), "Key", twist);
      expect([twist, reply.status]).toEqual([twist, 422]);
    }
    expect((await register(owner, new Authenticator(origin, "p384"))).status).toBe(422);
    const junk = { clientDataJSON: "bm90IGpzb24", authenticatorData: "AA", publicKey: "AA", transports: [] };
    await begin(owner);
    expect((await owner.ask("POST", "/passkeys", { name: "x", answer: { id: "AA", response: junk } })).status).toBe(
      422,
    );
  });

  it("signs a challenge once, of its own browser, and not that of another", async () => {
    const key = new Authenticator(origin);
    await register(owner, key);
    const tab = new Tab(world);
    const options = await begin(tab, "/sign-in/passkey/options");
    const answer = key.get(options);
    const { cookie } = tab;
    const stranger = new Tab(world);
    await begin(stranger, "/sign-in/passkey/options");
    expect((await stranger.ask("POST", "/sign-in/passkey", answer)).status).toBe(401);
    expect((await new Tab(world).ask("POST", "/sign-in/passkey", answer)).status).toBe(409);
    const both = await Promise.all([1, 2].map(() => tab.ask("POST", "/sign-in/passkey", answer, { cookie })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const late = new Tab(world);
    const lateAnswer = key.get(await begin(late, "/sign-in/passkey/options"));
    await world.database.query("update sign_in_steps set expires_at = now() - interval '1 s'");
    expect((await late.ask("POST", "/sign-in/passkey", lateAnswer)).status).toBe(409);
  });

  it("opens nothing with a forged signature, another site's, another account's handle, or a new person's challenge", async () => {
    const key = new Authenticator(origin);
    await register(owner, key);
    const twists: Twist[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { type: "webauthn.create" },
      { crossOrigin: true },
      { flags: 0x01 },
    ];
    for (const twist of twists)
      expect([twist, (await signInBy(new Tab(world), key, twist)).status]).toEqual([twist, 401]);
    const tab = new Tab(world);
    const other = new Authenticator(origin);
    const forged = { ...other.get(await begin(tab, "/sign-in/passkey/options")), id: key.id.toString("base64url") };
    forged.response.userHandle = key.handle;
    expect((await tab.ask("POST", "/sign-in/passkey", forged)).status).toBe(401);
    const handle = Buffer.alloc(16, 7).toString("base64url");
    const renamed = key.get(await begin(tab, "/sign-in/passkey/options"));
    renamed.response.userHandle = handle;
    expect((await tab.ask("POST", "/sign-in/passkey", renamed)).status).toBe(401);
    const refused = (await actions()).filter(({ action }) => action === "user.sign_in_refused");
    expect(refused.length).toBeGreaterThan(twists.length);
  });

  it("opens nothing where the company signs in by its provider alone, and opens again once it does not", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "OWNER");
    const key = new Authenticator(origin);
    expect((await register(tab, key)).status).toBe(201);
    await world.database.query(
      `insert into identity_providers (id, key, name, issuer, client_id, scopes, domains, group_claim,
         external_id_claim, creates_accounts, links_by_email, refuses_passwords)
       values (gen_random_uuid(), 'acme', 'Acme', 'https://id.example.com', 'x', '{}', '{example.com}', 'groups', 'sub',
         false, false, true)`,
    );
    const visitor = new Tab(world);
    const refused = await signInBy(visitor, key);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("Sign in with Acme")]);
    expect((await visitor.ask("GET", "/sessions")).status).toBe(401);
    await world.operator("sign-on.passwords", { key: "acme", allowed: true });
    expect((await signInBy(new Tab(world), key)).status).toBe(200);
  });

  it("of another account neither confirms a person nor is renamed or deleted by them; one is registered once", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "BUILDER");
    const [own, others] = [new Authenticator(origin), new Authenticator(origin)];
    await register(tab, own);
    const { id } = (await register(owner, others)).body.passkey as { id: string };
    const answer = others.get(await begin(tab, "/confirm/passkey/options"));
    expect((await tab.ask("POST", "/confirm/passkey", answer)).status).toBe(403);
    expect((await tab.ask("PATCH", `/passkeys/${id}`, { name: "Mine" })).status).toBe(404);
    expect((await tab.ask("DELETE", `/passkeys/${id}`)).status).toBe(404);
    expect((await register(tab, others)).status).toBe(409);
    const right = own.get(await begin(tab, "/confirm/passkey/options"));
    expect((await tab.ask("POST", "/confirm/passkey", right)).status).toBe(204);
  });

  it("whose counter goes back is noted, shown and audited", async () => {
    const key = new Authenticator(origin);
    const { id } = (await register(owner, key)).body.passkey as { id: string };
    expect((await signInBy(new Tab(world), key, { signCount: 9 })).status).toBe(200);
    expect((await signInBy(new Tab(world), key, { signCount: 9 })).status).toBe(200);
    const { passkeys } = (await owner.ask("GET", "/second-factor")).body as never as {
      passkeys: { id: string; regressedAt: string | null }[];
    };
    expect(passkeys.find((one) => one.id === id)?.regressedAt).not.toBeNull();
    expect((await actions()).filter(({ details }) => details.counterWentBack === true)).toHaveLength(1);
  });

  it("is made and deleted only soon after the person showed who they are, by password or passkey", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "OPERATOR");
    const key = new Authenticator(origin);
    const { id } = (await register(tab, key)).body.passkey as { id: string };
    await world.database.query("update user_sessions set created_at = created_at - interval '11 minutes'");
    const asks = [
      ["POST", "/passkeys/options"],
      ["DELETE", `/passkeys/${id}`],
      ["POST", "/second-factor/totp"],
      ["POST", "/second-factor/recovery-codes"],
      ["POST", "/password", { currentPassword: PASSWORD, newPassword: "another long password" }],
    ] as const;
    for (const [method, path, body] of asks) {
      const reply = await tab.ask(method, path, body);
      expect([path, reply.status, reply.text.includes("NOT_RECENT")]).toEqual([path, 409, true]);
    }
    // The password alone does not stand for an account with a second factor.
    expect((await tab.ask("POST", "/confirm", { password: PASSWORD })).status).toBe(422);
    const answer = key.get(await begin(tab, "/confirm/passkey/options"));
    expect((await tab.ask("POST", "/confirm/passkey", answer)).status).toBe(204);
    expect((await tab.ask("DELETE", `/passkeys/${id}`)).status).toBe(204);
    expect((await tab.ask("GET", "/second-factor")).body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  });
});
