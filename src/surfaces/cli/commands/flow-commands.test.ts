import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

const ID = "0198c0de-0000-7000-8000-000000000001";
const SECRET = { toolId: "t1", toolName: "lookup", header: "Authorization" };
const DOCUMENT = { format: "parley.flow", formatVersion: 1, flow: { name: "x" }, requiredSecrets: [SECRET] };
const nothing = () => ({ body: {} });

test("export writes the document alone to standard output, and tells elsewhere what it leaves out", async () => {
  await using system = new FakeSystem();
  await system.start(() => ({ body: DOCUMENT }), nothing);
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("flow", "export", ID)).toBe(0);
  expect(JSON.parse(system.out)).toEqual(DOCUMENT);
  expect(system.err).toContain("Left out: header Authorization of tool lookup.");
  expect(system.api[0]?.url.pathname).toBe(`/api/external/v1/flows/${ID}/export`);
});

test("import sends the file as it is with an Idempotency-Key, and tells what is left to do", async () => {
  await using system = new FakeSystem();
  const made = {
    flow: { id: "f2", apiId: "x" },
    tools: [{ from: "t1", id: "t2", name: "lookup" }],
    structuredOutputs: [],
    requiredSecrets: [{ ...SECRET, toolId: "t2" }],
    unresolved: [{ path: "flow.agentId", value: "a1" }],
  };
  await system.start(() => ({ status: 201, body: made }), nothing);
  system.env.PARLEY_API_KEY = "k";
  const file = join(system.folder, "flow.json");
  writeFileSync(file, JSON.stringify(DOCUMENT));
  expect(await system.run("flow", "import", file)).toBe(0);
  expect(JSON.parse(system.api[0]?.body ?? "")).toEqual(DOCUMENT);
  expect(system.api[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(system.out).toMatch(/flow +f2\napiId +x\ntools +1\n/);
  expect(system.err).toContain("header Authorization of tool lookup (t2)");
  expect(system.err).toContain("flow.agentId a1");
  expect(system.err).toContain("Next: parley call NUMBER --flow x --watch");
});

test("import warns when the flow of the file exists, since it makes a copy beside it", async () => {
  await using system = new FakeSystem();
  const lists = { tools: [], structuredOutputs: [], requiredSecrets: [], unresolved: [] };
  await system.start(() => ({ status: 201, body: { flow: { id: "f2", apiId: "visit-1a2b3c" }, ...lists } }), nothing);
  system.env.PARLEY_API_KEY = "k";
  const file = join(system.folder, "flow.json");
  const importIt = async (flow: object): Promise<string> => {
    writeFileSync(file, JSON.stringify({ ...DOCUMENT, flow }));
    system.err = "";
    expect(await system.run("-q", "flow", "import", file)).toBe(0);
    return system.err;
  };
  expect(await importIt({ apiId: "visit" })).toBe(
    "warning visit exists already, so this is a copy: visit-1a2b3c. To change the existing flow in files: parley flow pull, then parley flow push.\n",
  );
  expect(await importIt({ apiId: "visit-1a2b3c" })).toBe("");
  // A flow without a name of its own gets one.
  expect(await importIt({ name: "Visit" })).toBe("");
});

test("prompt prints the words that a model gets, and the first message beside them", async () => {
  await using system = new FakeSystem();
  const body = { channel: "CHAT", system: "You are Nora.\nRules.", firstMessage: "Hello.", error: null };
  await system.start(() => ({ body }), nothing);
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("flow", "prompt", ID, "--channel", "chat")).toBe(0);
  expect(system.out).toBe("You are Nora.\nRules.\n");
  expect(system.err).toContain("Says first: Hello.");
  expect(String(system.api[0]?.url)).toContain(`/api/external/v1/flows/${ID}/prompt?channel=CHAT`);
});

test("a flow may be named by its apiId, and a misspelt one names the nearest", async () => {
  await using system = new FakeSystem();
  const page = { content: [{ id: ID, apiId: "reminder" }], last: true, nextCursor: null };
  await system.start(({ url }) => ({ body: url.pathname.endsWith("/export") ? DOCUMENT : page }), nothing);
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("flow", "export", "reminder"), system.err).toBe(0);
  expect(system.api.at(-1)?.url.pathname).toBe(`/api/external/v1/flows/${ID}/export`);
  for (const command of ["export", "prompt", "success"]) {
    system.err = "";
    expect(await system.run("flow", command, "remindr")).toBe(4);
    expect(system.err).toBe("error There is no flow remindr. Did you mean reminder?\n");
  }
});

test("a file that is not there, is a folder, or is no JSON, is a fault of usage, and nothing is sent", async () => {
  await using system = new FakeSystem();
  await system.start(nothing, nothing);
  system.env.PARLEY_API_KEY = "k";
  const file = join(system.folder, "flow.json");
  expect(await system.run("flow", "import", file)).toBe(2);
  expect(await system.run("flow", "import", system.folder)).toBe(2);
  expect(system.err).toContain(`${system.folder} is a folder. Name the flow.json in it.`);
  writeFileSync(file, "{");
  expect(await system.run("flow", "import", file)).toBe(2);
  expect(system.api).toEqual([]);
});
