import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;
type Method = (this: unknown) => Promise<unknown>;

interface NodeClass {
  description: { properties: { name: string; default: unknown }[]; credentials: { name: string }[] };
  execute: Method;
  webhook: Method;
  webhookMethods: { default: { checkExists: Method; create: Method; delete: Method } };
}

const folder = mkdtempSync(join(tmpdir(), "parley-n8n-"));
const BUILDER = new URL("../../bin/integrations.js", import.meta.url).href;

let world: World;
let receiver: Receiver;
let action: NodeClass;
let trigger: NodeClass;
beforeAll(async () => {
  receiver = await Receiver.start();
  const { compileNodes } = (await import(BUILDER)) as { compileNodes: (node: string, made: string) => Promise<void> };
  const [started] = await Promise.all([
    World.start({ env: { OUTBOUND_ALLOW: new URL(receiver.url).host } }),
    compileNodes(process.execPath, folder),
  ]);
  world = started;
  const [first, second] = loadNodes();
  if (!first || !second) throw new Error("The package has no two nodes.");
  action = first;
  trigger = second;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await receiver[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** The nodes as n8n loads them: by the paths of the manifest, whose file names are those of the classes. */
function loadNodes(): NodeClass[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { n8n: { nodes: string[] } };
  const load = createRequire(join(folder, "package.json"));
  return manifest.n8n.nodes.map((path) => {
    const name = path.split("/").at(-1)?.split(".")[0] ?? "";
    const classes = load(`./${path}`) as Record<string, new () => NodeClass>;
    const made = classes[name];
    if (!made) throw new Error(`${path} has no class ${name}.`);
    return new made();
  });
}

/** Stands for what n8n gives a node as `this`, with parameters, one item and the real server behind its helpers. */
function contextOf(node: NodeClass, parameters: Json, more: Json = {}) {
  const read = (name: string) =>
    parameters[name] ?? node.description.properties.find((property) => property.name === name)?.default;
  return {
    getCredentials: async () => ({ baseUrl: `${world.url}/`, apiKey: world.sample.apiKey }),
    getNode: () => ({ id: "node-1", name: "Parley" }),
    getInputData: () => [{ json: {} }],
    getNodeParameter: read,
    getExecutionId: () => "execution-1",
    getInstanceId: () => "instance-1",
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    continueOnFail: () => false,
    helpers: { httpRequestWithAuthentication: sendAsN8n },
    ...more,
  };
}

interface Options {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  qs?: Record<string, string>;
  body?: object;
}

async function sendAsN8n(_credential: string, { url, method = "GET", headers, qs, body }: Options): Promise<unknown> {
  const reply = await fetch(`${url}?${new URLSearchParams(qs).toString()}`, {
    method,
    headers: { ...headers, "x-api-key": world.sample.apiKey, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${reply.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

async function run(parameters: Json, more: Json = {}): Promise<Json[]> {
  const [items] = (await action.execute.call(contextOf(action, parameters, more))) as { json: Json }[][];
  return (items ?? []).map(({ json }) => json);
}

describe("the node for n8n", () => {
  test("places a call, waits for its end, and a repeat of the execution calls nobody again", async () => {
    const call = {
      operation: "placeCall",
      phoneNumber: "+12025550100",
      contactName: "Ada",
      rowData: '{"company":"Acme"}',
    };
    const [ended] = await run({ ...call, wait: true, waitSeconds: 60 });
    expect(ended).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", contactName: "Ada" });
    const [repeated] = await run(call);
    expect(repeated?.rowId).toBe(ended?.id);
    const [other] = await run(call, { getWorkflowDataProxy: () => ({ $runIndex: 1 }) });
    expect(other?.rowId).not.toBe(ended?.id);
    // Each instance of n8n counts its executions from 1, and a workflow that is copied keeps the ids of its nodes.
    const [elsewhere] = await run(call, { getInstanceId: () => "instance-2" });
    expect(elsewhere?.rowId).not.toBe(ended?.id);
    const [read] = await run({ operation: "getCall", callId: String(ended?.id) });
    expect(read?.id).toBe(ended?.id);
  });

  test("makes a job, adds rows to it, chats and lists flows", async () => {
    const row = (n: number) => JSON.stringify([{ customerNumber: `+1202555011${n}`, externalId: String(n) }]);
    const [job] = await run({ operation: "createJob", jobName: "From n8n", rows: row(1) });
    expect(job).toMatchObject({ name: "From n8n", acceptedRows: 1 });
    const [added] = await run({ operation: "addRows", jobId: job?.id, rows: row(2) });
    expect(added).toMatchObject({ id: job?.id, totalRows: 2 });
    const [chat] = await run({ operation: "startChat" });
    const [sent] = await run({
      operation: "sendMessage",
      chatId: (chat as { session: Json }).session.id,
      message: "Hello",
    });
    expect(JSON.stringify(sent)).toContain("Hello");
    const flows = await run({ operation: "listFlows" });
    expect(flows.map(({ id }) => id)).toContain(world.sample.flow.id);
  });

  test("gives the server's refusal, and goes on where n8n is told to", async () => {
    const wrong = { operation: "placeCall", phoneNumber: "12" };
    await expect(run(wrong)).rejects.toThrow(/422/);
    const [item] = await run(wrong, { continueOnFail: () => true });
    expect(item?.error).toMatch(/customerNumber/);
    await expect(run({ operation: "createJob", rows: "{}" })).rejects.toThrow("Rows must be a list");
  });
});

describe("the trigger for n8n", () => {
  test("registers a webhook, takes a signed event once, and removes it", async () => {
    const data: Json = {};
    const hook = { getWorkflowStaticData: () => data, getNodeWebhookUrl: () => receiver.url };
    const context = contextOf(trigger, { events: ["session.ended"] }, hook);
    const { checkExists, create, delete: remove } = trigger.webhookMethods.default;
    expect(await checkExists.call(context)).toBe(false);
    await create.call(context);
    expect(await checkExists.call(context)).toBe(true);
    const call = { operation: "placeCall", phoneNumber: "+12025550120" };
    const [placed] = await run(call, { getExecutionId: () => "execution-2" });
    const { headers, body } = await receiver.waitForOne(String(placed?.rowId));
    const take = async (headers: object, body: string) => {
      const answers: number[] = [];
      const response = { status: (code: number) => (answers.push(code), { json: () => undefined }) };
      const result = (await trigger.webhook.call({
        ...context,
        getHeaderData: () => headers,
        getRequestObject: () => ({ rawBody: Buffer.from(body) }),
        getResponseObject: () => response,
      })) as { workflowData?: { json: Json }[][] };
      return { answers, event: result.workflowData?.[0]?.[0]?.json };
    };
    expect((await take(headers, `${body} `)).answers).toEqual([401]);
    expect((await take({ ...headers, "webhook-timestamp": "1700000000" }, body)).answers).toEqual([401]);
    expect((await take(headers, body)).event).toMatchObject({ row: { id: placed?.rowId } });
    expect(await take(headers, body)).toEqual({ answers: [], event: undefined });
    expect(await remove.call(context)).toBe(true);
    expect((await world.request("GET", "/session-webhooks")).body.content).toEqual([]);
    expect(data).not.toHaveProperty("signingSecret");
  });
});

test("the package holds what n8n asks of a community node", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Json & {
    n8n: { nodes: string[]; credentials: string[] };
  };
  expect(manifest.name).toMatch(/^n8n-nodes-/);
  expect(manifest.keywords).toContain("n8n-community-node-package");
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest.peerDependencies).toEqual({ "n8n-workflow": "*" });
  const credentials = manifest.n8n.credentials.map((path) => {
    const name = path.split("/").at(-1)?.split(".")[0] ?? "";
    const classes = createRequire(join(folder, "package.json"))(`./${path}`) as Record<
      string,
      new () => { name: string }
    >;
    const made = classes[name];
    return made ? new made().name : null;
  });
  for (const node of [action, trigger]) {
    expect(node.description.credentials.map(({ name }) => name)).toEqual(credentials);
  }
  for (const name of ["LICENSE", "NOTICE", "README.md", "dist/icons/parley.svg"]) {
    expect(existsSync(join(folder, name)), name).toBe(true);
  }
});
