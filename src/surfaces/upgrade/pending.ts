import type pg from "pg";
import { findContracts } from "#src/platform/db/migrate.ts";
import { type Migration, readMigrations } from "#src/platform/db/migration-files.ts";

/** A migration that the start of this version runs. */
export interface PendingStep {
  number: number;
  file: string;
  phase: Migration["phase"];
  isConcurrent: boolean;
  /** Existing tables that it locks for a moment, or builds indexes of; rows as PostgreSQL estimates them. */
  locks: { table: string; rows: number | null }[];
  /** Bytes of the tables of which it builds indexes. */
  indexedBytes: number;
}

/** The schema of a database, beside that of this version. */
export interface SchemaState {
  isParley: boolean;
  /** True for a database from before the baseline. */
  isFormer: boolean;
  /** Steps of a newer version; those among them that removed something. */
  unknown: number[];
  contracts: number[];
  pending: PendingStep[];
}

interface Size {
  rows: number | null;
  bytes: number;
}

/** Reads which steps a database lacks, and what they lock. */
export async function readSchema(client: pg.ClientBase): Promise<SchemaState> {
  const found = await client.query<{ is_parley: boolean; is_former: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_parley, to_regclass('migrations') is not null as is_former",
  );
  const [{ is_parley: isParley, is_former: isFormer } = { is_parley: false, is_former: false }] = found.rows;
  const applied = isParley ? await readApplied(client) : new Set<number>();
  const steps = readMigrations();
  const unknown = [...applied].filter((number) => !steps.some((step) => step.number === number));
  const contracts = isParley ? await findContracts(client, unknown) : [];
  const sizes = await readSizes(client);
  const pending = steps.filter(({ number }) => !applied.has(number)).map((step) => describe(step, sizes));
  return { isParley, isFormer: isFormer && !isParley, unknown, contracts, pending };
}

async function readApplied(client: pg.ClientBase): Promise<Set<number>> {
  const { rows } = await client.query<{ number: number }>("select number from schema_migrations");
  return new Set(rows.map(({ number }) => number));
}

async function readSizes(client: pg.ClientBase): Promise<Map<string, Size>> {
  const { rows } = await client.query<Size & { name: string }>(
    `select relname as name, nullif(reltuples, -1)::float8 as rows, pg_relation_size(oid)::float8 as bytes
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

const LOCKING = [
  /\b(?:alter|truncate|drop) table (?:if exists )?(?:only )?([a-z_0-9]+)/gi,
  /\b(?:create|drop) (?:or replace )?(?:constraint )?trigger [^;]*? on ([a-z_0-9]+)/gi,
];
const INDEXING = /\bcreate (?:unique )?index [^;]*? on ([a-z_0-9]+)/gi;

function describe(
  { number, file, phase, isConcurrent, text }: Migration,
  sizes: ReadonlyMap<string, Size>,
): PendingStep {
  const bare = text.replaceAll(/--.*$/gm, "").replaceAll(/\$\$[^]*?\$\$/g, "");
  const findTables = (pattern: RegExp) => [...bare.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase());
  const indexed = [...new Set(findTables(INDEXING))].filter((name) => sizes.has(name));
  const names = new Set([...LOCKING.flatMap(findTables), ...indexed]);
  const locks = [...names].flatMap((table) => {
    const size = sizes.get(table);
    return size ? [{ table, rows: size.rows }] : [];
  });
  const indexedBytes = indexed.reduce((sum, name) => sum + (sizes.get(name)?.bytes ?? 0), 0);
  return { number, file, phase, isConcurrent, locks, indexedBytes };
}
