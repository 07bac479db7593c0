import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Run, ToolHarness } from "../kit/tool-harness.ts";
import { ToolServer } from "../kit/tool-server.ts";
import { type Sample, World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let stranger: Sample;
let harness: ToolHarness;
let server: ToolServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  stranger = await world.createWorkspace();
  server = await ToolServer.start();
  harness = new ToolHarness(world);
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = (_request, response) => ToolServer.json(response, { ok: true });
});

/** A session with one tool of this definition. */
const openWith = async (body: Json, of = {}): Promise<Run> =>
  harness.open([await harness.make({ name: "it", ...body })], of);
const text = (name: string, more: Json = {}) => ({ name, type: "string", ...more });
describe("input and answer", () => {
  test("a faulty input is told to the model and nothing is sent", async () => {
    const run = await openWith({
      apiUrl: server.url,
      parameters: [
        text("day", { required: true, pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
        { name: "count", type: "integer", enumValues: [1, 2], defaultValue: 2 },
      ],
    });
    expect(await run("it", {})).toMatchObject({
      kind: "FAILED",
      code: "INPUT_INVALID",
      message: expect.stringMatching(/day/),
    });
    expect(await run("it", { day: "tomorrow" })).toMatchObject({ kind: "FAILED", code: "INPUT_INVALID" });
    const wrong = await run("it", { day: "2026-01-02", count: 3 });
    expect(wrong.kind === "FAILED" && wrong.message).toMatch(/count.*\[1,2\]/);
    expect(server.requests).toHaveLength(0);
    expect((await run("it", { day: "2026-01-02" })).kind).toBe("VALUE");
    expect(JSON.parse(server.last.body)).toEqual({ day: "2026-01-02", count: 2 });
  });

  test("variables and constants are ours to fill in: a model cannot give them", async () => {
    const run = await openWith({
      apiUrl: server.url,
      parameters: [
        text("phone", { source: "VARIABLE" }),
        text("who", { source: "VARIABLE", defaultValue: "{{ contact.name }}" }),
        { name: "limit", type: "integer", source: "VARIABLE" },
        text("plan", { source: "CONSTANT", defaultValue: "basic" }),
      ],
    });
    const forged = { phone: "+10000000000", who: "admin", limit: 9, plan: "gold", __proto__: { x: 1 } };
    await run("it", forged, { phone: "+12025550100", contact: { name: "Ada" }, limit: "5" });
    expect(JSON.parse(server.last.body)).toEqual({ phone: "+12025550100", who: "Ada", limit: 5, plan: "basic" });
  });

  test("ids of more digits than a number holds keep them: in answers, variables and what is sent", async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":9007199254740993,"n":12}');
    };
    const run = await openWith({ apiUrl: server.url, returnValue: { path: "id", saveToVariable: "id" } });
    const content = "9007199254740993";
    expect(await run("it")).toEqual({ kind: "VALUE", content, variables: { id: content } });
    const parameters = [{ name: "id", type: "integer", source: "VARIABLE" }];
    const send = await openWith({ apiUrl: server.url, parameters });
    server.requests.length = 0;
    expect(await send("it", {}, { id: content })).toMatchObject({ kind: "FAILED", code: "INPUT_INVALID" });
    expect(server.requests).toEqual([]);
    const whole = await openWith({ apiUrl: server.url, returnValue: { path: "id", type: "integer" } });
    expect(await whole("it")).toMatchObject({ kind: "FAILED", code: "RETURN_VALUE" });
  });

  test("returnValue picks, types, checks and keeps", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { data: { items: [{ price: "12.5" }] } });
    const returnValue = { path: "data.items.0.price", type: "number", saveToVariable: "price" };
    const run = await openWith({ apiUrl: server.url, returnValue });
    expect(await run("it")).toEqual({ kind: "VALUE", content: "12.5", variables: { price: 12.5 } });
    const strict = await openWith({
      apiUrl: server.url,
      returnValue: { ...returnValue, schema: { type: "number", maximum: 10 } },
    });
    expect(await strict("it")).toMatchObject({ kind: "FAILED", code: "RETURN_VALUE" });
    for (const path of ["data.none", "data.items.length", "constructor.name", "__proto__"]) {
      const lost = await openWith({ apiUrl: server.url, returnValue: { path } });
      expect(await lost("it"), path).toMatchObject({ kind: "FAILED", code: "RETURN_VALUE" });
    }
    const typed = await openWith({ apiUrl: server.url, returnValue: { path: "data", type: "integer" } });
    expect(await typed("it")).toMatchObject({ kind: "FAILED", code: "RETURN_VALUE" });
  });

  test("a mock answers instead: the first case that fits, with its delay, or its error", async () => {
    const run = await openWith({
      apiUrl: server.url,
      parameters: [text("city")],
      returnValue: { path: "t", saveToVariable: "t" },
      mockConfig: {
        enabled: true,
        result: { t: 1 },
        cases: [
          { when: { city: "Rome" }, result: { t: 30 }, delayMs: 30 },
          { when: { city: "Oslo" }, error: "It snows." },
        ],
      },
    });
    expect(await run("it", { city: "Rome" })).toMatchObject({ content: "30", variables: { t: 30 } });
    expect(await run("it", { city: "Oslo" })).toEqual({ kind: "FAILED", code: "MOCK_ERROR", message: "It snows." });
    expect(await run("it", { city: "Bonn" })).toMatchObject({ content: "1" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("what is granted", () => {
  test("the model is told of its own parameters alone, with hints, and of answers when they are disclosed", async () => {
    const a = await harness.make({
      name: "first",
      description: "Finds.",
      apiUrl: server.url,
      parameters: [
        text("q", { required: true }),
        text("key", { source: "CONSTANT", defaultValue: "k" }),
        text("phone", { source: "VARIABLE" }),
      ],
      aimetaHint: { whenToUse: "Often.", whenNotToUse: "At night.", examples: [{ input: { q: 1 } }], priority: 1 },
      returnValue: { schema: { type: "string", maxLength: 7 } },
      discloseOutputSchema: true,
      requiresConfirmedTranscript: true,
      hideFromChatTimeline: true,
      prompts: [
        { key: "after_result", content: "Say it.", language: "en" },
        { key: "after_result", content: "Sag es.", language: "de" },
        { content: "Always." },
      ],
    });
    const b = await harness.make({ name: "second", apiUrl: server.url, aimetaHint: { priority: 5 } });
    const hidden = await harness.make({ name: "third", apiUrl: server.url, internalOnly: true });
    const twin = await harness.make({ name: "second", apiUrl: server.url });
    const foreign = await harness.make({ name: "foreign", apiUrl: server.url }, stranger);
    const loaded = await harness.load(
      [a, b, hidden, twin, foreign, "not an id", "970e5019-a4cf-566d-abc7-058f7bfdab87"],
      undefined,
      "de-AT",
    );
    expect(loaded.filter((tool) => tool.isOffered).map((tool) => tool.grant.offer.name)).toEqual([
      "second",
      "first",
      "second_2",
    ]);
    const { grant } = loaded.find((tool) => tool.grant.id === a) ?? {};
    expect(grant).toMatchObject({
      confirmedTranscriptMs: 2000,
      timeoutMs: 30_000,
      disclosure: "HIDDEN",
    });
    expect(grant?.offer.inputSchema).toEqual({
      type: "object",
      properties: { q: { type: "string" } },
      required: ["q"],
    });
    expect(grant?.offer.description).toBe(
      'Finds.\nWhen to use it: Often.\nWhen not to use it: At night.\nExample: {"input":{"q":1}}\nIts answer fits this JSON Schema: {"type":"string","maxLength":7}',
    );
    expect(grant?.prompts).toEqual([
      { key: "after_result", role: "SYSTEM", content: "Sag es." },
      { key: "instructions", role: "SYSTEM", content: "Always." },
    ]);
    const run = await harness.open([hidden]);
    expect(await run("third")).toMatchObject({ kind: "FAILED", code: "TOOL_NOT_GRANTED" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("a plan", () => {
  test("does one step after the other, each with what came before", async () => {
    server.answer = ({ url }, response) => ToolServer.json(response, { at: url, n: 4 });
    const helper = await harness.make({
      name: "helper",
      internalOnly: true,
      apiUrl: `${server.url}/helper/{{ what }}`,
      parameters: [text("what", { required: true })],
      returnValue: { path: "at", saveToVariable: "seen" },
    });
    const run = await openWith({
      apiUrl: `${server.url}/own/{{ id }}`,
      parameters: [text("id")],
      executionPlan: [
        { id: "own", type: "API" },
        {
          id: "twice",
          type: "CODE",
          input: { n: "{{ own.n }}" },
          code: "return { n: input.n * 2, id: parameters.id, at: results.own.at }",
        },
        { id: "skipped", type: "CODE", condition: "{% if twice.n > 100 %}1{% endif %}", code: "return 1" },
        { id: "other", type: "TOOL", toolId: helper, input: { what: "n{{ twice.n }}" } },
        {
          type: "CODE",
          code: "return [results.other, results.skipped, variables.seen, twice()]; function twice() { return results.twice }",
        },
      ],
    });
    expect(await run("it", { id: "x" })).toMatchObject({
      kind: "VALUE",
      content: JSON.stringify(["/helper/n8", null, "/helper/n8", { n: 8, id: "x", at: "/own/x" }]),
      variables: { seen: "/helper/n8" },
    });
    const keys = server.requests.map(({ headers }) => String(headers["idempotency-key"]).split("/").slice(1).join("/"));
    expect(keys).toEqual(["call-1/own", "call-1/other"]);
  });

  test("a failed step ends it, unless it may go on", async () => {
    const failing = { id: "bad", type: "CODE", code: "throw new Error('no luck')" };
    const after = { type: "CODE", code: "return results.bad.failed ? results.bad.code : 'fine'" };
    const code = { toolType: "CODE", apiMethod: null };
    const halts = await openWith({ ...code, executionPlan: [failing, after] });
    const reported = await halts("it");
    expect(reported).toMatchObject({
      kind: "FAILED",
      code: "CODE_FAILED",
      message: expect.stringMatching(/bad.*no luck/),
    });
    const forgiving = await openWith({ ...code, executionPlan: [failing, after], haltOnStepError: false });
    expect(await forgiving("it")).toMatchObject({ kind: "VALUE", content: "CODE_FAILED" });
    const once = await openWith({ ...code, executionPlan: [{ ...failing, continueOnError: true }, after] });
    expect(await once("it")).toMatchObject({ kind: "VALUE", content: "CODE_FAILED" });
    const stops = await openWith({
      ...code,
      executionPlan: [{ ...failing, continueOnError: false }, after],
      haltOnStepError: false,
    });
    expect(await stops("it")).toMatchObject({ kind: "FAILED" });
  });

  test("reaches tools of its own workspace only, and ends when tools call each other", async () => {
    const first = await harness.make({
      name: "ping",
      toolType: "CODE",
      executionPlan: [{ type: "CODE", code: "return 1" }],
    });
    const second = await harness.make({
      name: "pong",
      toolType: "CODE",
      executionPlan: [
        { type: "TOOL", toolId: first },
        { type: "TOOL", toolId: first },
      ],
    });
    const executionPlan = [
      { type: "TOOL", toolId: second },
      { type: "TOOL", toolId: second },
    ];
    await world.request("PUT", `/tools/${first}`, { body: { executionPlan } });
    const run = await harness.open([first]);
    expect(await run("ping")).toMatchObject({ kind: "FAILED", code: "TOO_MANY_STEPS" });
    const foreign = await harness.make({ name: "theirs", apiUrl: server.url }, stranger);
    // No API lets a plan name it; a plan that does all the same finds nothing.
    await world.database.query(
      "update tools set definition = jsonb_set(definition::jsonb, '{executionPlan,0,toolId}', to_jsonb($1::text))::json where id = $2",
      [foreign, second],
    );
    const other = await harness.open([second]);
    expect(await other("pong")).toMatchObject({ kind: "FAILED", code: "TOOL_MISSING" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("a transfer", () => {
  const forward = (forwardCallConfig: Json, more: Json = {}) =>
    openWith({ toolType: "FORWARD_CALL", apiMethod: null, forwardCallConfig, ...more });

  test("has every template filled in", async () => {
    const run = await forward(
      {
        destination: "{{ desk.number }}",
        mode: "WARM",
        whisperMessage: "{{ contact.name }} about {{ topic }}",
        fallbackMessage: "Sorry, {{ contact.name }}.",
        holdAudioUrl: "https://example.com/a.wav",
        sipHeaders: { "X-Topic": "{{ topic }}" },
        dtmfSequence: "1w2",
      },
      { parameters: [text("topic")] },
    );
    const variables = { desk: { number: "+1 (202) 555-0100" }, contact: { name: "Ada" } };
    expect(await run("it", { topic: "rates" }, variables)).toEqual({
      kind: "TRANSFER",
      order: {
        mode: "WARM",
        destinationType: "PHONE",
        destination: "+12025550100",
        dtmfSequence: "1w2",
        callerId: "OWN",
        whisperMessage: "Ada about rates",
        summary: null,
        holdAudioUrl: "https://example.com/a.wav",
        ringTimeoutSeconds: 30,
        transferOnlyIfHuman: false,
        fallbackMessage: "Sorry, Ada.",
        sipHeaders: { "X-Topic": "rates" },
      },
      wantsSummary: false,
    });
    expect(await run("it", { topic: "a\r\nRoute: evil" }, variables)).toMatchObject({
      kind: "FAILED",
      code: "TRANSFER_INVALID",
    });
  });

  test("goes to nothing that is not a destination of its type", async () => {
    const phone = await forward({ destination: "{{ to }}" }, { parameters: [text("to")] });
    for (const to of ["", "911", "sip:a@b.example", "+1202555010x", "+12025550100,+12025550101", "tel:+12025550100"]) {
      expect(await phone("it", { to }), to).toMatchObject({ kind: "FAILED", code: "TRANSFER_INVALID" });
    }
    const sip = await forward(
      { destination: "sip:{{ to }}", destinationType: "SIP" },
      { parameters: [text("to")], networkAllowList: ["pbx.example.com"] },
    );
    expect(await sip("it", { to: "desk@pbx.example.com" })).toMatchObject({ kind: "TRANSFER" });
    for (const to of [
      "desk@evil.example",
      "desk@pbx.example.com.evil.example",
      "desk@pbx.example.com@evil.example",
      "x y@pbx.example.com",
    ]) {
      expect((await sip("it", { to })).kind, to).toBe("FAILED");
    }
  });
});
