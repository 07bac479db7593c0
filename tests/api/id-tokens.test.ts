import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode } from "../kit/app-code.ts";
import { setUpOwner, Tab } from "../kit/console-harness.ts";
import { CookieBrowser } from "../kit/sign-on/cookie-browser.ts";
import { ForgingServer, type Forgery } from "../kit/sign-on/forging-server.ts";
import { CLIENT } from "../kit/sign-on/identity-server.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;
let forger: ForgingServer;
let path: string;

beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  owner = await setUpOwner(world);
  forger = await ForgingServer.start();
  const provider = { key: "forged", name: "Forged", issuer: forger.issuer, ...CLIENT };
  const more = { domains: ["example.com"], createsAccounts: true };
  const { body } = await owner.ask("POST", "/identity-providers", { ...provider, ...more });
  path = `/identity-providers/${String(body.id)}`;
});
afterAll(async () => {
  await forger[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Metadata are kept for ten minutes, unless the settings change. */
async function reload(): Promise<void> {
  const reply = await owner.ask("PATCH", path, { name: "Forged" });
  if (reply.status !== 200) throw new Error(reply.text);
}

/** Signs in with a forged answer; gives the fault, or null for a session. */
async function faultOf(forgery: Forgery): Promise<string | null> {
  forger.forgery = forgery;
  const end = await new CookieBrowser(world.url).follow("/api/sign-on/forged/start");
  return end.searchParams.get("fault");
}

describe("an ID token", () => {
  const now = () => Math.floor(Date.now() / 1_000);

  const HONEST = { claims: { sub: "honest", email: "honest@example.com" } };

  it.each<[string, () => Forgery]>([
    ["another nonce", () => ({ claims: { nonce: "stolen" } })],
    ["no nonce", () => ({ claims: { nonce: undefined } })],
    ["another issuer", () => ({ claims: { iss: "https://elsewhere.example.com" } })],
    ["another audience", () => ({ claims: { aud: "another-client" } })],
    ["a second audience", () => ({ claims: { aud: [CLIENT.clientId, "another-client"] } })],
    ["a time that is over", () => ({ claims: { exp: now() - 600, iat: now() - 900 } })],
    ["no expiry", () => ({ claims: { exp: undefined } })],
    ["no subject", () => ({ claims: { sub: undefined } })],
    ["no signature", () => ({ header: { alg: "none" } })],
    [
      "no signature, which the metadata allow",
      () => ({
        header: { alg: "none" },
        metadata: { id_token_signing_alg_values_supported: ["none", "RS256"] },
      }),
    ],
    ["the client's secret as its key", () => ({ header: { alg: "HS256" } })],
    [
      "the client's secret as its key, which the metadata allow",
      () => ({
        header: { alg: "HS256" },
        metadata: { id_token_signing_alg_values_supported: ["HS256"] },
      }),
    ],
    ["the signature of another key", () => ({ isSignedByOther: true })],
  ])("with %s is refused", async (_, forge) => {
    await reload();
    expect(await faultOf(forge())).toBe("INVALID_ANSWER");
    await reload();
    expect(await faultOf(HONEST)).toBeNull();
  });

  it("is refused when the answer names another issuer than the one asked", async () => {
    await reload();
    const metadata = { authorization_response_iss_parameter_supported: true };
    expect(await faultOf({ metadata, answer: { iss: "https://elsewhere.example.com" } })).toBe("INVALID_ANSWER");
    expect(await faultOf({ metadata })).toBe("INVALID_ANSWER");
  });

  it("is refused when the userinfo are of another person", async () => {
    const metadata = { userinfo_endpoint: `${forger.issuer}/userinfo` };
    const claims = { email: undefined };
    await reload();
    expect(await faultOf({ metadata, claims, userinfo: { sub: "another", email: "boss@example.com" } })).toBe(
      "INVALID_ANSWER",
    );
  });

  it("that leaves the groups out takes no role away", async () => {
    await reload();
    const claims = { sub: "many", email: "many@example.com", groups: undefined, _claim_names: { groups: "src1" } };
    expect(await faultOf({ claims })).toBe("GROUPS_NOT_SENT");
  });

  it("is never asked for where the metadata name another issuer", async () => {
    await reload();
    expect(await faultOf({ metadata: { issuer: "https://elsewhere.example.com" } })).toBe("UNREACHABLE");
  });
});

describe("a workspace that requires a second factor", () => {
  /** Signs somebody new in; gives their tab, and the status of a page of the workspace. */
  async function enter(name: string, amr: unknown) {
    forger.forgery = { claims: { sub: name, email: `${name}@example.com`, groups: ["callers"], amr } };
    const browser = new CookieBrowser(world.url);
    await browser.follow("/api/sign-on/forged/start");
    const tab = new Tab(world);
    tab.cookie = browser.cookie;
    const { workspaces } = (await tab.ask("GET", "/session")).body as { workspaces: { lacksSecondFactor: boolean }[] };
    const { status } = await tab.ask("GET", FLOWS());
    return { tab, state: { lacks: workspaces.map(({ lacksSecondFactor }) => lacksSecondFactor), status } };
  }
  const FLOWS = () => `/workspaces/${world.sample.workspaceId}/flows`;
  const stateOf = async (name: string, amr: unknown) => (await enter(name, amr)).state;
  const ENTERS = { lacks: [false], status: 200 };
  const LACKS = { lacks: [true], status: 403 };

  it("leaves it to the provider, unless its ID token says that it was one factor alone", async () => {
    const { workspaceId } = world.sample;
    const groupRoles = [{ group: "callers", workspaceId, role: "VIEWER" }];
    expect((await owner.ask("PATCH", path, { groupRoles })).status).toBe(200);
    await world.operator("workspace.update", { id: workspaceId, requiresSecondFactor: true });
    expect(await stateOf("silent", undefined)).toEqual(ENTERS);
    expect(await stateOf("strong", ["pwd", "mfa"])).toEqual(ENTERS);
    expect(await stateOf("weak", ["pwd"])).toEqual(LACKS);
    // Each sign-in counts by itself.
    expect(await stateOf("strong", ["pwd"])).toEqual(LACKS);
    await world.operator("workspace.update", { id: workspaceId, requiresSecondFactor: false });
    expect(await stateOf("weak", ["pwd"])).toEqual(ENTERS);
  });

  it("asks for one of Parley's in each such session, whoever set it up before", async () => {
    await world.operator("workspace.update", { id: world.sample.workspaceId, requiresSecondFactor: true });
    const first = (await enter("weak", ["pwd"])).tab;
    expect((await first.ask("POST", "/second-factor/show", { code: "123456" })).status).toBe(409);
    const { secret } = (await first.ask("POST", "/second-factor/totp")).body as { secret: string };
    const made = await first.ask("POST", "/second-factor/totp/confirm", { code: appCode(secret, Date.now()) });
    const { recoveryCodes } = made.body as { recoveryCodes: string[] };
    expect((await first.ask("GET", FLOWS())).status).toBe(200);
    const second = await enter("weak", ["pwd"]);
    expect(second.state).toEqual(LACKS);
    // The password at the provider alone changes no factor, either.
    for (const [method, change] of [
      ["DELETE", "/second-factor/totp"],
      ["POST", "/second-factor/recovery-codes"],
    ] as const) {
      expect([change, (await second.tab.ask(method, change)).status]).toEqual([change, 409]);
    }
    const show = (code = "") => second.tab.ask("POST", "/second-factor/show", { code });
    expect((await show("000000")).status).toBe(422);
    expect((await second.tab.ask("GET", FLOWS())).status).toBe(403);
    expect((await show(recoveryCodes[0])).status).toBe(204);
    expect((await second.tab.ask("GET", FLOWS())).status).toBe(200);
    expect((await show(recoveryCodes[1])).status).toBe(409);
    expect(await stateOf("weak", ["pwd", "otp"])).toEqual(ENTERS);
  });
});
