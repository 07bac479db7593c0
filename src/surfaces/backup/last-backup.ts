import type pg from "pg";

/** Name of the setting that has the time of the last backup. */
const NAME = "last_backup";

/** Stores that a backup was made, of this moment (ISO 8601). */
export async function noteBackup(client: Pick<pg.ClientBase, "query">, createdAt: string): Promise<void> {
  await client.query("insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = $2", [
    NAME,
    Buffer.from(createdAt),
  ]);
}

/** Returns the time of the last backup that was made of this database; null when none is known. */
export async function readLastBackup(client: Pick<pg.ClientBase, "query">): Promise<Date | null> {
  const { rows } = await client.query<{ value: Buffer }>("select value from settings where name = $1", [NAME]);
  return rows[0] ? new Date(rows[0].value.toString()) : null;
}
