import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RequestOptions, type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
beforeAll(async () => {
  world = await World.start();
  full.applicationId = world.sample.application.id;
  stranger = await world.createWorkspace();
});
afterAll(() => world[Symbol.asyncDispose]());

const UUID = "0d5e1a52-7c9a-4f5e-8a53-4e6f3f3b7c11";
const OTHER = "7a3c8a2b-8c55-4f0d-9a52-0f0d6f1f9b22";
const minimal = {
  name: "look_up_order",
  description: "Finds an order.",
  toolType: "API",
  apiMethod: "POST",
  apiUrl: "https://api.example.com/orders/{{ orderId }}",
};

/** Every field of the spec's table that a caller owns, with a value that is not the default. */
const full = {
  ...minimal,
  groupName: "Orders",
  iconKey: "box",
  iconColor: "#2f6f4f",
  parameters: [
    { name: "orderId", type: "string", description: "Its number.", required: true, pattern: "^[0-9]{4,10}$" },
    { name: "status", type: "string", enumValues: ["OPEN", "SHIPPED"], defaultValue: "OPEN", source: "CONSTANT" },
    { name: "lines", type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
  ],
  returnValue: { type: "object", schema: { type: "object", properties: {} }, path: "data", saveToVariable: "order" },
  toolSubtype: "REST",
  isAsync: true,
  internalOnly: false,
  asyncReturnType: "JSON",
  messages: { start: "One moment.", delayed: "Still looking.", delayedAfterMs: 2_000, success: "", failure: "Sorry." },
  executionPlan: [
    { id: "find", type: "API" },
    { id: "shape", type: "CODE", code: "find.rows[0]", ownNote: { kept: true } },
  ],
  integrations: [{ key: "crm", provider: "example", config: { region: "eu" } }],
  integrationCredentialLinks: [{ integrationKey: "crm", credentialId: "c-1" }],
  forwardCallConfig: { mode: "WARM", destinationType: "PHONE", destination: "+12025550123", ringTimeoutSeconds: 20 },
  aimetaHint: { whenToUse: "When asked.", examples: ["Where is my order?", { input: 1 }], priority: 3 },
  apiTimeoutSeconds: 10,
  toolCallTimeoutSeconds: 20,
  requiresConfirmedTranscript: true,
  confirmedTranscriptTimeoutMs: 1_500,
  proactiveLookupEnabled: true,
  prompts: [{ key: "after", role: "SYSTEM", content: "Read it out.", language: "en-GB" }],
  toolResultCacheConfig: { enabled: true, scope: "CONTACT", ttlSeconds: 60, keyParameters: ["orderId"] },
  toolConcurrencyConfig: { enabled: true, scope: "TOOL", maxConcurrent: 2, queueTimeoutMs: 100, onLimit: "FALLBACK" },
  concurrencyLimitFallbackMessage: "Busy.",
  mockConfig: { enabled: false, result: { a: null }, cases: [{ when: { orderId: "1" }, error: "gone" }] },
  apiHeaders: { Accept: "application/json", "X-Region": "{{ region }}" },
  apiBody: { id: "{{ orderId }}", nested: { list: [1, 2.5, null] } },
  sourceBuiltinToolKey: "orders",
  applicationType: "SHOP",
  requiresFollowUp: true,
  hideFromChatTimeline: true,
  discloseOutputSchema: true,
  requiresSandbox: false,
  anonymizeInChatTimeline: true,
  haltOnStepError: true,
  tags: ["orders"],
  catalogInclusionModes: ["DEFAULT"],
  networkAllowList: ["api.example.com", "*.example.org:8443"],
  apiBodyOmitsNulls: true,
  connectionId: null,
  /** The sample's. */
  applicationId: "",
};
/** The rest of the spec's table. */
const OWNED_BY_SERVER = "id isSystem userId version createdAt updatedAt createdByAi creatorAgentId creatorFlowId".split(
  " ",
);

const create = (body: object, options: RequestOptions = {}) => world.request("POST", "/tools", { body, ...options });
async function make(body: object = minimal): Promise<Record<string, unknown>> {
  const reply = await create(body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}
const paths = (body: Record<string, unknown>) => (body.details as { path: string }[]).map((fault) => fault.path);

describe("POST /tools: 201 with the whole ToolDefinition", () => {
  test("every field of the table, as sent", async () => {
    const tool = await make(full);
    expect(tool).toMatchObject(full);
    expect(Object.keys(tool).toSorted()).toEqual([...Object.keys(full), ...OWNED_BY_SERVER].toSorted());
    expect(tool).toMatchObject({ isSystem: false, version: 1, createdByAi: false, creatorAgentId: null, userId: null });
  });

  test("what is not sent is null", async () => {
    const tool = await make();
    expect(Object.keys(tool).toSorted()).toEqual([...Object.keys(full), ...OWNED_BY_SERVER].toSorted());
    const unset = Object.keys(full).filter((name) => !(name in minimal));
    expect(unset.filter((name) => tool[name] !== null)).toEqual([]);
  });

  test("server-owned fields in the body are ignored, whatever they hold", async () => {
    const tool = await make({ ...minimal, id: 7, isSystem: true, version: "x", createdByAi: true, creatorFlowId: [] });
    expect(tool).toMatchObject({ isSystem: false, version: 1, createdByAi: false, creatorFlowId: null });
  });

  test.each(["name", "description", "toolType", "apiUrl", "apiMethod"])(
    "422 names %s when it is missing",
    async (name) => {
      const reply = await create({ ...minimal, [name]: null });
      expect([reply.status, paths(reply.body)]).toEqual([422, [name]]);
    },
  );

  test.each([
    ["a name that is no function name", { name: "look up" }, "name"],
    ["an unknown type", { toolType: "MAGIC" }, "toolType"],
    ["a timeout out of range", { apiTimeoutSeconds: 121 }, "apiTimeoutSeconds"],
    ["a pattern that does not compile", { parameters: [{ name: "a", type: "string", pattern: "(" }] }, "parameters.0"],
    [
      "two parameters of one name",
      { parameters: [1, 2].map(() => ({ name: "a", type: "string" })) },
      "parameters.1.name",
    ],
    ["a host that is none", { networkAllowList: ["http://x"] }, "networkAllowList.0"],
    ["a URL inside the network", { apiUrl: "http://169.254.169.254/latest" }, "apiUrl"],
    ["a mask of nothing", { apiHeaders: { Authorization: "********" } }, "apiHeaders.Authorization"],
  ])("422 for %s", async (_what, change, path) => {
    const reply = await create({ ...minimal, ...change });
    expect(reply.status, reply.text).toBe(422);
    expect(paths(reply.body)[0]).toContain(path);
  });

  test("400 for a field of another type", async () => {
    const reply = await create({ ...minimal, isAsync: "yes", apiTimeoutSeconds: 1.5 });
    expect([reply.status, paths(reply.body).toSorted()]).toEqual([400, ["apiTimeoutSeconds", "isAsync"]]);
  });

  test("404 for a tool that a plan names and that does not exist here", async () => {
    const foreign = (await create(minimal, { key: stranger.apiKey })).body.id as string;
    const withStep = (toolId: string) => create({ ...minimal, executionPlan: [{ type: "TOOL", toolId }] });
    for (const id of [UUID, foreign]) {
      const reply = await withStep(id);
      expect([reply.status, reply.body.error, reply.body.message]).toEqual([
        404,
        "Not found",
        `Tool ${id} does not exist in this workspace.`,
      ]);
    }
    expect((await withStep(String((await make()).id))).status).toBe(201);
  });

  test("the same Idempotency-Key makes one tool", async () => {
    const headers = { "idempotency-key": "one tool" };
    const [first, second] = [await create(minimal, { headers }), await create(minimal, { headers })];
    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("GET /tools", () => {
  test("rule 2: a bare array of the caller's custom tools and the system tools", async () => {
    const tool = await make();
    const foreign = await create(minimal, { key: stranger.apiKey });
    const { status, body } = await world.request("GET", "/tools");
    expect(status).toBe(200);
    const tools = body as unknown as { id: string; name: string; isSystem: boolean }[];
    expect(tools.find((one) => one.id === tool.id)).toEqual(tool);
    expect(tools.some((one) => one.id === foreign.body.id)).toBe(false);
    const system = tools.filter((one) => one.isSystem);
    // Design, section 4, "System tools".
    const named =
      "end_call, transfer_call, send_dtmf, send_message, schedule_callback, search_knowledge, read_record, write_record, add_to_do_not_call, leave_voicemail";
    expect(system.map((one) => one.name).toSorted()).toEqual(named.split(", ").toSorted());
    const elsewhere = (await world.request("GET", "/tools", { key: stranger.apiKey })).body as unknown as typeof tools;
    expect(elsewhere.filter((one) => one.isSystem)).toEqual(system);
    for (const one of system) expect((await world.request("GET", `/tools/${one.id}`)).body).toEqual(one);
  });

  test("404 for an id that is unknown or foreign, 400 for one that is no uuid", async () => {
    const foreign = (await create(minimal, { key: stranger.apiKey })).body.id as string;
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: { name: "taken" } } : {};
      const [mine, random] = [
        await world.request(method, `/tools/${foreign}`, body),
        await world.request(method, `/tools/${UUID}`, body),
      ];
      expect([mine.status, mine.text], method).toEqual([404, random.text]);
      expect(JSON.parse(mine.text)).toEqual({ error: "Not found" });
      expect((await world.request(method, "/tools/42", body)).status).toBe(400);
    }
    expect((await world.request("GET", `/tools/${foreign}`, { key: stranger.apiKey })).body.name).toBe(minimal.name);
  });
});

describe("PUT /tools/{toolId}: incoming fields are merged into the existing definition", () => {
  test("sent fields replace, absent ones stay, the version grows", async () => {
    const tool = await make(full);
    const path = `/tools/${String(tool.id)}`;
    const reply = await world.request("PUT", path, { body: { tags: ["new"], messages: { start: "Hm." } } });
    expect(reply.status, reply.text).toBe(200);
    const { updatedAt } = reply.body;
    expect(reply.body).toEqual({ ...tool, tags: ["new"], messages: { start: "Hm." }, version: 2, updatedAt });
    expect((await world.request("GET", path)).body).toEqual(reply.body);
  });

  test("null clears an optional field and is 422 for a required one", async () => {
    const path = `/tools/${String((await make(full)).id)}`;
    const cleared = await world.request("PUT", path, {
      body: { tags: null, apiHeaders: null, forwardCallConfig: null },
    });
    expect(cleared.body).toMatchObject({ tags: null, apiHeaders: null, forwardCallConfig: null, iconKey: "box" });
    for (const name of ["name", "description", "toolType", "apiUrl"]) {
      const reply = await world.request("PUT", path, { body: { [name]: null } });
      expect([reply.status, paths(reply.body)]).toEqual([422, [name]]);
    }
  });

  test("the rules hold for the whole that comes out", async () => {
    const path = `/tools/${String((await make(full)).id)}`;
    const reply = await world.request("PUT", path, { body: { toolCallTimeoutSeconds: 5 } });
    expect([reply.status, paths(reply.body)]).toEqual([422, ["apiTimeoutSeconds"]]);
    expect((await world.request("GET", path)).body).toMatchObject({ toolCallTimeoutSeconds: 20, version: 1 });
  });

  test("a whole tool from GET may be sent back", async () => {
    const inner = await make();
    const headers = { Authorization: "Bearer {{ token }}", Accept: "text/plain" };
    const tool = await make({ ...full, apiHeaders: headers, executionPlan: [{ type: "TOOL", toolId: inner.id }] });
    await world.request("DELETE", `/tools/${String(inner.id)}`);
    const reply = await world.request("PUT", `/tools/${String(tool.id)}`, { body: tool });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual({ ...tool, version: 2, updatedAt: reply.body.updatedAt });
  });

  test("twenty changes at once all count", async () => {
    const path = `/tools/${String((await make()).id)}`;
    const bodies = Object.entries({ ...full, parameters: [], integrations: null, integrationCredentialLinks: null })
      .filter(([name]) => !(name in minimal) && !name.endsWith("Config"))
      .slice(0, 20)
      .map(([name, value]) => ({ [name]: value }));
    const replies = await Promise.all(bodies.map((body) => world.request("PUT", path, { body })));
    expect(replies.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    const tool = (await world.request("GET", path)).body;
    expect(tool.version).toBe(21);
    expect(tool).toMatchObject(Object.assign({}, ...bodies) as object);
  });

  test("rule 3: system tools cannot be updated, nor deleted: 403", async () => {
    const { body } = await world.request("GET", "/tools");
    for (const system of (body as unknown as { id: string; name: string; isSystem: boolean }[]).filter(
      (one) => one.isSystem,
    )) {
      const put = await world.request("PUT", `/tools/${system.id.toUpperCase()}`, { body: system });
      expect([put.status, put.body]).toEqual([
        403,
        { error: "Forbidden", message: `${system.name} is a system tool and cannot be changed.` },
      ]);
      expect((await world.request("DELETE", `/tools/${system.id}`)).status).toBe(403);
    }
  });
});

test("each request needs its permission: TOOLS_READ or TOOLS_WRITE", async () => {
  const path = `/tools/${String((await make()).id)}`;
  const keyWith = async (permissions: string[]) =>
    String((await world.operator("key.create", { workspaceId: world.sample.workspaceId, permissions })).apiKey);
  const reader = await keyWith(["TOOLS_READ"]);
  const writer = await keyWith(["TOOLS_WRITE"]);
  const other = await keyWith(["FLOWS_READ", "FLOWS_WRITE"]);
  const allowed = async (key: string | null) => {
    const statuses = [
      await world.request("GET", "/tools", { key }),
      await world.request("GET", path, { key }),
      await world.request("GET", "/tool-tasks/nobody", { key }),
      await create(minimal, { key }),
      await world.request("PUT", path, { key, body: { tags: ["a"] } }),
      await world.request("DELETE", path, { key }),
    ];
    return statuses.map(({ status }) => status);
  };
  expect(await allowed(null)).toEqual([401, 401, 401, 401, 401, 401]);
  expect(await allowed(other)).toEqual([403, 403, 403, 403, 403, 403]);
  expect(await allowed(reader)).toEqual([200, 200, 404, 403, 403, 403]);
  expect(await allowed(writer)).toEqual([403, 403, 403, 201, 200, 204]);
});

describe("hostile bodies are refused, never half applied", () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const withParameter = (more: object) => ({ parameters: [{ name: "a", type: "object", ...more }] });

  test.each<[string, string | object, number]>([
    ["broken JSON", "{", 400],
    ["an array", "[]", 400],
    ["null", "null", 400],
    ["a NUL in a text", { description: "a\u0000" }, 400],
    ["half a surrogate pair", '{"name":"a","description":"\\ud800"}', 400],
    ["a __proto__ member", '{"apiBody":{"__proto__":{"x":1}}}', 400],
    ["a number too large to keep", '{"apiBody":{"n":1e400}}', 400],
    ["100 levels", { apiBody: deep(100) }, 400],
    ["a number beyond int32", { apiTimeoutSeconds: 2 ** 40 }, 422],
    ["51 headers", { apiHeaders: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, ""])) }, 422],
    ["101 parameters", { parameters: Array.from({ length: 101 }, (_, i) => ({ name: `p${i}`, type: "string" })) }, 422],
    ["a schema that refers to nothing", withParameter({ properties: { a: { $ref: "#/properties/value" } } }), 422],
    ["a schema elsewhere", withParameter({ properties: { a: { $ref: "http://127.0.0.1/schema" } } }), 422],
    ["a parameter schema of 30 levels", withParameter({ properties: deep(30) }), 422],
    ["a parameter named constructor", { parameters: [{ name: "constructor", type: "string" }] }, 422],
  ])("%s", async (_what, change, status) => {
    const path = `/tools/${String((await make()).id)}`;
    const body = typeof change === "string" ? { raw: change } : { body: change };
    const posted = typeof change === "string" ? body : { body: { ...minimal, ...change } };
    const count = async () => ((await world.request("GET", "/tools")).body as unknown as unknown[]).length;
    const before = await count();
    for (const reply of [await world.request("POST", "/tools", posted), await world.request("PUT", path, body)]) {
      expect(reply.status, reply.text).toBe(status);
      expect(Object.keys(reply.body)).toEqual(["error", "message", "code", "details", "requestId"]);
    }
    expect(await count()).toBe(before);
    expect((await world.request("GET", path)).body.version).toBe(1);
  });
});

test("DELETE /tools/{toolId}: 204, permanent", async () => {
  const path = `/tools/${String((await make()).id)}`;
  const reply = await world.request("DELETE", path);
  expect([reply.status, reply.text]).toEqual([204, ""]);
  for (const method of ["GET", "DELETE"]) expect((await world.request(method, path)).status).toBe(404);
});

describe("X-Service-Ai-Origin", () => {
  test("is an optional header of POST and PUT in the document", async () => {
    const { body } = await world.request("GET", "/openapi.json", { key: null });
    const paths = body.paths as Record<string, Record<string, { parameters: object[] }>>;
    const header = { name: "X-Service-Ai-Origin", in: "header", required: false };
    for (const [path, method] of [
      ["/tools", "post"],
      ["/tools/{toolId}", "put"],
    ] as const) {
      expect(paths[`/api/external/v1${path}`]?.[method]?.parameters).toContainEqual(expect.objectContaining(header));
    }
  });

  const origin = (value: string) => ({ headers: { "x-service-ai-origin": value } });

  test.each([
    ["true", { createdByAi: true, creatorAgentId: null, creatorFlowId: null }],
    ["false", { createdByAi: false, creatorAgentId: null, creatorFlowId: null }],
    [UUID.toUpperCase(), { createdByAi: true, creatorAgentId: UUID, creatorFlowId: null }],
    [`flow=${OTHER}`, { createdByAi: true, creatorAgentId: null, creatorFlowId: OTHER }],
    [`agent=${UUID}; flow=${OTHER}`, { createdByAi: true, creatorAgentId: UUID, creatorFlowId: OTHER }],
  ])("%s on POST", async (value, expected) => {
    expect((await create(minimal, origin(value))).body).toMatchObject(expected);
  });

  test("on PUT it adds to what is known", async () => {
    const path = `/tools/${String((await make()).id)}`;
    const put = (value?: string) => world.request("PUT", path, { body: {}, ...(value ? origin(value) : {}) });
    expect((await put()).body.createdByAi).toBe(false);
    expect((await put(`agent=${UUID}`)).body).toMatchObject({ createdByAi: true, creatorAgentId: UUID });
    expect((await put(`flow=${OTHER}`)).body).toMatchObject({ creatorAgentId: UUID, creatorFlowId: OTHER });
    expect((await put()).body).toMatchObject({ createdByAi: true, creatorAgentId: UUID, creatorFlowId: OTHER });
  });

  // The spec calls it a string and names no form.
  test.each([
    ["robot", { createdByAi: true, creatorAgentId: null, creatorFlowId: null }],
    ["my-service/1.0", { createdByAi: true, creatorAgentId: null, creatorFlowId: null }],
    ["agent=42", { createdByAi: true, creatorAgentId: null, creatorFlowId: null }],
    [`agent=${UUID}; agent=${OTHER}; model=x`, { createdByAi: true, creatorAgentId: UUID, creatorFlowId: null }],
    [`my-service/1.0; flow=${OTHER}`, { createdByAi: true, creatorAgentId: null, creatorFlowId: OTHER }],
    ["\u00e9", { createdByAi: true }],
    ["x".repeat(4_000), { createdByAi: true }],
    ["", { createdByAi: false }],
  ])("any text is taken: %s", async (value, expected) => {
    const made = await create(minimal, origin(value));
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(expected)]);
    const tool = await make();
    const put = await world.request("PUT", `/tools/${String(tool.id)}`, { body: {}, ...origin(value) });
    expect([put.status, put.body]).toEqual([200, expect.objectContaining(expected)]);
  });
});

test("header values are encrypted at rest, credentials are masked when read, and the mask means unchanged", async () => {
  const apiHeaders = { Authorization: "Bearer s3cr3t-value", "X-Region": "plain-region" };
  const tool = await make({ ...minimal, apiHeaders });
  const path = `/tools/${String(tool.id)}`;
  expect(tool.apiHeaders).toEqual({ Authorization: "********", "X-Region": "plain-region" });
  const stored = async () => {
    const rows = await world.database.query("select t::text, api_headers from tools t where id = $1", [tool.id]);
    return rows[0] as { t: string; api_headers: Buffer };
  };
  const before = await stored();
  for (const value of Object.values(apiHeaders)) {
    expect(before.t).not.toContain(value);
    expect(before.api_headers.toString("latin1")).not.toContain(value);
  }
  const put = (headers: object) => world.request("PUT", path, { body: { apiHeaders: headers } });
  const kept = await put({ authorization: "********", "X-Region": "other" });
  expect(kept.body.apiHeaders).toEqual({ authorization: "********", "X-Region": "other" });
  const lost = await put({ "X-Api-Key": "********" });
  expect([lost.status, paths(lost.body)]).toEqual([422, ["apiHeaders.X-Api-Key"]]);
});
