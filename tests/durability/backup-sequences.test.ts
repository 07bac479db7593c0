import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readSequences, setSequences } from "#src/surfaces/backup/schema.ts";
import { createDatabase } from "../kit/database.ts";

test("sequences go on after the last value that was given out", async () => {
  const one = await createDatabase("template0");
  const other = await createDatabase("template0");
  onTestFinished(async () => void (await Promise.all([one.drop(), other.drop()])));
  const values: number[] = [];
  for (const { url } of [one, other]) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      "create table things (id bigint generated always as identity, name text); create sequence unused start 7",
    );
    if (values.length === 0) await client.query("insert into things (name) select 'x' from generate_series(1, 5)");
    const source = new pg.Client({ connectionString: one.url });
    await source.connect();
    await setSequences(client, await readSequences(source));
    await source.end();
    const { rows } = await client.query<{ id: number }>("insert into things (name) values ('y') returning id::int");
    const { rows: first } = await client.query<{ id: number }>("select nextval('unused')::int as id");
    values.push(rows[0]?.id ?? 0, first[0]?.id ?? 0);
    if (url === one.url) await client.query("select setval('things_id_seq', 5), setval('unused', 7, false)");
    await client.end();
  }
  expect(values).toEqual([6, 7, 6, 7]);
});
