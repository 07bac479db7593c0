import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import { CallInHarness } from "../kit/call-in-harness.ts";
import { World } from "../kit/world.ts";

type Row = Record<string, unknown> & { attempts: Record<string, unknown>[] };

let world: World;
let harness: CallInHarness;
let counter = 0;
beforeAll(async () => {
  world = await World.start();
  harness = await CallInHarness.open(world);
});
afterAll(async () => {
  await harness.second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const nextCaller = () => `+1415555${String(2000 + ++counter)}`;

function newCall(from = nextCaller()) {
  return { providerCallId: `CA${randomUUID()}`, from, to: world.sample.phoneNumber.number };
}

async function history(query: string): Promise<Row[]> {
  const { body } = await world.request("GET", `/call-history?size=200&${query}`);
  return body.content as Row[];
}

const callsOf = (from: string) => history(`customerNumber=${encodeURIComponent(from)}`);

/** The row of a caller once their call is over. */
async function ended(from: string): Promise<Row> {
  const path = `/call-history?customerNumber=${encodeURIComponent(from)}`;
  const page = await world.until(path, ({ content }) => {
    const [row] = content as Row[];
    return row !== undefined && row.endedAt !== null;
  });
  return (page.content as Row[])[0] as Row;
}

async function readNumber(of = world): Promise<Record<string, unknown> | undefined> {
  const { body } = await of.request("GET", "/phone-numbers");
  const numbers = body as unknown as Record<string, unknown>[];
  return numbers.find(({ id }) => id === of.sample.phoneNumber.id);
}

/** The carrier's event that a call ended so long after it began, as it is stored when it comes. */
async function sendEnded(
  of: World,
  { attemptId, providerCallId, afterSeconds }: { attemptId: string; providerCallId: string; afterSeconds: number },
): Promise<void> {
  const [attempt] = await of.database.query<{ began: Date }>(
    "select answered_at as began from call_attempts where id = $1",
    [attemptId],
  );
  const at = new Date((attempt?.began.getTime() ?? 0) + afterSeconds * 1_000).toISOString();
  const base = { eventKey: randomUUID(), attemptId, providerCallId, at, type: "ENDED" };
  const end = { ...base, outcome: "NO_ANSWER", hungUpBy: "CUSTOMER", sipCode: 487, reason: "The caller hung up." };
  await of.database.query(
    "insert into carrier_events (provider, event_key, attempt_id, type, payload) values ('twilio', $1, $2, 'ENDED', $3)",
    [end.eventKey, attemptId, end],
  );
}

/** A caller who stayed hangs up. */
async function leave({ providerCallId }: { providerCallId: string }): Promise<void> {
  await world.until("/phone-numbers", () => harness.lines.has(providerCallId));
  harness.lines.get(providerCallId)?.leave();
}

async function slots(): Promise<Record<string, unknown>> {
  const [row] = await world.database.query<Record<string, unknown>>(
    `select p.active_calls, (select coalesce(sum(l.active_calls), 0)::int from lanes l
        where l.workspace_id = p.workspace_id and l.phone_number_id = p.id) as in_lanes
       from phone_numbers p where p.id = $1`,
    [world.sample.phoneNumber.id],
  );
  return row ?? {};
}

const declines = async () =>
  (
    await world.database.query<{ reason: string }>(
      "select data ->> 'reason' as reason from events where type = 'call.declined' order by id",
    )
  ).map(({ reason }) => reason);

describe("a person who calls one of our numbers", () => {
  test("speaks with the flow, and the call is a row of direction INBOUND with its transcript and bill", async () => {
    const call = newCall();
    const answer = await harness.ring(call, { says: ["Yes, that suits me."] });
    const row = await ended(call.from);
    expect(row).toMatchObject({
      direction: "INBOUND",
      customerNumber: call.from,
      fromPhoneNumber: call.to,
      flowId: world.sample.flow.id,
      status: "COMPLETED",
      outcome: "ANSWERED",
      attempt: 1,
      nextAttemptAt: null,
    });
    expect(answer.body).toMatch(/^ANSWER /);
    expect(row.attempts).toMatchObject([{ provider: "TWILIO", providerCallId: call.providerCallId, state: "ENDED" }]);
    expect((row.transcript as { role: string }[]).map(({ role }) => role).slice(0, 2)).toEqual(["ASSISTANT", "USER"]);
    expect(harness.hungUp).toContain(call.providerCallId);
    const bill =
      "select quantity::int as s, simulated from usage_entries where subject_id = $1 and kind = 'TELEPHONY_SECOND'";
    expect(await world.database.query(bill, [row.id])).toEqual([{ s: 1, simulated: false }]);
    expect(await slots()).toEqual({ active_calls: 0, in_lanes: 0 });
    await expect.poll(() => harness.room).toBe(1_000);
  });

  test("is spoken with all the same when the database was away for a moment as their carrier was looked for", async () => {
    const call = newCall();
    harness.faults = 1;
    await harness.ring(call, { says: ["Yes, that suits me."] });
    expect(await ended(call.from)).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED" });
  });

  test("is found by direction, apart from those whom we called", async () => {
    const call = newCall();
    await harness.ring(call);
    await ended(call.from);
    const [inbound, outbound] = await Promise.all([history("direction=INBOUND"), history("direction=OUTBOUND")]);
    expect(inbound.map(({ customerNumber }) => customerNumber)).toContain(call.from);
    expect(new Set(inbound.map(({ direction }) => direction))).toEqual(new Set(["INBOUND"]));
    expect(outbound).toEqual([]);
    expect((await world.request("GET", "/call-history?direction=SIDEWAYS")).status).toBe(400);
  });

  test("holds a slot of the number while the call lasts, and one more than its limit hears busy", async () => {
    const [first, second] = [newCall(), newCall()];
    await world.request("PUT", `/phone-numbers/${world.sample.phoneNumber.id}`, { body: { maxConcurrentCalls: 1 } });
    await harness.ring(first, { stays: true });
    expect(await readNumber()).toMatchObject({
      currentActiveCalls: 1,
      activeInboundCalls: 1,
      activeOutboundCalls: 0,
    });
    expect((await harness.ring(second)).body).toBe("BUSY");
    expect(await callsOf(second.from)).toEqual([]);
    expect(await declines()).toContain("NUMBER_BUSY");
    await leave(first);
    await ended(first.from);
    expect(await slots()).toEqual({ active_calls: 0, in_lanes: 0 });
    await world.request("PUT", `/phone-numbers/${world.sample.phoneNumber.id}`, { body: { maxConcurrentCalls: 10 } });
  });

  test("is taken once, however often the carrier sends the call: each time it is answered as the same attempt", async () => {
    const call = newCall();
    await Promise.all(Array.from({ length: 5 }, () => harness.ring(call, { stays: true })));
    const answers = harness.reported.filter((word) => word.endsWith(call.providerCallId));
    expect(answers).toHaveLength(5);
    expect(new Set(answers).size).toBe(1);
    expect(await callsOf(call.from)).toHaveLength(1);
    expect(await slots()).toEqual({ active_calls: 1, in_lanes: 1 });
    await leave(call);
    await ended(call.from);
    expect((await harness.ring(call)).body).toBe("UNAVAILABLE");
    expect(await callsOf(call.from)).toHaveLength(1);
    await expect.poll(() => harness.room).toBe(1_000);
  });

  test("may be on the do-not-call ledger, and may be in another call with us", async () => {
    const from = nextCaller();
    await world.database.query("insert into do_not_call (workspace_id, number, source) values ($1, $2, 'OPERATOR')", [
      world.sample.workspaceId,
      from,
    ]);
    const [first, second] = [newCall(from), newCall(from)];
    await harness.ring(first, { stays: true });
    await harness.ring(second, { stays: true });
    expect((await callsOf(from)).map(({ status }) => status)).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
    for (const call of [first, second]) await leave(call);
    const path = `/call-history?customerNumber=${encodeURIComponent(from)}`;
    const page = await world.until(path, ({ content }) => (content as Row[]).every((row) => row.endedAt !== null));
    expect((page.content as Row[]).map(({ outcome }) => outcome)).toEqual(["ANSWERED", "ANSWERED"]);
  });

  test("who hung up while we answered leaves a row that says so, and no bill", async () => {
    const call = newCall();
    harness.onAnswer = (attemptId) => sendEnded(world, { attemptId, afterSeconds: 0, ...call });
    await harness.ring(call, { says: ["Hello?"] });
    harness.onAnswer = undefined;
    const row = await ended(call.from);
    expect(row).toMatchObject({ status: "FAILED", outcome: "NO_ANSWER", transcript: [] });
    expect(row.error).toEqual({ code: "NO_ANSWER", message: "The caller hung up." });
    expect(row.cost).toMatchObject({ amount: "0.00" });
  });

  test("is asked to try again where another node has the call, for only that one knows where the audio goes", async () => {
    const call = newCall();
    await harness.ring(call, { stays: true });
    const { database, log } = harness.second;
    const { dispatcher, account } = harness;
    const other = new InboundCallHandler({
      database,
      log,
      dispatcher,
      node: { id: randomUUID() },
      reserveAudio: async () => () => undefined,
    });
    const answer = await other.take({ workspaceId: world.sample.workspaceId, account, call });
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    await leave(call);
    expect(await ended(call.from)).toMatchObject({ status: "COMPLETED" });
  });

  test("may come over a trunk, which has no account", async () => {
    const number = "update phone_numbers set provider = $2, carrier_account_id = $3 where id = $1";
    await world.database.query(number, [world.sample.phoneNumber.id, "BYO_SIP", null]);
    const call = newCall();
    const { workspaceId } = world.sample;
    harness.expect(call, { says: ["Yes."] });
    await harness.harness.take({ workspaceId, account: { ...harness.account, id: null }, call });
    expect(await ended(call.from)).toMatchObject({ status: "COMPLETED", attempts: [{ provider: "BYO_SIP" }] });
    await world.database.query(number, [world.sample.phoneNumber.id, "TWILIO", harness.accountId]);
  });

  test("is known when the trunk writes their number without +, so their opt-out is kept", async () => {
    const from = nextCaller();
    await harness.ring(newCall(from.slice(1)), { says: ["Never call me again."] });
    expect(await ended(from)).toMatchObject({ customerNumber: from, endReason: "CUSTOMER_OPTED_OUT" });
    const listed = "select number from do_not_call where number = $1";
    expect(await world.database.query(listed, [from])).toEqual([{ number: from }]);
  });

  test.each(["", "anonymous", "+12025550175", "2025550175"])(
    "who shows %j gets a stand-in and becomes no contact",
    async (from) => {
      const before = (await world.request("GET", "/contacts")).body.totalElements;
      const call = newCall(from);
      await harness.ring(call);
      const { content } = await world.until("/call-history?direction=INBOUND", (body) => {
        const row = (body.content as Row[])[0];
        return row?.attempts[0]?.providerCallId === call.providerCallId && row.endedAt !== null;
      });
      const [row] = content as Row[];
      expect(row).toMatchObject({ status: "COMPLETED", customerNumber: `web:${String(row?.id)}` });
      expect((await world.request("GET", "/contacts")).body.totalElements).toBe(before);
    },
  );

  test("becomes a contact, and what was said before is known when they call again", async () => {
    const flow = await world.request("POST", "/flows", {
      body: {
        name: "Remembers",
        firstMessage: "Talks before: {{ memory.earlierSessions | size }}.",
        memory: { earlierSessions: 2 },
      },
    });
    const path = `/phone-numbers/${world.sample.phoneNumber.id}`;
    await world.request("PUT", path, { body: { inboundFlowId: flow.body.id } });
    const from = nextCaller();
    await harness.ring(newCall(from), { says: ["My name is Ada."] });
    expect(await ended(from)).toMatchObject({ flowId: flow.body.id, flowVersion: 1 });
    const found = await world.request("GET", `/contacts?phone=${encodeURIComponent(from)}`);
    expect(found.body.content).toMatchObject([{ phone: from, callCount: 1 }]);
    const [contact] = found.body.content as { id: string }[];
    const timeline = await world.request("GET", `/contacts/${String(contact?.id)}/timeline`);
    expect(timeline.body.content).toMatchObject([{ type: "CALL", direction: "INBOUND" }]);
    const again = newCall(from);
    await harness.ring(again);
    await world.until("/call-history", () => harness.hungUp.includes(again.providerCallId));
    expect(harness.lines.get(again.providerCallId)?.heard[0]).toBe("Talks before: 1.");
    await world.request("PUT", path, { body: { inboundFlowId: null } });
  });
});

describe("a call is turned away", () => {
  test("as unavailable where no flow would answer it, with an event and no row", async () => {
    const other = await World.start();
    const lone = await CallInHarness.open(other);
    await other.request("DELETE", `/flows/${other.sample.flow.id}`);
    const call = { providerCallId: "CA1", from: nextCaller(), to: other.sample.phoneNumber.number };
    expect((await lone.ring(call)).body).toBe("UNAVAILABLE");
    const events = await other.database.query("select data from events where type like 'call.%'");
    expect(events).toEqual([{ data: { reason: "NO_FLOW" } }]);
    expect((await other.request("GET", "/call-history")).body.content).toEqual([]);
    await lone.second[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  test("at a number that is not ours, that another account brings, or that is simulated", async () => {
    expect((await harness.ring({ ...newCall(), to: "+14155550000" })).body).toBe("UNAVAILABLE");
    const { workspaceId } = world.sample;
    const account = { ...harness.account, id: randomUUID() };
    expect((await harness.harness.take({ workspaceId, account, call: newCall() })).body).toBe("UNAVAILABLE");
    await world.database.query("update workspaces set mode = 'SANDBOX' where id = $1", [workspaceId]);
    expect((await harness.ring(newCall())).body).toBe("UNAVAILABLE");
    await world.database.query("update workspaces set mode = 'LIVE' where id = $1", [workspaceId]);
    expect((await declines()).slice(-2)).toEqual(["OTHER_ACCOUNT", "SIMULATED_NUMBER"]);
  });

  test("while an operator has suspended the number, and not while its carrier refuses to dial from it", async () => {
    const suspend = (by: string | null) =>
      world.database.query("update phone_numbers set status = $2, suspended_by = $3 where id = $1", [
        world.sample.phoneNumber.id,
        by === null ? "ACTIVE" : "SUSPENDED",
        by,
      ]);
    await suspend("OPERATOR");
    expect((await harness.ring(newCall())).body).toBe("UNAVAILABLE");
    await suspend("CARRIER");
    const call = newCall();
    expect((await harness.ring(call)).body).toMatch(/^ANSWER/);
    await ended(call.from);
    await suspend(null);
  });

  test("as busy where the process can carry no more calls, or is stopping", async () => {
    const full = await World.start();
    const lone = await CallInHarness.open(full, { maxLiveCalls: 1 });
    const ring = (person = {}) => {
      const call = { providerCallId: `CA${randomUUID()}`, from: nextCaller(), to: full.sample.phoneNumber.number };
      return lone.ring(call, person);
    };
    lone.room = 0;
    expect((await ring()).body).toBe("BUSY");
    lone.room = 10;
    expect((await ring({ stays: true })).body).toMatch(/^ANSWER/);
    expect((await ring()).body).toBe("BUSY");
    await lone.dispatcher.stop(0);
    expect((await ring()).body).toBe("BUSY");
    const { body } = await full.request("GET", "/call-history");
    expect(body.content).toMatchObject([{ status: "FAILED", outcome: "INTERRUPTED_BY_OPERATOR" }]);
    await lone.second[Symbol.asyncDispose]();
    await full[Symbol.asyncDispose]();
  });
});

test("a call whose node dies is INTERRUPTED by another one, keeps no slot, and bills to its end by the carrier", async () => {
  const lost = await World.start();
  const dying = await CallInHarness.open(lost);
  const from = nextCaller();
  await dying.ring({ providerCallId: "CA-lost", from, to: lost.sample.phoneNumber.number }, { stays: true });
  await lost.until("/phone-numbers", () => dying.lines.has("CA-lost"));
  const [, attemptId = ""] = dying.reported[0]?.split(" ") ?? [];
  await sendEnded(lost, { attemptId, providerCallId: "CA-lost", afterSeconds: 7 });
  await lost.database.query("update nodes set alive_until = '-infinity' where id = $1", [dying.second.node.id]);
  const { content } = await lost.until("/call-history", (body) => (body.content as Row[])[0]?.endedAt !== null);
  expect(content).toMatchObject([
    { status: "FAILED", outcome: "INTERRUPTED", endReason: "ERROR_INTERRUPTED", attempt: 1, direction: "INBOUND" },
  ]);
  expect(await readNumber(lost)).toMatchObject({ currentActiveCalls: 0, activeInboundCalls: 0 });
  const bill = "select quantity::int as s from usage_entries where kind = 'TELEPHONY_SECOND'";
  expect(await lost.database.query(bill)).toEqual([{ s: 7 }]);
  await dying.second[Symbol.asyncDispose]();
  await lost[Symbol.asyncDispose]();
});
