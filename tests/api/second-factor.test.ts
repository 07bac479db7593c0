import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode } from "../kit/app-code.ts";
import { inviteMember, PASSWORD, setUpOwner, Tab, tokenOf } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;

beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const STEP_MS = 30_000;
interface Enrolled {
  tab: Tab;
  email: string;
  secret: string;
  codes: string[];
}

/** Gives a member an authenticator app; its first code is used. */
async function enrol(role: string): Promise<Enrolled> {
  const { workspaceId } = await world.createWorkspace();
  const tab = await inviteMember(world, workspaceId, role);
  const email = `${role.toLowerCase()}-${workspaceId.slice(-6)}@example.com`;
  const { secret } = (await tab.ask("POST", "/second-factor/totp")).body as { secret: string };
  const code = appCode(secret, Date.now() - STEP_MS);
  const { body } = await tab.ask("POST", "/second-factor/totp/confirm", { code });
  return { tab, email, secret, codes: body.recoveryCodes as string[] };
}

async function firstStep(email: string): Promise<Tab> {
  const tab = new Tab(world);
  expect((await tab.signIn(email)).body.user).toBeNull();
  return tab;
}

const finish = (tab: Tab, code: string) => tab.ask("POST", "/sign-in/code", { code });

describe("an authenticator app", () => {
  it("counts once a code confirmed it; then a password alone opens nothing", async () => {
    const { workspaceId } = await world.createWorkspace();
    const tab = await inviteMember(world, workspaceId, "VIEWER");
    const elsewhere = new Tab(world);
    const email = `viewer-${workspaceId.slice(-6)}@example.com`;
    await elsewhere.signIn(email);
    const { body } = await tab.ask("POST", "/second-factor/totp");
    const secret = String(body.secret);
    expect(body.uri).toBe(`otpauth://totp/Parley:${encodeURIComponent(email)}?secret=${secret}&issuer=Parley`);
    expect((await new Tab(world).signIn(email)).body.user).not.toBeNull();
    expect((await tab.ask("POST", "/second-factor/totp/confirm", { code: "000000" })).status).toBe(422);
    const confirmed = await tab.ask("POST", "/second-factor/totp/confirm", { code: appCode(secret, Date.now()) });
    expect(new Set(confirmed.body.recoveryCodes as string[]).size).toBe(10);
    // Whoever had a session before has none now.
    expect((await elsewhere.ask("GET", "/sessions")).status).toBe(401);
    expect((await tab.ask("GET", "/sessions")).status).toBe(200);
    const visitor = new Tab(world);
    const first = await visitor.signIn(email);
    expect(first.body).toMatchObject({ user: null, csrfToken: null, secondStep: ["TOTP", "RECOVERY_CODE"] });
    expect(first.headers.getSetCookie().join()).toMatch(/^parley_\d+_second=\w{43}; Path=\/; HttpOnly; SameSite=Lax/);
    expect((await visitor.ask("GET", "/sessions")).status).toBe(401);
    expect((await finish(visitor, appCode(secret, Date.now()))).status).toBe(401);
    expect((await finish(visitor, appCode(secret, Date.now() + STEP_MS))).status).toBe(200);
    expect((await visitor.ask("GET", "/sessions")).status).toBe(200);
    const rows = await world.database.query("select secret::text, code_hash::text from user_totp, user_recovery_codes");
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString("hex"));
  });

  it("takes each code once, also of two that come at the same moment", async () => {
    const { email, secret } = await enrol("VIEWER");
    const tabs = await Promise.all([firstStep(email), firstStep(email)]);
    const code = appCode(secret, Date.now());
    const replies = await Promise.all(tabs.map((tab) => finish(tab, code)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await finish(await firstStep(email), code)).status).toBe(401);
  });

  it("limits wrong codes for a while and not for ever, and a used step opens nothing again", async () => {
    const { email, secret } = await enrol("VIEWER");
    const tab = await firstStep(email);
    const wrong = [];
    for (let i = 0; i < 7; i++) wrong.push((await finish(tab, "123456")).status);
    expect(wrong).toEqual([401, 401, 401, 401, 401, 429, 429]);
    await world.database.query("update sign_in_buckets set refilled_at = refilled_at - interval '3 minutes'");
    const { cookie } = tab;
    expect((await finish(tab, appCode(secret, Date.now()))).status).toBe(200);
    const again = await tab.ask("POST", "/sign-in/code", { code: appCode(secret, Date.now() + STEP_MS) }, { cookie });
    expect(again.status).toBe(401);
    expect((await finish(new Tab(world), appCode(secret, Date.now() + STEP_MS))).status).toBe(401);
  });
});

describe("recovery codes", () => {
  it("work once each, however they are typed, and are replaced by new ones", async () => {
    const { tab, email, codes } = await enrol("VIEWER");
    const [one = "", two = ""] = codes;
    const racing = await Promise.all([firstStep(email), firstStep(email)]);
    const replies = await Promise.all(racing.map((visitor) => finish(visitor, one.replaceAll("-", " ").toUpperCase())));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await tab.ask("GET", "/second-factor")).body.recoveryCodesLeft).toBe(9);
    const renewed = (await tab.ask("POST", "/second-factor/recovery-codes")).body.recoveryCodes as string[];
    expect((await finish(await firstStep(email), two)).status).toBe(401);
    expect((await finish(await firstStep(email), renewed[0] as string)).status).toBe(200);
  });
});

describe("a lost second factor", () => {
  it("is not got round by a link for a new password, and is reset by the operator", async () => {
    const { tab, email, codes } = await enrol("VIEWER");
    const token = tokenOf(await world.operator("user.reset", { email }));
    const visitor = new Tab(world);
    const reset = await visitor.ask("POST", "/password/reset", { token, password: "a new long password" });
    expect(reset.body).toMatchObject({ user: null, secondStep: ["TOTP", "RECOVERY_CODE"] });
    expect((await finish(visitor, codes[0] as string)).status).toBe(200);
    expect((await tab.ask("GET", "/sessions")).status).toBe(401);
    const userId = (await world.database.query("select id from users where email = $1", [email]))[0]?.id;
    expect((await owner.ask("GET", "/users")).text).not.toMatch(/secret|totp/i);
    expect((await owner.ask("DELETE", `/users/${String(userId)}/second-factor`)).status).toBe(404);
    expect(await world.operator("user.reset-second-factor", { email })).toEqual({ email });
    expect((await visitor.ask("GET", "/sessions")).status).toBe(401);
    const plain = await new Tab(world).signIn(email, "a new long password");
    expect(plain.body.user).toMatchObject({ email, hasSecondFactor: false });
    // In the log of the installation, and of the workspace that the account may enter.
    const log = await world.database.query(
      `select workspace_id = '00000000-0000-0000-0000-000000000000' as is_of_installation from audit_log
        where action = 'user.second_factors_reset' and target = $1 order by 1`,
      [email],
    );
    expect(log).toEqual([{ is_of_installation: false }, { is_of_installation: true }]);
  });
});

describe("a confirmation", () => {
  it("takes the password and a code, once each, and is asked for before the app is removed", async () => {
    const { tab, secret, codes } = await enrol("VIEWER");
    await world.database.query("update user_sessions set created_at = created_at - interval '11 minutes'");
    expect((await tab.ask("DELETE", "/second-factor/totp")).status).toBe(409);
    const confirm = (code?: string, password = PASSWORD) => tab.ask("POST", "/confirm", { password, code });
    expect((await confirm()).status).toBe(422);
    expect((await confirm("123456")).status).toBe(422);
    const code = appCode(secret, Date.now());
    expect((await confirm(code, "a wrong password")).status).toBe(422);
    expect((await confirm(code)).status).toBe(204);
    expect((await confirm(code)).status).toBe(422);
    expect((await tab.ask("DELETE", "/second-factor/totp")).status).toBe(204);
    expect((await confirm()).status).toBe(204);
    expect((await finish(tab, codes[0] as string)).status).toBe(401);
  });
});

describe("a workspace that requires a second factor", () => {
  it("lets those without one do nothing but set one up; keys are unaffected", async () => {
    const { workspaceId, apiKey } = await world.createWorkspace();
    const tab = await inviteMember(world, workspaceId, "OWNER");
    const path = `/workspaces/${workspaceId}`;
    const require = () => tab.ask("PATCH", path, { requiresSecondFactor: true });
    // Whoever requires it has one.
    expect((await require()).status).toBe(409);
    const { secret } = (await tab.ask("POST", "/second-factor/totp")).body as { secret: string };
    await tab.ask("POST", "/second-factor/totp/confirm", { code: appCode(secret, Date.now()) });
    expect((await require()).body).toMatchObject({ requiresSecondFactor: true });
    const member = await inviteMember(world, workspaceId, "VIEWER");
    const session = (await member.ask("GET", "/session")).body;
    expect(session).toMatchObject({ user: { hasSecondFactor: false }, workspaces: [{ lacksSecondFactor: true }] });
    for (const read of ["", "/flows", "/events", "/members"]) {
      const reply = await member.ask("GET", path + read);
      expect([read, reply.status, reply.body.message]).toEqual([read, 403, expect.stringContaining("second factor")]);
    }
    expect((await member.ask("GET", "/workspaces")).body).toEqual([]);
    expect((await world.request("GET", "/flows", { key: apiKey })).status).toBe(200);
    const enrolment = (await member.ask("POST", "/second-factor/totp")).body as { secret: string };
    const code = appCode(enrolment.secret, Date.now());
    expect((await member.ask("POST", "/second-factor/totp/confirm", { code })).status).toBe(200);
    expect((await member.ask("GET", `${path}/flows`)).status).toBe(200);
    expect((await member.ask("DELETE", "/second-factor/totp")).status).toBe(204);
    expect((await member.ask("GET", `${path}/flows`)).status).toBe(403);
    await world.operator("workspace.update", { id: workspaceId, requiresSecondFactor: false });
    expect((await member.ask("GET", `${path}/flows`)).status).toBe(200);
  });
});
