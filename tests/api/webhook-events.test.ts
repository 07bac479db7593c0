import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sleep } from "#src/platform/kernel/async.ts";
import { World } from "../kit/world.ts";

let world: World;
let url: string;
beforeAll(async () => {
  world = await World.start();
  url = String((await world.request("GET", "/webhook-inspector/address")).body.url);
  await world.request("POST", "/session-webhooks", { body: { url: `${url}?mine` } });
});
afterAll(() => world[Symbol.asyncDispose]());

interface Event {
  id: string;
  eventId: string;
  eventType: string;
  webhookUrl: string | null;
  createdAt: string;
  body: string;
}

async function read(after?: string, wait = 0) {
  const query = new URLSearchParams({ waitSeconds: String(wait), ...(after !== undefined && { after }) });
  const { status, body, text } = await world.request("GET", `/webhook-events?${String(query)}`);
  expect(status, text).toBe(200);
  return { events: body.events as Event[], cursor: String(body.cursor) };
}

/** Reads on from a cursor until so many events have come. */
async function collect(after: string, count: number): Promise<{ events: Event[]; cursor: string }> {
  const events: Event[] = [];
  let cursor = after;
  while (events.length < count) {
    const page = await read(cursor, 10);
    events.push(...page.events);
    cursor = page.cursor;
  }
  return { events, cursor };
}

test("gives what a webhook is sent, each event once, from the cursor on", async () => {
  await world.call("+12025550100", { flowId: world.sample.flow.id });
  const { events: before, cursor } = await read();
  expect(before).toEqual([]);
  const rows = [];
  for (const last of [1, 2, 3]) rows.push(await world.call(`+1202555010${last}`, { flowId: world.sample.flow.id }));
  const { events, cursor: next } = await collect(cursor, 6);
  expect(events).toHaveLength(6);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(6);
  const bodies = events.map(
    ({ body }) => JSON.parse(body) as { eventType: string; eventId: string; session: { id: string } },
  );
  for (const [i, event] of events.entries()) {
    expect(event).toMatchObject({
      eventId: bodies[i]?.eventId,
      eventType: bodies[i]?.eventType,
      webhookUrl: `${url}?mine`,
    });
  }
  expect(new Set(bodies.map(({ session }) => session.id))).toEqual(new Set(rows.map(({ sessionId }) => sessionId)));
  expect((await read(next)).events).toEqual([]);
  // Read again from before, the same come again in the same order.
  expect((await collect(cursor, 6)).events).toEqual(events);
});

test("an event whose transaction ends late is not lost to a reader that was faster", async () => {
  const { cursor } = await read();
  const late = new pg.Client(world.database.url);
  await late.connect();
  const payload = { webhook: { url }, secret: "", occurredAt: "", job: { id: "late" } };
  await late.query("begin");
  await late.query(
    `insert into tasks (id, workspace_id, kind, subject_id, payload, status)
     values (gen_random_uuid(), $1, 'call_job.completed', gen_random_uuid(), $2, 'DONE')`,
    [world.sample.workspaceId, JSON.stringify(payload)],
  );
  await world.call("+12025550100", { flowId: world.sample.flow.id });
  const early = await read(cursor);
  await late.query("commit");
  await late.end();
  const rest = await collect(early.cursor, 3 - early.events.length);
  expect([...early.events, ...rest.events].map(({ eventType }) => eventType).toSorted()).toEqual([
    "call_job.completed",
    "session.ended",
    "session.started",
  ]);
});

test("a client that goes away is waited for no longer", async () => {
  const { cursor } = await read();
  const latest = async () => {
    const [row] = await world.database.query<{ at: string }>(
      `select coalesce(max(query_start), 'epoch')::text as at from pg_stat_activity
        where query like '%left join session_webhooks%' and pid <> pg_backend_pid()`,
    );
    return row?.at ?? "";
  };
  const leave = new AbortController();
  const asked = fetch(`${world.url}/api/external/v1/webhook-events?waitSeconds=10&after=${cursor}`, {
    headers: { "x-api-key": world.sample.apiKey },
    signal: leave.signal,
  }).catch(() => undefined);
  const first = await latest();
  await expect.poll(latest).not.toBe(first);
  leave.abort();
  await asked;
  await sleep(1_500);
  const last = await latest();
  await sleep(1_500);
  // Another statement on the same connection takes the place of the latest, which is then older.
  expect((await latest()) <= last).toBe(true);
});

test("a cursor after which nothing came moves on, so that no later look reads that time again", async () => {
  const { apiKey: key } = await world.createWorkspace();
  const longAgo = "1.00000000-0000-0000-0000-000000000000";
  const { body } = await world.request("GET", `/webhook-events?after=${longAgo}`, { key });
  expect(body.events).toEqual([]);
  const secondsAgo = Date.now() / 1_000 - Number(String(body.cursor).split(".")[0]) / 1_000_000;
  expect(secondsAgo).toBeGreaterThan(5);
  expect(secondsAgo).toBeLessThan(60);
});

test("another workspace's events, and a cursor that is none, are refused", async () => {
  const { cursor } = await read();
  const other = await world.createWorkspace();
  await world.call("+12025550105", { flowId: world.sample.flow.id });
  await collect(cursor, 2);
  const theirs = await world.request("GET", `/webhook-events?after=${cursor}`, { key: other.apiKey });
  expect(theirs.body.events).toEqual([]);
  for (const after of ["x", "1.2", `${"9".repeat(17)}.${other.workspaceId}`, "'; drop table tasks", "\u0001"]) {
    const { status } = await world.request("GET", `/webhook-events?after=${encodeURIComponent(after)}`);
    expect([400, 422], after).toContain(status);
  }
  expect((await world.request("GET", `/webhook-events?after=${"9".repeat(16)}.${other.workspaceId}`)).status).toBe(200);
});

test("needs the permission to make a webhook, and of jobs also theirs", async () => {
  const { workspaceId } = world.sample;
  const client = await world.operator("client.create", { workspaceId, permissions: ["CALL_JOBS"] });
  const headers = { authorization: `Bearer ${await world.getToken(client)}` };
  for (const path of ["/webhook-events", "/webhook-inspector/address"]) {
    expect((await world.request("GET", path, { key: null, headers })).status).toBe(403);
  }
});
