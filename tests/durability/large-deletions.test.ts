import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

const MANY = 25_000;
/** The most rows that a statement may delete. */
const BITE = 10_000;

let world: World;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
  await world.database.query("create table deletions (rows int)");
  await world.database.query(
    `create function note_deletion() returns trigger language plpgsql as
     'begin insert into deletions select count(*) from gone; return null; end'`,
  );
});
afterAll(() => world[Symbol.asyncDispose]());

async function make(path: string, body: object): Promise<string> {
  const reply = await world.request("POST", path, { body });
  expect(reply.status, reply.text).toBe(200);
  return String(reply.body.id);
}

const things = [
  {
    what: "a data store",
    table: "data_records",
    async make() {
      const stores = `/applications/${world.sample.application.id}/stores`;
      await make(stores, { key: "large" });
      await world.database.query(
        `insert into data_records (workspace_id, application_id, store_key, id, fields)
         select $1, $2, 'large', gen_random_uuid(), '{}' from generate_series(1, ${MANY})`,
        [world.sample.workspaceId, world.sample.application.id],
      );
      return `${stores}/large`;
    },
  },
  {
    what: "a lead source",
    table: "lead_deliveries",
    async make() {
      const id = await make("/lead-sources", { name: "Large", mapping: { customerNumber: "phone" } });
      await world.database.query(
        `insert into lead_deliveries (workspace_id, id, source_id, status, delivery_key)
         select $1, gen_random_uuid(), $2, 'QUEUED', i::text from generate_series(1, ${MANY}) i`,
        [world.sample.workspaceId, id],
      );
      return `/lead-sources/${id}`;
    },
  },
];

test.each(things)("$what with very many rows is deleted by statements that take few each", async (thing) => {
  const path = await thing.make();
  await world.database.query(
    `create trigger note_deletion after delete on ${thing.table} referencing old table as gone for each statement
     execute function note_deletion()`,
  );
  await world.database.query("truncate deletions");
  expect((await world.request("DELETE", path)).status).toBe(204);
  const [deleted] = await world.database.query("select sum(rows)::int as rows, max(rows) as most from deletions");
  expect(deleted).toEqual({ rows: MANY, most: BITE });
});

test("an erasure finds the person in whichever of very many kept replies", async () => {
  const { workspaceId } = world.sample;
  const [contact] = await world.database.query<{ id: string }>(
    "insert into contacts (workspace_id, id, phone) values ($1, gen_random_uuid(), '+14155559999') returning id",
    [workspaceId],
  );
  await world.database.query(
    `insert into idempotency_keys (workspace_id, credential_id, route, key, body_hash, status, body)
     select $1, gen_random_uuid(), 'POST /' || i % 3, lpad(i::text, 6, '0'), '', 200,
            case when i in (1, 9000, ${MANY}) then '{"customerNumber":"+14155559999"}' else '{"rowId":"x"}' end
       from generate_series(1, ${MANY}) i`,
    [workspaceId],
  );
  expect((await world.request("DELETE", `/contacts/${contact?.id}`)).status).toBe(204);
  const blanked = "select key from idempotency_keys where status = 410 and body = '' order by key";
  expect(await world.database.query(blanked)).toEqual([{ key: "000001" }, { key: "009000" }, { key: "025000" }]);
});
