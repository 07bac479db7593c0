import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inviteMember, setUpOwner, type Tab } from "./console-desk.ts";
import { Receiver } from "./receiver.ts";
import { World } from "./world.ts";

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
    const viewer = await inviteMember(world, world.sample.workspaceId, "VIEWER");
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
    const [told, other] = [await world.call("+12025550100"), await world.call("+12025550101")];
    const listed = await until(
      () => page(`webhook-deliveries?rowId=${String(told.id)}`),
      ({ content }) => content[0]?.status === "DELIVERED",
    );
    expect(listed.content.length).toBe(1);
    const id = String(listed.content[0]?.id);
    const { body } = await owner.ask("GET", `${path}/webhook-deliveries/${id}`);
    expect(String(body.body)).toContain(String(told.id));
    expect(String(body.body)).not.toContain(String(other.id));
  });
});

describe("the overview", () => {
  it("counts the calls of a day and ticks what was done", async () => {
    const before = await owner.ask("GET", `${path}/overview`);
    await world.call("+12025550100");
    const after = await owner.ask("GET", `${path}/overview`);
    const callsOf = (reply: typeof after) => reply.body.calls as { total: number; byOutcome: Record<string, number> };
    expect(callsOf(after).total).toBe(callsOf(before).total + 1);
    expect(after.body.checklist).toMatchObject({ hasCompletedCall: true, hasFlow: true, hasCarrierAccount: false });
    expect(after.body.modelLatency).toMatchObject({ p50Ms: expect.any(Number) });
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
    expect((await change({ timeZone: "Mars/Olympus" })).status).toBe(422);
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
