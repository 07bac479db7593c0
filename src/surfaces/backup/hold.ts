import type pg from "pg";

/** Name of the setting that holds a restored installation; its value is the time of the backup. */
const HOLD = "restored_hold";

/** Message of an installation that is held. */
export const HELD_MESSAGE =
  "This installation was restored from a backup and is held: it dials, sends and delivers nothing. See docs/backup.md, then let it go on with: parley backup resume, and start the server again.";

/** Holds an installation: its servers answer requests and do nothing by themselves. */
export async function holdInstallation(client: pg.ClientBase, backupAt: string): Promise<void> {
  await client.query("insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = $2", [
    HOLD,
    Buffer.from(backupAt),
  ]);
}

/** True while the installation is held. */
export async function isHeld(client: Pick<pg.ClientBase, "query">): Promise<boolean> {
  return (await client.query("select 1 from settings where name = $1", [HOLD])).rowCount === 1;
}

/** Ends the hold; false when there was none. */
export async function releaseInstallation(client: pg.ClientBase): Promise<boolean> {
  return (await client.query("delete from settings where name = $1", [HOLD])).rowCount === 1;
}
