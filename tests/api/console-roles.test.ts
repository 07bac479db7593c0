import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inviteMember, PASSWORD, setUpOwner, Tab, tokenOf } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const BUILDS = ["FLOWS", "AGENTS", "TOOLS", "STRUCTURED_OUTPUTS", "DATA_STORES", "TRANSCRIPTIONS"].map(
  (a) => `${a}_WRITE`,
);
const DIALS = ["CALL_JOBS_WRITE", "OUTBOUND_CALLS_TRIGGER", "OUTBOUND_CHATS_TRIGGER"];
/** Changes that each role may make, written by hand, as docs/dashboard.md says. */
const MAY: Record<string, string[]> = {
  "VIEWER in SANDBOX": [],
  "OPERATOR in SANDBOX": [...DIALS, "DELIVERIES_WRITE"],
  "BUILDER in SANDBOX": [...BUILDS, ...DIALS, "PHONE_NUMBERS_WRITE", "DELIVERIES_WRITE"],
  "BUILDER in LIVE": [...BUILDS, "DELIVERIES_WRITE"],
  "OWNER in LIVE": [...BUILDS, ...DIALS, "PHONE_NUMBERS_WRITE", "DELIVERIES_WRITE", "WORKSPACE_ADMIN"],
};

let world: World;
let owner: Tab;
let live: string;
let writes: { method: string; path: string; needs: string[] }[];
let reads: string[];

beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
  live = String((await owner.ask("POST", "/workspaces", { name: "Live", mode: "LIVE" })).body.id);
  const { body } = await owner.ask("GET", "/openapi.json");
  const operations = Object.entries(body.paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith("/api/console/workspaces/{workspaceId}"))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  writes = operations
    .filter(({ method }) => method !== "get")
    .map(({ path, method, operation }) => ({ path, method: method.toUpperCase(), needs: needsOf(operation) }));
  reads = operations
    .filter(({ method, path }) => method === "get" && !path.endsWith("/events"))
    .map(({ path }) => path);
});
afterAll(() => world[Symbol.asyncDispose]());

interface Operation {
  description: string;
}

function needsOf({ description }: Operation): string[] {
  return (/Needs ([A-Z_ or]+)\.$/.exec(description)?.[1] ?? "").split(" or ").filter(Boolean);
}

function fill(path: string, workspaceId: string): string {
  return path
    .replace("/api/console", "")
    .replace("{workspaceId}", workspaceId)
    .replaceAll(/\{\w+\}/g, NOBODY);
}

describe("roles", () => {
  it.each(Object.keys(MAY))("of a %s workspace let through what they grant and nothing else", async (name) => {
    const [role = "", mode] = name.split(" in ");
    const workspaceId = mode === "LIVE" ? live : world.sample.workspaceId;
    const tab = await inviteMember(world, workspaceId, role);
    const granted = MAY[name] ?? [];
    expect(writes.length).toBeGreaterThan(80);
    for (const { method, path, needs } of writes) {
      const body = path.includes("/test/") ? undefined : {};
      const { status } = await tab.ask(method, fill(path, workspaceId), method === "DELETE" ? undefined : body);
      const isGranted = needs.some((one) => granted.includes(one) || one.endsWith("_READ"));
      expect([method, path, needs.length > 0, status < 500, status !== 401]).toEqual([method, path, true, true, true]);
      expect([method, path, status === 403, isGranted]).toEqual([method, path, !isGranted, isGranted]);
    }
  });

  it("let everybody read all but what is the owner's, and what asks a carrier for numbers to buy", async () => {
    const tab = await inviteMember(world, live, "VIEWER");
    const closed = [
      "audit-log",
      "carrier-accounts",

      "credentials",
      "invitations",
      "number-offers",
    ];
    const refused: string[] = [];
    for (const path of reads) {
      const { status } = await tab.ask("GET", fill(path, live));
      expect([path, status < 500 && status !== 401]).toEqual([path, true]);
      if (status === 403) refused.push(path.split("/").at(-1) as string);
    }
    expect(refused.toSorted()).toEqual(closed);
  });

  it("change from the next request on", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "VIEWER").catch(() => new Tab(world));
    await tab.signIn(`viewer-${world.sample.workspaceId.slice(-6)}@example.com`);
    const path = `/workspaces/${world.sample.workspaceId}`;
    const { body } = await tab.ask("GET", "/session");
    const userId = (body.user as { id: string }).id;
    const places = async () =>
      (await tab.ask("POST", `${path}/outbound/calls`, { customerNumber: "+12025550110" })).status;
    expect(await places()).toBe(403);
    expect((await owner.ask("PUT", `${path}/members/${userId}`, { role: "OPERATOR" })).status).toBe(200);
    expect(await places()).toBe(200);
    expect((await owner.ask("DELETE", `${path}/members/${userId}`)).status).toBe(204);
    expect(await places()).toBe(404);
  });
});

describe("a workspace that one is no member of", () => {
  it("reads as one that never was", async () => {
    const other = await world.createWorkspace();
    const stranger = await inviteMember(world, live, "BUILDER").catch(() => new Tab(world));
    if (!stranger.cookie) await stranger.signIn(`builder-${live.slice(-6)}@example.com`);
    for (const [method, tail] of [
      ["GET", ""],
      ["GET", "/flows"],
      ["POST", "/outbound/calls"],
      ["GET", "/events"],
      ["PATCH", ""],
    ] as const) {
      const ask = (id: string) => stranger.ask(method, `/workspaces/${id}${tail}`, method === "GET" ? undefined : {});
      const [foreign, none] = [await ask(other.workspaceId), await ask(NOBODY)];
      expect([tail, foreign.status, foreign.text]).toEqual([tail, 404, none.text]);
    }
    expect((await stranger.ask("GET", "/workspaces/x/flows")).status).toBe(400);
    const flow = other.flow.id;
    const crossed = await owner.ask("GET", `/workspaces/${live}/flows/${flow}`);
    const none = await owner.ask("GET", `/workspaces/${live}/flows/${NOBODY}`);
    expect([crossed.status, crossed.text]).toEqual([404, none.text]);
  });
});

describe("requests of other origins", () => {
  it("change nothing: without the token, with another's, from another page, or without a session", async () => {
    const other = await inviteMember(world, world.sample.workspaceId, "OWNER");
    const path = `/workspaces/${world.sample.workspaceId}/structured-outputs`;
    const send = (headers: Record<string, string | undefined>) =>
      owner.ask("POST", path, { name: "x", schema: { type: "object" } }, headers);
    expect((await send({ "x-csrf-token": undefined })).status).toBe(403);
    expect((await send({ "x-csrf-token": other.csrfToken })).status).toBe(403);
    expect((await send({ origin: "https://evil.example" })).status).toBe(403);
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ origin: undefined, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ cookie: undefined })).status).toBe(401);
    expect((await send({})).status).toBe(201);
    const signIn = await new Tab(world).ask(
      "POST",
      "/sign-in",
      { email: "owner@example.com", password: PASSWORD },
      { origin: "https://evil.example" },
    );
    expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
  });
});

describe("links", () => {
  it("work once, for what they were made for", async () => {
    const path = `/workspaces/${live}/invitations`;
    const made = await owner.ask("POST", path, { role: "VIEWER", email: "new@example.com" });
    expect(made.status).toBe(201);
    const token = tokenOf(made.body);
    const visitor = new Tab(world);
    const info = await visitor.ask("POST", "/links/look-up", { token });
    expect(info.body).toMatchObject({
      kind: "INVITE",
      email: "new@example.com",
      workspaceName: "Live",
      role: "VIEWER",
    });
    expect((await visitor.ask("POST", "/password/reset", { token, password: PASSWORD })).status).toBe(404);
    const person = { token, name: "New", email: "new@example.com", password: PASSWORD };
    expect((await visitor.ask("POST", "/invitations/accept", person)).status).toBe(200);
    expect(
      (await new Tab(world).ask("POST", "/invitations/accept", { ...person, email: "n2@example.com" })).status,
    ).toBe(404);
    const again = await owner.ask("POST", path, { role: "OWNER" });
    expect((await owner.ask("DELETE", `${path}/${String(again.body.id)}`)).status).toBe(204);
    expect((await visitor.ask("POST", "/invitations/join", { token: tokenOf(again.body) })).status).toBe(404);
    const left = await owner.ask("GET", path);
    expect(left.text).not.toContain(String(made.body.id));
    expect(left.text).not.toContain(String(again.body.id));
  });

  it("give a new password and end every session there was", async () => {
    const tab = new Tab(world);
    await tab.signIn("new@example.com");
    const { body } = await tab.ask("GET", "/session");
    const userId = (body.user as { id: string }).id;
    const link = await owner.ask("POST", `/users/${userId}/reset-link`);
    expect((await tab.ask("POST", `/users/${userId}/reset-link`)).status).toBe(403);
    const later = new Tab(world);
    const reset = await later.ask("POST", "/password/reset", {
      token: tokenOf(link.body),
      password: "another password",
    });
    expect(reset.status).toBe(200);
    expect((await tab.ask("GET", "/sessions")).status).toBe(401);
    expect((await later.ask("GET", "/sessions")).status).toBe(200);
    expect((await tab.signIn("new@example.com")).status).toBe(401);
    expect((await tab.signIn("new@example.com", "another password")).status).toBe(200);
    const wrong = await tab.ask("POST", "/password", { currentPassword: "x", newPassword: "yet another one" });
    expect([wrong.status, JSON.stringify(wrong.body.details)]).toEqual([
      422,
      expect.stringContaining("currentPassword"),
    ]);
    const changed = await tab.ask("POST", "/password", { currentPassword: "another password", newPassword: PASSWORD });
    expect(changed.status).toBe(204);
    expect((await tab.ask("GET", "/sessions")).status).toBe(200);
    expect((await later.ask("GET", "/sessions")).status).toBe(401);
  });
});

describe("whoever loses a role", () => {
  it("leaves no way back: their invitations and reset links end", async () => {
    const { workspaceId } = await world.createWorkspace();
    const tab = await inviteMember(world, workspaceId, "OWNER");
    const { user } = (await tab.ask("GET", "/session")).body as { user: { id: string } };
    const path = `/workspaces/${workspaceId}`;
    const invite = async () => tokenOf((await tab.ask("POST", `${path}/invitations`, { role: "OWNER" })).body);
    const look = async (token: string) => (await tab.ask("POST", "/links/look-up", { token })).status;
    const first = await invite();
    expect(await look(first)).toBe(200);
    expect((await owner.ask("PUT", `${path}/members/${user.id}`, { role: "VIEWER" })).status).toBe(200);
    expect(await look(first)).toBe(404);
    await owner.ask("PUT", `${path}/members/${user.id}`, { role: "OWNER" });
    const second = await invite();
    expect((await owner.ask("DELETE", `${path}/members/${user.id}`)).status).toBe(204);
    expect((await tab.ask("POST", "/invitations/join", { token: second })).status).toBe(404);
    const reset = tokenOf((await owner.ask("POST", `/users/${user.id}/reset-link`)).body);
    await owner.ask("DELETE", `/users/${user.id}`);
    await owner.ask("POST", `/users/${user.id}/enable`);
    expect(await look(reset)).toBe(404);
  });
});

describe("signing in", () => {
  it("says the same of a wrong password and of an unknown address, and tires of both", async () => {
    const visitor = await inviteMember(world, world.sample.workspaceId, "BUILDER").catch(() => new Tab(world));
    const email = `builder-${world.sample.workspaceId.slice(-6)}@example.com`;
    visitor.cookie = undefined;
    const unknown = await visitor.signIn("nobody@example.com", "x");
    const wrong = await visitor.signIn(email, "x");
    expect([unknown.status, unknown.text]).toEqual([401, wrong.text]);
    await world.database.query(
      "update sign_in_buckets set tokens = tokens - 8 where name like 'pair|%' and tokens < 9.5",
    );
    for (const address of ["nobody@example.com", email]) {
      expect((await visitor.signIn(address, "x")).status).toBe(401);
      const refused = await visitor.signIn(address);
      expect([address, refused.status, refused.headers.has("retry-after")]).toEqual([address, 429, true]);
    }
    expect((await visitor.signIn("owner@example.com")).status).toBe(200);
  });

  it("tires of wrong passwords of somebody who is signed in, too: a stolen session does not find the password out", async () => {
    const tab = await inviteMember(world, world.sample.workspaceId, "OPERATOR").catch(() => new Tab(world));
    await tab.signIn(`operator-${world.sample.workspaceId.slice(-6)}@example.com`);
    const change = (currentPassword: string) =>
      tab.ask("POST", "/password", { currentPassword, newPassword: `${PASSWORD} two` });
    expect((await change("wrong")).status).toBe(422);
    const reported = await world.database.query(
      "select 1 from audit_log where action = 'user.password_refused' and target like 'operator-%'",
    );
    expect(reported).toHaveLength(1);
    await world.database.query("update sign_in_buckets set tokens = 0 where name like 'own|%'");
    expect((await change(PASSWORD)).status).toBe(429);
    await world.database.query("update sign_in_buckets set tokens = 1 where name like 'own|%'");
    expect((await change(PASSWORD)).status).toBe(204);
    expect((await change("wrong")).status).toBe(422);
  });

  it("takes hostile input for what it is", async () => {
    const visitor = new Tab(world);
    const token = "x".repeat(32);
    for (const [path, body] of [
      ["/sign-in", { email: "a@b\u0000", password: "x" }],
      ["/sign-in", { email: "a@b", password: "x".repeat(100_000) }],
      ["/sign-in", { email: ["a@b"], password: { $ne: null } }],
      ["/setup", { token: "\ud800", name: "x", email: "a@b", password: PASSWORD }],
      ["/links/look-up", { token: "' or 1=1 --" }],
      ["/links/look-up", {}],
      ["/invitations/accept", { token, name: " ", email: "a@b", password: PASSWORD }],
    ] as const) {
      const { status } = await visitor.ask("POST", path, body);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
    for (const cookie of ["parley_1=x", "a", "=;;=", `x=${"y".repeat(4_000)}`]) {
      expect((await visitor.ask("GET", "/session", undefined, { cookie })).status).toBe(200);
    }
  });
});
