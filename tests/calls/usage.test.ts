import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CallEnd, Finisher } from "#src/interactions/dispatch/finish.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { GATE_SQL } from "#src/tenancy/compliance/gate.ts";
import { rollUpUsage } from "#src/tenancy/usage/roll-up.ts";
import { type NewUsageEntry, recordUsage } from "#src/tenancy/usage/usage.ts";
import { AgentHarness, BYE } from "../kit/agent-harness.ts";
import { ChatHarness } from "../kit/chat-harness.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let database: Database;
let pool: pg.Pool;
beforeAll(async () => {
  world = await World.start();
  database = openDatabase({ connectionString: world.database.url }, { max: 8 }, () => undefined);
  pool = database.pool;
});
afterAll(async () => {
  await database.close();
  await world[Symbol.asyncDispose]();
});

type Body = { [name: string]: unknown };

const get = async (path: string, key: string) => (await world.request("GET", path, { key })).body;
const balanceOf = (workspace: Sample) => get("/balance", workspace.apiKey);

async function call(workspace: Sample, customerNumber: string): Promise<Body> {
  const body = { customerNumber };
  const placed = await world.request("POST", "/outbound/calls", { key: workspace.apiKey, body });
  expect(placed.status, placed.text).toBe(200);
  for (;;) {
    const row = await get(`/call-rows/${String(placed.body.rowId)}`, workspace.apiKey);
    if (row.endedAt !== null) return row;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ten-millionths of the currency, the finest unit of the default prices, as the API writes it. */
function money(units: number): string {
  const text = String(units).padStart(8, "0");
  return `${text.slice(0, -7)}.${text.slice(-7).replace(/0{1,5}$/, "")}`;
}

/** The default prices by hand: 0.00025 a second, 0.0000005 and 0.000002 a token. */
const TELEPHONY = 2_500;
const TOKEN_IN = 5;
const TOKEN_OUT = 20;

async function usageOf(rowId: unknown): Promise<{ seconds: number; input: number; output: number }> {
  const [row] = await world.database.query<{
    duration_ms: number;
    usage: { inputTokens: number; outputTokens: number };
  }>("select duration_ms, usage from call_results where row_id = $1", [rowId]);
  const { inputTokens = 0, outputTokens = 0 } = row?.usage ?? {};
  return { seconds: Math.ceil((row?.duration_ms ?? 0) / 1000), input: inputTokens, output: outputTokens };
}

describe("the ledger of the sandbox", () => {
  test("a call shows what it would have cost, second by second and token by token, and bills nothing", async () => {
    const workspace = await world.createWorkspace();
    const row = await call(workspace, "+12025550101");
    const { seconds, input, output } = await usageOf(row.id);
    expect(Math.min(seconds, input, output)).toBeGreaterThan(0);
    const [telephony, llm] = [seconds * TELEPHONY, input * TOKEN_IN + output * TOKEN_OUT];
    expect(row.cost).toEqual({
      amount: money(telephony + llm),
      currency: "USD",
      simulated: true,
      breakdown: { telephony: money(telephony), llm: money(llm), stt: "0.00", tts: "0.00", messaging: "0.00" },
    });
    expect(await balanceOf(workspace)).toEqual({
      balance: "0.00",
      currency: "USD",
      creditLimit: null,
      availableCredit: null,
      pending: "0.00",
      lowBalanceThreshold: null,
      lowBalance: false,
      unlimited: true,
      toppedUpTotal: "0.00",
      billedTotal: "0.00",
      simulatedTotal: money(telephony + llm),
      asOf: expect.any(String) as string,
    });
    const { content } = await get(`/usage?subjectId=${String(row.id)}&kind=TELEPHONY_SECOND`, workspace.apiKey);
    expect(content).toMatchObject([
      { quantity: seconds, unitPrice: "0.00025", amount: money(telephony), simulated: true, subjectType: "CALL" },
    ]);
  });

  test("a call that nobody answered costs nothing", async () => {
    const workspace = await world.createWorkspace();
    const row = await call(workspace, "+12025550110");
    expect(row.cost).toMatchObject({ amount: "0.00", simulated: true });
    expect(await get("/usage", workspace.apiKey)).toMatchObject({ totalElements: 0, content: [] });
  });

  test("many calls at once add up exactly, before and after the roll-up, and by day", async () => {
    const workspace = await world.createWorkspace();
    const numbers = Array.from({ length: 40 }, (_, i) => `+1415400${1000 + i}`);
    const rows = await Promise.all(numbers.map((number) => call(workspace, number)));
    let units = 0;
    for (const row of rows) {
      const { seconds, input, output } = await usageOf(row.id);
      units += seconds * TELEPHONY + input * TOKEN_IN + output * TOKEN_OUT;
    }
    expect(units).toBeGreaterThan(0);
    for (let round = 0; round < 2; round++) {
      expect(await balanceOf(workspace)).toMatchObject({ simulatedTotal: money(units), balance: "0.00" });
      const summary = await get("/usage/summary", workspace.apiKey);
      expect(summary).toMatchObject({ simulated: money(units), billed: "0.00" });
      expect((summary.days as Body[]).map((day) => day.kind)).toEqual([
        "MODEL_INPUT_TOKEN",
        "MODEL_OUTPUT_TOKEN",
        "TELEPHONY_SECOND",
      ]);
      await Promise.all([rollUpUsage(pool), rollUpUsage(pool)]);
    }
    expect(
      await world.database.query("select 1 from usage_deltas where workspace_id = $1", [workspace.workspaceId]),
    ).toHaveLength(0);
  });
});

describe("tokens that a model server kept", () => {
  let harness: AgentHarness;
  beforeAll(async () => {
    harness = await AgentHarness.open();
    harness.model.cachedTokens = 60;
  });
  afterAll(() => harness[Symbol.asyncDispose]());
  beforeEach(() => harness.reset());

  /** The ledger's entries of models about a subject: kind, quantity and amount in billionths. */
  async function entriesOf(subjectId: unknown) {
    const page = await harness.world.until(`/usage?subjectId=${String(subjectId)}`, (body) => {
      const kinds = (body.content as Body[]).map(({ kind }) => kind);
      return kinds.includes("MODEL_OUTPUT_TOKEN");
    });
    const tokens = (page.content as Body[]).filter(({ kind }) => String(kind).startsWith("MODEL_"));
    return Object.fromEntries(
      tokens.map(({ kind, quantity, amount }) => [kind, { quantity, units: Math.round(Number(amount) * 1e9) }]),
    ) as Body;
  }

  /** OpenAI counts them among the tokens of the prompt: of 100, 40 are new. Prices: 500, 125 and 2,000 billionths. */
  const sharesOf = (answers: number) => ({
    MODEL_INPUT_TOKEN: { quantity: answers * 40, units: answers * 40 * 500 },
    MODEL_CACHED_INPUT_TOKEN: { quantity: answers * 60, units: answers * 60 * 125 },
    MODEL_OUTPUT_TOKEN: { quantity: answers * 10, units: answers * 10 * 2_000 },
  });

  test("are entries of their own at their own price, of a call", async () => {
    harness.model.think = () => BYE;
    const { id } = await harness.call({});
    expect(await entriesOf(id)).toEqual(sharesOf(harness.model.asked.length));
  });

  test("and of a chat", async () => {
    harness.model.think = () => ({ text: "Good morning." });
    const chats = new ChatHarness(harness.world);
    const { session } = await chats.started({ channel: "CHAT", flow: harness.flow({}) });
    await chats.write(session.id, "Hello?");
    expect(await entriesOf(session.id)).toEqual(sharesOf(harness.model.asked.length));
  });
});

const sms = (quantity = 1): NewUsageEntry => ({
  kind: "SMS_SEGMENT",
  quantity,
  subjectType: "CHAT",
  subjectId: uuidv7(),
  simulated: false,
});

describe("the balance", () => {
  test("is exact while writers, the roll-up and readers run together", async () => {
    const workspace = await world.createWorkspace();
    const id = workspace.workspaceId;
    const seen: number[] = [];
    const write = async () => {
      for (let i = 0; i < 25; i++) await recordUsage(database.db, id, [sms(), sms(2)]);
    };
    const disturb = async () => {
      for (let i = 0; i < 15; i++) {
        await rollUpUsage(pool);
        seen.push(Number((await balanceOf(workspace)).billedTotal));
      }
    };
    await Promise.all([write(), write(), write(), write(), disturb(), disturb()]);
    // 4 writers x 25 x 3 segments at 0.008 is 2.40.
    expect(await balanceOf(workspace)).toMatchObject({ billedTotal: "2.40", balance: "-2.40" });
    expect(seen.every((value) => value <= 2.4)).toBe(true);
    const entries = await get("/usage?size=1", workspace.apiKey);
    expect(entries.totalElements).toBe(200);
  });

  test("grows by top-ups, once for each reference", async () => {
    const workspace = await world.createWorkspace();
    const id = workspace.workspaceId;
    await recordUsage(database.db, id, [sms(3)]);
    const paid = await world.operator("workspace.topup", { id, amount: "10.10", reference: "inv-1" });
    expect(paid).toMatchObject({ balance: "10.076", repeated: false });
    const repeated = await world.operator("workspace.topup", { id, amount: "10.10", reference: "inv-1" });
    expect(repeated).toMatchObject({ balance: "10.076", repeated: true });
    await world.operator("workspace.topup", { id, amount: "-0.10", note: "correction" });
    expect(await balanceOf(workspace)).toMatchObject({ balance: "9.976", toppedUpTotal: "10.00" });
    for (const amount of ["0", "1e3", "ten", "NaN", ""]) {
      await expect(world.operator("workspace.topup", { id, amount })).rejects.toThrow(/amount/);
    }
    await expect(world.operator("workspace.topup", { id: uuidv7(), amount: "1" })).rejects.toThrow(/no such/);
  });

  test("follows the price list: new prices hold for new usage, and the currency stands once something is written", async () => {
    const workspace = await world.createWorkspace();
    const id = workspace.workspaceId;
    const set = await world.operator("workspace.prices", {
      id,
      currency: "EUR",
      prices: { SMS_SEGMENT: "0.1" },
      lowBalanceThreshold: "5",
    });
    expect(set).toMatchObject({ currency: "EUR", creditLimit: null, prices: { SMS_SEGMENT: "0.1" } });
    await recordUsage(database.db, id, [sms(2)]);
    await world.operator("workspace.prices", { id, prices: { SMS_SEGMENT: null } });
    await recordUsage(database.db, id, [sms(2)]);
    expect(await balanceOf(workspace)).toMatchObject({ currency: "EUR", balance: "-0.216", lowBalance: true });
    await expect(world.operator("workspace.prices", { id, currency: "USD" })).rejects.toThrow(/EUR/);
    await expect(world.operator("workspace.prices", { id, prices: { SMS: "1" } })).rejects.toThrow(/prices.SMS/);
    await expect(world.operator("workspace.prices", { id, creditLimit: "-1" })).rejects.toThrow(/creditLimit/);
  });

  test("is of one workspace, and needs BALANCE_READ", async () => {
    const { workspaceId } = await world.createWorkspace();
    await recordUsage(database.db, workspaceId, [sms()]);
    const other = await world.createWorkspace();
    expect(await balanceOf(other)).toMatchObject({ balance: "0.00" });
    expect(await get("/usage", other.apiKey)).toMatchObject({ totalElements: 0 });
    const narrow = await world.operator("key.create", { workspaceId, permissions: ["FLOWS"] });
    for (const path of ["/balance", "/usage", "/usage/summary"]) {
      expect((await world.request("GET", path, { key: narrow.apiKey as string })).status).toBe(403);
    }
  });

  test.each([
    "/usage?from=yesterday",
    "/usage?from=2026-02-30T00:00:00Z",
    "/usage?subjectId=7",
    "/usage?cursor=x",
    "/usage/summary?from=2026-02-30",
    "/usage/summary?from=2026-03-01&to=2026-02-01",
    "/usage/summary?from=2020-01-01&to=2026-01-01",
  ])("refuses %s", async (path) => {
    expect((await world.request("GET", path)).status, path).toBeGreaterThanOrEqual(400);
    expect((await world.request("GET", path)).status, path).toBeLessThan(500);
  });
});

describe("a call that bills", () => {
  const live = async () =>
    (await world.operator("workspace.create", {
      name: "Live",
      sample: true,
      mode: "LIVE",
      countries: ["US"],
      callingWindow: null,
      sandboxSpeed: "instant",
    })) as unknown as Sample;

  /** The gate's word on a call from a number of this provider. */
  async function judge(rowId: unknown, provider: string): Promise<string | null | undefined> {
    const found = await world.database.query<{ blocked: string | null }>(
      `select ${GATE_SQL} as blocked from call_rows r join workspaces w on w.id = r.workspace_id
         cross join (select $2::text as provider) k where r.id = $1`,
      [rowId, provider],
    );
    return found[0]?.blocked;
  }

  test("is refused once a limit is set and no credit is left; a simulated one never is", async () => {
    const workspace = await live();
    const id = workspace.workspaceId;
    const real = await call(workspace, "+14155552671");
    const fictional = await call(workspace, "+12025550101");
    expect(await judge(real.id, "TWILIO")).toBeNull();
    await world.operator("workspace.prices", { id, creditLimit: "0" });
    expect(await judge(real.id, "TWILIO")).toBe("BALANCE_EXHAUSTED");
    expect(await judge(fictional.id, "TWILIO")).toBeNull();
    expect(await judge(real.id, "SANDBOX")).toBeNull();
    await world.operator("workspace.topup", { id, amount: "0.008" });
    expect(await judge(real.id, "TWILIO")).toBeNull();
    await recordUsage(database.db, id, [sms()]);
    expect(await judge(real.id, "TWILIO")).toBe("BALANCE_EXHAUSTED");
    await rollUpUsage(pool);
    expect(await judge(real.id, "TWILIO")).toBe("BALANCE_EXHAUSTED");
    await world.operator("workspace.prices", { id, creditLimit: "0.01" });
    expect(await judge(real.id, "TWILIO")).toBeNull();
    expect(await balanceOf(workspace)).toMatchObject({ creditLimit: "0.01", availableCredit: "0.01", balance: "0.00" });
  });

  test("is refused once the calls on the line have come to the credit that is left", async () => {
    const workspace = await live();
    const id = workspace.workspaceId;
    const waiting = await call(workspace, "+14155552671");
    const onTheLine = await call(workspace, "+12025550101");
    await world.operator("workspace.prices", { id, creditLimit: "0" });
    await world.operator("workspace.topup", { id, amount: "0.01" });
    // 40 s of 0.00025 are the credit.
    const answered = (seconds: number) =>
      world.database.query(
        `update call_attempts set ended_at = null, provider = 'TWILIO', customer_number = '+14155552672',
                answered_at = now() - make_interval(secs => $2) where row_id = $1`,
        [onTheLine.id, seconds],
      );
    await answered(10);
    expect(await judge(waiting.id, "TWILIO")).toBeNull();
    await answered(60);
    expect(await judge(waiting.id, "TWILIO")).toBe("BALANCE_EXHAUSTED");
    expect(Number((await balanceOf(workspace)).availableCredit)).toBeLessThan(0);
    await world.database.query("update call_attempts set ended_at = now() where row_id = $1", [onTheLine.id]);
    expect(await judge(waiting.id, "TWILIO")).toBeNull();
  });

  test("that the gate refuses is SKIPPED with the reason and never dialled", async () => {
    const workspace = await live();
    await world.operator("workspace.prices", { id: workspace.workspaceId, creditLimit: "0" });
    await world.database.query("update phone_numbers set provider = 'TWILIO' where workspace_id = $1", [
      workspace.workspaceId,
    ]);
    const row = await call(workspace, "+14155552671");
    expect(row).toMatchObject({ status: "SKIPPED", error: { code: "BALANCE_EXHAUSTED" }, attempts: [] });
  });

  test("counts for chats, too: none begins in a LIVE workspace without credit, except with fictional people", async () => {
    const workspace = await live();
    const id = workspace.workspaceId;
    const start = (body: object) =>
      world.request("POST", "/outbound/chats", { key: workspace.apiKey, body: { initialMessage: "Hello", ...body } });
    expect((await start({ channel: "CHAT" })).status).toBe(200);
    await world.operator("workspace.prices", { id, creditLimit: "0" });
    const refused = await start({ channel: "CHAT" });
    expect([refused.status, refused.body.details]).toMatchObject([
      422,
      [{ path: "channel", code: "BALANCE_EXHAUSTED" }],
    ]);
    const text = await start({ channel: "SMS", contactPhone: "+14155552671" });
    expect([text.status, text.body.details]).toMatchObject([
      422,
      [{ path: "contactPhone", code: "BALANCE_EXHAUSTED" }],
    ]);
    expect((await start({ channel: "SMS", contactPhone: "+12025550101" })).status).toBe(200);
    await world.operator("workspace.topup", { id, amount: "1" });
    expect((await start({ channel: "CHAT" })).status).toBe(200);
  });

  test("is refused over the web, too; with a fictional person it bills nothing", async () => {
    const workspace = await live();
    const id = workspace.workspaceId;
    const begin = (body: object) => world.request("POST", "/web-calls", { key: workspace.apiKey, body });
    expect((await begin({})).status).toBe(200);
    await world.operator("workspace.prices", { id, creditLimit: "0" });
    for (const body of [{}, { customerNumber: "+14155552671" }]) {
      const refused = await begin(body);
      expect([refused.status, refused.body.details]).toMatchObject([422, [{ code: "BALANCE_EXHAUSTED" }]]);
    }
    expect((await begin({ customerNumber: "+12025550101" })).status).toBe(200);
    await world.operator("workspace.topup", { id, amount: "1" });
    expect((await begin({})).status).toBe(200);
  });

  test("is pending while it is on the line; a call over the web uses no telephony, and is not", async () => {
    const workspace = await live();
    const row = await call(workspace, "+14155552671");
    const pendingFrom = async (provider: string) => {
      const answered = "answered_at = now() - interval '1 minute', ended_at = null, provider = $2";
      await world.database.query(`update call_attempts set ${answered} where row_id = $1`, [row.id, provider]);
      return (await balanceOf(workspace)).pending;
    };
    expect(Number(await pendingFrom("TWILIO"))).toBeGreaterThanOrEqual(0.015);
    expect(await pendingFrom("WEB")).toBe("0.00");
    await world.database.query("update call_attempts set ended_at = now() where row_id = $1", [row.id]);
  });

  test("is billed once, by the clock of the answer and the carrier's end, when its node died", async () => {
    const workspace = await live();
    const row = await call(workspace, "+12025550101");
    const before = await balanceOf(workspace);
    const { attemptId, nodeId } = await takeOver(row.id);
    const ended: CallEnd = {
      status: "FAILED",
      retryMs: null,
      outcome: "INTERRUPTED",
      endReason: "ERROR_INTERRUPTED",
      attemptState: "ENDED",
      carrierEndedAt: "2026-01-01T12:01:01.200Z",
    };
    const [numbers] = await world.database.query<{ phone_number_id: string; job_id: string }>(
      "select phone_number_id, job_id from call_rows where id = $1",
      [row.id],
    );
    const owner = { workspace_id: workspace.workspaceId, id: row.id as string, attempt_id: attemptId };
    const finishers = [1, 2, 3].map(
      () => new Finisher(pool, { id: nodeId, settledId: async () => nodeId }, () => undefined),
    );
    await Promise.all(
      finishers.map((one) => one.finish({ ...owner, ...(numbers as NonNullable<typeof numbers>) }, ended, false)),
    );
    // 61.2 s of call are 62 begun seconds: 62 x 0.00025.
    expect(await balanceOf(workspace)).toMatchObject({
      ...before,
      balance: "-0.0155",
      billedTotal: "0.0155",
      asOf: expect.any(String) as string,
    });
    const { content } = await get(`/usage?subjectId=${String(row.id)}`, workspace.apiKey);
    expect((content as Body[]).filter((entry) => entry.simulated === false)).toMatchObject([
      { kind: "TELEPHONY_SECOND", quantity: 62, amount: "0.0155" },
    ]);
  });

  /** Puts an ended call back to where a dead node left it: on the line since noon, under another node's lease. */
  async function takeOver(rowId: unknown): Promise<{ attemptId: string; nodeId: string }> {
    const nodeId = uuidv7();
    const [attempt] = await world.database.query<{ id: string }>(
      "update call_attempts set answered_at = '2026-01-01T12:00:00Z' where row_id = $1 returning id",
      [rowId],
    );
    const attemptId = attempt?.id as string;
    // The node is alive for the reaper, so that only this test ends the row.
    await world.database.query("insert into nodes (id, name, alive_until) values ($1, 'test', 'infinity')", [nodeId]);
    await world.database.query(
      "update call_rows set status = 'UNKNOWN', lease_owner = $2, attempt_id = $3 where id = $1",
      [rowId, nodeId, attemptId],
    );
    return { attemptId, nodeId };
  }
});
