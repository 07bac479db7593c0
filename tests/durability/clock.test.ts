import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClaimedRow } from "#src/interactions/dispatch/claim.ts";
import { placeDial } from "#src/interactions/dispatch/place-dial.ts";
import { noteRefusal } from "#src/numbers/phone-numbers/number-health.ts";
import { DatabaseClock } from "#src/platform/db/database-clock.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import { Receiver } from "../kit/receiver.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

const HOUR_MS = 3_600_000;
const RealDate = Date;

/** Sets this machine's clock wrong by so much; gives what sets it right. */
function shiftClock(byMs: number): () => void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (_date, args: []) =>
      args.length === 0 ? new RealDate(RealDate.now() + byMs) : Reflect.construct(RealDate, args),
    get: (date, name) => (name === "now" ? () => RealDate.now() + byMs : (Reflect.get(date, name) as unknown)),
  });
  return () => {
    globalThis.Date = RealDate;
  };
}

test("a node whose clock is right warns of nothing", async () => {
  await using world = await World.start();
  for (const path of ["/ready", "/health"]) expect((await world.request("GET", path)).body.warnings, path).toEqual([]);
});

describe.each([HOUR_MS, -HOUR_MS])("on a machine whose clock is off by %i ms", (offMs) => {
  let restore: () => void;
  let world: World;
  beforeAll(async () => {
    restore = shiftClock(offMs);
    world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    restore();
  });

  /** Seconds from the database's present to what a statement gives. */
  const fromNow = async (text: string): Promise<number> => {
    const rows = await world.database.query<{ s: number }>(
      `select extract(epoch from x.at - now())::float8 as s from (${text}) x(at)`,
    );
    return rows[0]?.s ?? Number.NaN;
  };

  test("timers come by the database's clock, as do the times that are told", async () => {
    const body = { delaySeconds: 30 };
    const reply = await world.request("POST", "/test/async-echo", { body });
    expect(reply.status, reply.text).toBeLessThan(300);
    const due = await fromNow("select due_at from tasks where kind like '%echo%'");
    expect(Math.abs(due - 30)).toBeLessThan(20);
    const reported = (Date.parse(String(reply.body.dueAt)) - RealDate.now()) / 1_000;
    expect(Math.abs(reported - 30)).toBeLessThan(20);
  });

  test("chats end after their idle time, and keys when they expire", async () => {
    const body = { channel: "CHAT", contactIdentifier: "idle", flow: { name: "Idle", firstMessage: "Hello." } };
    const reply = await world.request("POST", "/outbound/chats", { body });
    expect(reply.status, reply.text).toBe(200);
    const [plan] = await world.database.query<{ idle: number }>(
      "select idle_timeout_seconds as idle from chat_sessions",
    );
    const idle = await fromNow("select max(due_at) from tasks where kind like '%idle%'");
    expect(Math.abs(idle - (plan?.idle ?? 0))).toBeLessThan(60);
    await world.operator("key.create", { workspaceId: world.sample.workspaceId, name: "Short", expiresInSeconds: 600 });
    const life = await fromNow("select max(expires_at) from credentials");
    expect(Math.abs(life - 600)).toBeLessThan(60);
  });

  test("webhooks are signed with a time that their receivers accept", async () => {
    await using receiver = await Receiver.start();
    await world.request("POST", "/session-webhooks", { body: { url: receiver.url, events: ["session.ended"] } });
    const body = { rows: [{ customerNumber: "+12025550100" }], flowId: world.sample.flow.id };
    expect((await world.request("POST", "/call-jobs", { body })).status).toBe(200);
    const [received] = await receiver.waitFor(1);
    const signedMs = Number(received?.headers["webhook-timestamp"]) * 1_000;
    expect(Math.abs(signedMs - RealDate.now())).toBeLessThan(60_000);
  });

  test("a call's agent goes by the database's clock, as a chat's does", async () => {
    const schema = { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } };
    const flow = { name: "Visit", firstMessage: "Hello.", structuredOutputs: [{ name: "visit", schema }] };
    const row = await world.call("+12025550100", { flow });
    const { visit } = row.structuredOutputs as Record<string, { extractedAt: string }>;
    expect(Math.abs(Date.parse(String(visit?.extractedAt)) - RealDate.now())).toBeLessThan(60_000);
  });

  test("a digest comes at the next such time of the database's clock", async () => {
    // Between the two clocks: one has it behind, the other ahead.
    const time = new RealDate(RealDate.now() + offMs / 2).toISOString().slice(11, 16);
    const schedule = { time, timeZone: "UTC" };
    const { body } = await world.request("POST", "/automations", {
      body: { kind: "DAILY_DIGEST", name: "d", schedule },
    });
    const inHours = (Date.parse(String(body.nextRunAt)) - RealDate.now()) / HOUR_MS;
    expect(inHours > 0 && inHours < 24).toBe(true);
    expect(inHours < 1).toBe(offMs > 0);
  });

  test("events have ids of the database's time, by which live streams find them", async () => {
    const { body } = await world.request("POST", "/outbound/calls", { body: { customerNumber: "+12025550100" } });
    await world.until(`/call-rows/${String(body.rowId)}`, ({ endedAt }) => endedAt !== null);
    const rows = await world.database.query<{ id: string }>("select id from events where subject_id = $1", [
      body.rowId,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    for (const { id } of rows) {
      const ms = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
      expect(Math.abs(ms - RealDate.now())).toBeLessThan(60_000);
    }
  });

  test("a dial is asked for at the database's time, by which the keys of its account were changed", async () => {
    await using second = await SecondNode.join(world);
    const carrier = { dial: () => Promise.resolve({ kind: "ACCEPTED", providerCallId: "1" }) } as unknown as Carrier;
    const fence = { pass: () => Promise.resolve(() => undefined) };
    const draining = new AbortController().signal;
    const parts = { database: second.database, fence, eventsUrl: () => world.url, dialTimeoutMs: 1_000, draining };
    const row = { mode: "SANDBOX", attempt_id: uuidv7(), attempts_made: 1 } as ClaimedRow;
    const { signal } = new AbortController();
    const dial = await placeDial(parts, carrier, row, 30, { signal, givenUp: signal });
    const askedAt = "askedAt" in dial ? dial.askedAt : null;
    expect(Math.abs((askedAt?.getTime() ?? 0) - RealDate.now())).toBeLessThan(60_000);
  });

  test("a refusal stops an account whose keys were changed a minute ago", async () => {
    await using second = await SecondNode.join(world);
    const { workspaceId } = world.sample;
    const id = uuidv7();
    await world.database.query(
      `insert into carrier_accounts (workspace_id, id, provider, label, settings, secrets, status, calls_per_second,
         updated_at)
       values ($1, $2, 'TWILIO', 'Main', '{}', '', 'ACTIVE', 1, now() - interval '1 minute')`,
      [workspaceId, id],
    );
    const number = { workspaceId, phoneNumberId: uuidv7(), carrierAccountId: id };
    await noteRefusal(second.database, number, { blame: "ACCOUNT", code: "20003", message: "Authenticate" });
    const status = await world.database.query("select status from carrier_accounts where id = $1", [id]);
    expect(status).toEqual([{ status: "FAILED" }]);
  });

  test("/ready and /health warn of it", async () => {
    const warningsAt = async (path: string) => (await world.request("GET", path)).body.warnings;
    const said = offMs > 0 ? /3[56]\d\d s ahead of/ : /3[56]\d\d s behind/;
    for (const path of ["/ready", "/health"]) {
      expect(await warningsAt(path), path).toEqual([
        { code: "CLOCK_OFF", message: expect.stringMatching(said) as string },
      ]);
    }
  });

  test("says so, once, and that it is right again", async () => {
    const lines: string[] = [];
    await using second = await SecondNode.join(world);
    const clock = new DatabaseClock(
      second.database.pool,
      createLog("info", (line) => lines.push(line)),
    );
    await clock.read();
    await clock.read();
    expect(lines.filter((line) => line.includes("differs from the database's"))).toHaveLength(1);
    const metrics = await fetch(`${world.url}/metrics`);
    const shown = /^parley_clock_offset_seconds (\S+)$/m.exec(await metrics.text())?.[1];
    expect(Math.abs(Number(shown) - offMs / 1_000)).toBeLessThan(60);
    restore();
    await clock.read();
    expect(lines.at(-1)).toContain("agrees with the database's again");
    restore = shiftClock(offMs);
  });
});
