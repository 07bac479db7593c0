import { all, type Executor, lockName, sql } from "#src/platform/db/database.ts";

/** Takes a place when fewer than `max` are taken; false otherwise. Runs in a transaction, for its lock. */
export async function insertPlace(
  tx: Executor,
  workspaceId: string,
  place: { counter: string; id: string; max: number; leaseMs: number },
): Promise<boolean> {
  // Without the lock, two that count at the same moment would both find the last place free.
  await lockName(tx, workspaceId, place.counter);
  const rows = await all(
    tx,
    sql`insert into tool_places (workspace_id, counter, id, expires_at)
        select ${workspaceId}, ${place.counter}, ${place.id}, clock_timestamp() + ${place.leaseMs} * interval '1 millisecond'
        where (select count(*) from tool_places
               where workspace_id = ${workspaceId} and counter = ${place.counter} and expires_at > clock_timestamp())
              < ${place.max}
        returning id`,
  );
  return rows.length > 0;
}

/** Gives a place back. */
export async function deletePlace(db: Executor, workspaceId: string, counter: string, id: string): Promise<void> {
  await all(
    db,
    sql`delete from tool_places where workspace_id = ${workspaceId} and counter = ${counter} and id = ${id}`,
  );
}

/** Extends the leases of places, each in its own workspace. */
export async function renewPlaces(
  db: Executor,
  places: readonly { workspaceId: string; counter: string; id: string }[],
  leaseMs: number,
): Promise<void> {
  await all(
    db,
    sql`update tool_places set expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
        where (workspace_id, counter, id) in (select * from unnest(
          ${places.map((place) => place.workspaceId)}::uuid[], ${places.map((place) => place.counter)}::text[],
          ${places.map((place) => place.id)}::uuid[]))`,
  );
}
