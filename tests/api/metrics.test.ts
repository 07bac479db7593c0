import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerDatabaseMetrics } from "#src/app/metrics/database-metrics.ts";
import { createHousekeepingMetrics } from "#src/app/metrics/housekeeping-metrics.ts";
import { Housekeeper } from "#src/platform/db/housekeeping.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { rollUpUsage } from "#src/tenancy/usage/roll-up.ts";
import { createDatabase } from "../kit/database.ts";
import { type ShownMetric, sumOf } from "../kit/metrics-reader.ts";
import { makeTraffic, readMetrics, TRAFFIC } from "../kit/metrics-traffic.ts";
import { World } from "../kit/world.ts";

const TOKEN = "a-token-for-prometheus";

describe("a server that was used", () => {
  let world: World;
  let shown: Map<string, ShownMetric>;
  beforeAll(async () => {
    world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
    await makeTraffic(world);
    shown = await readMetrics(world);
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const sum = (name: string, labels: Record<string, string> = {}) => sumOf(shown, `parley_${name}`, labels);

  test("counts dials by provider and answer, and calls by how they ended", () => {
    const { answered, busy, blocked } = TRAFFIC;
    expect(sum("dials_total", { provider: "SANDBOX", result: "ACCEPTED" })).toBe(answered + busy);
    expect(sum("dials_total")).toBe(answered + busy);
    expect(sum("call_attempts_total", { provider: "SANDBOX", outcome: "ANSWERED" })).toBe(answered);
    expect(sum("call_attempts_total", { outcome: "BUSY" })).toBe(busy);
    expect(sum("calls_finished_total", { direction: "OUTBOUND" })).toBe(answered + busy + blocked);
    expect(sum("calls_finished_total", { status: "FAILED", reason: "CARRIER_BUSY" })).toBe(busy);
  });

  test("counts what the compliance gate refused apart from attempts", () => {
    expect(sum("gate_refusals_total", { reason: "DO_NOT_CALL" })).toBe(TRAFFIC.blocked);
    expect(sum("gate_refusals_total")).toBe(TRAFFIC.blocked);
    expect(sum("call_attempts_total", { outcome: "BLOCKED" })).toBe(0);
  });

  test("counts deliveries of webhooks by result, and measures the lag of those that arrived", () => {
    const kind = "session.event";
    expect(sum("webhook_deliveries_total", { kind, result: "RETRY" })).toBe(TRAFFIC.failedDeliveries);
    expect(sum("webhook_deliveries_total", { kind, result: "DONE" })).toBe(1);
    expect(sum("webhook_lag_seconds_count", { kind })).toBe(1);
    // The schedule repeats a failed delivery after 5 s, give or take a fifth.
    expect(sum("webhook_lag_seconds_sum", { kind })).toBeGreaterThan(3.9);
  });

  test("counts requests to a model with its tokens", () => {
    const labels = { kind: "MODEL", provider: "OPENAI_COMPATIBLE" };
    expect(sum("provider_requests_total", { ...labels, result: "OK" })).toBe(TRAFFIC.modelAnswers);
    expect(sum("provider_first_answer_seconds_count", labels)).toBe(TRAFFIC.modelAnswers);
    expect(sum("model_tokens_total", { direction: "input" })).toBe(TRAFFIC.inputTokens);
    expect(sum("model_tokens_total", { direction: "output" })).toBe(TRAFFIC.outputTokens);
  });

  test("counts all paths without a route as one", () => {
    const unknown = { route: "unknown", status: "4xx", method: "GET" };
    expect(sum("http_request_duration_seconds_count", unknown)).toBe(TRAFFIC.unknownPaths);
    const routes = shown.get("parley_http_request_duration_seconds")?.samples.map(({ labels }) => labels.route);
    expect(routes).toContain("/api/external/v1/call-rows/{rowId}");
  });

  test("shows no id, number, address or text of anybody as a label", () => {
    const values = [...shown.values()].flatMap(({ samples }) => samples.flatMap(({ labels }) => Object.values(labels)));
    expect(values.length).toBeGreaterThan(100);
    const personal = /[\da-f]{8}-[\da-f]{4}|\d{6}|:\/\/|no-such-path|\s|@/i;
    expect(values.filter((value) => personal.test(value))).toEqual([]);
  });

  test("shows the use of its pools, none of which lacks connections", () => {
    for (const [pool, size] of Object.entries({ lease: 1, dispatch: 8, requests: 8, admission: 3, jobs: 5 })) {
      expect(sum("database_connections_max", { pool })).toBe(size);
      expect(sum("database_connections_in_use", { pool })).toBeLessThanOrEqual(size);
    }
    expect(sum("database_waiting")).toBe(0);
  });
});

describe("/metrics may be read", () => {
  test("by machines of the private network that connect directly, while there is no token", async () => {
    await using world = await World.start({ roles: ["api"] });
    const read = async (headers: Record<string, string>) =>
      (await world.request("GET", "/metrics", { key: null, headers })).status;
    expect(await read({})).toBe(200);
    // Behind a proxy the server sees the proxy's private address, whoever asks.
    expect(await read({ "x-forwarded-for": "10.0.0.1" })).toBe(403);
    expect(await read({ forwarded: "for=10.0.0.1" })).toBe(403);
  });

  test("with the token alone once there is one", async () => {
    await using world = await World.start({ roles: ["api"], env: { METRICS_TOKEN: TOKEN } });
    const read = async (headers: Record<string, string>) =>
      (await world.request("GET", "/metrics", { key: null, headers })).status;
    expect(await read({})).toBe(401);
    expect(await read({ authorization: `Bearer ${TOKEN}x` })).toBe(401);
    expect(await read({ "x-api-key": world.sample.apiKey })).toBe(401);
    expect(await read({ authorization: `Bearer ${TOKEN}`, "x-forwarded-for": "203.0.113.9" })).toBe(200);
  });
});

describe("a database that does not answer", () => {
  async function scrapeOn(connect: () => Promise<never>): Promise<string> {
    const registry = new Registry();
    const databases = { housekeeping: { pool: { connect } }, measure: () => [] };
    registerDatabaseMetrics([registry], { databases: databases as never, taskKinds: ["session.event"] });
    return registry.metrics();
  }

  test.each([
    ["refuses", () => Promise.reject(new Error("no more connections"))],
    ["hangs", () => new Promise<never>(() => undefined)],
  ])("leaves out what would be read from it when it %s, and asks it once", async (_, connect) => {
    let asked = 0;
    const text = await scrapeOn(() => (asked++, connect()));
    expect(text).toContain("# TYPE parley_queue_unserved_seconds gauge");
    expect(text).not.toMatch(/^parley_/m);
    expect(asked).toBe(1);
  });
});

test("housekeeping counts runs, failures and the rows that a run deleted", async () => {
  const registry = new Registry();
  const metrics = createHousekeepingMetrics([registry]);
  const tasks = [
    { name: "good", everyMs: -1, scope: "NODE" as const, run: async () => 7 },
    { name: "bad", everyMs: -1, scope: "NODE" as const, run: () => Promise.reject(new Error("no")) },
  ];
  const keeper = new Housekeeper({} as never, { id: "n" } as never, tasks, createLog("silent"), metrics.onHousekeeping);
  for (let run = 0; run < 2; run++) await keeper.runDue(new AbortController().signal);
  const text = await registry.metrics();
  expect(text).toContain('parley_housekeeping_runs_total{task="good",result="OK"} 2');
  expect(text).toContain('parley_housekeeping_runs_total{task="bad",result="FAILED"} 2');
  expect(text).toContain('parley_housekeeping_deleted_rows_total{task="good"} 14');
  expect(text).not.toContain('parley_housekeeping_last_success_timestamp_seconds{task="bad"}');
});

test("the roll-up counts costs once each, in the currency of their workspace, and those of the sandbox apart", async () => {
  const database = await createDatabase();
  const pool = database.pool();
  try {
    await pool.query(
      `with made as (
         insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
         select gen_random_uuid(), name, 'LIVE', 1, 1, 1 from unnest(array['EUR', 'USD']) as t(name) returning id, name),
       accounts as (insert into usage_accounts (workspace_id, currency) select id, name from made where name = 'EUR')
       insert into usage_deltas (workspace_id, id, day, kind, simulated, entries, quantity, amount)
       select id, gen_random_uuid(), now(), 'SMS_SEGMENT', k.simulated, 1, 1, k.amount
         from made cross join (values (false, 0.25), (false, 0.5), (true, 8)) k(simulated, amount)`,
    );
    const registry = new Registry();
    const { onRolledUp } = createHousekeepingMetrics([registry]);
    await Promise.all([rollUpUsage(pool, undefined, onRolledUp), rollUpUsage(pool, undefined, onRolledUp)]);
    const text = await registry.metrics();
    for (const currency of ["EUR", "USD"]) {
      const name = `parley_usage_cost_total{kind="SMS_SEGMENT",currency="${currency}"`;
      expect(text).toContain(`${name},simulated="false"} 0.75`);
      expect(text).toContain(`${name},simulated="true"} 8`);
    }
  } finally {
    await database.drop();
  }
});
