import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { Finisher } from "#src/interactions/dispatch/finish.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

const LIVE = 300;
const NUMBER = "+442079460181";

let world: World;
let second: SecondNode;
beforeAll(async () => {
  world = await World.start({ roles: ["api", "jobs"] });
  second = await SecondNode.join(world);
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

test("the end of a call costs the same however many calls the server holds", async () => {
  const number = { provider: "SANDBOX", phoneNumber: NUMBER, maxConcurrentCalls: LIVE };
  expect((await world.request("POST", "/phone-numbers", { body: number })).status).toBe(200);
  const rows = Array.from({ length: LIVE }, (_, i) => ({ customerNumber: `+49151${String(i).padStart(8, "0")}` }));
  const job = await world.request("POST", "/call-jobs", { body: { rows, fromPhoneNumbers: [NUMBER] } });
  expect(job.status, job.text).toBe(200);
  // As in a large database that was last analyzed while nobody was called.
  await world.database.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
                            phone_number_id)
     select $1, uuidv7(), gen_random_uuid(), gen_random_uuid(), 'COMPLETED', '+49', 'DE', 'MOBILE', gen_random_uuid()
       from generate_series(1, 5000)`,
    [world.sample.workspaceId],
  );
  await world.database.query("analyze");
  const claimed = await claimRows(second.database.pool, second.node.id, LIVE, LIVE);
  expect(claimed).toHaveLength(LIVE);

  const client = await second.database.pool.connect();
  try {
    await client.query("begin");
    const asPool = { query: (query: pg.QueryConfig) => client.query(query) } as unknown as pg.Pool;
    const finisher = new Finisher(asPool, second.node, () => undefined);
    const end = { status: "FAILED", retryMs: null, outcome: "BUSY", endReason: null, attemptState: "ENDED" } as const;
    const before = await rowsRead(client);
    await finisher.finish(claimed[0] as (typeof claimed)[0], end, true);
    expect((await rowsRead(client)) - before).toBeLessThan(10);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

/** Returns the calls that a connection has read in its transaction, and perhaps in those before. */
async function rowsRead(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select (coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int as count from pg_stat_xact_user_tables
      where relname = 'call_rows'`,
  );
  return rows[0]?.count ?? 0;
}
