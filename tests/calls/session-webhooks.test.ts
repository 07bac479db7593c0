import { webhooks } from "@parley/sdk";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Receiver, type Received } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  const { body } = await world.request("GET", "/session-webhooks?size=200");
  for (const { id } of body.content as { id: string }[]) await world.request("DELETE", `/session-webhooks/${id}`);
});

type Body = { [name: string]: unknown };

async function subscribe(body: Body): Promise<Body> {
  const reply = await world.request("POST", "/session-webhooks", { body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const parse = ({ body }: Received) => JSON.parse(body) as Body & { session: Body; row: Body };

/** Long enough for a delivery that should not happen to have happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

describe("flow-session webhooks", () => {
  test("run for a call with the selected flow, globally and on that flow, and not on another flow", async () => {
    await using everywhere = await Receiver.start();
    await using here = await Receiver.start();
    await using elsewhere = await Receiver.start();
    const other = await world.request("POST", "/flows", { body: { name: "Other", apiId: "other-flow" } });
    await subscribe({ url: everywhere.url });
    await subscribe({ url: here.url, flowId: world.sample.flow.apiId });
    await subscribe({ url: elsewhere.url, flowId: other.body.id });
    const row = await world.call("+12025550100", { flowId: world.sample.flow.id });
    for (const receiver of [everywhere, here]) {
      await receiver.waitFor(2);
      const bodies = receiver.received.map(parse);
      expect(bodies.map((body) => String(body.eventType)).sort()).toEqual(["session.ended", "session.started"]);
      expect(bodies.every((body) => body.session.id === row.sessionId)).toBe(true);
    }
    await settle();
    expect([everywhere.received.length, here.received.length, elsewhere.received.length]).toEqual([2, 2, 0]);
  });

  test("name their flow by flowApiId as calls do, and by nothing that is not there", async () => {
    const { id, apiId } = world.sample.flow;
    const made = await subscribe({ url: "http://127.0.0.1:9000/", flowApiId: apiId });
    expect([made.flowId, made.warnings]).toEqual([id, undefined]);
    const refused = await world.request("POST", "/session-webhooks", {
      body: { url: "http://127.0.0.1:9000/", flowApiId: `${apiId}x` },
    });
    expect([refused.status, refused.body.message]).toEqual([
      404,
      `Flow ${apiId}x does not exist in this workspace. Did you mean ${apiId}?`,
    ]);
    const other = await world.request("POST", "/flows", { body: { name: "Two names", apiId: "two-names" } });
    const both = { url: "http://127.0.0.1:9000/", flowId: other.body.id, flowApiId: apiId };
    expect((await world.request("POST", "/session-webhooks", { body: both })).status).toBe(400);
  });

  test("do not run for an inline flow, of a single call or of a job", async () => {
    await using receiver = await Receiver.start();
    await subscribe({ url: receiver.url });
    const flow = { name: "Inline", masterPrompt: "Be brief.", firstMessage: "Hello." };
    await world.call("+12025550100", { flow });
    const job = await world.request("POST", "/call-jobs", {
      body: { flow, rows: [{ customerNumber: "+12025550101" }] },
    });
    await world.until(`/call-jobs/${String(job.body.id)}`, (body) => body.completedAt !== null);
    await settle();
    expect(receiver.received).toHaveLength(0);
  });

  test("of a workspace never hear of another's sessions", async () => {
    await using receiver = await Receiver.start();
    await subscribe({ url: receiver.url });
    const { apiKey } = await world.createWorkspace();
    const placed = await world.request("POST", "/outbound/calls", {
      key: apiKey,
      body: { customerNumber: "+12025550100" },
    });
    const path = `/call-rows/${String(placed.body.rowId)}`;
    await world.until(path, ({ endedAt }) => endedAt !== null, undefined, apiKey);
    await settle();
    expect(receiver.received).toHaveLength(0);
  });

  test("carry headers, signature and payload; contextData comes back byte for byte", async () => {
    await using receiver = await Receiver.start();
    const { signingSecret } = await subscribe({ url: receiver.url, events: ["session.ended"] });
    const contextData = '{"b":1.10,"a":12345678901234567890,"t":"Zoë \\u0041"}';
    const raw = `{"customerNumber":"+12025550101","contactName":"Zoë","contextData":${contextData}}`;
    const placed = await world.request("POST", "/outbound/calls", { raw });
    await receiver.waitFor(1);
    const row = await world.until(`/call-rows/${String(placed.body.rowId)}`, (body) => body.endedAt !== null);
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    const payload = JSON.parse(body) as Body;
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Service-Session-Webhook/1.0",
      "x-service-event-type": "session.ended",
      "x-service-event-id": payload.eventId,
      "x-service-delivery-attempt": "1",
      "webhook-id": payload.eventId,
    });
    expect(() => new Webhook(signingSecret as string).verify(body, headers as Record<string, string>)).not.toThrow();
    const options = { signingSecret: signingSecret as string };
    // JavaScript rounds the long number; the SDK keeps its digits.
    const verified = (await webhooks.verify(headers as Record<string, string>, body, options)) as unknown as Body;
    const exact = { b: 1.1, a: "12345678901234567890", t: "Zoë A" };
    expect(verified).toEqual({ ...payload, session: { ...(payload.session as Body), contextData: exact } });
    expect(payload).toEqual({
      eventId: expect.any(String) as string,
      eventType: "session.ended",
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      deliveryAttempt: 1,
      session: {
        id: row.sessionId,
        channel: "VOICE",
        status: "COMPLETED",
        outcome: "ANSWERED",
        flowId: world.sample.flow.id,
        flowApiId: world.sample.flow.apiId,
        contactName: "Zoë",
        contactPhone: "+12025550101",
        startedAt: row.answeredAt,
        endedAt: row.endedAt,
        endReason: row.endReason,
        contextData: JSON.parse(contextData) as unknown,
      },
      row: { id: row.id, jobId: null, humanRequested: false },
      retrieval: { endpoints: { callRow: `${world.url}/api/external/v1/call-rows/${String(row.id)}` } },
    });
    expect(body).toContain(contextData);
  });

  test("tell the end of every call of a job exactly once, whatever it came to", async () => {
    await using receiver = await Receiver.start();
    await subscribe({ url: receiver.url, events: ["session.ended"] });
    const rows = Array.from({ length: 60 }, (_, i) => ({ customerNumber: `+1415300${String(1000 + i)}` }));
    const body = { rows, retryConfig: { maxAttempts: 2, delaysSeconds: [1] } };
    const job = await world.request("POST", "/call-jobs", { body });
    await world.until(`/call-jobs/${String(job.body.id)}`, (one) => one.completedAt !== null);
    const { body: page } = await world.request("GET", `/call-jobs/${String(job.body.id)}/rows?size=200`);
    const expected = (page.content as Body[]).map((row) => `${String(row.id)} ${String(row.status)}`).sort();
    await receiver.waitFor(60);
    await settle();
    const reported = receiver.received
      .map(parse)
      .map(({ row, session }) => `${String(row.id)} ${String(session.status)}`);
    expect(reported.sort()).toEqual(expected);
    expect(new Set(receiver.received.map((one) => one.headers["x-service-event-id"])).size).toBe(60);
    expect(parse(receiver.received[0] as Received).row.jobId).toBe(job.body.id);
  });

  test("tell the end of a call that was dialled and then cancelled while it waited for its retry", async () => {
    await using receiver = await Receiver.start();
    await subscribe({ url: receiver.url, events: ["session.ended"] });
    const slow = await world.createWorkspace({ speed: 1 });
    const own = { key: slow.apiKey };
    await world.request("POST", "/session-webhooks", {
      ...own,
      body: { url: receiver.url, events: ["session.ended"] },
    });
    const body = {
      rows: [{ customerNumber: "+12025550130" }, { customerNumber: "+12025550140" }],
      retryConfig: { maxAttempts: 2, retryOn: ["CARRIER_FAILURE"], delaysSeconds: [3_600] },
    };
    const job = await world.request("POST", "/call-jobs", { ...own, body });
    const path = `/call-jobs/${String(job.body.id)}`;
    for (;;) {
      const { text } = await world.request("GET", `${path}/rows?status=WAITING_FOR_RETRY`, own);
      if ((JSON.parse(text) as { totalElements: number }).totalElements === 1) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await world.request("POST", `${path}/cancel`, own)).status).toBe(200);
    await receiver.waitFor(2);
    await settle();
    const ends = receiver.received
      .map(parse)
      .map(({ session }) => `${String(session.contactPhone)} ${String(session.status)}`);
    expect(ends.sort()).toEqual(["+12025550130 FAILED", "+12025550140 CANCELLED"]);
  });
});

describe("deliveries of session events", () => {
  test("authenticate by bearer token or custom header, sealed at rest and masked when read", async () => {
    await using receiver = await Receiver.start();
    const events = ["session.ended"];
    const made = await subscribe({ url: receiver.url, events, authMode: "BEARER", secret: "t0ken-canary" });
    expect(made).toMatchObject({ secret: "********", signingSecret: expect.stringMatching(/^whsec_/) as string });
    await world.call("+12025550101");
    expect((await receiver.waitFor(1))[0]?.headers.authorization).toBe("Bearer t0ken-canary");
    const read = await world.request("GET", `/session-webhooks/${String(made.id)}`);
    expect(read.body).toEqual({ ...made, signingSecret: null });
    const custom = { authMode: "CUSTOM_HEADER", headerName: "X-Hook-Key", headerValue: "v4lue-canary" };
    const changed = await world.request("PUT", `/session-webhooks/${String(made.id)}`, { body: custom });
    expect(changed.body).toMatchObject({ secret: null, headerName: "X-Hook-Key", headerValue: "********", events });
    const whole = await world.request("PUT", `/session-webhooks/${String(made.id)}`, { body: changed.body });
    expect(whole.body).toMatchObject({ ...changed.body, updatedAt: expect.any(String) as string });
    await world.call("+12025550101");
    const second = (await receiver.waitFor(2))[1];
    expect([second?.headers["x-hook-key"], second?.headers.authorization]).toEqual(["v4lue-canary", undefined]);
    const stored = await world.database.query(
      "select t::text from session_webhooks t union all select t::text from tasks t",
    );
    expect(JSON.stringify(stored)).not.toMatch(/canary/);
  });

  test("are tried again with the same event id and a growing attempt number", async () => {
    await using receiver = await Receiver.start([500, 302]);
    const { id } = await subscribe({ url: receiver.url, events: ["session.ended"] });
    await world.call("+12025550101");
    for (let count = 1; count <= 3; count++) {
      await receiver.waitFor(count);
      await hurry(id);
    }
    const bodies = receiver.received.map(parse);
    expect(bodies.map((body) => body.deliveryAttempt)).toEqual([1, 2, 3]);
    expect(new Set(bodies.map((body) => body.eventId)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "2", "3"]);
    const attempts = await world.database.query<{ response_status: number }>(
      "select a.response_status from webhook_attempts a join tasks t on t.id = a.task_id where t.subject_id = $1 order by a.attempt",
      [id],
    );
    expect(attempts.map((attempt) => attempt.response_status)).toEqual([500, 302, 200]);
  });

  test("stop at 410 until the webhook is enabled again", async () => {
    await using receiver = await Receiver.start([410]);
    const { id } = await subscribe({ url: receiver.url, events: ["session.ended"] });
    await world.call("+12025550101");
    await world.until(`/session-webhooks/${String(id)}`, (body) => body.enabled === false);
    await world.call("+12025550101");
    await settle();
    expect(receiver.received).toHaveLength(1);
    expect(await ends(id)).toEqual([{ status: "DEAD", last_error: "The receiver answered 410." }]);
    const enabled = await world.request("PUT", `/session-webhooks/${String(id)}`, { body: { enabled: true } });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null });
    await world.call("+12025550101");
    await receiver.waitFor(2);
  });

  test("end with the webhook: what is still to be sent is given up, with the reason", async () => {
    await using receiver = await Receiver.start([500]);
    const { id } = await subscribe({ url: receiver.url, events: ["session.ended"] });
    await world.call("+12025550101");
    await receiver.waitFor(1);
    await hurry(id, "now() + interval '1 hour'");
    expect((await world.request("DELETE", `/session-webhooks/${String(id)}`)).status).toBe(204);
    expect(await ends(id)).toEqual([{ status: "DEAD", last_error: "The webhook was deleted." }]);
    expect(receiver.received).toHaveLength(1);
  });

  test("end with the webhook within seconds, where very many are still to be sent", async () => {
    const { id } = await subscribe({ url: "https://receiver.invalid/hook", events: ["session.ended"] });
    await world.database.query(
      `insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
       select gen_random_uuid(), $1, 'session.event', $2, '{}', now() + interval '1 hour' from generate_series(1, 5000)`,
      [world.sample.workspaceId, id],
    );
    expect((await world.request("DELETE", `/session-webhooks/${String(id)}`)).status).toBe(204);
    const given = () =>
      world.database.query(
        `select count(*)::int as count, count(distinct finished_at)::int as statements from tasks
          where subject_id = $1 and status = 'DEAD' and last_error = 'The webhook was deleted.'`,
        [id],
      );
    await expect.poll(given, { timeout: 20_000 }).toEqual([{ count: 5_000, statements: 3 }]);
  });

  async function ends(id: unknown) {
    return world.database.query("select status, last_error from tasks where subject_id = $1", [id]);
  }

  /** Brings the next delivery forward, once the last one's end is stored. */
  async function hurry(id: unknown, to = "now()"): Promise<void> {
    const move = `update tasks set due_at = ${to} where subject_id = $1 and status <> 'RUNNING' returning id`;
    await expect.poll(() => world.database.query(move, [id])).toHaveLength(1);
  }
});

describe("session webhooks as a resource", () => {
  test("are paged, narrowed by flow, merged and deleted; null clears", async () => {
    const url = "https://hooks.example.com/a";
    const made = await subscribe({ url, flowId: world.sample.flow.apiId, events: ["session.ended", "session.ended"] });
    expect(made).toMatchObject({ flowId: world.sample.flow.id, events: ["session.ended"], enabled: true });
    await subscribe({ url });
    const list = await world.request("GET", `/session-webhooks?flowId=${world.sample.flow.id}&size=1`);
    expect(list.body).toMatchObject({ totalElements: 1, content: [{ id: made.id, signingSecret: null }] });
    const path = `/session-webhooks/${String(made.id)}`;
    const changed = await world.request("PUT", path, { body: { flowId: null, enabled: false } });
    expect(changed.body).toMatchObject({ flowId: null, enabled: false, url, events: ["session.ended"] });
    expect((await world.request("DELETE", path)).status).toBe(204);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const reply = await world.request(method, path, method === "PUT" ? { body: {} } : {});
      expect([reply.status, reply.text]).toEqual([404, '{"error":"Not found"}']);
    }
  });

  test.each([
    ["secret", { authMode: "BEARER", secret: "t0ken" }],
    ["headerValue", { authMode: "CUSTOM_HEADER", headerName: "X-Hook-Key", headerValue: "t0ken" }],
  ])(
    "ask for the %s again when the address goes to another host, and keep it for another path",
    async (field, auth) => {
      const made = await subscribe({ url: "https://hooks.example.com/a", ...auth });
      const put = (body: Body) => world.request("PUT", `/session-webhooks/${String(made.id)}`, { body });
      const elsewhere = { url: "https://evil.example/a" };
      for (const body of [elsewhere, { ...made, ...elsewhere }, { url: "https://hooks.example.com:8443/a" }]) {
        const refused = await put(body);
        expect([refused.status, refused.body.details]).toMatchObject([422, [{ path: field, code: "REQUIRED" }]]);
      }
      expect((await put({ url: "https://hooks.example.com/b" })).body[field]).toBe("********");
      expect((await put({ ...elsewhere, [field]: "t0ken" })).body).toMatchObject(elsewhere);
      expect((await put({ url: "https://hooks.example.com/a", authMode: "NONE" })).body[field]).toBeNull();
    },
  );

  const url = "https://hooks.example.com/a";
  test("authenticate with the secret that is sent, also when no mode is", async () => {
    expect(await subscribe({ url, secret: "t0ken" })).toMatchObject({ authMode: "BEARER", secret: "********" });
    const { id } = await subscribe({ url, secret: "" });
    const put = (body: Body) => world.request("PUT", `/session-webhooks/${String(id)}`, { body });
    expect((await put({ enabled: false })).body).toMatchObject({ authMode: "NONE" });
    const header = { headerName: "X-Hook-Key", headerValue: "t0ken" };
    expect((await put(header)).body).toMatchObject({ authMode: "CUSTOM_HEADER", headerName: "X-Hook-Key" });
  });

  test.each([
    ["no url", {}, 422, "url"],
    ["a url that is none", { url: "nowhere" }, 422, "url"],
    ["an event that does not exist", { url, events: ["session.paused"] }, 422, "events.0"],
    ["no event", { url, events: [] }, 422, "events"],
    ["BEARER without a secret", { url, authMode: "BEARER" }, 422, "secret"],
    ["a mask where nothing is stored", { url, authMode: "BEARER", secret: "********" }, 422, "secret"],
    ["CUSTOM_HEADER without a name", { url, authMode: "CUSTOM_HEADER", headerValue: "v" }, 422, "headerName"],
    [
      "a header of the service",
      { url, authMode: "CUSTOM_HEADER", headerName: "webhook-id", headerValue: "v" },
      422,
      "headerName",
    ],
    ["a header with a line break", { url, authMode: "BEARER", secret: "a\nb" }, 422, "secret"],
    ["a number for a url", { url: 5 }, 400, "url"],
  ])("refuse %s with the field's path", async (_name, body, status, path) => {
    const reply = await world.request("POST", "/session-webhooks", { body });
    expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([status, path]);
  });

  test("of another workspace, and its flows, read as ones that never existed", async () => {
    const { apiKey, flow } = await world.createWorkspace();
    const foreign = await world.request("POST", "/session-webhooks", { key: apiKey, body: { url } });
    const random = "0195aaaa-0000-7000-8000-000000000000";
    for (const method of ["GET", "PUT", "DELETE"]) {
      const options = method === "PUT" ? { body: { enabled: false } } : {};
      const [a, b] = await Promise.all(
        [foreign.body.id, random].map((id) => world.request(method, `/session-webhooks/${String(id)}`, options)),
      );
      expect([a?.status, a?.text]).toEqual([404, b?.text]);
    }
    const named = await world.request("POST", "/session-webhooks", { body: { url, flowId: flow.id } });
    const never = await world.request("POST", "/session-webhooks", { body: { url, flowId: random } });
    expect([named.status, named.text]).toEqual([404, never.text.replace(random, flow.id)]);
  });
});
