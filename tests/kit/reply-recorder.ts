import { type Body, kindOf, type Params, type ResourceKind } from "./resources.ts";
import type { TestReply, World } from "./world.ts";

/** An operation of the API's document, as far as it is recorded. */
export interface RecordedOperation {
  method: string;
  path: string;
  operationId: string;
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const PREFIX = "/api/external/v1";

/** Bodies for operations whose example of a request names something outside. */
const BODIES: Record<string, unknown> = {
  postModels: { name: "Main model", provider: "OPENAI_COMPATIBLE", baseUrl: "http://127.0.0.1:9/v1", model: "small" },
  postPhoneNumbers: { provider: "SANDBOX", phoneNumber: "+61255500199", label: "Sydney" },
  postSessionWebhooks: { url: "http://127.0.0.1:9/parley", events: ["session.ended"] },
  postTranscriptionsJobsJobIdRecordings: { url: "http://127.0.0.1:9/ann_17.wav", fileName: "ann_17.wav" },
};

/** Needs of an operation before it succeeds, besides a resource of its path. */
interface Preparation {
  body?: unknown;
  raw?: { raw: string; type: string };
  params?: Params;
  query?: string;
  key?: string;
}

const PREPARED: Record<string, (world: World) => Promise<Preparation>> = {
  postOauthToken: async ({ sample }) => {
    const { clientId, clientSecret } = sample.client;
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const type = "application/x-www-form-urlencoded";
    return { raw: { raw: new URLSearchParams(form).toString(), type } };
  },
  postSimulationsReplays: async (world) => ({
    body: { flowApiId: world.sample.flow.apiId, rowIds: [(await world.call("+12025550100")).id] },
  }),
  postSimulationsSentences: async (world) => ({
    body: { rowId: (await world.call("+12025550100")).id, says: ["Good morning"], neverSays: ["Hello there"] },
  }),
  getSimulationsId: async (world) => {
    const params = await kindOf("/simulations/{id}")?.make(world, world.sample);
    await world.until(`/simulations/${params?.id}`, ({ endedAt }) => endedAt !== null);
    return params ? { params } : {};
  },
  postFlowsFlowIdPublish: async (world) => {
    const params = await kindOf("/flows/{flowId}/draft")?.make(world, world.sample);
    return params ? { params } : {};
  },
  getFlowTemplatesName: async () => ({ params: { name: "delivery-slot" } }),
  getToolPacksName: async () => ({ params: { name: "google-calendar" } }),
  getTestAsyncEcho: async () => ({ query: "delaySeconds=100" }),
  postCallRowsRowIdCancel: async (world) => {
    const { jobId = "" } = (await kindOf("/call-jobs/{jobId}")?.make(world, world.sample)) ?? {};
    const { content } = await world.until(`/call-jobs/${jobId}/rows`, (page) => (page.content as []).length > 0);
    return { params: { rowId: String((content as [{ id: string }])[0].id) } };
  },
  postCallRowsRowIdEnd: placeLiveCall,
  postCallRowsRowIdSupervise: placeLiveCall,
  postCallRowsRowIdWhisper: placeLiveCall,
  postCallRowsRowIdSay: placeLiveCall,
};

/** Replies to which a provider or a tool's server belongs. */
const WRITTEN: Record<string, unknown> = {
  "postToolPacksNameInstall 200": {
    tools: [{ id: "019a2b3c-0000-7000-8000-000000000001", name: "find_free_times", isNew: true }],
  },
  "postWebhooksAsyncToolTaskResponse 200": { status: "accepted" },
};

/** Places a call whose person speaks as slowly as people do, and waits until it is live. */
async function placeLiveCall(world: World): Promise<Preparation> {
  const { apiKey: key } = await world.createWorkspace({ speed: 1 });
  const placed = await world.request("POST", "/outbound/calls", { key, body: { customerNumber: "+12025550100" } });
  const rowId = String(placed.body.rowId);
  for (;;) {
    const { body } = await world.request("GET", `/call-rows/${rowId}`, { key });
    if (body.status === "IN_PROGRESS") return { key, params: { rowId } };
    if (body.endedAt !== null) throw new Error(JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Sends each operation once, and returns the JSON of those that succeed by operationId and status, such as
 * `getFlows 200`: ids, times and secrets made alike in every run, lists cut to their first item.
 */
export async function recordReplies(world: World, operations: RecordedOperation[]): Promise<Record<string, unknown>> {
  const recorded = Object.entries(WRITTEN);
  const made = new Map<ResourceKind, Params>();
  for (const operation of operations.toSorted(byTurn)) {
    const reply = await send(world, operation, made);
    const isJson = reply.headers.get("content-type")?.startsWith("application/json");
    const key = `${operation.operationId} ${reply.status}`;
    if (reply.status < 300 && isJson) recorded.push([key, toExample(reply.body, new Map())]);
  }
  return Object.fromEntries(recorded.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Lists come last, so that there is something to list. */
function byTurn(a: RecordedOperation, b: RecordedOperation): number {
  const turn = ({ method, path }: RecordedOperation) => (path.includes("{") ? 1 : method === "GET" ? 2 : 0);
  return turn(a) - turn(b);
}

/** Returns the ids for an operation: of a new resource, or for a reading one of the last that was `made`. */
async function idsFor(
  world: World,
  method: string,
  kind: ResourceKind | undefined,
  made: Map<ResourceKind, Params>,
): Promise<Params> {
  if (!kind) return {};
  const known = method === "GET" ? made.get(kind) : undefined;
  const ids = known ?? (await kind.make(world, world.sample));
  if (method === "GET") made.set(kind, ids);
  return ids;
}

async function send(world: World, operation: RecordedOperation, made: Map<ResourceKind, Params>): Promise<TestReply> {
  const { method, path, operationId } = operation;
  const short = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path;
  const prepared = (await PREPARED[operationId]?.(world)) ?? {};
  const kind = kindOf(short);
  const params = prepared.params ?? (await idsFor(world, method, kind, made));
  const last = path.split("/").at(-1) ?? "";
  const query = prepared.query ?? kind?.queries?.[`${method} ${last}`] ?? kind?.queries?.[last] ?? "";
  const target = `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "missing")}?${query}`;
  const bodies = [prepared.body ?? BODIES[operationId], exampleOf(operation)].filter((one) => one !== undefined);
  const own = prepared.raw ?? kind?.bodies?.[`${method} ${last}`];
  const tries: (Body | undefined)[] = [...bodies.map((json) => ({ json })), own];
  let reply: TestReply | undefined;
  for (const body of tries) {
    reply = await world.request(method, target, {
      ...optionsOf(body),
      ...(prepared.key !== undefined && { key: prepared.key }),
    });
    if (reply.status < 300) break;
  }
  return reply as TestReply;
}

function exampleOf({ requestBody }: RecordedOperation): unknown {
  return requestBody?.content["application/json"]?.example;
}

function optionsOf(body: Body | undefined): Parameters<World["request"]>[2] {
  if (!body) return {};
  return "raw" in body ? { raw: body.raw, headers: { "content-type": body.type } } : { body: body.json };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?/g;
const LONGEST = 160;

/** Returns a value with the same ids, times and secrets in every run; `ids` holds those that were replaced. */
function toExample(value: unknown, ids: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => toExample(item, ids));
  if (typeof value === "string") return toText(value, ids);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, toField(name, held, ids)]));
}

function toField(name: string, value: unknown, ids: Map<string, string>): unknown {
  if (typeof value === "string" && /secret|token|cursor|password|address$|hash$/i.test(name)) return "…";
  return toExample(value, ids);
}

function toText(value: string, ids: Map<string, string>): string {
  const text = value
    .replaceAll(UUID, (id) => {
      const known = ids.get(id) ?? `019a2b3c-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`;
      ids.set(id, known);
      return known;
    })
    .replaceAll(TIME, (time) => `2026-03-02T09:00:00.000${time.endsWith("Z") ? "Z" : ""}`)
    .replaceAll(/(127\.0\.0\.1|localhost):\d{3,}/g, "parley.example.com")
    .replaceAll("http://parley.example.com", "https://parley.example.com")
    .replaceAll("ws://parley.example.com", "wss://parley.example.com")
    .replaceAll(/matrix(-[a-z0-9]{6})?/g, "clinic")
    .replaceAll("Matrix", "Clinic")
    .replaceAll(/(chat_|wgt_|inspector\/[\w-]{36}\/)[\w-]{10,}/g, "$1…");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/**
 * Returns the members of a value by their paths, without those that are null or empty in one run and not in another:
 * what an example is compared by.
 */
export function membersOf(value: unknown, path = ""): string[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, `${path}[]`));
  return Object.entries(value).flatMap(([name, held]) => [`${path}.${name}`, ...membersOf(held, `${path}.${name}`)]);
}
