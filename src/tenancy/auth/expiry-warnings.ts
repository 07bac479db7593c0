import type { Database } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { takeExpiring } from "./store.ts";

/** Days before it expires that the owners of a credential are warned. The dashboard marks it for as long. */
const WARNING_DAYS = 7;
const BITE = 500;

/** Appends an event for each credential that expires soon, once; returns their number. */
export async function warnOfExpiry({ db }: Database): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const rows = await takeExpiring(tx, WARNING_DAYS, BITE);
    for (const { workspace_id: workspaceId, id, name, kind, expires_at: expiresAt } of rows) {
      const data = { name, kind, expiresAt: expiresAt.toISOString() };
      await appendEvents(tx, workspaceId, [{ type: "credential.expires_soon", subjectId: id, data }]);
    }
    return rows.length;
  });
}
