import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallHarness } from "../kit/call-harness.ts";
import { Site } from "../kit/web-site.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

type Body = TestReply["body"];

let world: World;
let site: Site;
let other: Sample;
let harness: CallHarness;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  site = await Site.start();
  other = await world.createWorkspace();
  harness = await CallHarness.create(world);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const RANDOM = "00000000-0000-4000-8000-000000000000";

describe("Agents (extension)", () => {
  test("are created, listed, read, merged and deleted", async () => {
    const made = await world.request("POST", "/agents", {
      body: { name: "Reception", description: "Answers.", flowId: world.sample.flow.id },
    });
    expect(made.body).toMatchObject({
      name: "Reception",
      description: "Answers.",
      flowId: world.sample.flow.id,
      version: 1,
    });
    const path = `/agents/${String(made.body.id)}`;
    expect((await world.request("GET", path)).body).toEqual(made.body);
    const changed = await world.request("PUT", path, { body: { ...made.body, description: null, version: 9 } });
    expect(changed.body).toEqual({
      ...made.body,
      description: null,
      version: 2,
      updatedAt: changed.body.updatedAt,
    });
    const page = await world.request("GET", "/agents?size=200");
    expect(page.body.content).toContainEqual(changed.body);
    const gone = await world.request("DELETE", path);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await world.request(method, path, method === "PUT" ? { body: {} } : {})).status).toBe(404);
    }
  });

  test("a flow that does not exist is a 404, a foreign one too, with the same words; no name is a 422", async () => {
    const random = await world.request("POST", "/agents", { body: { name: "A", flowId: RANDOM } });
    const foreign = await world.request("POST", "/agents", { body: { name: "A", flowId: other.flow.id } });
    expect([random.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.text.replace(other.flow.id, RANDOM)).toBe(random.text);
    expect((await world.request("POST", "/agents", { body: {} })).status).toBe(422);
  });

  test("a deleted flow leaves its agents, without a flow", async () => {
    const flow = (await world.request("POST", "/flows", { body: { name: "Short" } })).body;
    const agent = (await world.request("POST", "/agents", { body: { name: "A", flowId: flow.id } })).body;
    expect((await world.request("DELETE", `/flows/${String(flow.id)}`)).status).toBe(204);
    expect((await world.request("GET", `/agents/${String(agent.id)}`)).body.flowId).toBeNull();
  });

  test("deleting an agent deletes its items, their passages and its files", async () => {
    const own = await CallHarness.create(world);
    await own.settled(await own.addText("Something to be forgotten."));
    const file = await own.upload("a.txt", Buffer.from("a"), "text/plain");
    await world.request("DELETE", `/agents/${own.agentId}`);
    for (const table of ["knowledge_items", "knowledge_chunks", "knowledge_files"]) {
      expect(await world.database.query(`select 1 from ${table} where agent_id = $1`, [own.agentId])).toEqual([]);
    }
    const pieces = "select 1 from knowledge_file_pieces where file_id = $1";
    expect(await world.database.query(pieces, [file.body.id])).toEqual([]);
    expect((await world.request("GET", own.items)).status).toBe(404);
  });
});

describe("Agent knowledge base: PUT …/items/{itemId}", () => {
  test("200 with the KnowledgeBaseItemDto: every field of the type, null when unset", async () => {
    const item = await harness.addText("Dogs are welcome.", { title: "Pets" });
    await harness.settled(item);
    const reply = await world.request("PUT", harness.pathOf(item), { body: { tags: ["pets"] } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      id: item.id,
      agentId: harness.agentId,
      title: "Pets",
      type: "TEXT",
      content: "Dogs are welcome.",
      url: null,
      fileId: null,
      tags: ["pets"],
      metadata: null,
      language: null,
      enabled: true,
      refreshIntervalHours: null,
      status: "READY",
      statusMessage: null,
      sizeBytes: 17,
      chunkCount: 1,
      contentHash: createHash("sha256").update("Dogs are welcome.").digest("hex"),
    });
    expect((await world.request("GET", harness.pathOf(item))).body).toEqual(reply.body);
  });

  test("sent fields replace, absent ones stay, null clears, server-owned ones are ignored", async () => {
    const item = await harness.addText("Cats too.", { tags: ["a"], metadata: { a: { b: 1 } }, language: "en" });
    const sent = { metadata: { c: 2 }, tags: null, language: null, id: 7, status: "X", chunkCount: "many" };
    expect(await harness.change(item, sent)).toMatchObject({
      id: item.id,
      metadata: { c: 2 },
      tags: [],
      language: null,
      content: "Cats too.",
    });
    const whole = (await harness.settled(item)) as object;
    expect(await harness.change(item, { ...whole })).toEqual({ ...whole, updatedAt: expect.any(String) });
  });

  test("another type takes its own source and drops the old one", async () => {
    const item = await harness.addText("Old text.");
    const url = site.text("/typed", "New page.");
    expect(await harness.change(item, { type: "URL", url })).toMatchObject({ type: "URL", url, content: null });
    await harness.settled(item);
    expect((await harness.search('"new page"'))[0]?.itemId).toBe(item.id);
    expect(await harness.search('"old text"')).toEqual([]);
  });

  test("the body is checked: 400 for a wrong type, 422 with the field's path for a broken rule", async () => {
    const item = await harness.addText("Checked.");
    const faults: [Body, number, string][] = [
      [{ title: 5 }, 400, "title"],
      [{ title: "" }, 422, "title"],
      [{ type: "VIDEO" }, 422, "type"],
      [{ content: null }, 422, "content"],
      [{ content: "  " }, 422, "content"],
      [{ url: "https://example.com/" }, 422, "url"],
      [{ type: "URL" }, 422, "url"],
      [{ type: "URL", url: "ftp://example.com/" }, 422, "url"],
      [{ type: "URL", url: "http://169.254.169.254/" }, 422, "url"],
      [{ type: "FILE" }, 422, "fileId"],
      [{ refreshIntervalHours: 5 }, 422, "refreshIntervalHours"],
      [{ refreshIntervalHours: 1e300 }, 422, "refreshIntervalHours"],
      [{ metadata: { text: "x".repeat(70_000) } }, 422, "metadata"],
      [{ language: "a language" }, 422, "language"],
      [{ tags: [""] }, 422, "tags.0"],
    ];
    for (const [body, status, path] of faults) {
      const reply = await world.request("PUT", harness.pathOf(item), { body });
      expect([JSON.stringify(body).slice(0, 80), reply.status], reply.text).toEqual([
        JSON.stringify(body).slice(0, 80),
        status,
      ]);
      expect((reply.body.details as { path: string }[])[0]?.path).toBe(path);
    }
    const missing = await world.request("PUT", harness.pathOf(item), { body: { type: "FILE", fileId: RANDOM } });
    expect([missing.status, missing.body.error]).toEqual([404, "Not found"]);
  });

  test("takes an Idempotency-Key: the change is made once", async () => {
    const item = await harness.addText("Once.");
    const options = { body: { content: "Twice?" }, headers: { "idempotency-key": "change-1" } };
    const first = await world.request("PUT", harness.pathOf(item), options);
    const again = await world.request("PUT", harness.pathOf(item), options);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
  });
});

describe("Agent knowledge base: DELETE …/items/{itemId}", () => {
  test("204 without a body, permanent: the item is gone and nothing of it is found", async () => {
    const item = await harness.addText("The zeppelin leaves at noon.");
    await harness.settled(item);
    expect(await harness.search("zeppelin")).toHaveLength(1);
    const reply = await world.request("DELETE", harness.pathOf(item));
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(await harness.search("zeppelin")).toEqual([]);
    const rows = "select 1 from knowledge_chunks where item_id = $1";
    expect(await world.database.query(rows, [item.id])).toEqual([]);
    for (const [method, options] of [
      ["GET", {}],
      ["PUT", { body: {} }],
      ["DELETE", {}],
    ] as const) {
      expect((await world.request(method, harness.pathOf(item), options)).status).toBe(404);
    }
  });

  test("the sample's item and agent exist and can be deleted", async () => {
    const sample = await world.createWorkspace();
    const { id, knowledgeBaseItemId } = sample.agent;
    const path = `/agents/${id}/knowledge-base/items/${knowledgeBaseItemId}`;
    expect((await world.request("GET", path, { key: sample.apiKey })).body).toMatchObject({ agentId: id });
    expect((await world.request("DELETE", path, { key: sample.apiKey })).status).toBe(204);
  });
});

describe("who may address what", () => {
  test("another workspace's agent and item read exactly as ids that never existed", async () => {
    const { id, knowledgeBaseItemId: item } = other.agent;
    const pairs = [
      [id, item],
      [id, RANDOM],
      [RANDOM, item],
      [harness.agentId, item],
      [RANDOM, RANDOM],
    ];
    const answers = new Set<string>();
    for (const [agent, one] of pairs) {
      for (const [method, path, body] of [
        ["GET", `/agents/${agent}/knowledge-base/items/${one}`, undefined],
        ["PUT", `/agents/${agent}/knowledge-base/items/${one}`, { title: "Mine" }],
        ["DELETE", `/agents/${agent}/knowledge-base/items/${one}`, undefined],
      ] as const) {
        const reply = await world.request(method, path, { body });
        answers.add(`${reply.status} ${reply.text}`);
      }
    }
    for (const agent of [id, RANDOM]) {
      for (const path of ["items", "search?q=hours"]) {
        const reply = await world.request("GET", `/agents/${agent}/knowledge-base/${path}`);
        answers.add(`${reply.status} ${reply.text}`);
      }
      const made = await world.request("POST", `/agents/${agent}/knowledge-base/items`, {
        body: { title: "A", type: "TEXT", content: "A" },
      });
      answers.add(`${made.status} ${made.text}`);
      const { status, body } = await harness.upload("a.txt", Buffer.from("a"), "text/plain", { agentId: agent });
      answers.add(`${status} ${JSON.stringify(body)}`);
    }
    expect([...answers]).toEqual(['404 {"error":"Not found"}']);
    const untouched = await world.request("GET", `/agents/${id}/knowledge-base/items/${item}`, { key: other.apiKey });
    expect(untouched.body.title).not.toBe("Mine");
  });

  test("an item of another agent of the same workspace is a 404, and so is its file", async () => {
    const neighbour = await CallHarness.create(world);
    const item = await harness.addText("Here.");
    for (const [method, options] of [
      ["GET", {}],
      ["PUT", { body: {} }],
      ["DELETE", {}],
    ] as const) {
      expect((await world.request(method, neighbour.pathOf(item), options)).status).toBe(404);
    }
    const file = await neighbour.upload("a.txt", Buffer.from("a"), "text/plain");
    const reply = await world.request("POST", harness.items, {
      body: { title: "A", type: "FILE", fileId: file.body.id },
    });
    expect(reply.status).toBe(404);
    expect(await neighbour.search("Here")).toEqual([]);
  });

  test("AGENTS_READ reads, AGENTS_WRITE writes, others are refused with 403", async () => {
    const keyOf = async (permissions: string[]) =>
      String((await world.operator("key.create", { workspaceId: world.sample.workspaceId, permissions })).apiKey);
    const [reader, writer, stranger] = [
      await keyOf(["AGENTS_READ"]),
      await keyOf(["AGENTS_WRITE"]),
      await keyOf(["FLOWS"]),
    ];
    const item = await harness.addText("Guarded.");
    const statuses = async (key: string) => [
      (await world.request("GET", harness.pathOf(item), { key })).status,
      (await world.request("PUT", harness.pathOf(item), { key, body: {} })).status,
    ];
    expect(await statuses(reader)).toEqual([200, 403]);
    expect(await statuses(writer)).toEqual([403, 200]);
    expect(await statuses(stranger)).toEqual([403, 403]);
  });
});
