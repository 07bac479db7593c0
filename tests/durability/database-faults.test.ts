import { expect, test } from "vitest";
import { World } from "../kit/world.ts";

test("connections cut under load: answers stay 2xx or 503, and a job still completes with every row", async () => {
  await using world = await World.start({ env: { LOG_LEVEL: "silent" } });
  const rows = Array.from({ length: 600 }, (_, i) => ({ customerNumber: `+1415${5_000_000 + i}` }));
  const created = await world.request("POST", "/call-jobs", { body: { rows } });
  expect(created.status).toBe(200);
  const statuses = new Set<number>();
  for (let round = 0; round < 15; round++) {
    await world.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley'",
    );
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.request("GET", "/flows")));
    for (const reply of replies) {
      statuses.add(reply.status);
      expect(reply.headers.get("x-ratelimit-limit")).not.toBeNull();
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const job = await world.until(`/call-jobs/${String(created.body.id)}`, (body) => body.completedAt !== null, 55_000);
  expect(job).toMatchObject({ totalRows: 600, processedRows: 600 });
  const twice = await world.database.query(
    "select row_id, number from call_attempts where ringing_at is not null group by 1, 2 having count(*) > 1",
  );
  expect(twice).toEqual([]);
  expect(await world.database.query("select 1 from events where type = 'call_job.completed'")).toHaveLength(1);
});

test("a server that is not the primary any more is unavailable: 503 with Retry-After, until writes work again", async () => {
  await using world = await World.start({ env: { LOG_LEVEL: "silent" } });
  const name = new URL(world.database.url).pathname.slice(1);
  const demote = async (isReadOnly: boolean) => {
    await world.database.query(
      `alter database ${name} set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`,
    );
    await world.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  };
  const place = () => world.request("POST", "/outbound/calls", { body: { customerNumber: "+14155550100" } });
  await demote(true);
  const replies = await Promise.all(Array.from({ length: 5 }, place));
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(503));
  for (const { headers } of replies) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  // The session that made it read-only is itself free to write.
  await world.database.query("set default_transaction_read_only = off");
  await demote(false);
  await expect.poll(async () => (await place()).status).toBe(200);
});
