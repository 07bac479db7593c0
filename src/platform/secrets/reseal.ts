import type pg from "pg";
import { openOrNull, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "./sealed-column.ts";

/** Rows that one window looks at. */
const WINDOW = 500;

/** Result of a window. */
export interface Window {
  /** Key of the last row that it looked at; null at the end of the table. */
  next: string[] | null;
  /** Values that another key had sealed, or that were locked: they call for another pass. */
  found: number;
  resealed: number;
  /** Values that no known key opens, or that were changed. */
  unreadable: number;
}

/**
 * Seals anew, with the current key of `box`, what other keys sealed in the next rows of a column, and leaves the rest of
 * each row as it is. Waits for no row: one that is locked is found by the next pass. A row that changes meanwhile keeps
 * the change.
 */
export async function resealWindow(
  client: pg.ClientBase,
  box: SecretBox,
  currentId: string,
  column: SealedColumn,
  after: readonly string[] | null,
): Promise<Window> {
  const rows = await readWindow(client, column, currentId, after);
  const window: Window = { next: null, found: 0, resealed: 0, unreadable: 0 };
  const keyOf = ({ texts }: WindowRow) => Object.keys(column.key).map((name) => String(texts[name]));
  const last = rows.at(-1);
  if (last && rows.length === WINDOW) window.next = keyOf(last);
  const changes: Change[] = [];
  for (const row of rows) {
    if (row.sealed === null) continue;
    const place = column.place(row.texts);
    const plain = openOrNull(box, row.sealed, place);
    if (plain === null) window.unreadable++;
    else changes.push({ key: keyOf(row), sealed: row.sealed, anew: box.seal(plain, place) });
  }
  window.found = changes.length;
  window.resealed = changes.length === 0 ? 0 : await replace(client, column, changes);
  return window;
}

/** A value of a row, and what takes its place. */
interface Change {
  key: string[];
  sealed: Buffer;
  anew: Buffer;
}

/** A row of a window: the texts of its columns, and its value where another key sealed it. */
interface WindowRow {
  texts: Record<string, string>;
  sealed: Buffer | null;
}

async function readWindow(
  client: pg.ClientBase,
  { table, key, also = [], read }: SealedColumn,
  currentId: string,
  after: readonly string[] | null,
): Promise<WindowRow[]> {
  const names = Object.keys(key);
  const texts = [...names, ...also].map((name) => `${name}::text as ${name}`).join(", ");
  const from = after === null ? "" : `where (${names.join(", ")}) > (${castAll(key, 2)})`;
  const found = await client.query<Record<string, unknown>>(
    `select ${texts}, case when substring((${read}) from 2 for 4) <> $1 then (${read}) end as sealed_value
       from ${table} ${from} order by ${names.map((name) => `${table}.${name}`).join(", ")} limit ${WINDOW}`,
    [Buffer.from(currentId, "hex"), ...(after ?? [])],
  );
  return found.rows.map(({ sealed_value: sealed, ...columns }) => ({
    texts: columns as Record<string, string>,
    sealed: sealed as Buffer | null,
  }));
}

/** Replaces values by one statement: its rows are locked no longer than it takes. */
async function replace(
  client: pg.ClientBase,
  { table, key, read, write }: SealedColumn,
  changes: readonly Change[],
): Promise<number> {
  const names = Object.keys(key);
  const types = Object.values(key);
  const isRow = types.map((type, i) => `${table}.${names[i]} = x.key_${i}::${type}`).join(" and ");
  const written = await client.query(
    `with found as materialized (
       select ${table}.ctid as at, x.anew_value
         from unnest($1::bytea[], $2::bytea[], ${types.map((_, i) => `$${i + 3}::text[]`).join(", ")})
                as x (former_value, anew_value, ${types.map((_, i) => `key_${i}`).join(", ")})
         join ${table} on ${isRow} and (${read}) = x.former_value
          for no key update of ${table} skip locked)
     update ${table} set ${write("found.anew_value")} from found where ${table}.ctid = found.at`,
    [
      changes.map(({ sealed }) => sealed),
      changes.map(({ anew }) => anew),
      ...names.map((_, i) => changes.map((one) => one.key[i])),
    ],
  );
  return written.rowCount ?? 0;
}

function castAll(key: SealedColumn["key"], from: number): string {
  return Object.values(key)
    .map((type, index) => `$${from + index}::text::${type}`)
    .join(", ");
}
