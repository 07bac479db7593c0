import { expect, test } from "vitest";
import { openDatabases } from "#src/platform/db/databases.ts";
import { createDatabase } from "../kit/database.ts";

test("connections that tasks no longer use are closed within seconds, those of requests stay", async () => {
  const database = await createDatabase();
  const databases = openDatabases(
    { connectionString: database.url },
    { onIdleError: () => undefined, onAnswer: () => undefined },
  );
  try {
    const pools = [databases.jobs.pool, databases.requests.pool];
    await Promise.all(pools.flatMap((pool) => [pool, pool, pool]).map((pool) => pool.query("select pg_sleep(0.1)")));
    expect(pools.map((pool) => pool.totalCount)).toEqual([3, 3]);
    await expect.poll(() => databases.jobs.pool.totalCount, { timeout: 8_000 }).toBe(0);
    expect(databases.requests.pool.totalCount).toBe(3);
  } finally {
    await databases.close();
    await database.drop();
  }
});
