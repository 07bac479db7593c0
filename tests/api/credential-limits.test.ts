import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { warnOfExpiry } from "#src/tenancy/auth/expiry-warnings.ts";
import { setUpOwner, type Tab } from "../kit/console-harness.ts";
import { SecondNode } from "../kit/second-node.ts";
import { type TestReply, World } from "../kit/world.ts";

const DAY_MS = 86_400_000;

let world: World;
let owner: Tab;
let path: string;

beforeAll(async () => {
  // The test is the proxy, so it chooses the address of a client by appending it.
  world = await World.start({ env: { TRUST_PROXY: "127.0.0.1" } });
  owner = await setUpOwner(world);
  path = `/workspaces/${world.sample.workspaceId}/credentials`;
});
afterAll(() => world[Symbol.asyncDispose]());

interface Credential {
  id: string;
  name: string;
  expiresAt: string | null;
  allowedAddresses: string[] | null;
  lastUsedAt: string | null;
  lastUsedAddress: string | null;
  permissions: string[];
}
interface Made {
  credential: Credential;
  former: Credential;
  apiKey: string;
  clientId: string;
  clientSecret: string;
}

async function make(body: object, kind = "keys"): Promise<Made> {
  const reply = await owner.ask("POST", `${path}/${kind}`, { name: "Limited", ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body as never as Made;
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const list = async () => (await owner.ask("GET", path)).body as never as Credential[];
const find = async (id: string) => (await list()).find((one) => one.id === id) as Credential;
const from = (key: string, address: string, server = world): Promise<TestReply> =>
  server.request("GET", "/flows", { key, headers: { "x-forwarded-for": address } });

function askToken(client: Made, address: string): Promise<TestReply> {
  const { clientId, clientSecret } = client;
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return world.request("POST", "/api/oauth/token", {
    key: null,
    raw: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
  });
}

it("counts the requests without a credential from one IPv6 network as one visitor's", async () => {
  const remaining = async (address: string) => {
    const { headers } = await world.request("GET", "/flows", { key: null, headers: { "x-forwarded-for": address } });
    return Number(headers.get("x-ratelimit-remaining"));
  };
  const before = await remaining("2001:db8:1:2::1");
  expect(before).toBeGreaterThan(100);
  // Requests of a hundredth of the bucket cost less than it refills meanwhile, so they are many.
  for (let i = 2; i < 60; i++) await remaining(`2001:db8:1:2:${i}::1`);
  expect(await remaining("2001:db8:1:2:ffff::1")).toBeLessThan(before);
  expect(await remaining("2001:db8:1:3::1")).toBeGreaterThanOrEqual(before);
});

describe("addresses of a credential", () => {
  it("let its networks in, by IPv4, IPv6 and IPv4 inside IPv6, and refuse the rest with 403", async () => {
    const { apiKey, credential } = await make({
      allowedAddresses: ["203.0.113.0/24", "198.51.100.7", "2001:db8::/32", "::ffff:192.0.2.0/120"],
    });
    expect(credential.allowedAddresses).toEqual(["203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32", "192.0.2.0/24"]);
    const inside = [
      "203.0.113.200",
      "::ffff:203.0.113.1",
      "::FFFF:c633:6407",
      "198.51.100.7",
      "2001:DB8:1::2",
      "192.0.2.9",
    ];
    const outside = ["203.0.114.1", "198.51.100.8", "2001:db9::1", "::ffff:203.0.114.1", "::1", "unknown", "1.2.3", ""];
    const statuses = async (addresses: string[]) =>
      Promise.all(addresses.map(async (one) => [one, (await from(apiKey, one)).status]));
    expect(await statuses(inside)).toEqual(inside.map((one) => [one, 200]));
    expect(await statuses(outside)).toEqual(outside.map((one) => [one, 403]));
    expect((await from(apiKey, "203.0.114.1")).body).toEqual({
      error: "Forbidden",
      message: "This credential may not be used from your address.",
    });
  });

  it("are known from a proxy that writes the client's port, too, as those of Azure and IIS do", async () => {
    const { apiKey, credential } = await make({ allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"] });
    expect((await from(apiKey, "[2001:db8:1::2]:49152")).status).toBe(200);
    expect((await from(apiKey, "203.0.113.5:49152")).status).toBe(200);
    expect((await from(apiKey, "203.0.114.5:49152")).status).toBe(403);
    expect(await find(credential.id)).toMatchObject({ lastUsedAddress: "203.0.113.5" });
  });

  it("are those that the trusted proxy names: what a client writes before it counts for nothing", async () => {
    const { apiKey } = await make({ allowedAddresses: ["203.0.113.0/24"] });
    expect((await from(apiKey, "203.0.113.5, 198.51.100.1")).status).toBe(403);
    expect((await from(apiKey, "198.51.100.1, 203.0.113.5")).status).toBe(200);
    await using plain = await World.start();
    const { workspaceId } = plain.sample;
    const keyOf = async (allowedAddresses: string[]) =>
      String((await plain.operator("key.create", { workspaceId, allowedAddresses })).apiKey);
    expect((await from(await keyOf(["203.0.113.0/24"]), "203.0.113.5", plain)).status).toBe(403);
    expect((await from(await keyOf(["127.0.0.0/8"]), "203.0.113.5", plain)).status).toBe(200);
  });

  it("hold for all requests of an MCP tool, however many it sends", async () => {
    const { apiKey, credential } = await make({ allowedAddresses: ["203.0.113.0/24"] });
    const args = { name: "place_call_and_wait", arguments: { customerNumber: "+12025550100" } };
    const call = (address: string) =>
      world.request("POST", "/api/mcp", {
        key: apiKey,
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: args },
        headers: {
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
          "x-forwarded-for": address,
        },
      });
    const { text } = await call("203.0.113.5");
    const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}") as { result?: object };
    expect(result, text).toMatchObject({ structuredContent: { finished: true } });
    expect(await find(credential.id)).toMatchObject({ lastUsedAddress: "203.0.113.5" });
    expect((await call("198.51.100.1")).status).toBe(403);
  });

  it("keep a stranger from the key's rate limit and from its last use, which is the owners'", async () => {
    const { apiKey, credential } = await make({ allowedAddresses: ["203.0.113.0/24"] });
    for (let i = 0; i < 3; i++) await from(apiKey, "198.51.100.1");
    expect(await find(credential.id)).toMatchObject({ lastUsedAt: null, lastUsedAddress: null });
    await from(apiKey, "203.0.113.77");
    expect(await find(credential.id)).toMatchObject({ lastUsedAddress: "203.0.113.77" });
    await from(apiKey, "198.51.100.1");
    expect(await find(credential.id)).toMatchObject({ lastUsedAddress: "203.0.113.77" });
  });

  it("are refused when they name no network, and are changed for the next request", async () => {
    const wrong = [
      ["x"],
      ["10.0.0.0/33"],
      ["10.1.2.3/8"],
      ["fe80::1%eth0"],
      ["0177.1"],
      ["10.0.0.0/8/8"],
      ["::/129"],
      [],
    ];
    for (const allowedAddresses of wrong) {
      const reply = await owner.ask("POST", `${path}/keys`, { name: "x", allowedAddresses });
      expect([allowedAddresses, reply.status]).toEqual([allowedAddresses, 422]);
    }
    const { apiKey, credential } = await make({});
    const limits = (body: object) => owner.ask("PUT", `${path}/${credential.id}/limits`, body);
    expect((await from(apiKey, "198.51.100.1")).status).toBe(200);
    await limits({ expiresAt: null, allowedAddresses: ["10.0.0.0/8"] });
    expect((await from(apiKey, "198.51.100.1")).status).toBe(403);
    const stale = { expiresAt: null, allowedAddresses: null, before: { expiresAt: null, allowedAddresses: null } };
    expect((await limits(stale)).status).toBe(409);
    await limits({ expiresAt: null, allowedAddresses: null });
    expect((await from(apiKey, "198.51.100.1")).status).toBe(200);
  });

  it("hold for a client's tokens, and where it asks for one", async () => {
    const client = await make({ permissions: ["FLOWS_READ"], allowedAddresses: ["203.0.113.0/24"] }, "clients");
    const refused = await askToken(client, "198.51.100.1");
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: "invalid_client", error_description: "The client may not be used from your address." },
    ]);
    const bearer = String((await askToken(client, "203.0.113.5")).body.access_token);
    const by = (address: string) =>
      world.request("GET", "/flows", {
        key: null,
        headers: { authorization: `Bearer ${bearer}`, "x-forwarded-for": address },
      });
    expect([(await by("203.0.113.5")).status, (await by("198.51.100.1")).status]).toEqual([200, 403]);
  });
});

describe("the end of a credential", () => {
  it("is a 401 that says so, for keys, clients and their tokens", async () => {
    const key = await make({ expiresAt: inDays(1) });
    const client = await make({ permissions: ["FLOWS_READ"], expiresAt: inDays(1) }, "clients");
    const bearer = String((await askToken(client, "203.0.113.5")).body.access_token);
    expect((await from(key.apiKey, "203.0.113.5")).status).toBe(200);
    await world.database.query(
      "update credentials set expires_at = now() - interval '1 s' where expires_at is not null",
    );
    const words = { error: "Unauthorized", message: expect.stringContaining("has expired") };
    const late = await from(key.apiKey, "203.0.113.5");
    expect([late.status, late.body]).toEqual([401, words]);
    expect(late.headers.get("www-authenticate")).toContain('error="invalid_token"');
    const headers = { authorization: `Bearer ${bearer}` };
    expect((await world.request("GET", "/flows", { key: null, headers })).body).toEqual(words);
    expect((await askToken(client, "203.0.113.5")).body.error_description).toBe("The client has expired.");
    // A revoked one is as unknown as one that never was.
    await owner.ask("DELETE", `${path}/${key.credential.id}`);
    expect((await from(key.apiKey, "203.0.113.5")).body).not.toEqual(words);
  });

  it("is audited once an hour for each credential and reason, however often it is tried", async () => {
    const { apiKey, credential } = await make({ allowedAddresses: ["10.0.0.0/8"] });
    await Promise.all(Array.from({ length: 20 }, () => from(apiKey, "198.51.100.1")));
    await expect
      .poll(() =>
        world.database.query(
          "select address, details from audit_log where action = 'credential.refused' and target = $1",
          [credential.id],
        ),
      )
      .toEqual([{ address: "198.51.100.1", details: { reason: "ADDRESS" } }]);
  });

  it("may be no later than the workspace allows", async () => {
    const settings = (body: object) => owner.ask("PATCH", `/workspaces/${world.sample.workspaceId}`, body);
    const earlier = await make({});
    expect((await settings({ credentialDays: 30 })).body.credentialDays).toBe(30);
    const days = (at: string | null) => (Date.parse(at ?? "") - Date.now()) / DAY_MS;
    expect(days((await make({})).credential.expiresAt)).toBeCloseTo(30, 2);
    expect(days((await make({ expiresAt: inDays(7) })).credential.expiresAt)).toBeCloseTo(7, 2);
    for (const body of [{ expiresAt: inDays(31) }, { expiresInSeconds: 31 * 86_400 }]) {
      expect((await owner.ask("POST", `${path}/keys`, { name: "x", ...body })).status).toBe(422);
    }
    const limits = { expiresAt: null, allowedAddresses: null };
    expect((await owner.ask("PUT", `${path}/${earlier.credential.id}/limits`, limits)).status).toBe(422);
    expect((await find(earlier.credential.id)).expiresAt, "keys from before stay").toBeNull();
    await settings({ credentialDays: null });
    for (const expiresAt of [inDays(-1), "2027-02-30T99:00:00Z", "tomorrow"]) {
      const reply = await owner.ask("POST", `${path}/keys`, { name: "x", expiresAt });
      expect([expiresAt, reply.status >= 400 && reply.status < 500]).toEqual([expiresAt, true]);
    }
  });

  it("is announced a week before, once, for credentials that live longer", async () => {
    const soon = await make({ name: "Soon", expiresAt: inDays(60) });
    await make({ name: "Later", expiresAt: inDays(60) });
    await make({ name: "Short", expiresAt: inDays(2) });
    await world.database.query(
      "update credentials set expires_at = now() + interval '6 days', created_at = now() - interval '54 days' where name = 'Soon'",
    );
    await using node = await SecondNode.join(world);
    await warnOfExpiry(node.database);
    await warnOfExpiry(node.database);
    const events = await world.database.query(
      "select subject_id, data ->> 'name' as name from events where type = 'credential.expires_soon'",
    );
    expect(events).toEqual([{ subject_id: soon.credential.id, name: "Soon" }]);
  });
});

describe("a rotation", () => {
  it("makes a credential like the former one, which goes on for the overlap and no longer", async () => {
    const limits = { permissions: ["FLOWS_READ"], allowedAddresses: ["203.0.113.0/24"], expiresAt: inDays(90) };
    const former = await make({ name: "Import", ...limits });
    const rotate = (id: string, body: object) => owner.ask("POST", `${path}/${id}/rotate`, body);
    const reply = await rotate(former.credential.id, { overlapSeconds: 3_600 });
    const made = reply.body as never as Made;
    expect(reply.status).toBe(201);
    expect(made.credential).toMatchObject({
      name: "Import",
      permissions: ["FLOWS_READ"],
      allowedAddresses: ["203.0.113.0/24"],
    });
    expect((Date.parse(made.credential.expiresAt ?? "") - Date.now()) / DAY_MS).toBeCloseTo(90, 2);
    expect((Date.parse(made.former.expiresAt ?? "") - Date.now()) / 3_600_000).toBeCloseTo(1, 2);
    for (const key of [former.apiKey, made.apiKey]) expect((await from(key, "203.0.113.1")).status).toBe(200);
    expect((await from(made.apiKey, "198.51.100.1")).status).toBe(403);
    const next = (await rotate(made.credential.id, { overlapSeconds: 0 })).body as never as Made;
    expect((await from(made.apiKey, "203.0.113.1")).status).toBe(401);
    expect((await from(next.apiKey, "203.0.113.1")).status).toBe(200);
    expect((await rotate(made.credential.id, {})).status).toBe(409);
    const client = await make({ permissions: ["FLOWS_READ"] }, "clients");
    const other = (await rotate(client.credential.id, {})).body as never as Made;
    expect(other.clientId).not.toBe(client.clientId);
    for (const one of [client, other]) expect((await askToken(one, "203.0.113.1")).status).toBe(200);
  });

  it("and limits are the operator's, too, of the named workspace alone", async () => {
    const { workspaceId } = world.sample;
    const made = await world.operator("key.create", {
      workspaceId,
      expiresAt: inDays(5),
      allowedAddresses: ["10.0.0.0/8"],
    });
    const id = String(made.keyId);
    const other = (await world.createWorkspace()).workspaceId;
    await expect(world.operator("key.rotate", { workspaceId: other, id })).rejects.toThrow(/no such credential/);
    const limited = await world.operator("key.limits", { workspaceId, id, allowedAddresses: null });
    expect(limited.allowedAddresses).toBeNull();
    expect((Date.parse(String(limited.expiresAt)) - Date.now()) / DAY_MS).toBeCloseTo(5, 2);
    const rotated = (await world.operator("key.rotate", { workspaceId, id })) as never as Made;
    expect((await from(rotated.apiKey, "198.51.100.1")).status).toBe(200);
  });
});
