import pg from "pg";
import { expect, test } from "vitest";
import { insertCalls } from "../kit/filled-workspace.ts";
import { World } from "../kit/world.ts";

test("a running server sees the filled calls with all that belongs to them, or not at all", async () => {
  await using world = await World.start();
  const client = new pg.Client({ connectionString: world.database.url });
  await client.connect();
  await insertCalls(client, world.sample.workspaceId, 200);
  const { rows } = await client.query<{ transactions: number }>(
    `select count(distinct xmin::text)::int as transactions
       from (select xmin from call_rows union all select xmin from call_results union all select xmin from call_attempts
             union all select xmin from usage_entries) parts`,
  );
  await client.end();
  expect(rows).toEqual([{ transactions: 1 }]);
});
