import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ClientCredentialsProvider as OldProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

// The library refuses plain http unless this option allows it.
const insecure = { [oauth.allowInsecureRequests]: true };

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(world.url);
  const reply = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  return oauth.processDiscoveryResponse(issuer, reply);
}

async function makeClient(permissions: string[]): Promise<{ clientId: string; clientSecret: string }> {
  const body = { workspaceId: world.sample.workspaceId, permissions };
  return (await world.operator("client.create", body)) as { clientId: string; clientSecret: string };
}

async function grant(clientId: string, authentication: oauth.ClientAuth): Promise<oauth.TokenEndpointResponse> {
  const server = await discover();
  const client = { client_id: clientId };
  const params = new URLSearchParams({ resource: `${world.url}/api/mcp` });
  const reply = await oauth.clientCredentialsGrantRequest(server, client, authentication, params, insecure);
  return oauth.processClientCredentialsResponse(server, client, reply);
}

const readFlows = (token: string) =>
  oauth.protectedResourceRequest(
    token,
    "GET",
    new URL(`${world.url}/api/external/v1/flows`),
    undefined,
    null,
    insecure,
  );

describe("oauth4webapi, unmodified", () => {
  test.each(["/api/mcp", "/api/external/v1", ""])(
    "GET /.well-known/oauth-protected-resource: finds the authorization server of the resource %s",
    async (path) => {
      const resource = new URL(world.url + path);
      const reply = await oauth.resourceDiscoveryRequest(resource, insecure);
      const metadata = await oauth.processResourceDiscoveryResponse(resource, reply);
      expect([metadata.authorization_servers, metadata.bearer_methods_supported]).toEqual([[world.url], ["header"]]);
    },
  );

  test("GET /.well-known/oauth-authorization-server: publishes metadata, and no registration_endpoint", async () => {
    const server = await discover();
    expect(server).toMatchObject({
      issuer: world.url,
      token_endpoint: `${world.url}/api/oauth/token`,
      grant_types_supported: ["client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    });
    expect(server).not.toHaveProperty("registration_endpoint");
  });

  test.each([
    ["form fields", oauth.ClientSecretPost],
    ["HTTP Basic", oauth.ClientSecretBasic],
  ])("POST /api/oauth/token with %s: a Bearer token that the REST API takes", async (_title, authentication) => {
    const { clientId, clientSecret } = world.sample.client;
    const granted = await grant(clientId, authentication(clientSecret));
    expect([granted.token_type, typeof granted.expires_in]).toEqual(["bearer", "number"]);
    expect(granted.expires_in).toBeLessThanOrEqual(86_400);
    expect((await readFlows(granted.access_token)).status).toBe(200);
  });

  test.each([
    ["form fields", oauth.ClientSecretPost],
    ["HTTP Basic", oauth.ClientSecretBasic],
  ])("a wrong secret with %s: invalid_client with a challenge", async (_title, authentication) => {
    const failed = await grant(world.sample.client.clientId, authentication("wrong")).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    expect((failed as oauth.WWWAuthenticateChallengeError).status).toBe(401);
  });

  test("another grant: unsupported_grant_type", async () => {
    const server = await discover();
    const { clientId, clientSecret } = world.sample.client;
    const client = { client_id: clientId };
    const authentication = oauth.ClientSecretPost(clientSecret);
    const type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const params = new URLSearchParams({ assertion: "x" });
    const reply = await oauth.genericTokenEndpointRequest(server, client, authentication, type, params, insecure);
    const failed = await oauth
      .processGenericTokenEndpointResponse(server, client, reply)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(oauth.ResponseBodyError);
    expect((failed as oauth.ResponseBodyError).error).toBe("unsupported_grant_type");
  });

  test("a token that is not valid: a Bearer challenge with a resource_metadata pointer", async () => {
    const failed = await readFlows("nonsense").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    const [challenge] = (failed as oauth.WWWAuthenticateChallengeError).cause;
    expect(challenge).toMatchObject({
      scheme: "bearer",
      parameters: {
        error: "invalid_token",
        resource_metadata: `${world.url}/.well-known/oauth-protected-resource/api/external/v1`,
      },
    });
  });

  test("permissions are read on every request: narrowing and revoking take effect on the next one", async () => {
    const { clientId, clientSecret } = await makeClient(["FLOWS_READ", "BALANCE_READ"]);
    const { access_token: token } = await grant(clientId, oauth.ClientSecretBasic(clientSecret));
    expect((await readFlows(token)).status).toBe(200);
    await world.operator("client.permissions", { clientId, permissions: ["BALANCE_READ"] });
    const refused = await readFlows(token).catch((error: unknown) => error);
    const [challenge] = (refused as oauth.WWWAuthenticateChallengeError).cause;
    expect([(refused as oauth.WWWAuthenticateChallengeError).status, challenge?.parameters]).toEqual([
      403,
      expect.objectContaining({ error: "insufficient_scope", scope: "FLOWS_READ" }),
    ]);
    await world.operator("client.permissions", { clientId, permissions: ["FLOWS"] });
    expect((await readFlows(token)).status).toBe(200);
    await world.operator("client.revoke", { clientId });
    await expect(readFlows(token)).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    await expect(grant(clientId, oauth.ClientSecretBasic(clientSecret))).rejects.toThrow();
  });
});

/** Methods that both MCP SDKs offer a test. */
interface AnyClient {
  callTool(call: { name: string; arguments: object }): Promise<{ isError?: unknown; content?: unknown }>;
  close(): Promise<void>;
}

type Connect = (clientId: string, clientSecret: string) => Promise<AnyClient>;

const connectNew: Connect = async (clientId, clientSecret) => {
  const client = new Client({ name: "test", version: "1" });
  const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: world.url });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/api/mcp`), { authProvider }));
  return client as AnyClient;
};

const connectOld: Connect = async (clientId, clientSecret) => {
  const client = new OldClient({ name: "test", version: "1" });
  const authProvider = new OldProvider({ clientId, clientSecret, expectedIssuer: world.url });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(new OldTransport(new URL(`${world.url}/api/mcp`), { authProvider }) as never);
  return client as unknown as AnyClient;
};

describe.each([
  ["client 2.4", connectNew],
  ["sdk 1.32", connectOld],
])("the MCP SDK's client-credentials provider, unmodified: %s", (_title, connect) => {
  test("gets a token from the 401 of /api/mcp alone and calls tools", async () => {
    const { clientId, clientSecret } = world.sample.client;
    const client = await connect(clientId, clientSecret);
    const result = await client.callTool({ name: "list_flows", arguments: {} });
    expect(result.isError).toBeFalsy();
    expect(JSON.stringify(result.content)).toContain(world.sample.flow.apiId);
    await client.close();
  });

  test("narrowing the client refuses the tool on the next call; a client without permissions is refused", async () => {
    const { clientId, clientSecret } = await makeClient(["FLOWS_READ"]);
    const client = await connect(clientId, clientSecret);
    await world.operator("client.permissions", { clientId, permissions: ["BALANCE_READ"] });
    const result = await client.callTool({ name: "list_flows", arguments: {} });
    expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.stringContaining("FLOWS_READ")]);
    await world.operator("client.permissions", { clientId, permissions: [] });
    await expect(client.callTool({ name: "list_flows", arguments: {} })).rejects.toThrow(/403|Forbidden/);
    await client.close();
  });

  test("a wrong secret gets no token", async () => {
    await expect(connect(world.sample.client.clientId, "wrong")).rejects.toThrow();
  });
});

describe("scopes and resources", () => {
  const ask = async (more: [string, string][], permissions = ["FLOWS_READ", "TOOLS_READ"]) => {
    const { clientId, clientSecret } = await makeClient(permissions);
    const form = new URLSearchParams([
      ["grant_type", "client_credentials"],
      ["client_id", clientId],
      ["client_secret", clientSecret],
      ...more,
    ]);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return world.request("POST", "/api/oauth/token", { key: null, raw: form.toString(), headers });
  };

  test("a scope that is asked for is answered with what the client may; nonsense is refused", async () => {
    const { body } = await ask([["scope", "FLOWS_READ BALANCE_READ"]]);
    expect(String(body.scope).split(" ").toSorted()).toEqual(["FLOWS_READ", "TOOLS_READ"]);
    expect((await ask([])).body).not.toHaveProperty("scope");
    const refused = await ask([["scope", "nonsense"]]);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_scope"]);
  });

  test("a resource of somebody else is refused", async () => {
    const refused = await ask([["resource", "https://evil.example/"]]);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_target"]);
    const own = await ask(["", "/", "/api/mcp", "/api/external/v1"].map((path) => ["resource", world.url + path]));
    expect(own.status).toBe(200);
  });

  test("no parameter may be there twice, known or not", async () => {
    const refused = await ask([
      ["any", "1"],
      ["any", "1"],
    ]);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_request"]);
  });

  test("the metadata names the scopes, and a 403 the one that is missing", async () => {
    for (const path of ["oauth-authorization-server", "oauth-protected-resource/api/external/v1"]) {
      const { body } = await world.request("GET", `/.well-known/${path}`, { key: null });
      expect(body.scopes_supported).toContain("OUTBOUND_CALLS_TRIGGER");
    }
    const { body } = await ask([]);
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    const refused = await world.request("GET", "/balance", { key: null, headers });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_scope", scope="BALANCE_READ"/);
  });
});
