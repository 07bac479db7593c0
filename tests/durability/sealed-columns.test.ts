import { expect, test } from "vitest";
import { SEALED_COLUMNS } from "#src/app/secrets.ts";
import { createDatabase } from "../kit/database.ts";

test("every column that may hold a sealed value is sealed anew", async () => {
  const database = await createDatabase();
  const columns = await database.query<{ name: string }>(`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea'`);
  // Digests, files, peaks of waveforms; keys of rows, and the public halves of passkeys.
  const unsealed = /_hash$|\.data$|_peaks$|^tool_results\.(owner|key)$|^user_passkeys\./;
  const expected = columns.flatMap(({ name }) => (unsealed.test(name) ? [] : [name])).toSorted();
  const listed = SEALED_COLUMNS.map(({ table, write }) => `${table}.${write("").split(" ", 1)[0]}`);
  expect([...new Set(listed)].filter((name) => name !== "tasks.payload").toSorted()).toEqual(expected);
  await database.drop();
});
