import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Client {
  clientId: string;
  clientSecret: string;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

function requestToken(form: Record<string, string>, headers: Record<string, string> = {}) {
  const raw = new URLSearchParams(form).toString();
  return world.request("POST", "/api/oauth/token", { key: null, raw, headers: { ...FORM, ...headers } });
}

function grant({ clientId, clientSecret }: Client) {
  return requestToken({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });
}

async function makeClient(permissions: string[], more: object = {}): Promise<Client> {
  const body = { workspaceId: world.sample.workspaceId, permissions, ...more };
  return (await world.operator("client.create", body)) as unknown as Client;
}

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });

describe("Authentication", () => {
  test("1. an OAuth client has the prefix svc_client_ and the permissions that were selected", async () => {
    const client = await makeClient(["FLOWS_READ"]);
    expect(client.clientId).toMatch(/^svc_client_\w+$/);
    const { body } = await grant(client);
    const headers = bearer(body.access_token);
    expect((await world.request("GET", "/flows", { key: null, headers })).status).toBe(200);
    expect((await world.request("GET", "/call-jobs", { key: null, headers })).status).toBe(403);
  });

  test("1. client_id and client_secret are shown once: no list gives the secret again, and only its hash is stored", async () => {
    const client = await makeClient(["FLOWS_READ"]);
    const list = await world.operator("client.list", { workspaceId: world.sample.workspaceId });
    expect(JSON.stringify(list)).not.toContain(client.clientSecret);
    const stored = await world.database.query("select credentials::text as text from credentials");
    expect(JSON.stringify(stored)).not.toContain(client.clientSecret);
  });

  test("2. a workspace key starts with svc_live_ and never expires unless it has an expiry", async () => {
    const { workspaceId } = world.sample;
    const lasting = await world.operator("key.create", { workspaceId });
    const brief = await world.operator("key.create", { workspaceId, expiresInSeconds: 3_600 });
    expect([lasting.apiKey, lasting.expiresAt]).toEqual([expect.stringMatching(/^svc_live_/), null]);
    const leftMs = Date.parse(String(brief.expiresAt)) - Date.now();
    expect(leftMs).toBeGreaterThan(3_500_000);
    // The expiry goes by the database's clock.
    expect(leftMs).toBeLessThan(3_600_000 + 5_000);
    const key = String(brief.apiKey);
    expect((await world.request("GET", "/flows", { key })).status).toBe(200);
    await world.database.query("update credentials set expires_at = now() where id = $1", [brief.keyId]);
    expect((await world.request("GET", "/flows", { key })).status).toBe(401);
  });
});

describe("Token endpoint", () => {
  test("client credentials as form fields: access_token, token_type Bearer, expires_in, and no-store", async () => {
    const reply = await grant(world.sample.client);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      access_token: expect.any(String) as string,
      token_type: "Bearer",
      expires_in: expect.any(Number) as number,
    });
    expect([reply.headers.get("cache-control"), reply.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    const stored = await world.database.query("select access_tokens::text as text from access_tokens");
    expect(JSON.stringify(stored)).not.toContain(String(reply.body.access_token));
  });

  test("HTTP Basic with the client id and secret is also accepted, form-encoded or raw", async () => {
    const { clientId, clientSecret } = world.sample.client;
    const form = { grant_type: "client_credentials" };
    const encoded = clientId.replaceAll("_", "%5F");
    for (const id of [clientId, encoded]) {
      const reply = await requestToken(form, basic(id, clientSecret));
      expect([reply.status, reply.body.token_type]).toEqual([200, "Bearer"]);
    }
  });

  test("tokens are capped at 24 hours regardless of the configured lifetime", async () => {
    const { body } = await grant(await makeClient(["FLOWS_READ"], { tokenLifetimeSeconds: 864_000 }));
    expect(body.expires_in).toBe(86_400);
    const brief = await grant(await makeClient(["FLOWS_READ"], { tokenLifetimeSeconds: 60 }));
    expect(brief.body.expires_in).toBe(60);
  });

  test("revoking a client invalidates outstanding tokens on next use", async () => {
    const client = await makeClient(["FLOWS_READ"]);
    const { body } = await grant(client);
    const read = () => world.request("GET", "/flows", { key: null, headers: bearer(body.access_token) });
    expect((await read()).status).toBe(200);
    await world.operator("client.revoke", { clientId: client.clientId });
    expect((await read()).status).toBe(401);
    expect((await grant(client)).body.error).toBe("invalid_client");
  });

  test("errors are those of RFC 6749 section 5.2", async () => {
    const { clientId, clientSecret } = world.sample.client;
    const good = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const wrong = await requestToken({ ...good, client_secret: "wrong" });
    expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_client"]);
    expect(wrong.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    const otherGrant = await requestToken({ ...good, grant_type: "password" });
    expect([otherGrant.status, otherGrant.body.error]).toEqual([400, "unsupported_grant_type"]);
    const twoMethods = await requestToken(good, basic(clientId, clientSecret));
    expect([twoMethods.status, twoMethods.body.error]).toEqual([400, "invalid_request"]);
    const noGrant = await requestToken({ client_id: clientId, client_secret: clientSecret });
    expect([noGrant.status, noGrant.body.error]).toEqual([400, "invalid_request"]);
    const json = await world.request("POST", "/api/oauth/token", { key: null, body: good });
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
  });
});

describe("Presenting credentials", () => {
  test("the REST API takes X-API-Key or Authorization: Bearer", async () => {
    const { body } = await grant(world.sample.client);
    for (const headers of [{ "x-api-key": world.sample.apiKey }, bearer(body.access_token)]) {
      expect((await world.request("GET", "/flows", { key: null, headers })).status).toBe(200);
    }
  });

  test("the REST API takes no key in the query", async () => {
    const reply = await world.request("GET", `/flows?apiKey=${world.sample.apiKey}`, { key: null });
    expect(reply.status).toBe(401);
  });

  test("rule 1: X-API-Key takes precedence; Authorization is read only when no X-API-Key was sent", async () => {
    const { body } = await grant(world.sample.client);
    const good = bearer(body.access_token);
    expect((await world.request("GET", "/flows", { key: "svc_live_wrong", headers: good })).status).toBe(401);
    expect((await world.request("GET", "/flows", { headers: bearer("wrong") })).status).toBe(200);
  });

  test("an API key that is sent as an access token is refused with the header that takes it", async () => {
    const reply = await world.request("GET", "/flows", { key: null, headers: bearer(world.sample.apiKey) });
    expect([reply.status, reply.body.error]).toEqual([401, "Unauthorized"]);
    expect(reply.body.message).toContain("X-API-Key");
    const other = await world.request("GET", "/flows", { key: null, headers: bearer("nonsense") });
    expect(other.body).toEqual({ error: "Unauthorized" });
  });

  test("rule 2: a request with neither answers 401 with the spec's body and a Bearer challenge with a pointer", async () => {
    const reply = await world.request("GET", "/flows", { key: null });
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({ error: "Unauthorized", message: "Missing API key. Use X-API-Key header." });
    const challenge = reply.headers.get("www-authenticate") ?? "";
    const pointer = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? "";
    const metadata = await fetch(pointer).then((answer) => answer.json() as Promise<{ resource: string }>);
    expect(metadata.resource).toBe(`${world.url}/api/external/v1`);
  });

  test("rule 3: a client without permissions is refused by the REST API and the MCP server, and may answer tool tasks", async () => {
    const { body } = await grant(await makeClient([]));
    const headers = bearer(body.access_token);
    expect((await world.request("GET", "/flows", { key: null, headers })).status).toBe(403);
    expect((await world.request("GET", "/test/sync-echo", { key: null, headers })).status).toBe(403);
    const mcp = await world.request("POST", "/api/mcp", { key: null, headers, body: {} });
    expect(mcp.status).toBe(403);
    const answer = { toolTaskId: "nobody-knows-it", status: "COMPLETED" };
    const callback = await world.request("POST", "/api/webhooks/async-tool-task/response", {
      key: null,
      headers,
      body: answer,
    });
    expect(callback.status).toBe(404);
  });

  test("rule 4: permissions are read on every request, not from the token", async () => {
    const client = await makeClient(["FLOWS_READ", "TOOLS_READ"]);
    const { body } = await grant(client);
    const read = async (path: string) =>
      (await world.request("GET", path, { key: null, headers: bearer(body.access_token) })).status;
    expect([await read("/flows"), await read("/tools")]).toEqual([200, 200]);
    await world.operator("client.permissions", { clientId: client.clientId, permissions: ["TOOLS_READ"] });
    expect([await read("/flows"), await read("/tools")]).toEqual([403, 200]);
  });

  test("rule 5: OUTBOUND_CALLS_TRIGGER is needed to place calls; a token without it lists flows and reads history", async () => {
    const { body } = await grant(await makeClient(["FLOWS_READ", "CALL_HISTORY_READ"]));
    const headers = bearer(body.access_token);
    const call = { customerNumber: "+12025550100" };
    const refused = await world.request("POST", "/outbound/calls", { key: null, headers, body: call });
    expect([refused.status, refused.body.error]).toEqual([403, "Forbidden"]);
    expect((await world.request("GET", "/flows", { key: null, headers })).status).toBe(200);
    expect((await world.request("GET", "/call-history", { key: null, headers })).status).toBe(200);
    const caller = await grant(await makeClient(["OUTBOUND_CALLS_TRIGGER"]));
    const placed = await world.request("POST", "/outbound/calls", {
      key: null,
      headers: bearer(caller.body.access_token),
      body: call,
    });
    expect(placed.status).toBe(200);
  });

  test("rule 5: permissions are granted one by one for each area", async () => {
    const areas: [string, string][] = [
      ["CALL_JOBS", "/call-jobs"],
      ["CALL_HISTORY", "/call-history"],
      ["OUTBOUND_CHATS_TRIGGER", "/chat-sessions"],
      ["FLOWS", "/flows"],
      ["AGENTS", "/agents"],
      ["TOOLS", "/tools"],
      ["STRUCTURED_OUTPUTS", "/structured-outputs"],
      ["PHONE_NUMBERS", "/phone-numbers"],
      ["DATA_STORES", "/applications"],
      ["TRANSCRIPTIONS", "/metadata/fields"],
      ["BALANCE", "/balance"],
      ["REPORTS", "/automations"],
    ];
    for (const [area, path] of areas) {
      const { body } = await grant(await makeClient([area]));
      for (const [, other] of areas) {
        const url = other === "/metadata/fields" ? "/api/external/v1/metadata/fields" : other;
        const { status } = await world.request("GET", url, { key: null, headers: bearer(body.access_token) });
        expect(status, `${area} on ${other}`).toBe(other === path ? 200 : 403);
      }
    }
  });
});

describe("Discovery and registration", () => {
  test("the protected resources and the authorization server publish their metadata", async () => {
    for (const suffix of ["", "/api/mcp", "/api/external/v1"]) {
      const { status, body } = await world.request("GET", `/.well-known/oauth-protected-resource${suffix}`, {
        key: null,
      });
      expect([status, body.resource, body.authorization_servers]).toEqual([200, world.url + suffix, [world.url]]);
    }
    const { body } = await world.request("GET", "/.well-known/oauth-authorization-server", { key: null });
    expect(body).toMatchObject({
      issuer: world.url,
      token_endpoint: `${world.url}/api/oauth/token`,
      grant_types_supported: ["client_credentials"],
    });
  });

  test("there is no dynamic registration, no assertion flow, and no endpoint that mints credentials", async () => {
    const { body } = await world.request("GET", "/.well-known/oauth-authorization-server", { key: null });
    expect(Object.keys(body)).not.toContain("registration_endpoint");
    for (const path of ["/api/oauth/register", "/register", "/api/oauth/clients", "/api/external/v1/api-keys"]) {
      expect((await world.request("POST", path, { body: {} })).status, path).toBe(404);
    }
    const jwt = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    expect((await requestToken({ grant_type: jwt, assertion: "x" })).status).toBe(401);
    const { clientId, clientSecret } = world.sample.client;
    const assertion = await requestToken({ grant_type: jwt, client_id: clientId, client_secret: clientSecret });
    expect(assertion.body.error).toBe("unsupported_grant_type");
    const { body: document } = await world.request("GET", "/openapi.json", { key: null });
    const minting = Object.keys(document.paths as object).filter((path) =>
      /key|credential|client|register/i.test(path.replaceAll(/\{\w+\}/g, "")),
    );
    expect(minting).toEqual([]);
  });
});
