import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CallHarness } from "../kit/call-harness.ts";
import { createDatabase } from "../kit/database.ts";
import { EmbeddingServer } from "../kit/embedding-server.ts";
import { STREAMED_TURN, TrialServer } from "../kit/model-vendors/trial-server.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

type Body = TestReply["body"];

let world: World;
let server: EmbeddingServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  server = await EmbeddingServer.start();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
// A test that fails must not leave its model to the tests that follow.
afterEach(async () => {
  server.fault = undefined;
  const { body } = await world.request("GET", "/models?size=100");
  for (const model of body.content as Body[]) await remove(model);
});

const MODEL = { kind: "EMBEDDING", name: "Meaning", provider: "OPENAI_COMPATIBLE", model: "trial" };

let configured = 0;

/** Configures a model under a name of its own: after a failure a server is left alone for a while, by that name. */
async function configure(more: Body = {}): Promise<Body> {
  const body = { ...MODEL, model: `trial-${++configured}`, baseUrl: server.url, ...more };
  const reply = await world.request("POST", "/models", { body });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

async function remove(model: Body): Promise<void> {
  expect((await world.request("DELETE", `/models/${String(model.id)}`)).status).toBe(204);
}

/** A turn in which the model searches the knowledge base. */
const ASK = STREAMED_TURN.OPENAI_COMPATIBLE.replace("look_up", "search_knowledge")
  .replace(String.raw`{\"da`, String.raw`{\"que`)
  .replace(String.raw`y\":\"Monday`, String.raw`ry\":\"hound in the hall`);

/** Returns the number of an agent's passages that have a vector, for each model key. */
async function countVectors(harness: CallHarness): Promise<number[]> {
  const rows = await world.database.query<{ count: string }>(
    "select count(*) as count from knowledge_vectors where agent_id = $1 group by model_key",
    [harness.agentId],
  );
  return rows.map(({ count }) => Number(count));
}

const TEXTS = [
  ["Returns", "You get your money back within ten days after you cancel."],
  ["Visitors", "Your puppy may come along. Visitors wait in the hall."],
  ["Hours", "We are there from Monday to Friday."],
  ["Arrival", "The garage is behind the building; what is more, it is free for visitors."],
] as const;

async function fill(harness: CallHarness): Promise<Body[]> {
  const items: Body[] = [];
  for (const [title, content] of TEXTS) items.push(await harness.addText(content, { title }));
  for (const item of items) await harness.settled(item);
  return items;
}

describe("search by meaning", () => {
  test("finds a paraphrase that full-text search cannot, and shows it first", async () => {
    const harness = await CallHarness.create(world);
    await fill(harness);
    const question = "Will I be reimbursed?";
    expect(await harness.search(question)).toEqual([]);
    const model = await configure();
    await expect.poll(() => countVectors(harness)).toEqual([TEXTS.length]);
    const [best, ...others] = await harness.search(question);
    expect(best).toMatchObject({ title: "Returns", headings: [], page: null, position: 0 });
    expect(others).toEqual([]);
    // Words and meaning together: a passage that both find comes before one that only one of them finds.
    expect((await harness.search("visitors with a hound")).map(({ title }) => title)).toEqual(["Visitors", "Arrival"]);
    // A quoted phrase is searched by words only.
    expect(await harness.search('"reimbursed"')).toEqual([]);
    await remove(model);
    await expect.poll(() => countVectors(harness)).toEqual([]);
    expect(await harness.search(question)).toEqual([]);
  });

  test("asks the server as OpenAI's protocol has it, with title and headings before each passage", async () => {
    const harness = await CallHarness.create(world);
    const model = await configure({ apiKey: "sk-embed", model: "trial" });
    server.requests.length = 0;
    const file = await harness.upload("a.md", Buffer.from("# Pets\n\nA dog is welcome."), "text/markdown");
    await harness.settled(await harness.addItem({ title: "House", type: "FILE", fileId: file.body.id }));
    await expect.poll(() => countVectors(harness)).toEqual([1]);
    const request = server.requests.find(({ input }) => input[0]?.startsWith("House"));
    expect(request).toMatchObject({
      path: "/v1/embeddings",
      model: "trial",
      input: ["House > Pets\n\nPets\n\nA dog is welcome."],
    });
    expect(request?.headers.authorization).toBe("Bearer sk-embed");
    await remove(model);
  });

  test.each([
    ["answers 500", (response) => void response.writeHead(500).end("{}")],
    ["closes the connection", (response) => void response.destroy()],
    ["never answers", () => undefined],
    ["answers nonsense", (response) => void response.writeHead(200).end("<html>")],
    ["sends too few vectors", (response) => void response.writeHead(200).end('{"data":[]}')],
    [
      "sends no numbers",
      (response) => void response.writeHead(200).end('{"data":[{"embedding":["a"]}],"usage":{"prompt_tokens":1}}'),
    ],
  ] as [string, EmbeddingServer["fault"]][])("a server that %s leaves full-text search", async (name, fault) => {
    const harness = await CallHarness.create(world);
    const model = await configure({ model: name });
    await fill(harness);
    await expect.poll(() => countVectors(harness)).toEqual([TEXTS.length]);
    server.fault = fault;
    expect((await harness.search("puppy")).map(({ title }) => title)).toEqual(["Visitors"]);
    await remove(model);
  });

  test("a server that lets every request hang holds up neither what is read nor another server", async () => {
    const harness = await CallHarness.create(world);
    const items: Body[] = [];
    for (let i = 0; i < 20; i++) items.push(await harness.addText(`Dog ${i} is in the hall.`));
    for (const item of items) await harness.settled(item);
    const hanging = new Set<ServerResponse>();
    server.fault = (response) => {
      hanging.add(response);
      response.once("close", () => hanging.delete(response));
    };
    const model = await configure({ model: "hangs" });
    await expect.poll(() => hanging.size).toBeGreaterThanOrEqual(4);
    await harness.settled(await harness.addText("The hall is open."));
    const stranger = await EmbeddingServer.start();
    const other = await world.createWorkspace();
    const post = (path: string, body: Body) => world.request("POST", path, { key: other.apiKey, body });
    await post("/models", { ...MODEL, baseUrl: stranger.url });
    const base = `/agents/${other.agent.id}/knowledge-base`;
    await post(`${base}/items`, { title: "Theirs", type: "TEXT", content: "A puppy may come." });
    const find = async () => (await world.request("GET", `${base}/search?q=hound`, { key: other.apiKey })).body.results;
    await expect.poll(find).toMatchObject([{ title: "Theirs" }]);
    expect(hanging.size).toBe(4);
    // A request that still hangs is aborted with its model, and the next one begins at once.
    await remove(model);
    server.fault = undefined;
    const next = await configure({ model: "next" });
    await expect.poll(() => countVectors(harness)).toEqual([items.length + 1]);
    await expect.poll(() => hanging.size).toBe(0);
    await remove(next);
    await stranger[Symbol.asyncDispose]();
  });

  test("another workspace's passages are never found, though the vectors are the same", async () => {
    const harness = await CallHarness.create(world);
    const model = await configure();
    const stranger = await world.createWorkspace();
    const post = (path: string, body: Body) => world.request("POST", path, { key: stranger.apiKey, body });
    const agent = (await post("/agents", { name: "Theirs" })).body;
    const base = `/agents/${String(agent.id)}/knowledge-base`;
    await post("/models", { ...MODEL, baseUrl: server.url });
    await post(`${base}/items`, { title: "Secret", type: "TEXT", content: "Our dog is called Rex." });
    await harness.settled(await harness.addText("A puppy may come.", { title: "Own" }));
    const vectors = "select count(*)::int as count from knowledge_vectors where agent_id = any($1)";
    await expect.poll(() => world.database.query(vectors, [[harness.agentId, agent.id]])).toEqual([{ count: 2 }]);
    expect((await harness.search("hound")).map(({ title }) => title)).toEqual(["Own"]);
    const search = async (path: string) => world.request("GET", `${path}?q=hound`, { key: stranger.apiKey });
    expect((await search(`${base}/search`)).body.results).toMatchObject([{ title: "Secret" }]);
    expect((await search(`/agents/${harness.agentId}/knowledge-base/search`)).status).toBe(404);
    await remove(model);
  });
});

describe("in a conversation", () => {
  /** Returns the tool result that the model of a chat receives when it searches the knowledge base. */
  async function lookUp(flowId: unknown, talker: TrialServer): Promise<string> {
    talker.requests.length = 0;
    talker.answer = { body: ASK };
    await world.request("POST", "/outbound/chats", { body: { channel: "CHAT", flowId, initialMessage: "Hello." } });
    const { body } = await world.request("GET", "/chat-sessions?size=1");
    const [chat] = body.content as { id: string }[];
    const posted = world.request("POST", `/chat-sessions/${chat?.id}/messages`, { body: { content: "My hound?" } });
    const answers = () =>
      talker.requests.flatMap(({ body: { messages } }) => messages as { role: string; content: string }[]);
    await expect.poll(() => answers().some(({ role }) => role === "tool"), { timeout: 20_000 }).toBe(true);
    talker.answer = { body: STREAMED_TURN.OPENAI_COMPATIBLE.replace("look_up", "end_call") };
    await posted;
    return String(answers().find(({ role }) => role === "tool")?.content);
  }

  test("all agents that follow the flow are searched at once; without the server, by words", async () => {
    await using talker = await TrialServer.start();
    const voice = { name: "v", provider: "OPENAI_COMPATIBLE", model: "m", baseUrl: talker.url };
    const { body: model } = await world.request("POST", "/models", { body: voice });
    const { body: flow } = await world.request("POST", "/flows", { body: { name: "f", model: { modelId: model.id } } });
    const harnesses = [await CallHarness.create(world), await CallHarness.create(world)];
    for (const harness of harnesses) {
      await world.request("PUT", `/agents/${harness.agentId}`, { body: { flowId: flow.id } });
    }
    const [one, two] = harnesses as [CallHarness, CallHarness];
    await one.settled(await one.addText("A puppy may come.", { title: "Pets" }));
    await two.settled(await two.addText("You wait in the hall.", { title: "Waiting" }));
    const meaning = await configure();
    await expect.poll(() => countVectors(one)).toEqual([1]);
    await expect.poll(() => countVectors(two)).toEqual([1]);
    const reported = await lookUp(flow.id, talker);
    expect([reported.includes("A puppy may come."), reported.includes("You wait in the hall.")]).toEqual([true, true]);
    server.fault = (response) => void response.destroy();
    const foundByWords = await lookUp(flow.id, talker);
    expect([foundByWords.includes("A puppy"), foundByWords.includes("You wait in the hall.")]).toEqual([false, true]);
    await remove(meaning);
  });
});

describe("embedding", () => {
  test("a changed model embeds everything anew, a changed title its item", async () => {
    const harness = await CallHarness.create(world);
    const model = await configure();
    const [returns] = await fill(harness);
    await expect.poll(() => countVectors(harness)).toEqual([TEXTS.length]);
    server.requests.length = 0;
    const path = `/models/${String(model.id)}`;
    expect((await world.request("PUT", path, { body: { model: "reversed" } })).status).toBe(200);
    await expect.poll(() => countVectors(harness)).toEqual([TEXTS.length]);
    await expect.poll(async () => (await harness.search("reimburse me"))[0]?.title).toBe("Returns");
    // A request under way when the model was changed may still arrive; after that the old model gets none.
    const asked = server.requests.map((request) => request.model);
    expect(new Set(asked.slice(asked.indexOf("reversed")))).toEqual(new Set(["reversed"]));
    await harness.change(returns as Body, { title: "Animals" });
    await expect.poll(() => countVectors(harness)).toEqual([TEXTS.length]);
    await expect
      .poll(() => server.requests.some(({ input }) => input.some((text) => text.startsWith("Animals\n\nYou get"))))
      .toBe(true);
    await remove(model);
  });

  test("an answer that a changed model gives late replaces nothing of the new one's", async () => {
    // A workspace of its own: texts that other tests left to embed would take the server's turns.
    const { apiKey: key, agent } = await world.createWorkspace();
    const call = (method: string, path: string, body?: Body) => world.request(method, path, { key, body });
    const late: ServerResponse[] = [];
    server.fault = (response) => void late.push(response);
    const model = (await call("POST", "/models", { ...MODEL, model: "old", baseUrl: server.url })).body;
    const base = `/agents/${agent.id}/knowledge-base`;
    await call("POST", `${base}/items`, { title: "Late", type: "TEXT", content: "A hound comes late." });
    const isAsked = () => server.requests.some(({ input }) => input[0]?.endsWith("A hound comes late."));
    await expect.poll(isAsked).toBe(true);
    server.fault = undefined;
    expect((await call("PUT", `/models/${String(model.id)}`, { model: "new" })).status).toBe(200);
    const find = async () => (await call("GET", `${base}/search?q=dog`)).body.results;
    await expect.poll(find).toMatchObject([{ title: "Late" }]);
    const ended = Promise.all(late.map(async (response) => response.closed || once(response, "close")));
    const answer = { data: [{ index: 0, embedding: [0, 0, 0, 1] }], usage: { prompt_tokens: 1 } };
    for (const response of late) response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    await ended;
    const running = "select 1 from tasks where kind = 'knowledge.embed' and status = 'RUNNING'";
    await expect.poll(() => world.database.query(running)).toEqual([]);
    expect(await find()).toMatchObject([{ title: "Late" }]);
  });

  test("a server that is down is asked again; the item is READY, says so, and is found by its words", async () => {
    const harness = await CallHarness.create(world);
    const model = await configure();
    server.fault = (response) => void response.writeHead(503).end('{"error":{"message":"overloaded"}}');
    const item = await harness.addText("A puppy may come.");
    const noted = await world.until(harness.pathOf(item), ({ statusMessage }) => statusMessage !== null);
    expect(noted).toMatchObject({ status: "READY", statusMessage: expect.stringMatching(/words alone: .*503/) });
    expect(await harness.search("puppy")).toHaveLength(1);
    server.fault = undefined;
    await world.until(harness.pathOf(item), ({ statusMessage }) => statusMessage === null);
    expect(await countVectors(harness)).toEqual([1]);
    await remove(model);
  });

  test("a server that takes only some requests at a time is not given up while it goes on with a document", async () => {
    const harness = await CallHarness.create(world);
    const model = await configure();
    let asked = 0;
    server.fault = (response) => {
      if (++asked === 2 || asked === 4) return void response.writeHead(429).end('{"error":{"message":"slow down"}}');
      const data = server.requests.at(-1)?.input.map((_, index) => ({ index, embedding: [1, 0, 0, 0, 0] }));
      const answer = { data, usage: { prompt_tokens: 1 } };
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    };
    const text = Array.from({ length: 200 }, (_, i) => `${i} ${"dog ".repeat(150)}`).join("\n\n");
    const item = await harness.addText(text);
    await expect.poll(() => countVectors(harness), { timeout: 20_000 }).toEqual([200]);
    const attempts = "select max(attempt) as most from tasks where kind = 'knowledge.embed' and subject_id = $1";
    expect(await world.database.query(attempts, [item.id])).toEqual([{ most: 1 }]);
    await remove(model);
  });

  test("is checked by one word; an embedding model can neither speak nor change its kind", async () => {
    const model = await configure();
    const path = `/models/${String(model.id)}`;
    const check = await world.request("POST", `${path}/check`);
    expect(check.body).toMatchObject({ ok: true, answer: "A vector of 5 numbers.", error: null });
    server.fault = (response) => void response.writeHead(401).end('{"error":{"message":"no"}}');
    const refused = await world.request("POST", `${path}/check`);
    expect(refused.body).toMatchObject({ ok: false, error: { code: "MODEL_UNAUTHORIZED" } });
    const flow = await world.request("POST", "/flows", { body: { name: "x", model: { modelId: model.id } } });
    expect(flow.status).toBe(404);
    const cases: [string, Body, string][] = [
      [path, { kind: "CHAT" }, "kind"],
      [path, { provider: "ANTHROPIC" }, "provider"],
      [path, { temperature: 1 }, "temperature"],
    ];
    for (const [at, body, field] of cases) {
      const reply = await world.request("PUT", at, { body });
      expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([422, field]);
    }
    await remove(model);
  });

  test("each kind has its own default model", async () => {
    const meaning = await configure({ isDefault: true });
    const voice = { name: "v", provider: "OPENAI_COMPATIBLE", model: "m", isDefault: true, baseUrl: server.url };
    const speaking = (await world.request("POST", "/models", { body: voice })).body;
    expect([speaking.kind, speaking.isDefault]).toEqual(["CHAT", true]);
    const read = await world.request("GET", `/models/${String(meaning.id)}`);
    expect([read.body.kind, read.body.isDefault]).toEqual(["EMBEDDING", true]);
    await remove(meaning);
    await remove(speaking);
  });

  test("survives kill -9 while a batch is under way", async () => {
    const database = await createDatabase();
    const process = await ServerProcess.create({ DATABASE_URL: database.url, ALLOW_PRIVATE_NETWORK: "1" });
    try {
      await process.start();
      const sample = (await process.operator("workspace.create", { name: "T", sample: true })) as unknown as Sample;
      const call = async (method: string, path: string, body?: object): Promise<Body> => {
        const reply = await fetch(`${process.url}/api/external/v1${path}`, {
          method,
          headers: { "x-api-key": sample.apiKey, "content-type": "application/json" },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return (await reply.json()) as Body;
      };
      let isAsked = false;
      server.fault = () => {
        isAsked = true;
      };
      const base = `/agents/${sample.agent.id}/knowledge-base`;
      await call("POST", "/models", { ...MODEL, baseUrl: server.url });
      await call("POST", `${base}/items`, { title: "Pets", type: "TEXT", content: "A puppy may come." });
      await expect.poll(() => isAsked, { timeout: 30_000 }).toBe(true);
      process.kill();
      await process.gone;
      server.fault = undefined;
      await process.start();
      await expect
        .poll(async () => (await call("GET", `${base}/search?q=hound`)).results, { timeout: 60_000, interval: 200 })
        .toMatchObject([{ title: "Pets" }]);
    } finally {
      await process.stop();
      await database.drop();
    }
  });
});

describe("POST …/reindex (extension)", () => {
  test("reads the source again though it has not changed; 409 while the item is disabled", async () => {
    const harness = await CallHarness.create(world);
    const item = await harness.settled(await harness.addText("A text."));
    const tasks = "select distinct task_id from knowledge_chunks where item_id = $1";
    const [before] = await world.database.query(tasks, [item.id]);
    const reply = await world.request("POST", `${harness.pathOf(item)}/reindex`);
    expect([reply.status, reply.body.status]).toEqual([200, "PENDING"]);
    await harness.settled(item);
    expect(await world.database.query(tasks, [item.id])).not.toEqual([before]);
    expect(await harness.search("text")).toHaveLength(1);
    await harness.change(item, { enabled: false });
    expect((await world.request("POST", `${harness.pathOf(item)}/reindex`)).status).toBe(409);
  });
});
