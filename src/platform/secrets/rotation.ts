import type pg from "pg";
import { inTransaction } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { KeyRing } from "#src/platform/kernel/key-ring.ts";
import { createSecretBox, keyIdOf, sealKeyCheck, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import { resealWindow } from "./reseal.ts";
import type { SealedColumn } from "./sealed-column.ts";

/** Name of the setting that holds the rotation in progress, or the last one. */
const NAME = "secret_rotation";
/** Time after the last node changed over until what it sealed before must have been stored. */
const SETTLE_SECONDS = 3;

/** A change of the installation's secret, as it is stored after each step: a process that dies loses nothing. */
export interface Rotation {
  /** Ids of the former key and the new one. */
  from: string;
  to: string;
  /** ISO 8601 UTC. */
  startedAt: string;
  /** Null while it goes on. */
  finishedAt: string | null;
  /** Passes over all columns that have ended. */
  passes: number;
  /** Column of the pass in progress, and the key after which it goes on; null between two passes. */
  column: string | null;
  after: string[] | null;
  /** Values that the pass had to seal anew: one without any, after all nodes changed over, is the last. */
  found: number;
  /** When all nodes sealed with the new key, and the transaction of that moment. */
  settled: { at: string; transaction: string } | null;
  /** Values sealed anew, by column. */
  resealed: Record<string, number>;
  /** Values of the last pass that no known key opens, by column. */
  unreadable: Record<string, number>;
}

/** Result of a step: WAITING when it goes on later, IDLE when there is nothing to do. */
export type Step = "WORKED" | "WAITING" | "IDLE";

/** Returns the rotation in progress, or the last one; null when there was none. */
export async function readRotation(pool: Pick<pg.Pool, "query">): Promise<Rotation | null> {
  const { rows } = await pool.query<{ value: Buffer }>("select value from settings where name = $1", [NAME]);
  return rows[0] ? parse(rows[0].value) : null;
}

/**
 * Returns the check of the key that the database says seals, null before the first start, and the rotation in progress or
 * the last one.
 */
export async function readSealing(
  pool: Pick<pg.Pool, "query">,
): Promise<{ check: Buffer | null; rotation: Rotation | null }> {
  const { rows } = await pool.query<{ name: string; value: Buffer }>(
    "select name, value from settings where name in ('key_check', $1)",
    [NAME],
  );
  const [check, rotation] = ["key_check", NAME].map((name) => rows.find((row) => row.name === name)?.value);
  return { check: check ?? null, rotation: rotation ? parse(rotation) : null };
}

/** True while a rotation goes on of which `keys` lack the former key: what is still sealed with it would count as lost. */
export function lacksFormerKey(rotation: Rotation | null, keys: KeyRing): boolean {
  return rotation !== null && rotation.finishedAt === null && !keys.find(rotation.from);
}

/**
 * Begins a rotation to the key with the id `to`: in one transaction the database's key check changes, and `carried`
 * are stored beside it, sealed with the new key. All nodes follow the key check. Throws a 409 while a live node does not
 * know the new key; one that starts meanwhile looks again after it joined.
 */
export async function beginRotation(
  pool: pg.Pool,
  keys: KeyRing,
  to: string,
  carried: (former: Buffer, box: SecretBox) => { name: string; value: Buffer }[],
): Promise<void> {
  const key = keys.find(to);
  if (!key) throw new AppError("CONFLICT", "This process does not know the new secret.");
  await inTransaction(pool, async (client) => {
    const check = await client.query<{ value: Buffer }>(
      "select value from settings where name = 'key_check' for update",
    );
    const from = keyIdOf(check.rows[0]?.value ?? Buffer.alloc(5));
    if (from === to) return;
    const former = keys.find(from);
    if (!former) throw new AppError("CONFLICT", "This process does not know the present secret.");
    await assertNodesKnow(client, to);
    const box = createSecretBox(new KeyRing(key));
    await put(client, "key_check", sealKeyCheck(box));
    for (const { name, value } of carried(former, box)) await put(client, name, value);
    await save(client, begin(from, to));
  });
}

/** Does one bounded step of the rotation, unless another node does one. */
export async function continueRotation(
  pool: pg.Pool,
  keys: KeyRing,
  box: SecretBox,
  columns: readonly SealedColumn[],
): Promise<Step> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ value: Buffer }>(
      "select value from settings where name = $1 for no key update skip locked",
      [NAME],
    );
    const rotation = rows[0] && parse(rows[0].value);
    if (!rotation || rotation.finishedAt !== null || keys.currentId !== rotation.to) return "IDLE";
    const column = columns.find(({ what }) => what === rotation.column);
    const changed = column
      ? await resealNext(client, rotation, box, columns, column)
      : await beginPass(client, rotation, columns);
    await save(client, changed);
    return column || changed.column !== null ? "WORKED" : "WAITING";
  });
}

function begin(from: string, to: string): Rotation {
  const progress = { finishedAt: null, passes: 0, column: null, after: null, found: 0, settled: null };
  return { from, to, startedAt: new Date().toISOString(), ...progress, resealed: {}, unreadable: {} };
}

/** True while a live node knows the key with this id. */
export async function isKnownToLive(pool: Pick<pg.Pool, "query">, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    "select 1 from nodes where alive_until > now() and key_ids @> array[$1::text] limit 1",
    [id],
  );
  return rowCount === 1;
}

async function assertNodesKnow(client: pg.ClientBase, to: string): Promise<void> {
  const { rows } = await client.query<{ id: string; address: string | null }>(
    `select id, address from nodes
      where alive_until > now() and not coalesce(key_ids @> array[$1::text], false) order by started_at limit 10`,
    [to],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ id, address }) => address ?? id).join(", ");
  throw new AppError(
    "CONFLICT",
    `These nodes do not know the new secret yet: ${names}. Start every node with PARLEY_SECRET, the new secret, and PARLEY_SECRET_PREVIOUS, the present one, then run this again. Nothing was changed.`,
  );
}

/**
 * Begins a pass. The first begins at once. Later ones wait until all nodes seal with the new key and every transaction
 * that was open then has ended: nothing is sealed with the former key any more.
 */
async function beginPass(
  client: pg.ClientBase,
  rotation: Rotation,
  columns: readonly SealedColumn[],
): Promise<Rotation> {
  const first = { ...rotation, column: columns[0]?.what ?? null, after: null, found: 0, unreadable: {} };
  if (rotation.passes === 0) return first;
  const { settled } = rotation;
  if (settled === null) return { ...rotation, settled: await findSettled(client, rotation.to) };
  const { rowCount } = await client.query(
    `select 1 where now() > $1::timestamptz + make_interval(secs => $3)
                and pg_snapshot_xmin(pg_current_snapshot()) > $2::xid8`,
    [settled.at, settled.transaction, SETTLE_SECONDS],
  );
  return rowCount ? first : rotation;
}

async function findSettled(client: pg.ClientBase, to: string): Promise<Rotation["settled"]> {
  const { rows } = await client.query<{ at: Date; transaction: string }>(
    `select now() as at, pg_current_xact_id()::text as transaction
      where not exists (select 1 from nodes where alive_until > now() and sealing_key is distinct from $1)`,
    [to],
  );
  return rows[0] ? { at: rows[0].at.toISOString(), transaction: rows[0].transaction } : null;
}

async function resealNext(
  client: pg.ClientBase,
  rotation: Rotation,
  box: SecretBox,
  columns: readonly SealedColumn[],
  column: SealedColumn,
): Promise<Rotation> {
  const { what } = column;
  const window = await resealWindow(client, box, rotation.to, column, rotation.after);
  const next: Rotation = {
    ...rotation,
    after: window.next,
    found: rotation.found + window.found,
    resealed: add(rotation.resealed, what, window.resealed),
    unreadable: add(rotation.unreadable, what, window.unreadable),
  };
  if (window.next !== null) return next;
  const following = columns[columns.indexOf(column) + 1];
  if (following) return { ...next, column: following.what };
  const isOver = next.settled !== null && next.found === 0;
  const finishedAt = isOver ? new Date().toISOString() : null;
  return { ...next, column: null, passes: rotation.passes + 1, finishedAt };
}

function add(counts: Record<string, number>, what: string, more: number): Record<string, number> {
  return more === 0 ? counts : { ...counts, [what]: (counts[what] ?? 0) + more };
}

function parse(value: Buffer): Rotation {
  return JSON.parse(value.toString()) as Rotation;
}

function save(client: pg.ClientBase, rotation: Rotation): Promise<void> {
  return put(client, NAME, Buffer.from(JSON.stringify(rotation)));
}

async function put(client: pg.ClientBase, name: string, value: Buffer): Promise<void> {
  await client.query("insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = $2", [
    name,
    value,
  ]);
}
