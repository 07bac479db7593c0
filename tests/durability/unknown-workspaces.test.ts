import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("the planner has no statistics of workspaces", async () => {
  // A later migration that makes a table has: alter table … alter column workspace_id set statistics 0;
  const known = await database.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attstattarget is distinct from 0
      order by 1`,
  );
  expect(known).toEqual([]);
});
