import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgetConversations } from "#src/interactions/contacts/forget.ts";
import { WORKSPACE_PATH } from "#src/platform/http/console-access.ts";
import { route } from "#src/platform/http/route.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { audited } from "#src/surfaces/console/mounted-routes.ts";
import { moveOrphans } from "#src/tenancy/audit/intents.ts";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { ProviderServer } from "../kit/provider-server.ts";
import { Receiver } from "../kit/receiver.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;
let path: string;

beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  owner = await setUpOwner(world);
  path = `/workspaces/${world.sample.workspaceId}`;
});
afterAll(() => world[Symbol.asyncDispose]());

async function until<T>(ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (let i = 0; ; i++) {
    const value = await ask();
    if (done(value)) return value;
    if (i > 300) throw new Error(JSON.stringify(value).slice(0, 2_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Page = { content: { [name: string]: unknown }[]; totalElements: number };
const page = async (name: string): Promise<Page> => (await owner.ask("GET", `${path}/${name}`)).body as never;

describe("credentials", () => {
  it("are shown once, work until they are revoked, and belong to their workspace", async () => {
    const made = await owner.ask("POST", `${path}/credentials/keys`, { name: "CI", permissions: ["FLOWS_READ"] });
    expect(made.status).toBe(201);
    const key = String(made.body.apiKey);
    const { id } = made.body.credential as { id: string };
    const list = async () => {
      const reply = await owner.ask("GET", `${path}/credentials`);
      expect(reply.text).not.toContain(key);
      return (reply.body as unknown as { id: string; lastUsedAt: string | null; revokedAt: string | null }[]).find(
        (one) => one.id === id,
      );
    };
    expect(await list()).toMatchObject({ lastUsedAt: null, revokedAt: null, secretLast4: key.slice(-4) });
    expect((await world.request("GET", "/flows", { key })).status).toBe(200);
    expect((await world.request("GET", "/tools", { key })).status).toBe(403);
    expect((await list())?.lastUsedAt).not.toBeNull();
    const widened = await owner.ask("PUT", `${path}/credentials/${id}/permissions`, { permissions: ["TOOLS"] });
    expect(widened.body.permissions).toEqual(["TOOLS_READ", "TOOLS_WRITE"]);
    expect((await world.request("GET", "/tools", { key })).status).toBe(200);
    const other = await world.createWorkspace();
    const stranger = await inviteMember(world, other.workspaceId, "OWNER");
    const foreign = `/workspaces/${other.workspaceId}/credentials/${id}`;
    expect((await stranger.ask("DELETE", foreign)).status).toBe(404);
    expect((await stranger.ask("PUT", `${foreign}/permissions`, { permissions: [] })).status).toBe(404);
    expect((await owner.ask("DELETE", `${path}/credentials/${id}`)).status).toBe(204);
    expect((await world.request("GET", "/tools", { key })).status).toBe(401);
    const client = await owner.ask("POST", `${path}/credentials/clients`, { name: "MCP", permissions: ["FLOWS"] });
    expect(client.body.clientSecret).toMatch(/^\w{48}$/);
    const again = { "idempotency-key": "made-twice" };
    const secret = await owner.ask("POST", `${path}/credentials/keys`, { name: "Twice" }, again);
    expect(secret.status).toBe(201);
    const kept = await world.database.query("select 1 from idempotency_keys where body like '%' || $1 || '%'", [
      secret.body.apiKey,
    ]);
    expect(kept, "a key is stored as its digest alone").toEqual([]);
    const gauges = await owner.ask("GET", `${path}/rate-limits`);
    expect(gauges.text).not.toContain(id);
    expect(gauges.text).toContain('"remaining"');
  });
});

describe("the logs", () => {
  it("tell who did what, and cannot be changed", async () => {
    await owner.ask("POST", `${path}/structured-outputs`, { name: "x", schema: { type: "object" } });
    await owner.ask("POST", `${path}/structured-outputs`, { name: "no schema" });
    const { content } = await page("audit-log?size=200");
    const made = content.filter(({ action }) => action === "POST /structured-outputs");
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ actorKind: "USER", actor: "owner@example.com", address: "127.0.0.1" });
    const outputs = await world.request("GET", "/structured-outputs");
    expect(outputs.text).toContain(String(made[0]?.target));
    const installation = await owner.ask("GET", "/audit-log");
    expect(installation.text).toContain("installation.set_up");
    for (const statement of ["update audit_log set actor = 'x'", "delete from audit_log"])
      await expect(world.database.query(statement)).rejects.toThrow(/appended only/);
  });

  it("tell of a write whose server died with it that nobody knows how it ended", async () => {
    const { body } = await owner.ask("GET", "/session");
    const { id: userId } = body.user as { id: string };
    const id = randomUUID();
    const { workspaceId } = world.sample;
    const person = {
      userId,
      email: "owner@example.com",
      name: "",
      isInstallationOwner: true,
      sessionId: "",
      csrfToken: "",
    };
    const caller = { workspaceId, credentialId: userId, kind: "USER", permissions: new Set<string>(), person };
    const request = { params: { workspaceId, id }, caller, address: "127.0.0.1", requestId: "r1" };
    await using second = await SecondNode.join(world);
    const { db, pool } = second.database;
    const common = { audience: "console", access: [], tag: "Test", method: "PUT", summary: "", replies: {} } as const;
    const write = (run: () => Promise<unknown>) => {
      const declared = route({ ...common, path: `${WORKSPACE_PATH}/things/{id}`, run });
      return audited({ db, node: second.node }, declared).run(request as never) as Promise<unknown>;
    };
    const reported = async () => {
      await moveOrphans(pool);
      const { content } = await page("audit-log?size=200&action=PUT /things");
      return content.map(({ target, details }) => ({ target, details }));
    };
    await expect(write(() => Promise.reject(new AppError("CONFLICT")))).rejects.toThrow();
    expect(await reported()).toEqual([]);
    await expect(write(() => Promise.reject(new Error("disk")))).rejects.toThrow("disk");
    const unknown = { target: id, details: { outcome: "UNKNOWN" } };
    expect(await reported()).toEqual([unknown]);
    const begun = Promise.withResolvers<void>();
    void write(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    await begun.promise;
    expect(await reported(), "it is under way").toEqual([unknown]);
    await second.node.leave();
    expect(await reported()).toEqual([unknown, unknown]);
    expect(await world.database.query("select 1 from audit_intents")).toEqual([]);
  });

  it("keep the latest requests of keys, and never their secrets", async () => {
    await world.request("GET", "/call-rows/x?token=secret");
    const log = await until(
      () => page("request-log?status=CLIENT_ERROR"),
      ({ content }) => String(content[0]?.path).includes("call-rows"),
    );
    expect(log.content[0]).toMatchObject({ method: "GET", path: "/api/external/v1/call-rows/x", status: 400 });
    expect(JSON.stringify(log)).not.toContain("secret");
    expect(log.content[0]).toMatchObject({ callerKind: "API_KEY", credentialName: "First key", skipped: 0 });
    expect((await page("request-log?status=SERVER_ERROR")).content).toEqual([]);
  });
});

describe("deliveries of webhooks", () => {
  it("show each attempt without secrets, and are sent again by hand", async () => {
    // Before the first attempt: the next one comes by itself after five seconds.
    const viewer = await inviteMember(world, world.sample.workspaceId, "VIEWER");
    await using receiver = await Receiver.start([500]);
    const webhook = { url: receiver.url, authMode: "BEARER", secret: "hook-secret" };
    const rows = [{ customerNumber: "+12025550110" }];
    const job = { name: "Hooked", flowId: world.sample.flow.id, rows, completionWebhook: webhook };
    expect((await world.request("POST", "/call-jobs", { body: job })).status).toBe(200);
    const waiting = await until(
      () => page("webhook-deliveries"),
      ({ content }) => content[0]?.lastResponseStatus === 500 && content[0]?.status === "WAITING",
    );
    const id = String(waiting.content[0]?.id);
    expect(waiting.content[0]).toMatchObject({ eventType: "call_job.completed", attempts: 1, url: receiver.url });
    expect((await viewer.ask("POST", `${path}/webhook-deliveries/${id}/redeliver`)).status).toBe(403);
    expect((await owner.ask("POST", `${path}/webhook-deliveries/${id}/redeliver`)).status).toBe(200);
    const done = await until(
      () => owner.ask("GET", `${path}/webhook-deliveries/${id}`),
      ({ body }) => body.status === "DELIVERED",
    );
    const history = done.body.history as { attempt: number; requestHeaders: Record<string, string> }[];
    expect(history.map(({ attempt }) => attempt)).toEqual([2, 1]);
    expect(history[0]?.requestHeaders).toMatchObject({ authorization: "********", "x-service-delivery-attempt": "2" });
    expect(done.text).not.toContain("hook-secret");
    expect(JSON.parse(String(done.body.body))).toMatchObject({
      eventId: id,
      deliveryAttempt: 2,
      job: { name: "Hooked" },
    });
    const other = await world.createWorkspace();
    const crossed = await owner.ask("GET", `/workspaces/${other.workspaceId}/webhook-deliveries/${id}`);
    expect(crossed.status).toBe(404);
    expect((await page("webhook-deliveries?status=DEAD")).content).toEqual([]);
  });
});

describe("deliveries of one call", () => {
  it("are those that told of it, and none of another", async () => {
    await using receiver = await Receiver.start([]);
    const subscription = { url: receiver.url, events: ["session.ended"], authMode: "NONE" };
    expect((await world.request("POST", "/session-webhooks", { body: subscription })).status).toBe(200);
    const [reported, other] = [await world.call("+12025550100"), await world.call("+12025550101")];
    const listed = await until(
      () => page(`webhook-deliveries?rowId=${String(reported.id)}`),
      ({ content }) => content[0]?.status === "DELIVERED",
    );
    expect(listed.content.length).toBe(1);
    const id = String(listed.content[0]?.id);
    const { body } = await owner.ask("GET", `${path}/webhook-deliveries/${id}`);
    expect(String(body.body)).toContain(String(reported.id));
    expect(String(body.body)).not.toContain(String(other.id));
  });
});

describe("the overview", () => {
  it("counts the calls of a day and ticks what was done", async () => {
    const totalOf = (reply: { body: object }) => (reply as { body: { calls: { total: number } } }).body.calls.total;
    const before = await owner.ask("GET", `${path}/overview`);
    await world.call("+12025550100");
    const after = await until(
      () => owner.ask("GET", `${path}/overview`),
      (reply) => totalOf(reply) > totalOf(before),
    );
    expect(totalOf(after)).toBeGreaterThan(totalOf(before));
    expect(after.body.checklist).toMatchObject({ hasCompletedCall: true, hasFlow: true, hasCarrierAccount: false });
    // The scripted model takes no time that would count as a model's.
    expect(after.body.modelLatency).toMatchObject({ p50Ms: null });
  });
});

describe("the do-not-call ledger", () => {
  it("is kept by operators and owners, but not against what a person said", async () => {
    const operator = await inviteMember(world, world.sample.workspaceId, "OPERATOR");
    const ledger = `${path}/do-not-call`;
    const numbers = ["+12025550142", "+12025550143"];
    expect((await operator.ask("POST", ledger, { numbers })).status).toBe(204);
    const list = await operator.ask("GET", `${ledger}?startsWith=%2B1202555014`);
    expect(list.body).toMatchObject({ totalElements: 2, content: [{ number: numbers[0], source: "OPERATOR" }, {}] });
    expect((await operator.ask("DELETE", `${ledger}/%2B12025550142`)).status).toBe(403);
    expect((await owner.ask("DELETE", `${ledger}/%2B12025550142`)).status).toBe(204);
    expect((await owner.ask("DELETE", `${ledger}/%2B12025550142`)).status).toBe(404);
    await world.database.query("update do_not_call set source = 'SPOKEN_REFUSAL' where number = $1", [numbers[1]]);
    expect((await owner.ask("DELETE", `${ledger}/%2B12025550143`)).status).toBe(409);
  });
});

describe("settings", () => {
  it("of the installation are shown to whoever is signed in", async () => {
    const { status, body } = await owner.ask("GET", "/installation");
    expect([status, body.recordingRetentionDays, body.publicUrl]).toEqual([200, 0, world.url]);
  });

  it("are changed field by field", async () => {
    const change = (body: object) => owner.ask("PATCH", path, body);
    const changed = await change({ name: "Renamed", timeZone: "Europe/Berlin", defaultFlowId: null });
    expect(changed.body).toMatchObject({ name: "Renamed", timeZone: "Europe/Berlin", defaultFlowId: null });
    const back = await change({
      defaultFlowId: world.sample.flow.id,
      defaultPhoneNumberId: world.sample.phoneNumber.id,
    });
    expect(back.body).toMatchObject({ defaultFlowId: world.sample.flow.id, name: "Renamed" });
    for (const timeZone of ["Mars/Olympus", "CET", "+02:00"]) {
      expect([timeZone, (await change({ timeZone })).status]).toEqual([timeZone, 422]);
    }
    expect((await change({ sandboxSpeed: "slow" })).status).toBe(400);
    const nobody = "00000000-0000-7000-8000-000000000000";
    expect((await change({ defaultPhoneNumberId: nobody })).status).toBe(404);
    expect((await change({ defaultFlowId: nobody })).status).toBe(404);
  });

  it("of money are for owners of the installation, and carriers for LIVE workspaces", async () => {
    const top = await owner.ask("POST", `${path}/billing/top-ups`, { amount: "25.00", reference: "r1" });
    expect(top.body).toMatchObject({ repeated: false, toppedUpTotal: "25.00" });
    const billing = await owner.ask("PATCH", `${path}/billing`, { creditLimit: "0" });
    expect(billing.body).toMatchObject({ creditLimit: expect.stringMatching(/^0/) });
    const member = await inviteMember(world, world.sample.workspaceId, "OWNER");
    expect((await member.ask("GET", `${path}/billing`)).status).toBe(200);
    expect((await member.ask("PATCH", `${path}/billing`, { creditLimit: null })).status).toBe(403);
    expect((await member.ask("GET", `${path}/carrier-providers`)).text).toContain("TWILIO");
    const refused = await member.ask("POST", `${path}/carrier-accounts`, { provider: "TWILIO" });
    expect(refused.status).toBe(409);
  });
});

describe("a workspace's own accounts at providers of speech", () => {
  const list = async () => (await owner.ask("GET", `${path}/speech-accounts`)).body as Record<string, unknown>;
  const put = (provider: string, body: object) => owner.ask("PUT", `${path}/speech-accounts/${provider}`, body);
  const check = async (provider: string) =>
    (await owner.ask("POST", `${path}/speech-accounts/${provider}/check`)).body as Record<
      string,
      Record<string, unknown>
    >;

  it("are used before the server's, show no key, and are tried with one sentence", async () => {
    const sound = Buffer.alloc(48_000, 1);
    await using server = await ProviderServer.start([
      (response) => response.writeHead(200, { "content-type": "audio/pcm" }).end(sound),
      { status: 200, json: { text: "Hello, this is a test of the voice." } },
      { status: 401, json: { error: "sk-own is wrong" } },
    ]);
    const before = await list();
    expect(before.sttProviders).not.toContain("OPENAI_COMPATIBLE");
    expect((await put("DEEPGRAM", { voice: "aura" })).body).toMatchObject({ details: [{ path: "apiKey" }] });
    expect((await put("ELEVENLABS", { apiKey: "k", hears: true })).body).toMatchObject({
      details: [{ path: "hears" }],
    });
    expect((await put("OPENAI_COMPATIBLE", { apiKey: "line\nbreak" })).status).toBe(422);
    expect((await put("NOBODY", { apiKey: "k" })).status).toBe(400);
    const made = await put("OPENAI_COMPATIBLE", { apiKey: "sk-own", baseUrl: `${server.origin}/v1/`, voice: "coral" });
    expect(made.body).toMatchObject({ source: "WORKSPACE", apiKey: "********", baseUrl: `${server.origin}/v1` });
    const after = await list();
    expect((after.sttProviders as string[])[0]).toBe("OPENAI_COMPATIBLE");
    expect((after.ttsProviders as string[])[0]).toBe("OPENAI_COMPATIBLE");
    expect(JSON.stringify(after)).not.toContain("sk-own");

    const seen = `OPENAI_COMPATIBLE?ifUpdatedAt=${encodeURIComponent(String(made.body.updatedAt))}`;
    expect((await put(seen, { apiKey: "********", voice: "alloy" })).status).toBe(200);
    expect((await put(seen, { voice: "coral" })).body).toMatchObject({ details: [{ code: "STALE" }] });
    const tried = await check("OPENAI_COMPATIBLE");
    expect(tried.speaks).toMatchObject({ ok: true, durationSeconds: 1, error: null });
    expect(tried.hears).toMatchObject({ ok: true, text: "Hello, this is a test of the voice.", error: null });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-own", "Bearer sk-own"]);
    expect(server.received[0]?.body.toString()).toContain('"voice":"alloy"');
    const failed = await check("OPENAI_COMPATIBLE");
    expect(failed.speaks).toMatchObject({ ok: false, error: { code: "REFUSED" } });
    expect(JSON.stringify(failed)).not.toContain("sk-own");
  });

  it("send no stored key to another address, and are forgotten with their key", async () => {
    const moved = await put("OPENAI_COMPATIBLE", { baseUrl: "https://elsewhere.example/v1" });
    expect(moved.body).toMatchObject({ details: [{ path: "apiKey" }] });
    const other = await world.createWorkspace();
    const stranger = await inviteMember(world, other.workspaceId, "OWNER");
    expect((await stranger.ask("GET", `${path}/speech-accounts`)).status).toBe(404);
    const builder = await inviteMember(world, world.sample.workspaceId, "BUILDER");
    expect((await builder.ask("DELETE", `${path}/speech-accounts/OPENAI_COMPATIBLE`)).status).toBe(403);
    expect((await owner.ask("DELETE", `${path}/speech-accounts/OPENAI_COMPATIBLE`)).status).toBe(204);
    expect((await owner.ask("DELETE", `${path}/speech-accounts/OPENAI_COMPATIBLE`)).status).toBe(404);
    expect((await put("OPENAI_COMPATIBLE?ifUpdatedAt=2026-01-01T00:00:00Z", { apiKey: "sk" })).status).toBe(409);
    expect((await list()).sttProviders).not.toContain("OPENAI_COMPATIBLE");
    expect((await owner.ask("POST", `${path}/speech-accounts/OPENAI_COMPATIBLE/check`)).status).toBe(422);
  });
});

describe("a workspace that keeps what was said for some days", () => {
  it("forgets it then, and keeps that there was a call", async () => {
    const call = async () => String((await world.call("+12025550100", { rowData: { plan: "gold" } })).id);
    const [old, fresh] = [await call(), await call()];
    expect((await owner.ask("PATCH", path, { conversationRetentionDays: 0 })).status).toBe(422);
    expect((await owner.ask("PATCH", path, { conversationRetentionDays: 30 })).body).toMatchObject({
      conversationRetentionDays: 30,
    });
    await world.database.query("update call_results set updated_at = now() - interval '31 days' where row_id = $1", [
      old,
    ]);
    await using node = await SecondNode.join(world);
    await forgetConversations(node.database);
    await forgetConversations(node.database);
    const read = async (id: string) => (await world.request("GET", `/call-rows/${id}`)).body;
    const left = { status: "COMPLETED", customerNumber: "+12025550100", rowData: null };
    expect(await read(old)).toMatchObject({ ...left, transcript: [], extractedFields: {} });
    const kept = await read(fresh);
    expect([(kept.transcript as unknown[]).length > 0, kept.rowData]).toEqual([true, { plan: "gold" }]);
    const tasks = await world.database.query("select 1 from tasks where kind = 'contact.forget'", []);
    expect(tasks).toHaveLength(1);
  });

  it("forgets what was sent with a call that nobody answered, too", async () => {
    const sent = { rowData: { plan: "gold" }, contextData: { patient: 7 } };
    const call = async () => String((await world.call("+12025550110", sent)).id);
    const [old, fresh] = [await call(), await call()];
    await world.database.query("update call_rows set ended_at = now() - interval '31 days' where id = $1", [old]);
    await using node = await SecondNode.join(world);
    await forgetConversations(node.database);
    expect(await forgetConversations(node.database)).toBe(0);
    const read = async (id: string) => (await world.request("GET", `/call-rows/${id}`)).body;
    const left = { outcome: "BUSY", customerNumber: "+12025550110", rowData: null, contextData: null };
    expect(await read(old)).toMatchObject(left);
    expect(await read(fresh)).toMatchObject(sent);
    const tasks = await world.database.query(
      "select payload -> 'ids' ->> 0 as id from tasks where kind = 'contact.forget'",
      [],
    );
    expect(tasks).toContainEqual({ id: old });
  });

  it("forgets what a chat knew, too", async () => {
    const body = { channel: "CHAT", contactIdentifier: "gold", flow: { name: "Plans", firstMessage: "Hello." } };
    const { session } = (await world.request("POST", "/outbound/chats", { body })).body as { session: { id: string } };
    await world.request("POST", `/chat-sessions/${session.id}/close`);
    await world.until(`/chat-sessions/${session.id}`, ({ structuredOutputs }) => structuredOutputs !== null);
    await world.database.query("update chat_sessions set ended_at = now() - interval '31 days' where id = $1", [
      session.id,
    ]);
    const known = () =>
      world.database.query("select plan ->> 'variables' as variables from chat_sessions where id = $1", [session.id]);
    expect(await known()).toEqual([{ variables: expect.stringContaining("gold") as string }]);
    await using node = await SecondNode.join(world);
    await forgetConversations(node.database);
    expect(await known()).toEqual([{ variables: "{}" }]);
  });
});
