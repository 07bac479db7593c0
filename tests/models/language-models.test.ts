import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { STREAMED_TURN, TrialServer, wholeAnswer } from "../kit/model-vendors/trial-server.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

let world: World;
let server: TrialServer;
let spare: TrialServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  server = await TrialServer.start();
  spare = await TrialServer.start();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await spare[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
  spare.requests.length = 0;
  server.answer = { body: STREAMED_TURN.OPENAI_COMPATIBLE };
  spare.answer = { body: STREAMED_TURN.ANTHROPIC };
});

const OWN = { name: "Own", provider: "OPENAI_COMPATIBLE", model: "trial" };

async function configure(more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const reply = await world.request("POST", "/models", { body: { ...OWN, baseUrl: server.url, ...more } });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

describe("a configured model", () => {
  test("is counted by the doctor, with its provider", async () => {
    await configure();
    const { checks } = await world.operator("doctor", {});
    expect(checks).toContainEqual({
      name: "models",
      ok: true,
      message: "scripted model; of workspaces: OPENAI_COMPATIBLE (1)",
    });
  });

  test("keeps its key sealed and shows a mask; the mask sent back means unchanged, null removes it", async () => {
    const made = await configure({ apiKey: "sk-very-secret" });
    expect(made.apiKey).toBe("********");
    const path = `/models/${String(made.id)}`;
    const stored = () =>
      world.database.query<{ text: string; api_key: Buffer | null }>(
        "select language_models::text as text, api_key from language_models where id = $1",
        [made.id],
      );
    const [before] = await stored();
    expect(before?.text).not.toContain("very-secret");
    await world.request("PUT", path, { body: { ...made, name: "Renamed" } });
    expect((await stored())[0]?.api_key).toEqual(before?.api_key);
    const cleared = await world.request("PUT", path, { body: { apiKey: null } });
    expect([cleared.body.apiKey, cleared.body.name]).toEqual([null, "Renamed"]);
    const masked = await world.request("PUT", path, { body: { apiKey: "********" } });
    expect([masked.status, (masked.body.details as { path: string }[])[0]?.path]).toEqual([422, "apiKey"]);
  });

  test("is opened once for all sessions, until its settings change", async () => {
    await using second = await SecondNode.join(world);
    const made = await configure({ apiKey: "sk-shared" });
    const { db } = second.database;
    const open = (temperature?: number) =>
      second.openModel(db, world.sample.workspaceId, { modelId: String(made.id), temperature });
    const first = await open();
    expect([await open(), await open(0.5)].map((other) => other === first)).toEqual([true, false]);
    await world.request("PUT", `/models/${String(made.id)}`, { body: { model: "another" } });
    expect((await open()).name).toBe("openai_compatible/another");
    await world.request("DELETE", `/models/${String(made.id)}`);
  });

  test("asks for the key again when the address or the provider changes, and sends the old key nowhere else", async () => {
    const made = await configure({ apiKey: "sk-very-secret" });
    const path = `/models/${String(made.id)}`;
    const put = (body: Record<string, unknown>) => world.request("PUT", path, { body });
    const refused = [{ baseUrl: spare.url }, { ...made, baseUrl: spare.url }, { ...made, baseUrl: null }];
    for (const body of refused) {
      const reply = await put(body);
      const [fault] = reply.body.details as { path: string; code: string }[];
      expect([reply.status, fault?.path, fault?.code]).toEqual([422, "apiKey", "REQUIRED"]);
    }
    await world.request("POST", `${path}/check`);
    expect([server.requests.length, spare.requests.length]).toEqual([1, 0]);
    expect((await put({ baseUrl: `${server.url}/`, apiKey: "********" })).status).toBe(200);
    expect((await put({ baseUrl: null, apiKey: "sk-another" })).status).toBe(200);
    expect((await put({ provider: "GOOGLE" })).status).toBe(422);
    expect((await put({ provider: "GOOGLE", baseUrl: spare.url, apiKey: null })).body.apiKey).toBeNull();
  });

  test("422 names what is missing or cannot be used", async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ provider: "GOOGLE", model: "x" }, "name"],
      [{ name: "x", model: "x" }, "provider"],
      [{ name: "x", provider: "GOOGLE" }, "model"],
      [{ ...OWN, baseUrl: "ftp://host" }, "baseUrl"],
      [{ ...OWN, apiKey: "line\nbreak" }, "apiKey"],
      [{ ...OWN, temperature: 9 }, "temperature"],
      [{ ...OWN, region: "eu-west-1" }, "region"],
      [{ ...OWN, accessKeyId: "AKIDEXAMPLE12345" }, "accessKeyId"],
      [{ ...OWN, provider: "AZURE_OPENAI", apiKey: "k" }, "baseUrl"],
      [{ ...OWN, provider: "AZURE_OPENAI", baseUrl: "https://r.openai.azure.com" }, "apiKey"],
      [{ ...OWN, provider: "AMAZON_BEDROCK", apiKey: "k" }, "region"],
      [{ ...OWN, provider: "AMAZON_BEDROCK", region: "eu-west-1" }, "apiKey"],
      [{ ...OWN, provider: "AMAZON_BEDROCK", region: "evil.example/", apiKey: "k" }, "region"],
      [
        { ...OWN, provider: "AMAZON_BEDROCK", region: "eu-west-1", apiKey: "k", reasoningEffort: "low" },
        "reasoningEffort",
      ],
      [{ ...OWN, headers: { Host: "elsewhere" } }, "headers.Host"],
      [{ ...OWN, headers: { "X-A": "********" } }, "headers.X-A"],
      [{ ...OWN, headers: { "x-a": "1", "X-A": "2" } }, "headers.X-A"],
      [{ ...OWN, extraBody: { messages: [] } }, "extraBody.messages"],
      [{ ...OWN, extraBody: { note: "x".repeat(9_000) } }, "extraBody"],
    ];
    for (const [body, path] of cases) {
      const reply = await world.request("POST", "/models", { body });
      expect([reply.status, (reply.body.details as { path: string }[])[0]?.path], path).toEqual([422, path]);
    }
  });

  test("seals its extra headers as its key, sends them with the extra members, and nowhere else", async () => {
    const sent = { headers: { "X-Gateway-Key": "gateway-secret", "X-Team": "blue" }, extraBody: { user: "parley" } };
    const made = await configure(sent);
    expect(made).toMatchObject({
      headers: { "X-Gateway-Key": "********", "X-Team": "********" },
      extraBody: sent.extraBody,
    });
    const path = `/models/${String(made.id)}`;
    const [stored] = await world.database.query<{ text: string }>(
      "select language_models::text as text from language_models where id = $1",
      [made.id],
    );
    expect(stored?.text).not.toContain("gateway-secret");
    const kept = await world.request("PUT", path, {
      body: { headers: { "x-gateway-key": "********", "X-Team": "red" } },
    });
    expect(kept.body.headers).toEqual({ "x-gateway-key": "********", "X-Team": "********" });
    await world.request("POST", `${path}/check`);
    expect(server.requests.at(-1)?.headers).toMatchObject({ "x-gateway-key": "gateway-secret", "x-team": "red" });
    expect(server.requests.at(-1)?.body).toMatchObject({ user: "parley" });
    for (const body of [{ baseUrl: spare.url }, { ...made, baseUrl: spare.url }]) {
      const refused = await world.request("PUT", path, { body });
      expect([refused.status, (refused.body.details as { path: string }[])[0]?.path]).toEqual([422, "headers"]);
    }
    const moved = await world.request("PUT", path, { body: { baseUrl: spare.url, headers: null, extraBody: null } });
    expect(moved.body).toMatchObject({ headers: null, extraBody: null });
  });

  test("a check tells whether it answers, and why not, without showing the key", async () => {
    const made = await configure({ apiKey: "sk-very-secret" });
    const path = `/models/${String(made.id)}/check`;
    const good = await world.request("POST", path);
    expect(good.body).toMatchObject({ ok: true, answer: "Hello there.", error: null });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-very-secret");
    server.answer = {
      status: 401,
      body: '{"error":{"message":"bad key sk-very-secret"}}',
      headers: { "content-type": "application/json" },
    };
    const bad = await world.request("POST", path);
    expect([bad.status, bad.body.ok, (bad.body.error as { code: string }).code]).toEqual([
      200,
      false,
      "MODEL_UNAUTHORIZED",
    ]);
    expect(bad.text).not.toContain("very-secret");
  });
});

describe("a flow that names a model", () => {
  const say = (text: string) => ({
    body: STREAMED_TURN.OPENAI_COMPATIBLE.replace("Hello ", text).replace("there.", "").replace("look_up", "end_call"),
  });

  test("speaks through it in a call, and its outputs are filled by it", async () => {
    const model = await configure();
    server.answer = say("A model of your own says goodbye.");
    const flow = { name: "x", firstMessage: "Good day.", model: { modelId: model.id } };
    const row = await world.call("+12025550100", { flow });
    const said = (row.transcript as { role: string; content: string }[]).filter((turn) => turn.role === "ASSISTANT");
    expect(said.map((turn) => turn.content)).toEqual(["Good day.", "A model of your own says goodbye."]);
    expect([row.outcome, row.endReason]).toEqual(["ANSWERED", "AGENT_ENDED_CALL"]);
    expect(JSON.stringify(server.requests[0]?.body)).toContain("Good day.");
  });

  test("fails over to the next model when the first one is down", async () => {
    const first = await configure();
    const second = await configure({ provider: "ANTHROPIC", baseUrl: spare.url, apiKey: "k" });
    server.answer = { status: 503, body: "{}" };
    spare.answer = { body: STREAMED_TURN.ANTHROPIC.replace("look_up", "end_call") };
    const flow = { name: "x", firstMessage: "Good day.", model: { modelId: first.id, fallbackModelIds: [second.id] } };
    const row = await world.call("+12025550100", { flow });
    expect([row.endReason, server.requests.length > 0, spare.requests.length > 0]).toEqual([
      "AGENT_ENDED_CALL",
      true,
      true,
    ]);
  });

  test("apologises and ends when every model fails; the row tells why", async () => {
    const first = await configure();
    server.answer = { status: 500, body: "{}" };
    const row = await world.call("+12025550100", {
      flow: { name: "x", firstMessage: "Good day.", model: { modelId: first.id } },
    });
    expect([row.status, row.endReason, (row.error as { code: string }).code]).toEqual([
      "FAILED",
      "ERROR_MODEL",
      "MODEL_UNAVAILABLE",
    ]);
    expect((row.transcript as unknown[]).length).toBeGreaterThan(1);
  });

  test("404 for a model that the workspace does not have", async () => {
    const stranger = await world.createWorkspace();
    const model = await configure();
    const flow = { name: "x", model: { modelId: model.id } };
    const foreign = await world.request("POST", "/flows", { key: stranger.apiKey, body: flow });
    expect([foreign.status, foreign.body.error]).toEqual([404, "Not found"]);
  });

  test("of models that all become the default at once, exactly one is it, and none is refused", async () => {
    const own = await world.createWorkspace();
    const body = { ...OWN, baseUrl: server.url, isDefault: true };
    const made = await Promise.all(
      Array.from({ length: 12 }, () => world.request("POST", "/models", { key: own.apiKey, body })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => made[0]?.status));
    expect(made[0]?.status).toBeLessThan(300);
    const { body: listed } = await world.request("GET", "/models?size=50", { key: own.apiKey });
    const models = listed.content as { isDefault: boolean }[];
    expect(models.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test("without one, the workspace's default model speaks; without that, the scripted one", async () => {
    const own = await world.createWorkspace();
    const model = await world.request("POST", "/models", {
      key: own.apiKey,
      body: { ...OWN, baseUrl: server.url, isDefault: true },
    });
    server.answer = say("The default speaks.");
    const place = () =>
      world.request("POST", "/outbound/calls", { key: own.apiKey, body: { customerNumber: "+12025550100" } });
    const placed = await place();
    for (;;) {
      const { body } = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key: own.apiKey });
      if (body.endedAt === null) continue;
      expect(JSON.stringify(body.transcript)).toContain("The default speaks.");
      break;
    }
    server.answer = { body: wholeAnswer("OPENAI_COMPATIBLE", "{}") };
    await world.request("DELETE", `/models/${String(model.body.id)}`, { key: own.apiKey });
    const again = await place();
    for (;;) {
      const { body } = await world.request("GET", `/call-rows/${String(again.body.rowId)}`, { key: own.apiKey });
      if (body.endedAt === null) continue;
      expect(body.extractedFields).toMatchObject({ confirmed: true });
      break;
    }
  });
});
