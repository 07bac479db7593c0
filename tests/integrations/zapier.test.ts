import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBlocks } from "../kit/pages/blocks.ts";
import { standIn } from "../kit/pages/machine.ts";
import { runProgram } from "../kit/python.ts";
import { type Received, Receiver } from "../kit/receiver.ts";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;
type Perform<Result> = (z: object, bundle: object) => Promise<Result>;

interface Field {
  key: string;
  dynamic?: string;
  children?: Field[];
}

interface Part<Result> {
  key: string;
  noun: string;
  display: { label: string; description: string };
  operation: { inputFields?: Field[]; perform: Perform<Result>; sample: Json };
}

type Trigger = Part<Json[]> & {
  operation: Record<"performSubscribe" | "performUnsubscribe", Perform<Json>> & { performList: Perform<Json[]> };
};

interface App {
  platformVersion: string;
  version: string;
  authentication: { test: Perform<Json> };
  triggers: Record<string, Trigger>;
  creates: Record<string, Part<Json>>;
  searches: Record<string, Part<Json[]>>;
}

const PLATFORM = "19.1.0";
const folder = mkdtempSync(join(tmpdir(), "parley-zapier-"));
const BUILDER = new URL("../../bin/integrations.js", import.meta.url).href;

let world: World;
let receiver: Receiver;
let app: App;
beforeAll(async () => {
  receiver = await Receiver.start();
  const { compileZapier } = (await import(BUILDER)) as { compileZapier: (node: string, made: string) => Promise<void> };
  const [started] = await Promise.all([
    World.start({ env: { OUTBOUND_ALLOW: new URL(receiver.url).host } }),
    compileZapier(process.execPath, folder),
  ]);
  world = started;
  app = loadApp();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await receiver[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Loads the app as Zapier does: by index.js, beside a platform, of which only the version is there. */
function loadApp(): App {
  const platform = join(folder, "node_modules", "zapier-platform-core");
  mkdirSync(platform, { recursive: true });
  writeFileSync(join(platform, "package.json"), JSON.stringify({ main: "index.js" }));
  writeFileSync(join(platform, "index.js"), `exports.version = "${PLATFORM}";`);
  return createRequire(join(folder, "package.json"))("./index.js") as App;
}

class Refusal extends Error {
  readonly rest: unknown[];

  constructor(message: string, ...rest: unknown[]) {
    super(message);
    this.rest = rest;
  }
}
class ExpiredAuthError extends Refusal {}
class HaltedError extends Refusal {}
class ThrottledError extends Refusal {}

interface Options {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  params?: Record<string, string>;
  body?: object;
}

/** Stands for what Zapier gives to each function: requests to the real server, and its errors. */
const z = {
  errors: { Error: Refusal, ExpiredAuthError, HaltedError, ThrottledError },
  async request({ url, method = "GET", headers, params, body }: Options) {
    const query = new URLSearchParams(params).toString();
    const reply = await fetch(query === "" ? url : `${url}?${query}`, {
      method,
      headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const content = await reply.text();
    const data: unknown = content === "" ? undefined : JSON.parse(content);
    return { status: reply.status, content, data, getHeader: (name: string) => reply.headers.get(name) ?? undefined };
  },
};

function bundleOf(inputData: Json, more: Json = {}) {
  const authData = { baseUrl: `${world.url}/`, apiKey: ` ${world.sample.apiKey} ` };
  return { authData, inputData, ...more };
}

function create(key: string, inputData: Json): Promise<Json> {
  return (app.creates[key] as Part<Json>).operation.perform(z, bundleOf(inputData));
}

function search(key: string, inputData: Json): Promise<Json[]> {
  return (app.searches[key] as Part<Json[]>).operation.perform(z, bundleOf(inputData));
}

const endOf = (rowId: unknown) => world.until(`/call-rows/${String(rowId)}`, (row) => row.endedAt !== null);

describe("the app for Zapier", () => {
  test("signs in with a good key alone, and says why another is refused", async () => {
    const { test: check } = app.authentication;
    expect(await check(z, bundleOf({}))).toMatchObject({ content: expect.any(Array) });
    const authData = { baseUrl: world.url, apiKey: "svc_wrong" };
    await expect(check(z, { authData, inputData: {} })).rejects.toBeInstanceOf(ExpiredAuthError);
  });

  test("places a call, finds it by id and number, and a repeat with the same key calls nobody again", async () => {
    const call = { customerNumber: "+12025550100", contactName: "Ada", flowId: "", repeatKey: "deal-1" };
    const data = { rowData: { company: "Acme" }, contextData: { deal: "1" } };
    const placed = await create("place_call", { ...call, ...data });
    expect((await create("place_call", { ...call, ...data })).rowId).toBe(placed.rowId);
    expect((await create("place_call", { ...call, ...data, repeatKey: "deal-2" })).rowId).not.toBe(placed.rowId);
    await endOf(placed.rowId);
    const [found] = await search("find_call", { rowId: placed.rowId });
    expect(found).toMatchObject({ id: placed.rowId, contactName: "Ada", contextData: { deal: "1" } });
    const byNumber = await search("find_call", { customerNumber: "+12025550100" });
    expect(byNumber.map(({ id }) => id)).toContain(placed.rowId);
    expect(await search("find_call", { rowId: "019a2b3c-0000-7000-8000-000000000002" })).toEqual([]);
    await expect(search("find_call", {})).rejects.toBeInstanceOf(HaltedError);
  });

  test("makes a job, adds rows to it and finds it by its name", async () => {
    const rows = (n: number) => [{ customerNumber: `+1202555011${n}`, externalId: String(n), contactName: "" }];
    const job = await create("create_job", { name: "From Zapier", rows: rows(1), rowData: { company: "Acme" } });
    expect(job).toMatchObject({ name: "From Zapier", acceptedRows: 1 });
    expect(await create("add_rows", { jobId: job.id, rows: rows(2) })).toMatchObject({ id: job.id, totalRows: 2 });
    expect(await search("find_job", { name: "From Zapier" })).toMatchObject([{ id: job.id }]);
    expect(await search("find_job", { name: "No such job" })).toEqual([]);
  });

  test("starts a chat and writes into it", async () => {
    const chat = (await create("start_chat", { channel: "CHAT", contactName: "Ada" })) as { session: Json };
    const sent = await create("send_message", { chatId: chat.session.id, content: "Hello" });
    expect(JSON.stringify(sent)).toContain("Hello");
  });

  test("gives the server's refusal with the field, and waits as long as a limit says", async () => {
    await expect(create("place_call", { customerNumber: "12" })).rejects.toThrow(/customerNumber/);
    const { apiKey } = await world.createWorkspace({ rateLimit: { capacity: 1, refill: 1, periodSeconds: 3_600 } });
    const authData = { baseUrl: world.url, apiKey };
    const check = () => app.authentication.test(z, { authData, inputData: {} });
    await check();
    const refused = await check().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ThrottledError);
    expect(Number((refused as ThrottledError).rest[0])).toBeGreaterThan(60);
  });

  test("fills the lists of its fields", async () => {
    const dynamic = [...Object.values(app.creates), ...Object.values(app.triggers)]
      .flatMap(({ operation }) => operation.inputFields ?? [])
      .flatMap((field) => field.dynamic ?? []);
    expect(new Set(dynamic)).toEqual(new Set(["flow_list.id.name", "job_list.id.name"]));
    const flows = await app.triggers.flow_list?.operation.perform(z, bundleOf({}));
    expect(flows).toContainEqual({ id: world.sample.flow.id, name: expect.any(String) });
    expect(await app.triggers.job_list?.operation.perform(z, bundleOf({}))).toBeInstanceOf(Array);
  });
});

describe("a trigger of the app for Zapier", () => {
  const titled = (headers: Received["headers"]) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`Http-${name.replace(/\b\w/g, (c) => c.toUpperCase())}`, value]),
    );

  test("subscribes, takes a signed event, refuses another, and unsubscribes", async () => {
    const { operation } = app.triggers.session_ended as Trigger;
    const targetUrl = receiver.url;
    const subscribeData = await operation.performSubscribe(z, bundleOf({ flowId: "" }, { targetUrl }));
    const placed = await create("place_call", { customerNumber: "+12025550120" });
    await endOf(placed.rowId);
    const { headers, body } = await receiver.waitForOne(String(placed.rowId));
    const take = (content: string, given = titled(headers)) =>
      operation.perform(z, bundleOf({}, { subscribeData, rawRequest: { headers: given, content } }));
    const [event] = await take(body);
    expect(event).toMatchObject({ eventType: "session.ended", id: event?.eventId, row: { id: placed.rowId } });
    await expect(take(`${body} `)).rejects.toBeInstanceOf(HaltedError);
    await expect(take(body, titled({ ...headers, "webhook-timestamp": "1700000000" }))).rejects.toThrow("signature");
    await operation.performUnsubscribe(z, bundleOf({}, { subscribeData }));
    expect((await world.request("GET", "/session-webhooks")).body.content).toEqual([]);
  });

  test("shows latest events with the members that a delivery has", async () => {
    const [delivery] = receiver.received;
    const real = JSON.parse(delivery?.body ?? "{}") as Json;
    for (const key of ["session_ended", "session_started"]) {
      const [example] = (await app.triggers[key]?.operation.performList(z, bundleOf({}))) ?? [];
      expect(example).toMatchObject({ id: expect.any(String), session: { channel: "VOICE" } });
      for (const member of Object.keys(example ?? {}).filter((name) => name !== "id")) {
        expect(Object.keys(real), member).toContain(member);
      }
    }
    const chat = (await create("start_chat", { channel: "CHAT" })) as { session: Json };
    await create("send_message", { chatId: chat.session.id, content: "Good morning" });
    const messages = await app.triggers.message_created?.operation.performList(z, bundleOf({}));
    expect(messages).toContainEqual(expect.objectContaining({ message: expect.objectContaining({ role: "USER" }) }));
    expect(await app.triggers.human_requested?.operation.performList(z, bundleOf({}))).toEqual([]);
  });
});

describe("the definition", () => {
  test("has the keys, labels and descriptions that Zapier checks before it takes an app", () => {
    expect(app).toMatchObject({ platformVersion: PLATFORM, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    const parts: [string, Part<unknown>][] = [app.triggers, app.creates, app.searches].flatMap((kind) =>
      Object.entries<Part<unknown>>(kind),
    );
    for (const [key, { key: own, noun, display, operation }] of parts) {
      expect([own, key]).toEqual([key, expect.stringMatching(/^[a-z][a-z0-9_]*$/)]);
      expect([noun.length > 1, display.label.length > 1, display.label.length < 65]).toEqual([true, true, true]);
      expect(display.description, key).toMatch(/^[A-Z].{20,}\.$/);
      expect(operation.sample, key).toBeTypeOf("object");
      const keys = (operation.inputFields ?? []).flatMap((field) => [
        field.key,
        ...(field.children ?? []).map((c) => c.key),
      ]);
      expect(new Set(keys).size, key).toBe(keys.length);
    }
    for (const key of ["session_ended", "session_started", "human_requested", "call_alert", "message_created"]) {
      expect(app.triggers[key]?.operation).toMatchObject({ type: "hook" });
      expect(app.triggers[key]?.display.description).toMatch(/^Triggers when /);
    }
  });
});

describe("pushing the app to an account, with stand-ins for Zapier's programs", () => {
  const [block] = findBlocks().filter(({ page, info }) => page === "docs/integrations.md" && info.includes("zapier"));
  const commands = block?.text ?? "";

  /** Runs commands in a copy of the packed app that has not been pushed. */
  async function runInApp(text: string) {
    const machine = mkdtempSync(join(tmpdir(), "parley-zapier-"));
    const packed = join(machine, "package");
    cpSync(folder, packed, { recursive: true, filter: (path) => !path.includes("node_modules") });
    mkdirSync(join(machine, "bin"));
    for (const name of ["npm", "npx"]) writeFileSync(join(machine, "bin", name), standIn(name), { mode: 0o755 });
    const PATH = `${join(machine, "bin")}:${process.env.PATH ?? ""}`;
    const env = { PATH, MACHINE: machine, CHECKOUT: ROOT, NODE: process.execPath };
    const end = await runProgram("bash", ["-ec", text], { cwd: packed, env });
    rmSync(machine, { recursive: true });
    return end;
  }

  test("works with the commands of the page", async () => {
    expect(commands).toContain("push");
    expect(await runInApp(commands)).toEqual({ code: 0, output: "" });
  });

  test.each([
    ["without an account", /.* login\n/, "not logged in"],
    ["before it is registered", /.* register .*\n/, "not registered"],
    ["beside no platform", /npm install.*\n/, "exact version"],
  ])("is refused %s", async (_, line, fault) => {
    const { code, output } = await runInApp(commands.replace(line, ""));
    expect([code, output]).toEqual([1, expect.stringContaining(fault)]);
  });
});
