import type pg from "pg";
import { BackupError } from "./backup-error.ts";
import type { Column, SequenceValue } from "./manifest.ts";

/** A table whose rows are backed up, with the columns that are not computed. */
export interface Table {
  name: string;
  columns: Column[];
}

const TABLES = `
select c.relname as name,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
 where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
   and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
 group by c.relname order by c.relname`;

/** Returns all tables but the unlogged ones, which a crash empties, too: they only hold limits and a log of requests. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows;
}

const SEQUENCES = `
select c.relname as name from pg_class c
 where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' order by c.relname`;

/** Returns the values of all sequences. */
export async function readSequences(client: pg.ClientBase): Promise<SequenceValue[]> {
  const values: SequenceValue[] = [];
  for (const { name } of (await client.query<{ name: string }>(SEQUENCES)).rows) {
    const { rows } = await client.query<SequenceValue>(
      `select $1 as name, last_value::text as value, is_called as "isCalled" from ${quote(name)}`,
      [name],
    );
    values.push(...rows);
  }
  return values;
}

/** Sets sequences to the values that they had. */
export async function setSequences(client: pg.ClientBase, values: readonly SequenceValue[]): Promise<void> {
  for (const { name, value, isCalled } of values) {
    await client.query("select setval($1::regclass, $2::bigint, $3)", [quote(name), value, isCalled]);
  }
}

/** Returns an object of the schema, if it has any: a table, a view or a sequence. */
export async function findObject(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') limit 1`,
  );
  return rows[0]?.name;
}

const REFERENCES = `
select distinct c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to" from pg_constraint c
 where c.connamespace = current_schema()::regnamespace and c.contype = 'f' and c.conrelid <> c.confrelid`;

/** Returns the tables in an order in which each comes after those that it refers to. */
export async function sortByReferences<Of extends { name: string }>(
  client: pg.ClientBase,
  tables: readonly Of[],
): Promise<Of[]> {
  const { rows: references } = await client.query<{ from: string; to: string }>(REFERENCES);
  const sorted: Of[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const isFree = ({ name }: Of) => !references.some(({ from, to }) => from === name && names.has(to));
    const free = waiting.filter(isFree);
    if (free.length === 0) throw new BackupError(`Tables refer to each other in a circle: ${[...names].join(", ")}.`);
    sorted.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return sorted;
}

const INDEXES = `
select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indrelid
 where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
   and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`;

/** Drops the indexes that no constraint needs, and returns the statements that create them again. */
export async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(INDEXES);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Returns a name as an identifier of SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the columns of a table as COPY takes them: in brackets, in this order. */
export function columnList(columns: readonly Column[]): string {
  return `(${columns.map(({ name }) => quote(name)).join(", ")})`;
}
