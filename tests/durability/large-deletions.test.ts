import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deleteChunks, forgetErrorsAfter } from "#src/interactions/call-jobs/store.ts";
import { openDatabase } from "#src/platform/db/database.ts";
import { World } from "../kit/world.ts";

const MANY = 25_000;

let world: World;
beforeAll(async () => {
  world = await World.start({ roles: ["api", "jobs"] });
  await world.database.query("create table deletions (rows int, at xid8)");
  await world.database.query(
    `create function note_deletion() returns trigger language plpgsql as
     'begin insert into deletions select count(*), pg_current_xact_id() from gone; return null; end'`,
  );
});
afterAll(() => world[Symbol.asyncDispose]());

async function make(path: string, body: object): Promise<string> {
  const reply = await world.request("POST", path, { body });
  expect(reply.status, reply.text).toBe(200);
  return String(reply.body.id);
}

/** Has the deletions from a table noted from now on. */
async function note(table: string): Promise<void> {
  await world.database.query(
    `create or replace trigger note_deletion after delete on ${table} referencing old table as gone
     for each statement execute function note_deletion()`,
  );
  await world.database.query("truncate deletions");
}

/** Returns the rows that were deleted, and the most of one transaction. */
function readDeleted() {
  return world.database.query(
    `select sum(rows)::int as rows, max(rows)::int as most
       from (select sum(rows) as rows from deletions group by at) as transactions`,
  );
}

const things = [
  {
    what: "a data store",
    table: "data_records",
    most: 10_000,
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
    most: 10_000,
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
  ...["automation_runs", "artifacts"].map((table) => ({
    what: `an automation (${table})`,
    table,
    most: 5_000,
    async make() {
      const id = await make("/automations", { name: "Large", kind: "CALL_JOB_REPORT" });
      const columns =
        table === "artifacts"
          ? "run_id, type, name, title, mime_type, size_bytes, metadata"
          : "trigger, parameters, status";
      const values =
        table === "artifacts" ? "gen_random_uuid(), 'r', 'r', 'r', 'text/csv', 1, '{}'" : "'MANUAL', '{}', 'COMPLETED'";
      await world.database.query(
        `insert into ${table} (workspace_id, automation_id, id, ${columns})
         select $1, $2, gen_random_uuid(), ${values} from generate_series(1, ${MANY})`,
        [world.sample.workspaceId, id],
      );
      return `/automations/${id}`;
    },
  })),
];

test.each(things)("$what with very many rows is deleted by statements that take few each", async (thing) => {
  const path = await thing.make();
  await note(thing.table);
  expect((await world.request("DELETE", path)).status).toBe(204);
  const [deleted] = await world.database.query("select sum(rows)::int as rows, max(rows) as most from deletions");
  expect(deleted).toEqual({ rows: MANY, most: thing.most });
});

test("the file of an import and its rejected lines are deleted by statements that take few each", async () => {
  const [workspaceId, jobId] = [world.sample.workspaceId, randomUUID()];
  await world.database.query(
    `insert into import_chunks (workspace_id, job_id, position, data)
     select $1, $2, i, 'x' from generate_series(0, 99) i`,
    [workspaceId, jobId],
  );
  await world.database.query(
    `insert into call_job_row_errors (workspace_id, job_id, line, column_name, code, message)
     select $1, $2, i, $3, $3, $3 from generate_series(1, ${MANY}) i`,
    [workspaceId, jobId, "x"],
  );
  for (const table of ["import_chunks", "call_job_row_errors"]) await note(table);
  const database = openDatabase({ connectionString: world.database.url }, { max: 1 }, () => undefined);
  try {
    await deleteChunks(database.db, workspaceId, jobId);
    expect(await readDeleted()).toEqual([{ rows: 100, most: 32 }]);
    await world.database.query("truncate deletions");
    while (await forgetErrorsAfter(database.db, workspaceId, jobId, 1));
    expect(await readDeleted()).toEqual([{ rows: MANY - 1, most: 10_000 }]);
  } finally {
    await database.close();
  }
});

test.each(["an agent", "an item"])(
  "the passages of %s are deleted by transactions that take few each",
  async (what) => {
    const agentId = await make("/agents", { name: "Large" });
    const items = `/agents/${agentId}/knowledge-base/items`;
    const itemId = await make(items, { title: "Large", type: "TEXT", content: "One passage.", enabled: false });
    const more = await make(items, { title: "More", type: "TEXT", content: "One passage.", enabled: false });
    await world.database.query(
      `insert into knowledge_chunks (workspace_id, item_id, task_id, position, agent_id, config, title, text)
     select $1, ($2::uuid[])[1 + i % 2], $3, i, $4, 'simple', '', '' from generate_series(1, ${MANY}) i`,
      [world.sample.workspaceId, what === "an agent" ? [itemId, more] : [itemId, itemId], agentId, agentId],
    );
    await world.database.query("truncate deletions");
    await world.database.query(
      `create or replace trigger note_deletion after delete on knowledge_chunks referencing old table as gone
     for each statement execute function note_deletion()`,
    );
    const path = what === "an agent" ? `/agents/${agentId}` : `${items}/${itemId}`;
    expect((await world.request("DELETE", path)).status).toBe(204);
    const readDeleted = () =>
      world.database.query(
        `select sum(rows)::int as rows, max(rows)::int as most
         from (select sum(rows) as rows from deletions group by at) as transactions`,
      );
    await vi.waitFor(async () => expect(await readDeleted()).toEqual([{ rows: MANY, most: 2_000 }]), {
      timeout: 20_000,
    });
  },
);

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
