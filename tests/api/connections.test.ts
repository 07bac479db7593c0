import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AgentHarness } from "../kit/agent-harness.ts";
import { ConnectionHarness } from "../kit/connected-apps/connection-harness.ts";
import type { Vendor } from "../kit/connected-apps/oauth-rules.ts";
import type { VendorServer } from "../kit/connected-apps/vendor-server.ts";
import { inviteMember } from "../kit/console-harness.ts";
import { ToolHarness } from "../kit/tool-harness.ts";
import type { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let agent: AgentHarness;
let world: World;
let harness: ConnectionHarness;
/** Another node of the installation. */
let node: ToolHarness;
const servers: VendorServer[] = [];
beforeAll(async () => {
  agent = await AgentHarness.open();
  world = agent.world;
  harness = await ConnectionHarness.open(world);
  node = new ToolHarness(world);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await agent[Symbol.asyncDispose]();
});

async function startVendor(vendor: Vendor): Promise<VendorServer> {
  const server = await harness.startVendor(vendor);
  servers.push(server);
  return server;
}

const read = (id: string) => harness.ask("GET", `/connections/${id}`);
const SLOTS = { start: "2026-12-01", end: "2026-12-02" };

/** A connected Cal.com account, which replaces refresh tokens, and its tool `list_slots`. */
async function withSlots(expiresIn?: number) {
  const server = await startVendor("CAL_COM");
  if (expiresIn !== undefined) server.expiresIn = expiresIn;
  const id = await harness.connect("CAL_COM", server);
  const { list_slots: toolId = "" } = await harness.install("cal-com", id, { eventTypeId: "123" });
  return { server, id, toolId, list: () => harness.run(toolId, SLOTS) };
}

describe("a connection", () => {
  test("is made, signed in to and used in a call; the model never gets its token", async () => {
    const server = await startVendor("GOOGLE");
    const made = await harness.make("GOOGLE", server);
    expect(await read(made)).toMatchObject({ state: "NOT_CONNECTED", clientSecret: "********" });
    const ended = await harness.end(await harness.consent(server, made));
    expect(ended.body).toMatchObject({ state: "CONNECTED", connectedBy: "owner@example.com", failure: null });
    const { create_event: toolId = "" } = await harness.install("google-calendar", made);
    const time = { start: "2026-12-01T11:00:00", end: "2026-12-01T11:30:00" };
    agent.callOnce("create_event", { summary: "Viewing", ...time });
    const row = await agent.call({ toolIds: [toolId] });
    expect(row).toMatchObject({ status: "COMPLETED" });
    expect(server.calls).toMatchObject([{ method: "POST", body: { summary: "Viewing" } }]);
    const seen = JSON.stringify([row, agent.model.asked]);
    for (const secret of server.secrets) expect(seen).not.toContain(secret);
  });

  test("tells the redirect URI to register", async () => {
    const { body } = await world.request("GET", "/connection-providers");
    const providers = body as unknown as Json[];
    expect(providers.map(({ provider }) => provider)).toContain("SALESFORCE");
    expect(new Set(providers.map(({ redirectUri }) => redirectUri))).toEqual(
      new Set([`${world.url}/connections/callback`]),
    );
  });

  test("is deleted with its grant; tools that name it say so", async () => {
    const server = await startVendor("HUBSPOT");
    const id = await harness.connect("HUBSPOT", server);
    const { find_contact: tool } = await harness.install("hubspot", id);
    expect(await harness.ask("DELETE", `/connections/${id}`)).toEqual({ revoked: true });
    expect(server.revoked).toEqual([expect.stringMatching(/^refresh-/)]);
    const run = await harness.run(tool, { property: "email", value: "ada@example.com" });
    expect(run).toMatchObject({ outcome: "FAILED", errorCode: "CONNECTION_MISSING" });
    expect(server.calls).toEqual([]);
    // It can still be saved as it is read.
    const { description } = await harness.ask("GET", `/tools/${tool}`);
    await harness.ask("PUT", `/tools/${tool}`, { description, connectionId: id });
  });

  test("belongs to its workspace and is written by those who may write tools", async () => {
    const { id, toolId } = await withSlots();
    const { apiKey: key, workspaceId } = await world.createWorkspace();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: { name: "Mine" } } : {};
      expect((await world.request(method, `/connections/${id}`, { key, ...body })).status, method).toBe(404);
    }
    expect((await world.request("GET", "/connections", { key })).body).toEqual([]);
    const tool = {
      name: "t",
      description: "d",
      toolType: "API",
      apiMethod: "GET",
      apiUrl: "https://api.cal.com/v2/me",
    };
    const named = await world.request("POST", "/tools", { key, body: { ...tool, connectionId: id } });
    expect(named.status).toBe(404);
    const stranger = await inviteMember(world, workspaceId, "OWNER");
    expect((await stranger.ask("POST", `${harness.path}/connections/${id}/sign-in`)).status).toBe(404);
    const viewer = await inviteMember(world, world.sample.workspaceId, "VIEWER");
    expect((await viewer.ask("GET", `${harness.path}/connections`)).status).toBe(200);
    expect((await viewer.ask("POST", `${harness.path}/connections/${id}/sign-in`)).status).toBe(403);
    expect((await viewer.ask("PUT", `${harness.path}/connections/${id}`, { name: "X" })).status).toBe(403);
    // An import elsewhere does without it, and says so.
    const flow = await agent.make("/flows", agent.flow({ name: "Slots", toolIds: [toolId] }));
    const { body: document } = await world.request("GET", `/flows/${String(flow.id)}/export`);
    const imported = await world.request("POST", "/flows/import", { key, body: document });
    const unresolved = imported.body.unresolved as Json[];
    expect(unresolved).toContainEqual({ path: "tools.0.connectionId", value: id });
  });
});

describe("a token that ends", () => {
  test.each([
    ["is about to", 30],
    ["was ended early", undefined],
  ])("and %s, is refreshed once, though ten calls on two nodes ask at once", async (_, expiresIn) => {
    const { server, id, toolId, list } = await withSlots(expiresIn);
    server.expiresIn = 1_800;
    if (expiresIn === undefined) server.endAccess();
    const run = await node.open([toolId]);
    const runs = Array.from({ length: 5 }, () => [list(), run("list_slots", SLOTS)]).flat();
    const ends = (await Promise.all(runs)).map((end) => ("outcome" in end ? end.outcome : end.kind));
    expect(ends).toEqual(Array.from({ length: 10 }, () => "VALUE"));
    expect(server.refreshes).toHaveLength(1);
    expect(server.calls).toHaveLength(10);
    expect(await read(id)).toMatchObject({ state: "CONNECTED", refreshedAt: expect.any(String) });
    // The refresh token that came with it is the one that counts next.
    server.endAccess();
    expect(await list()).toMatchObject({ outcome: "VALUE" });
    expect(new Set(server.refreshes).size).toBe(2);
  });

  test("and is not renewed, ends the connection until somebody signs in again", async () => {
    const { server, id, toolId, list } = await withSlots();
    server.takeBackConsent();
    const run = await node.open([toolId]);
    const failed = await run("list_slots", SLOTS);
    expect(failed).toMatchObject({ kind: "FAILED", code: "CONNECTION_NEEDS_SIGN_IN" });
    expect(failed).toHaveProperty("message", expect.stringContaining("needs a sign-in by the operator"));
    await Promise.all([list(), list()]);
    expect(server.refreshes).toHaveLength(1);
    const failure = "The provider refused the refresh (invalid_grant).";
    expect(await read(id)).toMatchObject({ state: "NEEDS_SIGN_IN", failure });
    const events = await world.database.query<{ data: Json }>(
      `select data from events where type = 'connection.needs_sign_in' and subject_id = '${id}'`,
    );
    expect(events).toEqual([{ data: { name: "My CAL_COM", provider: "CAL_COM", failure } }]);
    expect(node.log.filter((line) => line.includes("needs a new sign-in"))).toHaveLength(1);
    expect((await harness.end(await harness.consent(server, id))).body).toMatchObject({
      state: "CONNECTED",
      failure: null,
    });
    expect(await list()).toMatchObject({ outcome: "VALUE" });
  });

  test("while the provider is down, serves as long as it lives; nobody has to sign in again", async () => {
    const { server, id, list } = await withSlots(30);
    server.isDown = true;
    expect(await list()).toMatchObject({ outcome: "VALUE" });
    server.endAccess();
    expect(await list()).toMatchObject({ errorCode: "CONNECTION_UNAVAILABLE" });
    server.isDown = false;
    server.isGarbled = true;
    expect(await list()).toMatchObject({ errorCode: "CONNECTION_UNAVAILABLE" });
    server.isGarbled = false;
    expect(await read(id)).toMatchObject({ state: "CONNECTED" });
    expect(await list()).toMatchObject({ outcome: "VALUE" });
  });

  test("without a refresh token, as Slack's, needs a sign-in", async () => {
    const server = await startVendor("SLACK");
    const id = await harness.connect("SLACK", server);
    const { post_to_slack: tool } = await harness.install("slack", id, { channel: "C1" });
    server.takeBackConsent();
    expect(await harness.run(tool, { message: "Hi" })).toMatchObject({ errorCode: "CONNECTION_NEEDS_SIGN_IN" });
    expect(await read(id)).toMatchObject({ state: "NEEDS_SIGN_IN", failure: "The provider refused the token." });
  });
});

describe("a sign-in", () => {
  const refused = { status: 422, body: { code: "VALIDATION_FAILED" } };

  test("is good once, in the session and workspace that began it", async () => {
    const server = await startVendor("GOOGLE");
    const id = await harness.make("GOOGLE", server);
    const back = await harness.consent(server, id);
    const builder = await inviteMember(world, world.sample.workspaceId, "BUILDER");
    expect(await harness.end(back, builder)).toMatchObject(refused);
    const { workspaceId } = await world.createWorkspace();
    const elsewhere = await inviteMember(world, workspaceId, "OWNER");
    expect(await harness.end(back, elsewhere, `/workspaces/${workspaceId}`)).toMatchObject(refused);
    expect((await harness.end(back, elsewhere)).status).toBe(404);
    expect(await harness.end({ ...back, state: `${String(back.state)}x` })).toMatchObject(refused);
    expect(await read(id)).toMatchObject({ state: "NOT_CONNECTED" });
    expect((await harness.end(back)).status).toBe(200);
    expect(await harness.end(back)).toMatchObject(refused);
  });

  test("ends when its time is over, the connection changes, or the provider says no", async () => {
    const server = await startVendor("GOOGLE");
    const id = await harness.make("GOOGLE", server);
    const late = await harness.consent(server, id);
    await world.database.query("update connection_sign_ins set expires_at = now() - interval '1 second'");
    expect(await harness.end(late)).toMatchObject(refused);
    const changed = await harness.consent(server, id);
    await harness.ask("PUT", `/connections/${id}`, { name: "Other" });
    expect(await harness.end(changed)).toMatchObject(refused);
    const { state } = await harness.consent(server, id);
    const denied = await harness.end({ state, error: "access_denied" });
    expect(denied).toMatchObject({ status: 422, body: { message: expect.stringContaining("access_denied") } });
    const mixed = await harness.consent(server, id);
    expect(await harness.end({ ...mixed, iss: "https://accounts.example.com" })).toMatchObject(refused);
    const down = await harness.consent(server, id);
    server.isDown = true;
    expect((await harness.end(down)).status).toBe(503);
    expect(await read(id)).toMatchObject({ state: "NOT_CONNECTED" });
  });

  test("with a wrong secret says what to check", async () => {
    const server = await startVendor("GOOGLE");
    const id = await harness.make("GOOGLE", server, { clientSecret: "wrong-secret" });
    const reply = await harness.end(await harness.consent(server, id));
    expect(reply).toMatchObject({ status: 422, body: { message: expect.stringContaining("invalid_client") } });
    await harness.ask("PUT", `/connections/${id}`, { clientSecret: server.clientSecret });
    expect((await harness.end(await harness.consent(server, id))).status).toBe(200);
  });
});

describe("a token", () => {
  test("goes to its provider's servers alone", async () => {
    const { id, toolId } = await withSlots();
    const change = (body: Json) => world.request("PUT", `/tools/${toolId}`, { body });
    const elsewhere = await change({ apiUrl: `${agent.server.url}/v2/slots` });
    expect(elsewhere).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^apiUrl: must be at http/) },
    });
    expect((await change({ apiHeaders: { authorization: "Bearer mine" } })).status).toBe(422);
    const mcp = { name: "m", description: "d", toolType: "MCP", apiUrl: agent.server.url, connectionId: id };
    expect((await world.request("POST", "/tools", { body: mcp })).status).toBe(422);
    const file = {
      name: "f",
      description: "d",
      toolType: "API",
      apiMethod: "GET",
      apiUrl: `${agent.server.url}/slots`,
      id: randomUUID(),
    };
    const push = async (connectionId: string) => {
      const body = { dryRun: true, tools: [{ ...file, connectionId }] };
      return (await world.request("POST", "/flows/apply", { body })).status;
    };
    expect([await push(id), await push(randomUUID())]).toEqual([422, 404]);
    // A template in the host is known when it is filled in.
    const { port } = new URL(agent.server.url);
    const apiUrl = `http://{{ host }}:${port}/v2/slots`;
    const parameters = [{ name: "host", type: "string" }];
    const { status } = await change({ apiUrl, parameters, networkAllowList: ["127.0.0.1"] });
    expect(status).toBe(200);
    agent.server.requests.length = 0;
    expect(await harness.run(toolId, { host: "127.0.0.1" })).toMatchObject({ errorCode: "HOST_NOT_ALLOWED" });
    expect(agent.server.requests).toEqual([]);
  });

  test("is dropped when the connection's address changes, and the secret must be given again", async () => {
    const { server, id, toolId, list } = await withSlots();
    const path = `/connections/${id}`;
    const baseUrl = agent.server.url;
    const change = (body: Json) => world.request("PUT", path, { body });
    expect(await change({ baseUrl })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^clientSecret/) },
    });
    expect((await change({ baseUrl, clientSecret: "********" })).status).toBe(422);
    expect((await change({ clientId: "other" })).status).toBe(422);
    expect(await list()).toMatchObject({ outcome: "VALUE" });
    agent.server.requests.length = 0;
    expect((await change({ baseUrl, clientSecret: "new-secret" })).body).toMatchObject({ state: "NOT_CONNECTED" });
    expect(await list()).toMatchObject({ errorCode: "CONNECTION_NEEDS_SIGN_IN" });
    expect(agent.server.requests).toEqual([]);
    expect(server.calls).toHaveLength(1);
    // Its tools can still be changed, but for the address.
    const tool = (body: Json) => world.request("PUT", `/tools/${toolId}`, { body });
    expect((await tool({ description: "Later." })).status).toBe(200);
    expect((await tool({ apiUrl: `${server.origin}/v2/slots` })).status).toBe(422);
  });

  test("is in no list, log, audit entry, trial or row of the database", async () => {
    const { server, id, toolId, list } = await withSlots(30);
    await list();
    const trial = await harness.ask("POST", `/tools/${toolId}/run`, { input: SLOTS });
    expect(JSON.stringify(trial)).toContain('"authorization":"********"');
    const shown = [trial, await read(id), await harness.ask("GET", "/connections"), await harness.ask("GET", "/tools")];
    shown.push(await harness.ask("GET", "/audit-log?size=200"), await harness.ask("GET", "/request-log?size=200"));
    const tables = await world.database.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    for (const { name } of tables)
      shown.push(...(await world.database.query<Json>(`select row_to_json(t)::text from "${name}" t`)));
    const text = JSON.stringify(shown) + node.log.join("\n");
    expect(server.secrets.size).toBeGreaterThan(5);
    for (const secret of server.secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  test("of any other provider goes in the header that it wants, and is masked where it is echoed", async () => {
    const apiKey = "custom-key-0123456789";
    const custom = { apiOrigins: [agent.server.url], keyHeader: "X-Api-Key" };
    const own = { name: "Own", provider: "CUSTOM", method: "API_KEY", apiKey, custom };
    const { id } = await harness.ask("POST", "/connections", own);
    agent.server.answer = (request, response) => response.end(`you sent ${String(request.headers["x-api-key"])}`);
    const tool = { name: "own", description: "d", toolType: "API", apiMethod: "GET", apiUrl: `${agent.server.url}/me` };
    const { id: toolId } = await harness.ask("POST", "/tools", { ...tool, connectionId: id });
    expect(await harness.run(String(toolId))).toMatchObject({ content: "you sent ********" });
    expect(agent.server.last.headers).toMatchObject({ "x-api-key": apiKey });
    expect(agent.server.last.headers.authorization).toBeUndefined();
  });
});

test.each<[string, Json]>([
  ["name", { provider: "GOOGLE", clientId: "c" }],
  ["provider", { name: "n" }],
  ["clientId", { name: "n", provider: "GOOGLE" }],
  ["method", { name: "n", provider: "GOOGLE", method: "API_KEY", apiKey: "k" }],
  ["apiKey", { name: "n", provider: "CAL_COM", method: "API_KEY" }],
  ["apiKey", { name: "n", provider: "CAL_COM", method: "API_KEY", apiKey: "********" }],
  ["apiKey", { name: "n", provider: "CAL_COM", method: "API_KEY", apiKey: "a\nb" }],
  ["clientSecret", { name: "n", provider: "GOOGLE", clientId: "c", clientSecret: "********" }],
  ["custom", { name: "n", provider: "CUSTOM", clientId: "c" }],
  [
    "custom.tokenUrl",
    {
      name: "n",
      provider: "CUSTOM",
      clientId: "c",
      custom: { authorizationUrl: "https://a.example/x", apiOrigins: ["https://a.example"] },
    },
  ],
  [
    "custom.apiOrigins.0",
    { name: "n", provider: "CUSTOM", method: "API_KEY", apiKey: "k", custom: { apiOrigins: ["https://a.example/v1"] } },
  ],
  [
    "apiKey",
    {
      name: "n",
      provider: "CUSTOM",
      method: "API_KEY",
      apiKey: "k",
      custom: { apiOrigins: ["https://a.example"], keyHeader: "Proxy-Authorization" },
    },
  ],
  ["baseUrl", { name: "n", provider: "GOOGLE", clientId: "c", baseUrl: "http://accounts.example.com" }],
  ["baseUrl", { name: "n", provider: "GOOGLE", clientId: "c", baseUrl: "http://169.254.169.254" }],
])("a connection without a right %s is refused", async (field, body) => {
  const reply = await world.request("POST", "/connections", { body });
  expect(reply.status, reply.text).toBe(422);
  expect(String(reply.body.message)).toMatch(new RegExp(`^${field.replaceAll(".", "[.]")}:? `));
});

test("a header name of half a million characters is refused at once", async () => {
  const custom = { apiOrigins: ["https://a.example"], keyHeader: `i${"-Key-".repeat(100_000)}!` };
  const reply = await world.request("POST", "/connections", { body: { name: "n", provider: "CUSTOM", custom } });
  expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining("custom.keyHeader")]);
});
