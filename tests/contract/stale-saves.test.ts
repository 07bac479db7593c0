import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { kindOf, NOBODY } from "../kit/resources.ts";
import { type TestReply, World } from "../kit/world.ts";

type Body = TestReply["body"];
type Query = { name: string; in: string };
type Operation = { parameters?: Query[]; requestBody?: unknown };

const WORKSPACE = "/api/console/workspaces/{workspaceId}";

/** Settings without a time of their own: what is written by turns, and where it is read. */
const SETTINGS: Record<string, { one: Body; other: Body; read?: string; before?: string[] }> = {
  "PATCH ": { one: { name: "One" }, other: { name: "Other" } },
  "PATCH /billing": { one: { prices: { SMS_SEGMENT: "1" } }, other: { prices: { SMS_SEGMENT: "2" } } },
  "PATCH /call-jobs/{jobId}": { one: { name: "One" }, other: { name: "Other" } },
  "PUT /credentials/{credentialId}/limits": {
    one: { expiresAt: null, allowedAddresses: ["203.0.113.0/24"] },
    other: { expiresAt: null, allowedAddresses: ["198.51.100.0/24"] },
    read: "/credentials",
  },
  "PUT /credentials/{credentialId}/permissions": {
    one: { permissions: ["FLOWS_READ"] },
    other: { permissions: ["TOOLS_READ"] },
    read: "/credentials",
  },
  "PUT /flows/{flowId}/split": {
    one: { splits: [{ version: 1, percent: 100 }] },
    other: { splits: null },
  },
  "PUT /flows/{flowId}/success": {
    one: { conditions: [{ field: "visit.attending", operator: "IS_SET" }] },
    other: { conditions: null },
  },
  "PUT /members/{userId}": { one: { role: "OPERATOR" }, other: { role: "BUILDER" }, read: "/members" },
  "PUT /metadata/fields": {
    one: { fields: [{ key: "one", type: "STRING", label: "one", required: false }] },
    other: { fields: [] },
  },
};

/** A switch, by which nothing typed is lost, and what carrier-accounts.test.ts and console-admin.test.ts show. */
const ELSEWHERE = [
  "PATCH /webhook-inspector",
  "PATCH /carrier-accounts/{accountId}",
  "PUT /speech-accounts/{provider}",
];

let world: World;
let owner: Tab;
let writes: { name: string; method: string; path: string; operation: Operation }[];
let readable: Set<string>;

beforeAll(async () => {
  world = await World.start({ env: NOBODY });
  owner = await setUpOwner(world);
  const { body } = await owner.ask("GET", "/openapi.json");
  const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith(WORKSPACE) && !path.startsWith(`${WORKSPACE}/test/`))
    .map(([path, methods]) => [path.slice(WORKSPACE.length), methods] as const);
  readable = new Set(paths.filter(([, methods]) => methods.get).map(([path]) => path));
  writes = paths.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method === "put" || method === "patch")
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
});
afterAll(() => world[Symbol.asyncDispose]());

async function ask(method: string, path: string, body: Body | undefined, headers = {}): Promise<TestReply> {
  return owner.ask(method, `/workspaces/${world.sample.workspaceId}${path}`, body, headers);
}

async function done(method: string, path: string, body?: Body, headers = {}): Promise<Body> {
  const reply = await ask(method, path, body, headers);
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(200);
  return reply.body;
}

async function refused(method: string, path: string, body: Body, headers = {}): Promise<void> {
  const reply = await ask(method, path, body, headers);
  expect([method, path, reply.status]).toEqual([method, path, 409]);
  expect(reply.body.details).toEqual([{ path: "", code: "STALE", message: reply.body.message }]);
}

function fill(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
}

/** Another value of the same kind for the first member. */
function vary(body: Body): Body {
  const [[name, value] = ["", ""]] = Object.entries(body);
  return { [name]: typeof value === "boolean" ? !value : `${String(value)} otherwise` };
}

/** One thing as it is stored, by its own path or out of its list. */
async function stored(path: string, place: string, { id, key }: Body): Promise<Body> {
  // Below a store's own path are its records.
  if (readable.has(path) && !path.endsWith("/{storeKey}")) return done("GET", place);
  const list = (await done("GET", place.slice(0, place.lastIndexOf("/")))) as unknown as Body[] | { content: Body[] };
  return (Array.isArray(list) ? list : list.content).find((one) => one.id === id && one.key === key) as Body;
}

it("what was read before somebody else's save overwrites nothing, for all that has a time of its own", async () => {
  const guarded = writes.filter(({ operation }) => operation.parameters?.some(({ name }) => name === "ifUpdatedAt"));
  for (const { method, path } of guarded.filter(({ name }) => !ELSEWHERE.includes(name))) {
    const kind = kindOf(path);
    if (!kind) throw new Error(`tests/kit/resources.ts makes no ${path}.`);
    const place = fill(path, await kind.make(world, world.sample));
    const sent = kind.bodies?.[`${method} ${path.slice(path.lastIndexOf("/") + 1)}`] as { json: Body };
    const begun = await done(method, place, sent.json);
    const seen = `${place}?ifUpdatedAt=${encodeURIComponent(String(begun.updatedAt))}`;
    await sleep(3);
    const first = await done(method, seen, vary(sent.json));
    await refused(method, seen, sent.json);
    const kept = [...Object.keys(sent.json), "updatedAt"];
    expect(pick(await stored(path, place, first), kept)).toEqual(pick(first, kept));
    expect(await done(method, place, sent.json)).toMatchObject(sent.json);
  }
  expect(guarded.length).toBeGreaterThan(14);
});

it("the same holds for settings, by the values that were read", async () => {
  const makeKey = async () => {
    const made = await ask("POST", "/credentials/keys", { name: "Key", permissions: ["AGENTS_READ"] });
    return { credentialId: (made.body.credential as { id: string }).id };
  };
  const makers: Record<string, () => Promise<Record<string, string>>> = {
    "/credentials/{credentialId}/limits": makeKey,
    "/credentials/{credentialId}/permissions": makeKey,
    "/members/{userId}": async () => {
      await inviteMember(world, world.sample.workspaceId, "VIEWER");
      const [member] = (await done("GET", "/members")) as unknown as { userId: string }[];
      return { userId: member?.userId as string };
    },
  };
  for (const [name, { one, other, read }] of Object.entries(SETTINGS)) {
    const [method = "", path = ""] = name.split(" ");
    const params = await (makers[path] ?? (async () => (await kindOf(path)?.make(world, world.sample)) ?? {}))();
    const place = fill(path, params);
    const look = async (): Promise<Body> => {
      const found = (await done("GET", read ?? place)) as unknown as Body | Body[];
      if (path === "/metadata/fields") return { fields: (found as Body[]).map(({ jobId: _, ...field }) => field) };
      if (!Array.isArray(found)) return found;
      return found.find((row) => Object.values(params).includes(String(row.id ?? row.userId))) as Body;
    };
    const begun = await look();
    const base = path === "" ? { version: begun.version } : { before: pick(begun, Object.keys(one)) };
    await done(method, place, { ...one, ...base });
    const after = await look();
    await refused(method, place, { ...other, ...base });
    expect(await look()).toEqual(after);
    await done(method, place, other);
    expect(await look()).not.toEqual(after);
  }
});

it("of two people who set up the same account at once, one is told of the other", async () => {
  const place = "/speech-accounts/DEEPGRAM";
  const begun = (await done("GET", "/speech-accounts")).accounts as Body[];
  const { updatedAt } = begun.find(({ provider }) => provider === "DEEPGRAM") as Body;
  const seen = `${place}?ifUpdatedAt=${String(updatedAt)}`;
  const both = await Promise.all(["one", "other"].map((voice) => ask("PUT", seen, { apiKey: `sk-${voice}`, voice })));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const made = both.find(({ status }) => status === 200)?.body;
  await refused("PUT", seen, { apiKey: "sk-late", voice: "late" });
  const after = (await done("GET", "/speech-accounts")).accounts as Body[];
  expect(after.find(({ provider }) => provider === "DEEPGRAM")).toEqual(made);
  expect((await ask("PUT", `${place}?ifUpdatedAt=never`, { voice: "late" })).status).toBe(400);
  expect(await done("PUT", place, { voice: "late" })).toMatchObject({ voice: "late" });
  expect((await ask("DELETE", place, undefined)).status).toBe(204);
  expect(await done("PUT", seen, { apiKey: "sk-new" })).toMatchObject({ source: "WORKSPACE" });
});

it("a tool takes its version as If-Match", async () => {
  const place = fill("/tools/{toolId}", (await kindOf("/tools/{toolId}")?.make(world, world.sample)) ?? {});
  const { version } = await done("GET", place);
  await done("PUT", place, { description: "One" }, { "if-match": `"${String(version)}"` });
  await refused("PUT", place, { description: "Other" }, { "if-match": `"${String(version)}"` });
  expect(await done("GET", place)).toMatchObject({ description: "One" });
  await done("PUT", place, { description: "Other" });
});

it("no route that changes what is stored is without one of these", () => {
  const open = writes
    .filter(({ operation }) => !operation.parameters?.some(({ name }) => name === "ifUpdatedAt"))
    .map(({ name }) => name)
    .filter((name) => !(name in SETTINGS) && !ELSEWHERE.includes(name));
  expect(open).toEqual(["PUT /tools/{toolId}"]);
});

function pick(from: Body, names: string[]): Body {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
