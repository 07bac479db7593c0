import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#src/platform/config/config.ts";
import { listExpiries } from "#src/platform/db/retention.ts";
import { BOUNDED, GROWING } from "../../soak/month/kept-tables.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("every table has a retention, or a reason why no age deletes its rows", async () => {
  const tables = await database.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  const known = [
    ...new Set(listExpiries(readConfig({}).retention).map(({ table }) => table)),
    ...Object.keys(GROWING),
    ...Object.keys(BOUNDED),
  ];
  // A new table is either deleted by age (src/platform/db/retention.ts) or named in soak/month/kept-tables.ts.
  expect(known.sort()).toEqual(tables.map(({ name }) => name).sort());
});
