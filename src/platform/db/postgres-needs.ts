import type pg from "pg";

const OLDEST = 150_000;

/** Settings that a database or a role may set otherwise, and what statements and the driver need them to be. */
const NEEDED = {
  // At a stricter level a migration waits for itself: an index that is built beside others waits for all older snapshots.
  default_transaction_isolation: { like: "read committed", set: "'read committed'" },
  // The driver reads times in no other style.
  datestyle: { like: "ISO", set: "'ISO'" },
};

/** Returns why a PostgreSQL cannot be used, with its remedy; null when it can. */
export async function findUnmetNeed(client: Pick<pg.ClientBase, "query">): Promise<string | null> {
  const { rows } = await client.query<
    Record<keyof typeof NEEDED | "version" | "encoding", string> & { number: number }
  >(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            current_setting('server_encoding') as encoding,
            current_setting('default_transaction_isolation') as default_transaction_isolation,
            current_setting('datestyle') as datestyle`,
  );
  const [found] = rows;
  if (!found) return null;
  if (found.number < OLDEST) return `${found.version}: Parley needs PostgreSQL 15 or newer.`;
  // In SQL_ASCII a name is stored as whatever bytes came, and cannot be searched; others lack most of its letters.
  if (found.encoding !== "UTF8")
    return `The database of DATABASE_URL is in ${found.encoding}. Parley needs one in UTF8: create database … encoding 'UTF8' template template0`;
  for (const [name, { like, set }] of Object.entries(NEEDED)) {
    const value = found[name as keyof typeof NEEDED];
    if (!value.startsWith(like))
      return `${name} is '${value}' for the role of DATABASE_URL. Parley needs ${set}: alter role … set ${name} = ${set}`;
  }
  return null;
}
