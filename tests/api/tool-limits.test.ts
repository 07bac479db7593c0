import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forgetContactResults } from "#src/authoring/tool-runs/tool-runs.ts";
import { ToolHarness } from "../kit/tool-harness.ts";
import { ToolServer } from "../kit/tool-server.ts";
import { type Sample, World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let stranger: Sample;
/** Two nodes, each with a pool of its own. */
let one: ToolHarness;
let two: ToolHarness;
let server: ToolServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  stranger = await world.createWorkspace();
  server = await ToolServer.start();
  [one, two] = [new ToolHarness(world), new ToolHarness(world)];
});
afterAll(async () => {
  for (const each of [one, two, server, world]) await each[Symbol.asyncDispose]();
});

let served = 0;
beforeEach(() => {
  server.requests.length = 0;
  served = 0;
  server.answer = (_request, response) => ToolServer.json(response, { n: ++served });
});
const words = (result: { kind: string; content?: string; code?: string }) => result.content ?? result.code;
const text = (name: string) => ({ name, type: "string" });

describe("kept answers", () => {
  const cached = (toolResultCacheConfig: Json, more: Json = {}) => ({
    name: "it",
    apiUrl: server.url,
    parameters: [text("a"), text("b")],
    returnValue: { path: "n", saveToVariable: "n" },
    toolResultCacheConfig: { enabled: true, ...toolResultCacheConfig },
    ...more,
  });

  test("SESSION: only this session, by all its parameters", async () => {
    const id = await one.make(cached({}));
    const [mine, other] = [await one.open([id]), await one.open([id])];
    const results = [];
    for (const run of [mine, mine, other]) results.push(await run("it", { a: "1", b: "2" }));
    expect(results.map(words)).toEqual(["1", "1", "2"]);
    expect(results[1]).toMatchObject({ variables: { n: 1 } });
    expect(words(await mine("it", { a: "1" }))).toBe("3");
    expect(await world.database.query("select 1 from tool_results")).toEqual([]);
  });

  test("WORKSPACE: every session of every node, by the key parameters; never another workspace", async () => {
    const body = cached({ scope: "WORKSPACE", keyParameters: ["a"] });
    const id = await one.make(body);
    const theirs = await one.make(body, stranger);
    expect(words(await (await one.open([id]))("it", { a: "1", b: "2" }))).toBe("1");
    expect(words(await (await two.open([id]))("it", { a: "1", b: "other" }))).toBe("1");
    expect(words(await (await two.open([theirs], {}, stranger))("it", { a: "1" }))).toBe("2");
    // The same row under another workspace's ids: sealed for its own place, it does not open.
    await world.database.query("delete from tool_results where tool_id = $1", [theirs]);
    const move = "update tool_results set workspace_id = $1, tool_id = $2 where tool_id = $3 returning 1";
    expect(await world.database.query(move, [stranger.workspaceId, theirs, id])).toHaveLength(1);
    expect(words(await (await one.open([theirs], {}, stranger))("it", { a: "1" }))).toBe("3");
    await world.database.query("delete from tool_results");
    expect(words(await (await two.open([id]))("it", { a: "1" }))).toBe("4");
    await world.request("PUT", `/tools/${id}`, { body: { description: "Changed." } });
    expect(words(await (await two.open([id]))("it", { a: "1" }))).toBe("5");
  });

  test("CONTACT: the sessions of one person; sealed, and forgotten when it is over", async () => {
    const id = await one.make(cached({ scope: "CONTACT", ttlSeconds: 60 }));
    const ask = async (contactKey: string | null) =>
      words(await (await two.open([id], { contactKey }))("it", { a: "1" }));
    expect([await ask("ada"), await ask("bob"), await ask("ada"), await ask(null), await ask(null)]).toEqual([
      "1",
      "2",
      "1",
      "3",
      "4",
    ]);
    const rows = await world.database.query<{ result: Buffer }>("select result from tool_results where tool_id = $1", [
      id,
    ]);
    expect(rows).toHaveLength(2);
    expect(rows.some(({ result }) => result.includes("VALUE"))).toBe(false);
    await world.database.query("update tool_results set expires_at = now() where tool_id = $1", [id]);
    expect([await ask("ada"), await ask("bob"), await ask("ada"), await ask("bob")]).toEqual(["5", "6", "5", "6"]);
    await forgetContactResults(one.parts.database.db, world.sample.workspaceId, "ada");
    expect([await ask("ada"), await ask("bob")]).toEqual(["7", "6"]);
  });

  test("keeps failures only when told to, and of each tool no more than maxEntries", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { n: ++served }, 500);
    const plain = await one.open([await one.make(cached({ scope: "WORKSPACE" }))]);
    await plain("it");
    await plain("it");
    expect(served).toBe(2);
    const errors = await one.open([await one.make(cached({ scope: "WORKSPACE", cacheErrors: true }))]);
    expect([words(await errors("it")), words(await errors("it"))]).toEqual(["HTTP_STATUS", "HTTP_STATUS"]);
    expect(served).toBe(3);
    server.answer = (_request, response) => ToolServer.json(response, { n: ++served });
    for (const scope of ["SESSION", "WORKSPACE"]) {
      served = 0;
      const run = await one.open([await one.make(cached({ scope, maxEntries: 2 }))]);
      for (const a of ["x", "y", "z", "z", "y", "x"]) await run("it", { a });
      expect(served, scope).toBe(4);
    }
  });
});

describe("limits", () => {
  const ANSWER_MS = 30;
  /** A server that says how many requests it had at once. It answers none before so many are there, and more may come. */
  function countAtOnce(least: number): { most: number } {
    const seen = { most: 0 };
    const held = new Set<() => void>();
    server.answer = (_request, response) => {
      held.add(() => ToolServer.json(response, "done"));
      seen.most = Math.max(seen.most, held.size);
      if (seen.most < least) return;
      setTimeout(() => {
        for (const release of held) release();
        held.clear();
      }, ANSWER_MS);
    };
    return seen;
  }
  const limited = (toolConcurrencyConfig: Json, more: Json = {}) => ({
    name: "it",
    apiUrl: server.url,
    toolConcurrencyConfig: { enabled: true, ...toolConcurrencyConfig },
    ...more,
  });

  test("QUEUE: two nodes that race never run more than so many, and all are served", async () => {
    const seen = countAtOnce(3);
    const id = await one.make(limited({ maxConcurrent: 3, queueTimeoutMs: 30_000 }));
    const runs = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).open([id])));
    const results = await Promise.all(runs.map((run) => run("it")));
    expect(new Set(results.map(words))).toEqual(new Set(["done"]));
    expect(seen.most).toBe(3);
    expect(await world.database.query("select 1 from tool_places")).toEqual([]);
  });

  test("FAIL and FALLBACK answer at once, exactly beyond the limit", async () => {
    const waiting: (() => void)[] = [];
    server.answer = (_request, response) => void waiting.push(() => ToolServer.json(response, "done"));
    const settings = [
      limited({ maxConcurrent: 2, onLimit: "FAIL" }),
      limited({ maxConcurrent: 2, onLimit: "FALLBACK" }, { concurrencyLimitFallbackMessage: "Busy, {{ name }}." }),
    ];
    for (const [i, body] of settings.entries()) {
      const id = await one.make(body);
      const runs = await Promise.all([one, two, one, two, one, two].map((harness) => harness.open([id])));
      const ends = runs.map((run) => run("it", {}, { name: "Ada" }));
      const early: (string | undefined)[] = [];
      for (const end of ends) void end.then((result) => early.push(words(result)));
      while (early.length < 4 || waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(early).toEqual(Array(4).fill(i === 0 ? "CONCURRENCY_LIMIT" : "Busy, Ada."));
      for (const release of waiting.splice(0)) release();
      expect((await Promise.all(ends)).map(words).filter((word) => word === "done")).toHaveLength(2);
    }
  });

  test("who waits too long fails; the places of a node that died come back", async () => {
    const id = await one.make(limited({ maxConcurrent: 1, queueTimeoutMs: 200 }));
    const run = await one.open([id]);
    const dead =
      "insert into tool_places (workspace_id, counter, id, expires_at) values ($1, $2, gen_random_uuid(), now() + $3::interval)";
    await world.database.query(dead, [world.sample.workspaceId, `tool:${id}`, "1 hour"]);
    expect(words(await run("it"))).toBe("CONCURRENCY_LIMIT");
    expect(server.requests).toHaveLength(0);
    await world.database.query("update tool_places set expires_at = now()");
    expect((await run("it")).kind).toBe("VALUE");
  });

  test("what is counted: the tool, the flow, the workspace; and no call stands in its own way", async () => {
    const flows = ["0197a000-0000-7000-8000-000000000001", "0197a000-0000-7000-8000-000000000002"];
    const most = async (scope: string, least: number) => {
      const seen = countAtOnce(least);
      const ids = [
        await one.make(limited({ scope, maxConcurrent: 1 })),
        await one.make(limited({ scope, maxConcurrent: 1 })),
      ];
      const runs = await Promise.all(ids.flatMap((id) => flows.map((flowId) => two.open([id], { flowId }))));
      await Promise.all([...runs, ...runs].map((run) => run("it")));
      return seen.most;
    };
    expect([await most("TOOL", 2), await most("FLOW", 2), await most("WORKSPACE", 1)]).toEqual([2, 2, 1]);
    const inner = await one.make({ ...limited({ scope: "WORKSPACE", maxConcurrent: 1 }), name: "inner" });
    const outer = await one.make({
      ...limited({ scope: "WORKSPACE", maxConcurrent: 1 }),
      executionPlan: [{ type: "TOOL", toolId: inner }],
    });
    expect(words(await (await one.open([outer]))("it"))).toBe("done");
  });
});
