import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inviteMember, PASSWORD, Tab, tokenOf } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("the set-up link", () => {
  it("makes the first account once, and no second one", async () => {
    const earlier = tokenOf(await world.operator("setup-link", {}));
    const token = tokenOf(await world.operator("setup-link", {}));
    const visitor = new Tab(world);
    const session = await visitor.ask("GET", "/session");
    expect(session.body).toEqual({ needsSetup: true, user: null, csrfToken: null, workspaces: [], secondStep: null });
    const info = await visitor.ask("POST", "/links/look-up", { token });
    expect(info.body).toMatchObject({ kind: "SETUP", workspaceName: "Test" });
    const account = { name: "Olive Owner", email: "owner@example.com", password: PASSWORD };
    const send = (body: object) => visitor.ask("POST", "/setup", { ...account, ...body });
    expect((await send({ token: earlier })).status).toBe(404);
    expect((await send({ token, password: "short" })).status).toBe(422);
    const made = await Promise.all([send({ token }), send({ token, email: "two@example.com" })]);
    expect(new Set(made.map((reply) => reply.status))).toEqual(new Set([200, 404]));
    expect((await send({ token })).status).toBe(404);
    await expect(world.operator("setup-link", {})).rejects.toThrow(/is set up/);
    owner = new Tab(world);
    const email = made[0].status === 200 ? account.email : "two@example.com";
    const signedIn = await owner.signIn(email.toUpperCase());
    expect(signedIn.body).toMatchObject({ needsSetup: false, user: { email, isInstallationOwner: true } });
    expect(signedIn.body.workspaces).toMatchObject([{ id: world.sample.workspaceId, role: "OWNER" }]);
  });
});

describe("a session", () => {
  it("lives in a cookie that no script reads, and never in an answer", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "VIEWER");
    const reply = await tab.signIn("viewer-" + world.sample.workspaceId.slice(-6) + "@example.com");
    const [cookie] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^parley_\d+=\w{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    expect(reply.text).not.toContain(tab.cookie?.split("=")[1]);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    const [row] = await world.database.query("select token_hash::text from user_sessions limit 1");
    expect(JSON.stringify(row)).not.toContain(tab.cookie?.split("=")[1]);
  });

  it("ends when it is signed out, expires, or its account is disabled", async () => {
    const tab = new Tab(world);
    const name = `viewer-${world.sample.workspaceId.slice(-6)}@example.com`;
    const asks = async () => (await tab.ask("GET", "/sessions")).status;
    await tab.signIn(name);
    const { cookie } = tab;
    expect(await asks()).toBe(200);
    expect((await tab.ask("POST", "/sign-out")).status).toBe(204);
    tab.cookie = cookie;
    expect(await asks()).toBe(401);
    for (const column of ["idle_expires_at", "expires_at"]) {
      await tab.signIn(name);
      expect(await asks()).toBe(200);
      await world.database.query(`update user_sessions set ${column} = now() - interval '1 s'`);
      expect([column, await asks()]).toEqual([column, 401]);
      await world.database.query("delete from user_sessions");
    }
    await tab.signIn(name);
    await world.database.query("update users set disabled_at = now() where email = $1", [name]);
    expect(await asks()).toBe(401);
    expect((await tab.signIn(name)).status).toBe(401);
    await world.database.query("update users set disabled_at = null");
  });
});

describe("the external API for whoever is signed in", () => {
  it("answers as it does outside, and takes no key; outside takes no session", async () => {
    const tab = new Tab(world);
    await tab
      .signIn("owner@example.com")
      .then((reply) => (reply.status === 200 ? reply : tab.signIn("two@example.com")));
    const path = `/workspaces/${world.sample.workspaceId}`;
    const inside = await tab.ask("GET", `${path}/flows`);
    const outside = await world.request("GET", "/flows");
    expect(inside.status).toBe(200);
    expect(inside.body).toEqual(outside.body);
    const placed = await tab.ask("POST", `${path}/outbound/calls`, { customerNumber: "+12025550100" });
    expect(placed.status).toBe(200);
    const withKey = await world.request("GET", `/api/console${path}/flows`);
    expect(withKey.status).toBe(401);
    const withCookie = await world.request("GET", "/flows", { key: null, headers: { cookie: tab.cookie ?? "" } });
    expect(withCookie.status).toBe(401);
  });
});
