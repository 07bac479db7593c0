import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MakeApp, Refused } from "../kit/make/make-app.ts";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  type: string;
  options?: unknown;
  spec?: Parameter[];
}

const folder = mkdtempSync(join(tmpdir(), "parley-make-"));
const BUILDER = new URL("../../bin/integrations.js", import.meta.url).href;

let world: World;
let receiver: Receiver;
let app: MakeApp;
beforeAll(async () => {
  receiver = await Receiver.start();
  const { copyMake } = (await import(BUILDER)) as { copyMake: (made: string) => void };
  copyMake(folder);
  world = await World.start({ env: { OUTBOUND_ALLOW: new URL(receiver.url).host } });
  app = new MakeApp(folder, { baseUrl: world.url, apiKey: world.sample.apiKey });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await receiver[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function run(name: string, parameters: Json): Promise<Json> {
  const [bundle] = await app.run("module", name, parameters);
  return bundle as Json;
}

const endOf = (rowId: unknown) => world.until(`/call-rows/${String(rowId)}`, (row) => row.endedAt !== null);
const namesOf = (parameters: unknown) => (parameters as Parameter[]).map(({ name }) => name);

/** Checks that each field of a module's interface is a member of a real bundle. */
function assertInterface(module: string, bundle: Json): void {
  const missing = namesOf(app.part("module", module, "interface")).filter((name) => !(name in bundle));
  expect([module, missing]).toEqual([module, []]);
}

describe("the app for Make", () => {
  test("makes a connection with a good key alone", async () => {
    const { url: baseUrl } = world;
    await app.connect({ baseUrl, apiKey: world.sample.apiKey });
    await expect(app.connect({ baseUrl, apiKey: "svc_wrong" })).rejects.toThrow(/^\[401\] /);
  });

  test("places a call, reads it and searches it; a repeat with the same key calls nobody again", async () => {
    const call = { customerNumber: "+12025550100", contactName: "Ada", flowId: null, contactEmail: "" };
    const data = { rowData: [{ key: "company", value: "Acme" }], contextData: [{ key: "deal", value: "1" }] };
    const placed = await run("placeCall", { ...call, ...data, repeatKey: "deal-1" });
    assertInterface("placeCall", placed);
    expect((await run("placeCall", { ...call, ...data, repeatKey: "deal-1" })).rowId).toBe(placed.rowId);
    const other = await run("placeCall", call);
    expect(other.rowId).not.toBe(placed.rowId);
    await endOf(placed.rowId);
    await endOf(other.rowId);
    const read = await run("getCall", { rowId: placed.rowId });
    expect(read).toMatchObject({ contactName: "Ada", contextData: { deal: "1" } });
    assertInterface("getCall", read);
    const found = await app.run("module", "searchCalls", { customerNumber: "+12025550100", limit: 10 });
    expect(found.map(({ id }) => id)).toEqual([other.rowId, placed.rowId]);
    assertInterface("searchCalls", found[0] as Json);
    expect(await app.run("module", "searchCalls", { limit: 1 })).toHaveLength(1);
  });

  test("makes a job, adds rows to it, and lists flows and jobs for its fields", async () => {
    const rows = (n: number) => [{ customerNumber: `+1202555011${n}`, externalId: String(n), rowData: { n } }];
    const job = await run("createJob", { name: "From Make", rows: rows(1), flowId: world.sample.flow.id });
    expect(job).toMatchObject({ name: "From Make", acceptedRows: 1 });
    const added = await run("addRows", { jobId: job.id, rows: rows(2) });
    expect(added).toMatchObject({ id: job.id, totalRows: 2 });
    assertInterface("createJob", job);
    assertInterface("addRows", added);
    expect(await app.run("rpc", "listJobs")).toContainEqual({ label: "From Make", value: job.id });
    expect((await app.run("rpc", "listFlows")).map(({ value }) => value)).toContain(world.sample.flow.id);
  });

  test("starts a chat and writes into it", async () => {
    const chat = await run("startChat", { channel: "CHAT", contactName: "Ada" });
    assertInterface("startChat", chat);
    const sent = await run("sendMessage", { chatId: (chat.session as Json).id, content: "Hello" });
    assertInterface("sendMessage", sent);
    expect(JSON.stringify(sent)).toContain("Hello");
  });

  test("gives the server's refusal with the field", async () => {
    await expect(run("placeCall", { customerNumber: "12" })).rejects.toThrow(/^\[422\] .*customerNumber/);
    await expect(run("getCall", { rowId: "no id" })).rejects.toBeInstanceOf(Refused);
  });
});

test("the trigger registers a webhook, takes its deliveries alone, and removes it", async () => {
  const webhook = await app.attach(receiver.url, { events: ["session.ended"], flowId: null });
  const placed = await run("placeCall", { customerNumber: "+12025550120" });
  await endOf(placed.rowId);
  const { headers, body } = await receiver.waitForOne(String(placed.rowId));
  const event = app.receive(webhook, headers, JSON.parse(body) as Json);
  expect(event).toMatchObject({ eventType: "session.ended", row: { id: placed.rowId } });
  const forged = { ...headers, "x-parley-webhook": "0".repeat(64) };
  expect(app.receive(webhook, forged, {})).toBeNull();
  expect(app.receive(webhook, {}, {})).toBeNull();
  for (const { name, spec = [] } of app.part("module", "watchEvents", "interface") as Parameter[]) {
    if (name === "message") continue;
    expect(event, name).toHaveProperty(name);
    for (const inner of spec) expect((event as Record<string, Json>)[name], inner.name).toHaveProperty(inner.name);
  }
  expect(JSON.stringify(webhook)).not.toContain(world.sample.apiKey);
  await app.detach(webhook);
  expect((await world.request("GET", "/session-webhooks")).body.content).toEqual([]);
});

describe("the files of the app", () => {
  test("are those of its manifest, all of them", () => {
    const { generalCodeFiles, components } = app.manifest;
    const listed = [generalCodeFiles, ...Object.values(components).flatMap(componentFiles)].flatMap((files) =>
      Object.values(files).filter((file) => file !== null),
    );
    const present = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.includes("."));
    const others = ["LICENSE", "NOTICE", "makecomapp.json", "package.json"];
    expect(new Set(present)).toEqual(new Set([...listed, ...others.filter((file) => file.includes("."))]));
    for (const file of others) expect(existsSync(join(folder, file)), file).toBe(true);
  });

  test("name parameters, lists and modules that exist", () => {
    const { module, rpc } = app.manifest.components;
    const groups = app.read("general/groups.json") as { modules: string[] }[];
    expect(groups.flatMap(({ modules }) => modules).toSorted()).toEqual(Object.keys(module).toSorted());
    for (const name of Object.keys(module)) {
      const parameters = app.part("module", name, "mappableParams") as Parameter[];
      const used = JSON.stringify(app.part("module", name, "communication")).matchAll(/parameters\.(\w+)/g);
      expect(new Set([...used].map(([, one]) => one)), name).toEqual(new Set(namesOf(parameters)));
    }
    const texts = Object.keys(module).map((name) => JSON.stringify(app.part("module", name, "mappableParams")));
    texts.push(JSON.stringify(app.part("webhook", "events", "params")));
    const lists = texts.flatMap((text) => [...text.matchAll(/rpc:\/\/(\w+)/g)].map(([, name]) => name));
    expect(new Set(lists)).toEqual(new Set(Object.keys(rpc)));
  });
});

function componentFiles(kind: Record<string, { codeFiles: Record<string, string | null> }>) {
  return Object.values(kind).map(({ codeFiles }) => codeFiles);
}
