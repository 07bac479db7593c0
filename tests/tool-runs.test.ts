import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Run, ToolDesk } from "./tool-desk.ts";
import { ToolServer } from "./tool-server.ts";
import { type Sample, World } from "./world.ts";

type Json = Record<string, unknown>;

let world: World;
let stranger: Sample;
let desk: ToolDesk;
let server: ToolServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  stranger = await world.createWorkspace();
  server = await ToolServer.start();
  desk = new ToolDesk(world);
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = (_request, response) => ToolServer.json(response, { ok: true });
});

/** A session with one tool of this definition. */
const openWith = async (body: Json, of = {}): Promise<Run> => desk.open([await desk.make({ name: "it", ...body })], of);
const text = (name: string, more: Json = {}) => ({ name, type: "string", ...more });
/** Things that try to be syntax. */
const HOSTILE = [
  "a/b",
  "../admin",
  "..",
  "a?x=1",
  "a&admin=true",
  "a#b",
  "a%2f..%2fb",
  "\r\nX-Injected: 1",
  '","admin":true,"a":"',
  "{{ toolTaskSecret }}{% raw %}",
  "\\..\\x",
  "@evil.example",
  "\u0000",
  "\ud800",
  ";x",
  "%00",
];

describe("a request", () => {
  test("carries what the templates say: address, headers, body", async () => {
    const run = await openWith({
      apiUrl: `${server.url}/people/{{ id }}/notes?lang={{ language }}`,
      apiHeaders: { Authorization: "Bearer sesame-sesame", "X-Who": "{{ contact.name }}" },
      apiBody: {
        id: "{{ id }}",
        tags: "{{ tags }}",
        note: "For {{ contact.name }}: {{ id }}",
        deep: [{ n: "{{ n }}" }],
        none: "{{ no.such }}",
      },
      parameters: [text("id"), { name: "tags", type: "array" }, { name: "n", type: "integer" }],
    });
    const result = await run("it", { id: "a b", tags: ["x"], n: 3 }, { language: "de", contact: { name: "Ada" } });
    expect(result).toEqual({ kind: "VALUE", value: { ok: true }, content: '{"ok":true}', variables: {} });
    const { method, url, headers, body } = server.last;
    expect([method, url]).toEqual(["POST", "/people/a%20b/notes?lang=de"]);
    expect(headers).toMatchObject({
      authorization: "Bearer sesame-sesame",
      "x-who": "Ada",
      "content-type": "application/json",
    });
    expect(JSON.parse(body)).toEqual({ id: "a b", tags: ["x"], note: "For Ada: a b", deep: [{ n: 3 }], none: null });
    expect(headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}\/call-1$/);
  });

  test("without a body of its own sends the parameters; GET sends neither body nor key", async () => {
    const post = await openWith({
      apiUrl: server.url,
      parameters: [text("a"), text("b", { source: "CONSTANT", defaultValue: "c" })],
    });
    await post("it", { a: "1", b: "mine", other: "dropped" });
    expect(JSON.parse(server.last.body)).toEqual({ a: "1", b: "c" });
    const get = await openWith({ apiUrl: server.url, apiMethod: "GET", apiBody: { a: 1 } });
    await get("it");
    expect([server.last.body, server.last.headers["idempotency-key"]]).toEqual(["", undefined]);
    const form = await openWith({
      apiUrl: server.url,
      apiHeaders: { "Content-Type": "application/x-www-form-urlencoded" },
      apiBody: { q: "{{ a }}" },
      parameters: [text("a")],
    });
    await form("it", { a: "1&admin=2" });
    expect(server.last.body).toBe("q=1%26admin%3D2");
  });

  test("a value never changes the address: neither host, path segments, query parameters nor lines", async () => {
    const run = await openWith({
      apiUrl: `${server.url}/v1/{{ id }}/notes/{{ id }}?q={{ id }}&z=1`,
      apiMethod: "GET",
      parameters: [text("id")],
    });
    let arrived = 0;
    for (const id of HOSTILE) {
      server.requests.length = 0;
      const result = await run("it", { id });
      if (result.kind === "FAILED") {
        expect([result.code, server.requests.length], id).toEqual(["URL_INVALID", 0]);
        continue;
      }
      arrived++;
      const url = new URL(server.last.url, server.url);
      expect(url.pathname.split("/"), id).toHaveLength(5);
      expect(url.pathname.split("/")[3], id).toBe("notes");
      expect([...url.searchParams.keys()], id).toEqual(["q", "z"]);
      expect(url.searchParams.get("q"), id).toBe(id.toWellFormed());
      expect(server.last.headers["x-injected"], id).toBe(undefined);
    }
    expect(arrived).toBeGreaterThan(5);
    expect(await run("it", {})).toMatchObject({ kind: "FAILED", code: "URL_INVALID" });
  });

  test("a value never becomes syntax in body or headers", async () => {
    const body = await openWith({
      apiUrl: server.url,
      apiBody: { a: "<{{ v }}>", b: "{{ v }}" },
      parameters: [text("v")],
    });
    const head = await openWith({ apiUrl: server.url, apiHeaders: { "X-V": "<{{ v }}>" }, parameters: [text("v")] });
    for (const v of HOSTILE) {
      expect((await body("it", { v })).kind, v).toBe("VALUE");
      // A lone surrogate has no form in UTF-8.
      expect(JSON.parse(server.last.body.toWellFormed()), v).toEqual({ a: `<${v}>`, b: v });
      server.requests.length = 0;
      const result = await head("it", { v });
      if (result.kind === "FAILED") expect([result.code, server.requests.length], v).toEqual(["HEADER_INVALID", 0]);
      else expect(server.last.headers["x-v"], v).toBe(`<${v}>`);
      expect(server.requests.at(-1)?.headers["x-injected"]).toBe(undefined);
    }
    expect(await head("it", { v: "a\r\nX-Injected: 1" })).toMatchObject({ kind: "FAILED", code: "HEADER_INVALID" });
  });

  test("a template in the host reaches the listed hosts only", async () => {
    const run = await openWith({
      apiUrl: "http://{{ host }}:PORT/x".replace("PORT", String(server.port)),
      networkAllowList: ["127.0.0.1"],
      parameters: [text("host")],
    });
    expect((await run("it", { host: "127.0.0.1" })).kind).toBe("VALUE");
    for (const host of ["127.0.0.2", "localhost", "evil.example"]) {
      expect(await run("it", { host }), host).toMatchObject({ kind: "FAILED", code: "HOST_NOT_ALLOWED" });
    }
    for (const host of ["127.0.0.1/x", "a@127.0.0.1", "127.0.0.1#", "", "[::1]", "127.0.0.1:80"]) {
      expect(await run("it", { host }), host).toMatchObject({ kind: "FAILED", code: "URL_INVALID" });
    }
    expect(server.requests).toHaveLength(1);
    const other = await openWith({
      apiUrl: server.url,
      networkAllowList: ["*.example.com", `127.0.0.1:${server.port + 1}`],
    });
    expect(await other("it")).toMatchObject({ kind: "FAILED", code: "HOST_NOT_ALLOWED" });
  });

  test("does not follow redirects, and tells what the server said without its secrets", async () => {
    const run = await openWith({
      apiUrl: server.url,
      apiHeaders: { Authorization: "Bearer sesame-sesame", "X-Api-Key": "open-up" },
    });
    server.answer = (_request, response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end();
    expect(await run("it")).toMatchObject({
      kind: "FAILED",
      code: "HTTP_STATUS",
      message: expect.stringMatching(/302/),
    });
    expect(server.requests).toHaveLength(1);
    server.answer = ({ headers }, response) => ToolServer.json(response, { headers }, 500);
    const refused = await run("it");
    expect(refused).toMatchObject({ kind: "FAILED", code: "HTTP_STATUS" });
    server.answer = ({ headers }, response) => ToolServer.json(response, { headers });
    const told = await run("it");
    expect(JSON.stringify(told)).toContain("********");
    expect(JSON.stringify([refused, told, desk.log])).not.toMatch(/sesame|open-up/);
  });

  test("ends in time, takes no endless answer, and reads what is not JSON as a text", async () => {
    const slow = await openWith({ apiUrl: server.url, toolCallTimeoutSeconds: 1, apiTimeoutSeconds: 1 });
    server.answer = () => undefined;
    expect(await slow("it")).toMatchObject({ kind: "FAILED", code: "TIMEOUT" });
    const run = await openWith({ apiUrl: server.url });
    server.answer = (_request, response) => response.end("x".repeat(1_048_577));
    expect(await run("it")).toMatchObject({ kind: "FAILED", code: "ANSWER_TOO_LARGE" });
    server.answer = (_request, response) => response.end("\u00e9".repeat(20_000));
    const long = await run("it");
    expect(long.kind === "VALUE" && Buffer.byteLength(long.content)).toBeLessThan(16_500);
    expect(long.kind === "VALUE" && long.content.endsWith("\u00e9 \u2026 (shortened)")).toBe(true);
    server.answer = (_request, response) => response.end("plain words");
    expect(await run("it")).toMatchObject({ kind: "VALUE", content: "plain words" });
    server.answer = (_request, response) => response.destroy();
    expect(await run("it")).toMatchObject({ kind: "FAILED", code: "CONNECTION_FAILED" });
  });

  test("a session that is over ends it", async () => {
    const run = await openWith({ apiUrl: server.url });
    const stop = new AbortController();
    server.answer = () => stop.abort(new Error("hung up"));
    await expect(run("it", {}, {}, stop.signal)).rejects.toThrow("hung up");
  });
});

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

  test("returnValue picks, types, checks and keeps", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { data: { items: [{ price: "12.5" }] } });
    const returnValue = { path: "data.items.0.price", type: "number", saveToVariable: "price" };
    const run = await openWith({ apiUrl: server.url, returnValue });
    expect(await run("it")).toEqual({ kind: "VALUE", value: 12.5, content: "12.5", variables: { price: 12.5 } });
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
    const a = await desk.make({
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
    const b = await desk.make({ name: "second", apiUrl: server.url, aimetaHint: { priority: 5 } });
    const hidden = await desk.make({ name: "third", apiUrl: server.url, internalOnly: true });
    const twin = await desk.make({ name: "second", apiUrl: server.url });
    const foreign = await desk.make({ name: "foreign", apiUrl: server.url }, stranger);
    const loaded = await desk.load(
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
      hiddenParameters: ["key", "phone"],
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
    const run = await desk.open([hidden]);
    expect(await run("third")).toMatchObject({ kind: "FAILED", code: "TOOL_NOT_GRANTED" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("a plan", () => {
  test("does one step after the other, each with what came before", async () => {
    server.answer = ({ url }, response) => ToolServer.json(response, { at: url, n: 4 });
    const helper = await desk.make({
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
      value: ["/helper/n8", null, "/helper/n8", { n: 8, id: "x", at: "/own/x" }],
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
    const told = await halts("it");
    expect(told).toMatchObject({ kind: "FAILED", code: "CODE_FAILED", message: expect.stringMatching(/bad.*no luck/) });
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
    const first = await desk.make({
      name: "ping",
      toolType: "CODE",
      executionPlan: [{ type: "CODE", code: "return 1" }],
    });
    const second = await desk.make({
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
    const run = await desk.open([first]);
    expect(await run("ping")).toMatchObject({ kind: "FAILED", code: "TOO_MANY_STEPS" });
    const foreign = await desk.make({ name: "theirs", apiUrl: server.url }, stranger);
    // No API lets a plan name it; a plan that does all the same finds nothing.
    await world.database.query(
      "update tools set definition = jsonb_set(definition::jsonb, '{executionPlan,0,toolId}', to_jsonb($1::text))::json where id = $2",
      [foreign, second],
    );
    const other = await desk.open([second]);
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
        summaryToAgent: false,
        holdAudioUrl: "https://example.com/a.wav",
        ringTimeoutSeconds: 30,
        transferOnlyIfHuman: false,
        fallbackMessage: "Sorry, Ada.",
        sipHeaders: { "X-Topic": "rates" },
      },
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
