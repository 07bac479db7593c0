import type { Sample, TestReply, World } from "./world.ts";

/** The discard port of this machine: nothing listens, so a request ends at once and no name is looked up. */
export const NOBODY = { OUTBOUND_ALLOW: "127.0.0.1:9" };

/** Path parameters of one resource, such as {flowId: "…"}. */
export type Params = Record<string, string>;

/** A body as JSON, or raw with a content type of its own. */
export type Body = { json: unknown } | { raw: string; type: string };

/** Returns one text file as multipart/form-data. */
function form(name: string, content: string, type: string): Body {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`;
  return { raw: `${head}\r\n\r\n${content}\r\n--x--\r\n`, type: "multipart/form-data; boundary=x" };
}

/** Steps by which the matrix creates a resource of its own for a path of the document. */
export interface ResourceKind {
  /** Creates a new one in a workspace. */
  make(world: World, sample: Sample): Promise<Params>;
  /** Bodies for an existing one, by method and the path's last part. */
  bodies?: Record<string, Body>;
  /** Required queries, by the path's last part, or by method and last part. */
  queries?: Record<string, string>;
  /** Path that deletes it, where the API can. */
  remove?: string;
}

async function post(world: World, sample: Sample, path: string, body: unknown): Promise<TestReply["body"]> {
  const reply = await world.request("POST", path, { key: sample.apiKey, body });
  if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

let counter = 0;

/** Kinds by the path up to its last parameter (or a part of the path after it). The longest match counts. */
const RESOURCES: Record<string, ResourceKind> = {
  "/flows/{flowId}": {
    make: async (world, sample) => ({ flowId: String((await post(world, sample, "/flows", { name: "Matrix" })).id) }),
    bodies: {
      "PUT {flowId}": { json: { name: "Changed" } },
      "POST publish": { json: {} },
      "PUT split": { json: { splits: null } },
      "PUT success": { json: { conditions: [{ field: "visit.attending", operator: "IS_SET" }] } },
    },
    remove: "/flows/{flowId}",
  },
  "/flows/{flowId}/draft": {
    make: async (world, sample) => {
      const flowId = String((await post(world, sample, "/flows", { name: "Matrix" })).id);
      const body = { name: "Draft" };
      const reply = await world.request("PUT", `/flows/${flowId}/draft`, { key: sample.apiKey, body });
      if (reply.status !== 200) throw new Error(reply.text);
      return { flowId };
    },
    bodies: { "PUT draft": { json: { name: "Changed" } } },
  },
  "/flows/{flowId}/versions/{version}": {
    make: async (world, sample) => ({
      flowId: String((await post(world, sample, "/flows", { name: "Matrix" })).id),
      version: "1",
    }),
    bodies: { "POST restore": { json: {} } },
    remove: "/flows/{flowId}",
  },
  "/structured-outputs/{id}": {
    make: async (world, sample) => ({
      id: String((await post(world, sample, "/structured-outputs", { name: "m", schema: { type: "object" } })).id),
    }),
    bodies: { "PUT {id}": { json: { name: "Changed" } } },
    remove: "/structured-outputs/{id}",
  },
  "/phone-numbers/{id}": {
    make: async (world, sample) => {
      const phoneNumber = `+612555001${String(++counter % 90).padStart(2, "0")}`;
      return { id: String((await post(world, sample, "/phone-numbers", { provider: "SANDBOX", phoneNumber })).id) };
    },
    bodies: { "PUT {id}": { json: { label: "Changed" } } },
    remove: "/phone-numbers/{id}",
  },
  "/call-rows/{rowId}": {
    make: async (world, sample) => {
      const placed = await post(world, sample, "/outbound/calls", { customerNumber: "+12025550100" });
      const rowId = String(placed.rowId);
      // Calls to one person wait for each other.
      await world.until(`/call-rows/${rowId}`, ({ endedAt }) => endedAt !== null, 180_000, sample.apiKey);
      return { rowId };
    },
    bodies: {
      "POST whisper": { json: { text: "Offer them Friday." } },
      "POST say": { json: { text: "One moment." } },
    },
  },
  "/call-jobs/{jobId}": {
    make: async (world, sample) => {
      const startAt = new Date(Date.now() + 86_400_000).toISOString();
      const rows = [{ customerNumber: "+12025550100" }];
      return { jobId: String((await post(world, sample, "/call-jobs", { name: "m", rows, startAt })).id) };
    },
    bodies: {
      "PATCH {jobId}": { json: { name: "Changed" } },
      "POST rows": { json: { rows: [{ customerNumber: "+12025550101" }] } },
    },
  },
  "/models/{modelId}": {
    make: async (world, sample) => {
      const body = { name: "m", provider: "OPENAI_COMPATIBLE", model: "m", baseUrl: "http://127.0.0.1:9/v1" };
      return { modelId: String((await post(world, sample, "/models", body)).id) };
    },
    bodies: { "PUT {modelId}": { json: { name: "Changed" } } },
    remove: "/models/{modelId}",
  },
  "/session-webhooks/{id}": {
    make: async (world, sample) => ({
      id: String((await post(world, sample, "/session-webhooks", { url: "http://127.0.0.1:9/hook" })).id),
    }),
    bodies: { "PUT {id}": { json: { enabled: false } } },
    remove: "/session-webhooks/{id}",
  },
  "/chat-sessions/{id}": {
    make: async (world, sample) => {
      const { session } = await post(world, sample, "/outbound/chats", { channel: "CHAT", initialMessage: "Hello." });
      return { id: (session as { id: string }).id };
    },
    bodies: { "POST messages": { json: { content: "Yes." } } },
    // Without this the stream goes on.
    queries: { events: "follow=false" },
  },
  "/contacts/{id}": {
    make: async (world, sample) => {
      const contactIdentifier = `m-${++counter}`;
      const body = { channel: "CHAT", contactIdentifier, initialMessage: "Hello." };
      const { session } = await post(world, sample, "/outbound/chats", body);
      await post(world, sample, `/chat-sessions/${(session as { id: string }).id}/close`, {});
      const key = sample.apiKey;
      const found = await world.request("GET", `/contacts?identifier=${contactIdentifier}`, { key });
      return { id: (found.body.content as [{ id: string }])[0].id };
    },
    remove: "/contacts/{id}",
  },
  "/do-not-call/{number}": {
    make: async (world, sample) => {
      const number = `+1202555${String(++counter % 10_000).padStart(4, "0")}`;
      await post(world, sample, "/do-not-call", { numbers: [number] });
      return { number };
    },
    queries: { "DELETE {number}": "reason=Matrix" },
    remove: "/do-not-call/{number}?reason=Matrix",
  },
  "/opt-out-reviews/{reviewId}": {
    make: async (world, { workspaceId }) => {
      const number = `+1202556${String(++counter % 10_000).padStart(4, "0")}`;
      const rows = await world.database.query<{ id: string }>(
        `insert into opt_out_reviews (workspace_id, id, subject_type, subject_id, session_id, number, reason, quotes)
         values ($1, gen_random_uuid(), 'CALL', gen_random_uuid(), gen_random_uuid(), $2, 'UNHEEDED', '[]') returning id`,
        [workspaceId, number],
      );
      return { reviewId: String(rows[0]?.id) };
    },
    bodies: { "POST decision": { json: { decision: "DISMISS" } } },
  },
  "/widgets/{id}": {
    make: async (world, sample) => ({
      id: String((await post(world, sample, "/widgets", { name: "m", allowedOrigins: [] })).id),
    }),
    bodies: { "PUT {id}": { json: { name: "Changed" } } },
    remove: "/widgets/{id}",
  },
  "/lead-sources/{id}": {
    make: async (world, sample) => {
      const body = { name: "m", mapping: { customerNumber: "phone" } };
      return { id: String((await post(world, sample, "/lead-sources", body)).id) };
    },
    bodies: {
      "PUT {id}": { json: { name: "Changed" } },
      "POST rotate": { json: {} },
      "POST preview": { json: { sample: { phone: "+12025550100" } } },
    },
    remove: "/lead-sources/{id}",
  },
  "/web-phones/{id}": {
    make: async (world, sample) => ({ id: String((await post(world, sample, "/web-phones", { name: "m" })).id) }),
    remove: "/web-phones/{id}",
  },
  "/agents/{agentId}": {
    make: makeAgent,
    bodies: {
      "PUT {agentId}": { json: { name: "Changed" } },
      "POST items": { json: { title: "t", type: "TEXT", content: "Open on Monday." } },
      "POST files": form("a.txt", "Open on Monday.", "text/plain"),
    },
    queries: { search: "q=monday" },
    remove: "/agents/{agentId}",
  },
  "/agents/{agentId}/knowledge-base/items/{itemId}": {
    make: async (world, sample) => {
      const { agentId } = await makeAgent(world, sample);
      const body = { title: "t", type: "TEXT", content: "Open on Monday." };
      const item = await post(world, sample, `/agents/${agentId}/knowledge-base/items`, body);
      return { agentId: String(agentId), itemId: String(item.id) };
    },
    bodies: { "PUT {itemId}": { json: { title: "Changed" } } },
    remove: "/agents/{agentId}/knowledge-base/items/{itemId}",
  },
  "/applications/{appId}": {
    make: makeApplication,
    bodies: {
      "PUT {appId}": { json: { name: "Changed" } },
      "POST stores": { json: { key: "other" } },
      "POST customers": { json: { name: "Customer" } },
    },
    remove: "/applications/{appId}",
  },
  "/applications/{appId}/customers/{customerId}": {
    make: async (world, sample) => {
      const { appId } = await makeApplication(world, sample);
      const customer = await post(world, sample, `/applications/${appId}/customers`, { name: "Customer" });
      return { appId: String(appId), customerId: String(customer.id) };
    },
    bodies: { "PUT {customerId}": { json: { name: "Changed" } } },
    remove: "/applications/{appId}/customers/{customerId}",
  },
  "/applications/{appId}/stores/{storeKey}": {
    make: makeStore,
    bodies: { "PUT {storeKey}": { json: { name: "Changed" } }, "POST {storeKey}": { json: { colour: "red" } } },
    remove: "/applications/{appId}/stores/{storeKey}",
  },
  "/applications/{appId}/stores/{storeKey}/{recordId}": {
    make: async (world, sample) => {
      const place = await makeStore(world, sample);
      const record = await post(world, sample, `/applications/${place.appId}/stores/${place.storeKey}`, {
        colour: "red",
      });
      return { ...place, recordId: String(record.id) };
    },
    bodies: { "PUT {recordId}": { json: { colour: "blue" } } },
    remove: "/applications/{appId}/stores/{storeKey}/{recordId}",
  },
  "/transcriptions/jobs/{jobId}": {
    make: makeTranscriptionJob,
    bodies: {
      "PATCH {jobId}": { json: { name: "Changed" } },
      "POST recordings": { json: { url: "http://127.0.0.1:9/a.wav", fileName: "a.wav" } },
      "POST upload": form("a.wav", "RIFF", "audio/wav"),
      "POST spreadsheet": form("a.csv", "fileName,agentName\na.wav,Ada\n", "text/csv"),
    },
  },
  "/transcriptions/jobs/{jobId}/recordings/{rowId}": {
    make: async (world, sample) => {
      const { jobId } = await makeTranscriptionJob(world, sample);
      const upload = form("a.wav", "RIFF", "audio/wav") as { raw: string; type: string };
      const reply = await world.request("POST", `/transcriptions/jobs/${jobId}/recordings/upload`, {
        key: sample.apiKey,
        raw: upload.raw,
        headers: { "content-type": upload.type },
      });
      return { jobId: String(jobId), rowId: String(reply.body.rowId) };
    },
  },
  "/connections/{connectionId}": {
    make: async (world, sample) => {
      const body = { name: `m_${++counter}`, provider: "GOOGLE", clientId: "c" };
      return { connectionId: String((await post(world, sample, "/connections", body)).id) };
    },
    bodies: { "PUT {connectionId}": { json: { name: "Changed" } } },
    remove: "/connections/{connectionId}",
  },
  "/tools/{toolId}": {
    make: async (world, sample) => {
      const body = {
        name: `m_${++counter}`,
        description: "d",
        toolType: "API",
        apiMethod: "GET",
        apiUrl: "http://127.0.0.1:9/x",
      };
      return { toolId: String((await post(world, sample, "/tools", body)).id) };
    },
    bodies: { "PUT {toolId}": { json: { description: "Changed" } } },
    remove: "/tools/{toolId}",
  },
  "/simulations/{id}": {
    make: async (world, sample) => {
      const suite = { suite: "m", flow: "appointment-reminder", scenarios: [{ persona: "hangs-up-at-once" }] };
      return { id: String((await post(world, sample, "/simulations", { suite })).id) };
    },
  },
  "/results/boards/{boardId}": {
    make: async (world, sample) => {
      const body = { name: `Matrix ${++counter}`, filters: { lastDays: 7 }, cards: ["FUNNEL"] };
      return { boardId: String((await post(world, sample, "/results/boards", body)).id) };
    },
    bodies: { "PUT {boardId}": { json: { name: "Changed", filters: {}, cards: ["HOURS"] } } },
    remove: "/results/boards/{boardId}",
  },
  "/automations/{automationId}": {
    make: makeAutomation,
    bodies: { "PUT {automationId}": { json: { name: "Changed" } } },
    remove: "/automations/{automationId}",
  },
  "/artifacts/{id}": {
    make: async (world, sample) => {
      const { automationId } = await makeAutomation(world, sample);
      await post(world, sample, `/automations/${automationId}/run`, undefined);
      const path = `/automations/${automationId}/artifacts`;
      const idsOf = ({ content }: TestReply["body"]) => (content as { id: string }[]).map(({ id }) => id);
      const found = await world.until(path, (body) => idsOf(body).length > 0, undefined, sample.apiKey);
      return { id: idsOf(found)[0] as string };
    },
  },
  "/tool-tasks/{toolTaskId}": {
    make: async (world, sample) => {
      const { toolTaskId } = await post(world, sample, "/test/async-echo?delaySeconds=100", {});
      return { toolTaskId: String(toolTaskId) };
    },
  },
};

async function makeAgent(world: World, sample: Sample): Promise<Params> {
  return { agentId: String((await post(world, sample, "/agents", { name: "Matrix" })).id) };
}

async function makeApplication(world: World, sample: Sample): Promise<Params> {
  return { appId: String((await post(world, sample, "/applications", { name: "Matrix" })).id) };
}

async function makeStore(world: World, sample: Sample): Promise<Params> {
  const { appId } = await makeApplication(world, sample);
  await post(world, sample, `/applications/${appId}/stores`, { key: "things" });
  return { appId: String(appId), storeKey: "things" };
}

async function makeAutomation(world: World, sample: Sample): Promise<Params> {
  const body = { name: "Matrix", kind: "EXPORT", export: { format: "CSV" } };
  return { automationId: String((await post(world, sample, "/automations", body)).id) };
}

async function makeTranscriptionJob(world: World, sample: Sample): Promise<Params> {
  return {
    jobId: String((await post(world, sample, "/transcriptions/jobs", { name: "Matrix", retainAudio: true })).id),
  };
}

/** Returns the kind of resource that a path (below the prefix) names with its parameters. */
export function kindOf(path: string): ResourceKind | undefined {
  const fitting = Object.keys(RESOURCES).filter((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : RESOURCES[longest];
}
