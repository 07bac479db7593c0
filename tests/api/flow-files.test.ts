import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FakeSystem } from "../kit/fake-system.ts";
import { NOBODY } from "../kit/resources.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

let world: World;
let sample: Sample;
beforeAll(async () => {
  world = await World.start({ env: NOBODY });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  sample = await world.createWorkspace();
});

type Body = TestReply["body"];
const API_TOOL = { description: "d", toolType: "API", apiMethod: "GET", apiUrl: "http://127.0.0.1:9/x" };

async function ask(method: string, path: string, body?: object): Promise<Body> {
  const reply = await world.request(method, path, { key: sample.apiKey, ...(body && { body }) });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
  return reply.body;
}

/** A person at a terminal in an empty folder, with the key of a workspace. */
class Terminal extends FakeSystem {
  readonly dir = join(this.folder, "parley");

  constructor({ apiKey }: Sample = sample) {
    super();
    Object.assign(this.env, { PARLEY_URL: world.url, PARLEY_API_KEY: apiKey });
  }

  /** Runs a command with its output apart from that of those before. */
  async does(...argv: string[]): Promise<number> {
    this.out = this.err = "";
    return this.run(...argv, "--dir", this.dir);
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), "utf8");
  }

  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
    writeFileSync(join(this.dir, path), text.replace(from, to));
  }
}

/** Makes a flow with a tool that holds a secret, and a tool whose plan calls that one. */
async function makeFlow() {
  const apiHeaders = { Authorization: "Bearer do-not-tell", "X-Region": "eu" };
  const inner = await ask("POST", "/tools", { ...API_TOOL, name: "lookup_order", apiHeaders });
  const executionPlan = [{ id: "a", type: "TOOL", toolId: inner.id }];
  const outer = await ask("POST", "/tools", { ...API_TOOL, name: "plan", executionPlan });
  const schema = { type: "object", properties: { ok: { type: "boolean" } } };
  const output = await ask("POST", "/structured-outputs", { name: "Visit ../ok", schema });
  const endCall = ((await ask("GET", "/tools")) as unknown as { id: string; name: string }[]).find(
    ({ name }) => name === "end_call",
  );
  const flow = await ask("POST", "/flows", {
    apiId: "visit",
    name: "Visit",
    firstMessage: "Hi.\nHow are you?",
    toolIds: [outer.id, endCall?.id],
    structuredOutputIds: [output.id],
  });
  return { flow, inner, path: `/flows/${String(flow.id)}` };
}

test("pulled files name each other, hold no secret and no id, and are the same when pulled again", async () => {
  await makeFlow();
  await using terminal = new Terminal();
  expect(await terminal.does("flow", "pull"), terminal.err).toBe(0);
  const flow = terminal.read("flows/visit.yaml");
  expect(flow).toContain("toolIds:\n  - plan\n  - end_call\n");
  expect(flow).toContain("structuredOutputIds:\n  - Visit-ok\n");
  expect(flow).toContain("firstMessage: |-\n  Hi.\n  How are you?\n");
  expect(terminal.read("tools/plan.yaml")).toContain("toolId: lookup_order");
  const files = [flow, terminal.read("tools/lookup_order.yaml"), terminal.read("structured-outputs/Visit-ok.yaml")];
  expect(files.join("")).not.toMatch(/do-not-tell|[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(terminal.err).toContain("tools/lookup_order.yaml leaves out apiHeaders.Authorization");
  const lock = terminal.read("parley.lock.json");
  expect(await terminal.does("flow", "pull")).toBe(0);
  expect([terminal.read("flows/visit.yaml"), terminal.read("parley.lock.json")]).toEqual([flow, lock]);
  expect(await terminal.does("flow", "diff"), terminal.out).toBe(0);
  expect(terminal.out).toBe("");
});

test("a change shows in diff, becomes a draft, then a version; what is pushed again changes nothing", async () => {
  const { path, inner } = await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  terminal.edit("flows/visit.yaml", "How are you?", "Good day.");
  expect(await terminal.does("flow", "diff")).toBe(1);
  expect(terminal.out).toMatch(/^--- server\/flows\/visit.yaml\n\+\+\+ flows\/visit.yaml\n@@ .*@@$/m);
  expect(terminal.out).toMatch(/^-  How are you\?\n\+  Good day\.$/m);
  expect(await terminal.does("flow", "validate")).toBe(0);
  expect((await ask("GET", path)).version).toBe(1);
  expect(await terminal.does("flow", "push"), terminal.err).toBe(0);
  expect(terminal.out).toMatch(/flows\/visit.yaml +changed +1 +firstMessage/);
  expect((await ask("GET", `${path}/draft`)).firstMessage).toBe("Hi.\nGood day.");
  expect((await ask("GET", path)).firstMessage).toBe("Hi.\nHow are you?");
  expect(await terminal.does("flow", "diff")).toBe(0);
  expect(await terminal.does("flow", "diff", "--publish")).toBe(1);
  expect(await terminal.does("flow", "push", "--publish"), terminal.err).toBe(0);
  expect(await ask("GET", path)).toMatchObject({ version: 2, firstMessage: "Hi.\nGood day." });
  expect(await terminal.does("flow", "push", "--publish")).toBe(0);
  expect(terminal.out).toBe("Nothing has changed.\n");
  expect((await ask("GET", path)).version).toBe(2);
  // The mask went through all of it, and the secret is still stored: a change of it would be a version.
  expect((await ask("GET", `/tools/${String(inner.id)}`)).version).toBe(1);
});

test("a misspelt field is refused with its file and the nearest name, because it would clear the one that was meant", async () => {
  const { path } = await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  terminal.edit("flows/visit.yaml", "firstMessage:", "fistMessage:");
  for (const command of ["validate", "push"]) {
    expect(await terminal.does("flow", command), command).toBe(2);
    expect(terminal.err).toBe(
      "error flows/visit.yaml: fistMessage is not a member that is known here. Did you mean firstMessage?\n",
    );
  }
  expect((await ask("GET", path)).firstMessage).toBe("Hi.\nHow are you?");
});

test("a variable that nothing declares is a warning of validate and of a push to the draft", async () => {
  await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  expect(await terminal.does("flow", "validate")).toBe(0);
  expect(terminal.err).toBe("");
  terminal.edit("flows/visit.yaml", "How are you?", "How are you, {{ contactNme }}?");
  for (const command of ["validate", "push"]) {
    expect(await terminal.does("flow", command), terminal.err).toBe(0);
    expect(terminal.err).toContain("warning Publishing would be refused.\nflows/visit.yaml: firstMessage: Nothing");
    expect(terminal.err).toContain("Did you mean {{ contactName }}?");
    expect(terminal.err.includes("Mend what is said above, then publish them with")).toBe(command === "push");
    expect(terminal.err.match(/contactNme/g), terminal.err).toHaveLength(1);
  }
  expect(await terminal.does("flow", "push", "--publish")).toBe(1);
  expect(terminal.err.match(/contactNme/g), terminal.err).toHaveLength(1);
  expect(terminal.err).toContain("or push with --accept-unknown-variables if rowData brings it.");
});

test("flows, tools and calls are listed", async () => {
  const { path, inner } = await makeFlow();
  await using terminal = new Terminal();
  expect(await terminal.run("flow", "list"), terminal.err).toBe(0);
  expect(terminal.out).toMatch(new RegExp(`^${path.split("/").at(-1)} +visit `, "m"));
  expect(await terminal.run("tool", "list"), terminal.err).toBe(0);
  expect(terminal.out).toMatch(new RegExp(`^${String(inner.id)} +lookup_order +API `, "m"));
  expect(await terminal.run("calls", "list"), terminal.err).toBe(0);
  expect(terminal.err).toContain("None yet. Place one: parley call");
  const { rowId } = await ask("POST", "/outbound/calls", { customerNumber: "+12025550110" });
  terminal.out = "";
  expect(await terminal.run("calls", "list"), terminal.err).toBe(0);
  expect(terminal.out).toMatch(new RegExp(`^${String(rowId)} +\\+12025550110 `, "m"));
  expect(await terminal.run("call", "+12025550110", "--flow", "zzzz")).toBe(4);
  expect(terminal.err).toContain("Flow zzzz does not exist in this workspace. It has visit, ");
});

test("what was changed on the server since the pull is not overwritten, by push nor by pull, unless forced", async () => {
  const { path } = await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  await ask("PUT", path, { firstMessage: "Theirs." });
  terminal.edit("flows/visit.yaml", "How are you?", "Mine.");
  expect(await terminal.does("flow", "push")).toBe(1);
  expect(terminal.err).toMatch(/flows\/visit.yaml: The flow was changed meanwhile.*--force/s);
  expect((await ask("GET", path)).firstMessage).toBe("Theirs.");
  expect(await terminal.does("flow", "pull")).toBe(1);
  expect(terminal.read("flows/visit.yaml")).toContain("Mine.");
  expect(await terminal.does("flow", "push", "--force", "--publish"), terminal.err).toBe(0);
  expect((await ask("GET", path)).firstMessage).toBe("Hi.\nMine.");
  await ask("PUT", path, { firstMessage: "Theirs again." });
  expect(await terminal.does("flow", "pull"), terminal.out).toBe(0);
  expect(terminal.read("flows/visit.yaml")).toContain("Theirs again.");
});

test("the files make the same in another workspace, whose secret comes from the environment", async () => {
  await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  // The sample's flow names an agent, which belongs to its workspace.
  for (const name of readdirSync(join(terminal.dir, "flows"))) {
    if (name !== "visit.yaml") rmSync(join(terminal.dir, "flows", name));
  }
  sample = await world.createWorkspace();
  terminal.env.PARLEY_API_KEY = sample.apiKey;
  expect(await terminal.does("flow", "push")).toBe(1);
  expect(terminal.err).toContain("tools/lookup_order.yaml: apiHeaders.Authorization");
  terminal.edit("tools/lookup_order.yaml", `"********"`, "Bearer ${env.PARLEY_TOOL_TOKEN}");
  expect(await terminal.does("flow", "push")).toBe(2);
  expect(terminal.err).toContain("PARLEY_TOOL_TOKEN is not set");
  terminal.env.PARLEY_TOOL_TOKEN = "there";
  expect(await terminal.does("flow", "push"), terminal.err).toBe(0);
  const flows = (await ask("GET", "/flows")).content as Body[];
  const flow = flows.find(({ apiId }) => apiId === "visit") as Body & { toolIds: string[] };
  const plan = (await ask("GET", `/tools/${flow.toolIds[0]}`)) as { executionPlan: { toolId: string }[] };
  const lookup = await ask("GET", `/tools/${plan.executionPlan[0]?.toolId}`);
  expect(lookup.apiHeaders).toEqual({ Authorization: "********", "X-Region": "eu" });
  expect([await terminal.does("flow", "diff"), terminal.out]).toEqual([0, ""]);
  terminal.env.PARLEY_TOOL_TOKEN = "another";
  expect(await terminal.does("flow", "diff")).toBe(1);
  expect(terminal.out).toContain("a secret differs");
  expect(terminal.out).not.toContain("another");
  // A pull keeps the variable.
  expect(await terminal.does("flow", "pull")).toBe(0);
  expect(terminal.read("tools/lookup_order.yaml")).toContain("${env.PARLEY_TOOL_TOKEN}");
});

test("stages name tools and flows by their files, and the same files make them in another workspace", async () => {
  const { id: toolId } = await ask("POST", "/tools", { ...API_TOOL, name: "look_up" });
  const stage = (more: object) => ({ id: "start", name: "Start", type: "TALK", ...more });
  // By the names alone it would be made after the flow in which it runs.
  const end = { id: "end", type: "END" };
  const toEnd = [{ id: "done", to: "end", when: { type: "ALWAYS" } }];
  const stages = [stage({ edges: toEnd }), end];
  const called = await ask("POST", "/flows", { apiId: "z-called", name: "Called", stages });
  await ask("POST", "/flows", {
    apiId: "a-caller",
    name: "Caller",
    toolIds: [toolId],
    stages: [
      stage({
        toolIds: [toolId],
        onEntry: [{ type: "CALL_TOOL", toolId, arguments: { flowId: "theirs" } }],
        edges: [{ id: "on", to: "sub", when: { type: "TOOL_RESULT", toolId, outcome: "SUCCEEDED" } }],
      }),
      { id: "sub", type: "SUBFLOW", flowId: called.id, edges: toEnd },
      end,
    ],
  });
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  const text = terminal.read("flows/a-caller.yaml");
  expect(text).toContain("flowId: z-called");
  expect(text).toContain("flowId: theirs");
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(await terminal.does("flow", "validate"), terminal.out).toBe(0);
  expect(await terminal.does("flow", "push"), terminal.err).toBe(0);
  expect(terminal.out).not.toMatch(/created|changed +/);

  const other = await world.createWorkspace();
  await using elsewhere = new Terminal(other);
  Object.assign(elsewhere, { dir: terminal.dir });
  rmSync(join(terminal.dir, "parley.lock.json"));
  expect(await elsewhere.does("flow", "push"), elsewhere.err).toBe(0);
  const { content } = (await world.request("GET", "/flows?size=100", { key: other.apiKey })).body;
  const made = (apiId: string) => (content as Body[]).find((one) => one.apiId === apiId);
  expect(made("z-called")?.id).not.toBe(called.id);
  const [first, second] = (made("a-caller")?.stages ?? []) as {
    flowId?: string;
    toolIds?: string[];
    onEntry?: unknown[];
  }[];
  expect(second?.flowId).toBe(made("z-called")?.id);
  expect(first?.toolIds).toEqual(made("a-caller")?.toolIds);
  expect(first?.onEntry).toMatchObject([{ arguments: { flowId: "theirs" } }]);
  expect(await elsewhere.does("flow", "diff"), elsewhere.out).toBe(0);
});

test("tools alone are files too, and a new one is made", async () => {
  const { inner } = await makeFlow();
  await using terminal = new Terminal();
  expect(await terminal.does("tool", "pull"), terminal.err).toBe(0);
  expect(existsSync(join(terminal.dir, "flows"))).toBe(false);
  writeFileSync(join(terminal.dir, "tools/fresh.json"), JSON.stringify({ ...API_TOOL, name: "fresh" }));
  terminal.edit("tools/lookup_order.yaml", "description: d", "description: looks up");
  expect(await terminal.does("tool", "push", "--json"), terminal.err).toBe(0);
  const pushed = JSON.parse(terminal.out) as { path: string; action: string }[];
  expect(pushed.map(({ path, action }) => `${path} ${action}`).toSorted()).toEqual([
    "tools/fresh.json CREATED",
    "tools/lookup_order.yaml CHANGED",
    "tools/plan.yaml UNCHANGED",
  ]);
  expect((await ask("GET", `/tools/${String(inner.id)}`)).description).toBe("looks up");
  expect(await terminal.does("tool", "diff")).toBe(0);
});

test("hostile files and locks are refused, and nothing outside the folder is read or written", async () => {
  await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  const outside = join(terminal.folder, "outside.yaml");
  writeFileSync(outside, "name: outside\n");
  rmSync(join(terminal.dir, "flows/visit.yaml"));
  symlinkSync(outside, join(terminal.dir, "flows/visit.yaml"));
  expect(await terminal.does("flow", "pull")).toBe(0);
  expect(readFileSync(outside, "utf8")).toBe("name: outside\n");
  expect(terminal.read("flows/visit.yaml")).toContain("apiId: visit");
  for (const text of ["a: [", "- list\n", "&a [*a, *a]", `a: &x [${"1,".repeat(99)}1]\nb: [${"*x,".repeat(200)}*x]`]) {
    writeFileSync(join(terminal.dir, "flows/bad.yaml"), text);
    expect(await terminal.does("flow", "push"), text.slice(0, 20)).toBe(2);
    expect(terminal.err).toContain("flows/bad.yaml");
  }
  rmSync(join(terminal.dir, "flows/bad.yaml"));
  // The environment of whoever pushes is not the files' to read.
  terminal.env.AWS_SECRET_ACCESS_KEY = "not-yours";
  terminal.edit("tools/lookup_order.yaml", `"********"`, "${env.AWS_SECRET_ACCESS_KEY}");
  expect(await terminal.does("flow", "diff")).toBe(1);
  const id = randomUUID();
  const locked = { [id]: { version: 1, draft: null, digest: "x" } };
  writeFileSync(join(terminal.dir, "parley.lock.json"), JSON.stringify({ "flows/../../outside.yaml": locked }));
  expect(await terminal.does("flow", "pull")).toBe(2);
});

test("validate names file and field, and finds what it can without a server", async () => {
  await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  terminal.edit("tools/plan.yaml", "http://127.0.0.1:9/x", "ftp://example.com");
  expect(await terminal.does("flow", "validate"), terminal.err).toBe(2);
  expect(terminal.err).toMatch(/tools\/plan.yaml: apiUrl/);
  terminal.edit("flows/visit.yaml", "- Visit-ok", "- nowhere");
  writeFileSync(join(terminal.dir, "flows/copy.yaml"), "apiId: visit\n");
  terminal.env.PARLEY_API_KEY = undefined;
  expect(await terminal.does("flow", "validate", "--offline")).toBe(2);
  expect(terminal.err).toContain("flows/visit.yaml: structuredOutputIds: there is no file for nowhere.");
  expect(terminal.err).toContain("flows/copy.yaml: name is missing.");
  expect(terminal.err).toContain("flows/visit.yaml: apiId is that of flows/copy.yaml.");
});

test("a folder without files is a fault of usage, not a push of nothing", async () => {
  await using terminal = new Terminal();
  for (const command of [["push"], ["diff"], ["validate"], ["validate", "--offline"]]) {
    expect(await terminal.does("flow", ...command)).toBe(2);
    expect(terminal.err).toContain("There are no definitions in");
  }
  mkdirSync(terminal.dir);
  writeFileSync(join(terminal.dir, "flow.json"), "{}");
  expect(await terminal.does("flow", "push")).toBe(2);
  expect(terminal.err).toContain(`Make it with: parley flow import ${join(terminal.dir, "flow.json")}`);
});

test("watch pushes each saved file, survives a broken one, and ends on Ctrl-C", async () => {
  const { path } = await makeFlow();
  await using terminal = new Terminal();
  await terminal.does("flow", "pull");
  const ended = terminal.does("flow", "watch");
  await expect.poll(() => terminal.out, { timeout: 30_000 }).toContain("Nothing has changed.");
  const file = join(terminal.dir, "flows/visit.yaml");
  const text = terminal.read("flows/visit.yaml");
  writeFileSync(file, "apiId: [");
  await expect.poll(() => terminal.err, { timeout: 30_000 }).toContain("flows/visit.yaml");
  writeFileSync(file, text.replace("How are you?", "Saved."));
  await expect.poll(() => terminal.out, { timeout: 30_000 }).toContain("firstMessage");
  expect((await ask("GET", `${path}/draft`)).firstMessage).toBe("Hi.\nSaved.");
  terminal.interrupt();
  expect(await ended).toBe(130);
});
