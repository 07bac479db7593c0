import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Run, ToolHarness } from "../kit/tool-harness.ts";
import { ToolServer } from "../kit/tool-server.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let harness: ToolHarness;
let server: ToolServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
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

/** Those that a path refuses: some servers would climb, or stop, where they stand. */
const CLIMBS = ["../admin", "..", "\r\nX-Injected: 1", "\\..\\x", "\u0000"];

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
    expect(result).toEqual({ kind: "VALUE", content: '{"ok":true}', variables: {} });
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
    const outcomes = new Set<string>();
    const wrong: string[] = [];
    const arrived: string[] = [];
    let injected = false;
    for (const id of HOSTILE) {
      server.requests.length = 0;
      const result = await run("it", { id });
      const [request] = server.requests;
      outcomes.add(result.kind === "FAILED" ? result.code : result.kind);
      if (!request) continue;
      const url = new URL(request.url, server.url);
      const segments = url.pathname.split("/");
      const seen = [segments.length, segments[3], [...url.searchParams.keys()], url.searchParams.get("q")];
      arrived.push(id);
      wrong.push(...(JSON.stringify(seen) === JSON.stringify([5, "notes", ["q", "z"], id.toWellFormed()]) ? [] : [id]));
      injected ||= request.headers["x-injected"] !== undefined;
    }
    expect([wrong, injected]).toEqual([[], false]);
    expect([...outcomes].sort()).toEqual(["URL_INVALID", "VALUE"]);
    expect(arrived).toEqual(HOSTILE.filter((id) => !CLIMBS.includes(id)));
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
      const isSendable = /^[ -~]*$/.test(v);
      const sent = server.requests.map(({ headers }) => [headers["x-v"], headers["x-injected"]]);
      expect([result.kind, sent], v).toEqual(isSendable ? ["VALUE", [[`<${v}>`, undefined]]] : ["FAILED", []]);
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

  test("tells what the server repeats without the secrets of its body, and leaves short words and variables alone", async () => {
    const run = await openWith({
      apiUrl: server.url,
      apiBody: { apiKey: "sesame-in-body", sortKey: "name", token: "{{ who }}", note: "open-note" },
    });
    server.answer = ({ body }, response) => ToolServer.json(response, { body: JSON.parse(body) as Json });
    const reported = await run("it", {}, { who: "somebody-known" });
    expect(JSON.parse(server.last.body)).toEqual({
      apiKey: "sesame-in-body",
      sortKey: "name",
      token: "somebody-known",
      note: "open-note",
    });
    expect(JSON.parse((reported as { content: string }).content)).toEqual({
      body: { apiKey: "********", sortKey: "name", token: "somebody-known", note: "open-note" },
    });
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
    const reported = await run("it");
    expect(JSON.stringify(reported)).toContain("********");
    expect(JSON.stringify([refused, reported, harness.log])).not.toMatch(/sesame|open-up/);
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
