import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOBODY } from "../kit/resources.ts";
import { type TestReply, World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: NOBODY });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = TestReply["body"];
interface Applied {
  id: string;
  action: string;
  fields: string[];
  version: number;
  draftUpdatedAt: string | null;
}
const END_CALL = "970e5019-a4cf-566d-abc7-058f7bfdab87";
const SECRET = "Bearer do-not-tell";
const MASK = "********";
const API_TOOL = { description: "d", toolType: "API", apiMethod: "GET", apiUrl: "http://127.0.0.1:9/x" };
const SCHEMA = { type: "object", properties: { ok: { type: "boolean" } } };

async function ask(method: string, path: string, body: unknown, status: number): Promise<Body> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
  return reply.body;
}

async function apply(body: object, status = 200) {
  const applied = await ask("POST", "/flows/apply", body, status);
  return applied as unknown as Record<"flows" | "tools" | "structuredOutputs", Applied[]>;
}

const read = (path: string) => ask("GET", path, undefined, 200);

/** Files of one flow with two tools, of which one calls the other, and an output; all new. */
function newFiles() {
  const [inner, outer, output] = [randomUUID(), randomUUID(), randomUUID()];
  const apiId = `files-${randomUUID().slice(0, 8)}`;
  return {
    flows: [
      {
        apiId,
        name: "Files",
        firstMessage: "Hi.",
        toolIds: [outer, END_CALL],
        structuredOutputIds: [output],
        ifVersion: 0,
      },
    ],
    tools: [
      { ...API_TOOL, id: outer, name: "plan", executionPlan: [{ id: "a", type: "TOOL", toolId: inner }], ifVersion: 0 },
      { ...API_TOOL, id: inner, name: "lookup", apiHeaders: { Authorization: SECRET, "X-Region": "eu" }, ifVersion: 0 },
    ],
    structuredOutputs: [{ id: output, name: "visit", schema: SCHEMA, ifVersion: 0 }],
  };
}

/** Applies new files, and returns them as they are once the ids of the workspace are known. */
async function applyNew() {
  const files = newFiles();
  const made = await apply(files);
  const [outer, inner] = made.tools as [Applied, Applied];
  const [output] = made.structuredOutputs as [Applied];
  const [flow] = made.flows as [Applied];
  const [{ ifVersion: _1, ...flowFile }] = files.flows as [(typeof files.flows)[number]];
  const [outerFile, innerFile] = files.tools as [object, object];
  const known = {
    flows: [{ ...flowFile, toolIds: [outer.id, END_CALL], structuredOutputIds: [output.id] }],
    tools: [
      { ...outerFile, id: outer.id, executionPlan: [{ id: "a", type: "TOOL", toolId: inner.id }], ifVersion: null },
      { ...innerFile, id: inner.id, apiHeaders: { Authorization: MASK, "X-Region": "eu" }, ifVersion: null },
    ],
    structuredOutputs: [{ id: output.id, name: "visit", schema: SCHEMA }],
  };
  return { made, known, flow, outer, inner, output, path: `/flows/${flow.id}` };
}

describe("files that are new", () => {
  test("are made together, and name each other by the ids that they were given", async () => {
    const { flow, outer, inner, output, path } = await applyNew();
    expect([flow.action, flow.version]).toEqual(["CREATED", 1]);
    expect(await read(path)).toMatchObject({ toolIds: [outer.id, END_CALL], structuredOutputIds: [output.id] });
    expect(await read(`/tools/${outer.id}`)).toMatchObject({ executionPlan: [{ toolId: inner.id }] });
  });

  test("sent again unchanged make no version of anything", async () => {
    const { known, flow, inner, path } = await applyNew();
    const again = await apply({ ...known, publish: true });
    for (const one of [...again.flows, ...again.tools, ...again.structuredOutputs]) {
      expect(one).toMatchObject({ action: "UNCHANGED", fields: [], version: 1 });
    }
    expect((await read(path)).version).toBe(flow.version);
    expect((await read(`/tools/${inner.id}`)).version).toBe(1);
  });

  test("are made all or none", async () => {
    const files = newFiles();
    const broken = { ...files, flows: [{ ...files.flows[0], toolIds: [randomUUID()] }] };
    const before = await read("/structured-outputs");
    await apply(broken, 404);
    expect(await read("/structured-outputs")).toEqual(before);
  });

  test("with the id of another workspace's tool make one of their own, and leave that alone", async () => {
    const other = await world.createWorkspace();
    const foreign = await world.request("POST", "/tools", { key: other.apiKey, body: { ...API_TOOL, name: "theirs" } });
    const made = await apply({ tools: [{ ...API_TOOL, id: foreign.body.id, name: "ours" }] });
    expect(made.tools[0]).toMatchObject({ action: "CREATED" });
    expect(made.tools[0]?.id).not.toBe(foreign.body.id);
    const theirs = await world.request("GET", `/tools/${String(foreign.body.id)}`, { key: other.apiKey });
    expect(theirs.body.name).toBe("theirs");
  });
});

describe("a changed file", () => {
  test("becomes a draft, which no call uses, and a version with publish; a field left out is cleared", async () => {
    const { known, path } = await applyNew();
    const [{ firstMessage: _2, ...flow }] = known.flows as [(typeof known.flows)[number]];
    const drafted = await apply({ flows: [{ ...flow, masterPrompt: "Be kind." }] });
    expect(drafted.flows[0]).toMatchObject({ action: "CHANGED", version: 1 });
    expect(drafted.flows[0]?.fields.toSorted()).toEqual(["firstMessage", "masterPrompt"]);
    expect(await read(path)).toMatchObject({ version: 1, firstMessage: "Hi.", masterPrompt: null });
    expect(await read(`${path}/draft`)).toMatchObject({ firstMessage: null, masterPrompt: "Be kind." });
    expect((await apply({ flows: [{ ...flow, masterPrompt: "Be kind." }] })).flows[0]?.action).toBe("UNCHANGED");
    const published = await apply({ flows: [{ ...flow, masterPrompt: "Be kind." }], publish: true });
    expect(published.flows[0]).toMatchObject({ action: "CHANGED", version: 2, draftUpdatedAt: null });
    expect(await read(path)).toMatchObject({ version: 2, firstMessage: null, masterPrompt: "Be kind." });
  });

  test("with a masked secret keeps what is stored, and the answer never shows it", async () => {
    const { known, inner } = await applyNew();
    const [, tool] = known.tools as [object, object];
    const reply = await world.request("POST", "/flows/apply", { body: { tools: [{ ...tool, description: "e" }] } });
    expect(reply.text).not.toContain("do-not-tell");
    expect(reply.body.tools).toMatchObject([{ action: "CHANGED", fields: ["description"], version: 2 }]);
    expect((await read(`/tools/${inner.id}`)).apiHeaders).toEqual({ Authorization: MASK, "X-Region": "eu" });
    // Sent to another host, the stored secret would go there.
    const elsewhere = await ask("POST", "/flows/apply", { tools: [{ ...tool, apiUrl: "https://example.com/x" }] }, 422);
    expect(elsewhere.details).toMatchObject([{ path: "tools.0.apiHeaders.Authorization", code: "MASK" }]);
  });

  test("is refused when the server's was changed since it was read", async () => {
    const { known, flow, inner, path } = await applyNew();
    const [file] = known.flows as [object];
    await ask("PUT", path, { firstMessage: "Somebody else's." }, 200);
    const stale = { flows: [{ ...file, firstMessage: "Mine.", ifVersion: flow.version }] };
    expect((await ask("POST", "/flows/apply", stale, 409)).details).toMatchObject([{ path: "flows.0", code: "STALE" }]);
    expect((await read(path)).firstMessage).toBe("Somebody else's.");
    await ask("PUT", `${path}/draft`, { firstMessage: "A draft of theirs." }, 200);
    await apply({ flows: [{ ...file, ifVersion: 2, ifDraftUpdatedAt: null }] }, 409);
    await apply({ tools: [{ ...API_TOOL, id: inner.id, name: "lookup", ifVersion: 7 }] }, 409);
    await apply({ tools: [{ ...API_TOOL, id: randomUUID(), name: "gone", ifVersion: 1 }] }, 409);
    await apply({ flows: [{ ...file, ifVersion: 0 }] }, 409);
  });

  test("sent by two at the same time on the same version is taken from one of them", async () => {
    const { known, flow } = await applyNew();
    const [file] = known.flows as [object];
    const replies = await Promise.all(
      ["One.", "Two."].map((firstMessage) =>
        world.request("POST", "/flows/apply", {
          body: { flows: [{ ...file, firstMessage, ifVersion: flow.version }], publish: true },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

test("a dry run answers the same and changes nothing", async () => {
  const files = newFiles();
  const before = [await read("/tools"), await read("/structured-outputs"), (await read("/flows")).total];
  const answered = await apply({ ...files, dryRun: true });
  expect(answered.tools.map(({ action }) => action)).toEqual(["CREATED", "CREATED"]);
  expect([await read("/tools"), await read("/structured-outputs"), (await read("/flows")).total]).toEqual(before);
  const { known, path } = await applyNew();
  const [file] = known.flows as [object];
  const dry = await apply({ flows: [{ ...file, firstMessage: "Other." }], publish: true, dryRun: true });
  expect(dry.flows[0]).toMatchObject({ action: "CHANGED", fields: ["firstMessage"] });
  expect(await read(path)).toMatchObject({ version: 1, firstMessage: "Hi." });
});

test("publishing a misspelt variable is refused until it is accepted", async () => {
  const { known } = await applyNew();
  const [file] = known.flows as [object];
  const body = { flows: [{ ...file, firstMessage: "Hello {{ contctName }}" }], publish: true };
  const refused = await ask("POST", "/flows/apply", body, 422);
  expect(refused.details).toMatchObject([{ path: "flows.0.firstMessage", code: "UNKNOWN_VARIABLE" }]);
  await apply({ ...body, acceptUnknownVariables: true });
});

test.each([
  ["a flow without apiId", { flows: [{ name: "x" }] }, "flows.0.apiId"],
  ["a flow without a name", { flows: [{ apiId: "nameless" }] }, "flows.0.name"],
  [
    "a flow twice",
    {
      flows: [
        { apiId: "twice", name: "a" },
        { apiId: "twice", name: "b" },
      ],
    },
    "flows.1.apiId",
  ],
  ["a system tool", { tools: [{ ...API_TOOL, id: END_CALL, name: "end_call" }] }, "tools.0.id"],
  ["a tool without a name", { tools: [{ ...API_TOOL, id: randomUUID() }] }, "tools.0.name"],
  [
    "a mask that stands for nothing",
    { tools: [{ ...API_TOOL, id: randomUUID(), name: "m", apiHeaders: { Authorization: MASK } }] },
    "tools.0.apiHeaders.Authorization",
  ],
  [
    "an output without a schema",
    { structuredOutputs: [{ id: randomUUID(), name: "o" }] },
    "structuredOutputs.0.schema",
  ],
  [
    "an output with a hostile schema",
    {
      structuredOutputs: [
        { id: randomUUID(), name: "o", schema: { type: "object", properties: { a: { pattern: "(" } } } },
      ],
    },
    "structuredOutputs.0.schema.properties.a.pattern",
  ],
])("%s is a fault at its path", async (_title, body, path) => {
  const refused = await ask("POST", "/flows/apply", body, 422);
  expect((refused.details as { path: string }[]).map((fault) => fault.path)).toContain(path);
});

test("needs the permission of each kind that the body holds", async () => {
  const { workspaceId } = world.sample;
  const client = await world.operator("client.create", { workspaceId, permissions: ["FLOWS"] });
  const headers = { authorization: `Bearer ${await world.getToken(client)}` };
  const files = newFiles();
  const send = (body: object) => world.request("POST", "/flows/apply", { key: null, headers, body });
  expect((await send({ tools: files.tools })).status).toBe(403);
  expect((await send({ structuredOutputs: files.structuredOutputs })).status).toBe(403);
  expect((await send({ flows: [{ apiId: `alone-${randomUUID()}`, name: "Alone" }] })).status).toBe(200);
});
