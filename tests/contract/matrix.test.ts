import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { kindOf, NOBODY, type Params, type ResourceKind } from "../kit/resources.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

interface Operation {
  method: string;
  path: string;
  needs: string[];
}

const PREFIX = "/api/external/v1";
/** Templates and tool packs are the same in every workspace. */
const OF_NOBODY = new RegExp(`^${PREFIX}/(flow-templates|tool-packs)/`);
const world = await World.start({ env: NOBODY });
const document = (await world.request("GET", "/openapi.json", { key: null })).body;
const operations = Object.entries(document.paths as Record<string, Record<string, { description: string }>>)
  .filter(([path]) => path.startsWith(PREFIX) && path.includes("{") && !OF_NOBODY.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description }]): Operation => ({
      method: method.toUpperCase(),
      path: path.slice(PREFIX.length),
      needs: (/Needs ([A-Z_ or]+)\./.exec(description)?.[1] ?? "").split(" or ").filter(Boolean),
    })),
  );

let stranger: Sample;
let credentials: Credential[];
interface Credential {
  name: string;
  headers: Record<string, string>;
  /** Status it gets whatever the id; undefined: the resource decides. */
  refused?: number;
}

beforeAll(async () => {
  stranger = await world.createWorkspace();
  credentials = await makeCredentials();
});
// Refusals draw from the bucket of this machine's address, which is not tested here.
beforeEach(() => world.database.query("delete from address_buckets"));
afterAll(() => world[Symbol.asyncDispose]());

async function makeCredentials(): Promise<Credential[]> {
  const { workspaceId, apiKey, client } = world.sample;
  const token = await world.getToken(client);
  const powerless = await world.getToken(await world.operator("client.create", { workspaceId, permissions: [] }));
  const revoked = await world.operator("key.create", { workspaceId });
  await world.operator("key.revoke", { id: revoked.keyId });
  const expired = await world.operator("key.create", { workspaceId, expiresInSeconds: 1 });
  await world.database.query("update credentials set expires_at = now() - interval '1 s' where id = $1", [
    expired.keyId,
  ]);
  const dead = await world.operator("client.create", { workspaceId, permissions: ["FLOWS"] });
  const deadToken = await world.getToken(dead);
  await world.operator("client.revoke", { clientId: dead.clientId });
  return [
    { name: "a workspace key", headers: { "x-api-key": apiKey } },
    { name: "a client's token", headers: { authorization: `Bearer ${token}` } },
    { name: "a key before a worthless token", headers: { "x-api-key": apiKey, authorization: "Bearer nonsense" } },
    { name: "no credential", headers: {}, refused: 401 },
    { name: "an invented key", headers: { "x-api-key": "svc_live_invented" }, refused: 401 },
    {
      name: "a worthless key before a good token",
      headers: { "x-api-key": "x", authorization: `Bearer ${token}` },
      refused: 401,
    },
    { name: "a revoked key", headers: { "x-api-key": String(revoked.apiKey) }, refused: 401 },
    { name: "an expired key", headers: { "x-api-key": String(expired.apiKey) }, refused: 401 },
    { name: "the token of a revoked client", headers: { authorization: `Bearer ${deadToken}` }, refused: 401 },
    { name: "a token without permissions", headers: { authorization: `Bearer ${powerless}` }, refused: 403 },
  ];
}

function fill(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`resources.ts gives no ${name} for ${path}`);
    return value;
  });
}

async function ask(operation: Operation, kind: ResourceKind, params: Params, headers: Record<string, string>) {
  const last = operation.path.split("/").at(-1) ?? "";
  const body = kind.bodies?.[`${operation.method} ${last}`];
  const idempotent = operation.method === "GET" ? {} : { "idempotency-key": randomUUID() };
  const type = body && "raw" in body ? { "content-type": body.type } : {};
  return world.request(
    operation.method,
    `${fill(operation.path, params)}?${kind.queries?.[`${operation.method} ${last}`] ?? kind.queries?.[last] ?? ""}`,
    {
      key: null,
      headers: { ...headers, ...idempotent, ...type },
      ...(body && "json" in body ? { body: body.json } : {}),
      ...(body && "raw" in body ? { raw: body.raw } : {}),
    },
  );
}

/** The parameters of a path that are uuids, in their order. */
function idsIn(path: string, params: Params): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return names.filter((name) => /^[0-9a-f-]{36}$/.test(params[name] ?? ""));
}

const REFUSALS = [401, 403, 404, 500];

/** Returns an answer without the parts that differ from one request to the next. */
function shapeOf(reply: TestReply, params: Params) {
  let text = reply.text.replaceAll(/"requestId":"[^"]+"/g, "");
  for (const value of Object.values(params)) text = text.replaceAll(value, "ID");
  const names = [...reply.headers.keys()].filter((name) => name !== "date").toSorted();
  return { status: reply.status, text, names };
}

test("every operation with an id in its path is in the matrix", () => {
  expect(
    operations.filter(({ path }) => kindOf(path) === undefined).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([]);
  expect(operations.length).toBeGreaterThan(12);
});

describe.each(operations.filter(({ path }) => kindOf(path) !== undefined))("$method $path", (operation) => {
  const kind = kindOf(operation.path) as ResourceKind;
  let own: Params;
  let foreign: Params;
  beforeAll(async () => {
    own = await kind.make(world, world.sample);
    foreign = await kind.make(world, stranger);
  });

  test("own id: found with every valid credential, refused with the others", async () => {
    // A request that is refused, or only reads, uses nothing up.
    const usesUp = operation.method !== "GET";
    for (const { name, headers, refused } of credentials) {
      const params = usesUp && !refused ? await kind.make(world, world.sample) : own;
      const { status, text } = await ask(operation, kind, params, headers);
      expect(REFUSALS.includes(status) ? status : "FOUND", `${name}: ${text}`).toBe(refused ?? "FOUND");
    }
  });

  test("a foreign id answers exactly as one that never existed", async () => {
    for (const { name, headers, refused } of credentials) {
      for (const id of idsIn(operation.path, own)) {
        const strange = { ...own, [id]: foreign[id] as string };
        const invented = { ...own, [id]: randomUUID() };
        const answers = [
          shapeOf(await ask(operation, kind, strange, headers), strange),
          shapeOf(await ask(operation, kind, invented, headers), invented),
        ];
        expect(answers[0], `${name}, ${id}`).toEqual(answers[1]);
        expect(answers[0]?.status, `${name}, ${id}`).toBe(refused ?? 404);
      }
    }
    const still = await ask({ ...operation, method: "GET" }, kind, foreign, { "x-api-key": stranger.apiKey });
    expect(REFUSALS, "the foreign resource is untouched").not.toContain(still.status);
  });

  test("a credential that lacks the permission is refused whatever the id", async () => {
    const all = await world.operator("client.create", {
      workspaceId: world.sample.workspaceId,
      permissions: ALL_AREAS,
    });
    const permissions = (all.permissions as string[]).filter((name) => !operation.needs.includes(name));
    expect(permissions.length).toBeLessThan((all.permissions as string[]).length);
    const key = await world.operator("key.create", { workspaceId: world.sample.workspaceId, permissions });
    for (const params of [own, foreign]) {
      const { status, body } = await ask(operation, kind, params, { "x-api-key": String(key.apiKey) });
      expect([status, body.error]).toEqual([403, "Forbidden"]);
    }
  });
});

describe.each(operations.filter(({ path }) => kindOf(path)?.remove !== undefined))("$method $path", (operation) => {
  test("a deleted id answers as one that never existed", async () => {
    const kind = kindOf(operation.path) as ResourceKind;
    const own = await kind.make(world, world.sample);
    await world.request("DELETE", fill(kind.remove as string, own));
    for (const { name, headers } of credentials) {
      const invented = { ...own, [idsIn(operation.path, own).at(-1) as string]: randomUUID() };
      const answers = [
        shapeOf(await ask(operation, kind, own, headers), own),
        shapeOf(await ask(operation, kind, invented, headers), invented),
      ];
      expect(answers[0], name).toEqual(answers[1]);
    }
  });
});

const ALL_AREAS = [
  "CALL_JOBS",
  "CALL_HISTORY",
  "OUTBOUND",
  "FLOWS",
  "AGENTS",
  "TOOLS",
  "STRUCTURED_OUTPUTS",
  "PHONE_NUMBERS",
  "DATA_STORES",
  "TRANSCRIPTIONS",
  "BALANCE",
  "REPORTS",
];
