import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countVisits } from "#src/authoring/flows/stage-funnel-sql.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { costOf, settle } from "../kit/read-costs.ts";

/* Figures of what was: they may not cost more the more there was, or are read once, from an index alone. */

const MANY = 40_000;
const WORKSPACE = "55555555-5555-4555-8555-555555555555";
const FLOW = "33333333-3333-4333-8333-333333333333";

let template: TestDatabase;
let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  template = await createDatabase();
  database = openDatabase({ connectionString: template.url }, { max: 1 }, () => undefined);
  ({ pool } = database);
  await pool.query(
    `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
     values ($1, 'w', 'SANDBOX', 1, 1, 1)`,
    [WORKSPACE],
  );
});
afterAll(async () => {
  await database.close();
  await template.drop();
});

test("a funnel reads an index once, and no visit", async () => {
  await pool.query(
    `insert into stage_visits (workspace_id, session_id, position, flow_id, flow_version, stage_id, entered_at, seconds,
       edge_id, is_last)
     select $1, md5(i::text)::uuid, p, $2, 1, 'stage-' || p, now() - make_interval(secs => i - p), p,
       case p when 0 then 'on' end, p = 1 from generate_series(1, $3::int / 2) i, generate_series(0, 1) p`,
    [WORKSPACE, FLOW, MANY],
  );
  await settle(pool, "stage_visits");
  const span = { workspaceId: WORKSPACE, flowId: FLOW, version: 1, from: new Date(0), to: new Date() };
  const cost = await costOf(pool, "stage_visits", async () => {
    const { sessions, stages, edges } = await countVisits(database.db, span);
    expect(sessions).toBe(MANY / 2);
    expect(stages).toEqual([
      { stage_id: "stage-0", entered: MANY / 2, ended_here: 0, median_seconds: 0 },
      { stage_id: "stage-1", entered: MANY / 2, ended_here: MANY / 2, median_seconds: 1 },
    ]);
    expect(edges).toEqual([{ stage_id: "stage-0", edge_id: "on", taken: MANY / 2 }]);
    expect(await countVisits(database.db, { ...span, version: 2 })).toEqual({ sessions: 0, stages: [], edges: [] });
  });
  expect(cost.rows).toBe(0);
  expect(cost.entries).toBeLessThan(MANY + 100);
});
