import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { ErasedSession } from "./erase-sql.ts";
import type { ContactRow } from "./store.ts";

/** True while a task erases the contact. */
export async function isErasing(tx: Executor, workspaceId: string, contactId: string): Promise<boolean> {
  const found = await all(
    tx,
    sql`select 1 from contact_erasures where workspace_id = ${workspaceId} and contact_id = ${contactId}`,
  );
  return found.length > 0;
}

/** Stores that a task erases the contact: from then on their number is held. */
export async function insertErasure(tx: Executor, workspaceId: string, { id, phone }: ContactRow): Promise<void> {
  await all(
    tx,
    sql`insert into contact_erasures (workspace_id, contact_id, phone) values (${workspaceId}, ${id}, ${phone})`,
  );
}

/** Stores which calls and chats of the contact were emptied. */
export async function noteErased(
  tx: Executor,
  workspaceId: string,
  contactId: string,
  erased: ErasedSession[],
): Promise<void> {
  await all(
    tx,
    sql`insert into erased_sessions (workspace_id, contact_id, id, is_chat, identifier, since, until)
        select ${workspaceId}, ${contactId}, x.* from json_to_recordset(${JSON.stringify(erased)}::json)
          as x(id uuid, is_chat boolean, identifier text, since timestamptz, until timestamptz)
        on conflict do nothing`,
  );
}

/** Lists the calls and chats of the contact that were emptied. */
export function listErased(tx: Executor, workspaceId: string, contactId: string): Promise<ErasedSession[]> {
  return all(
    tx,
    sql`select id, is_chat, identifier, since, until from erased_sessions
         where workspace_id = ${workspaceId} and contact_id = ${contactId}`,
  );
}

/** Removes what was stored of an erasure, and returns the number that it held; undefined when there was none. */
export async function endErasure(
  tx: Executor,
  workspaceId: string,
  contactId: string,
): Promise<{ phone: string | null } | undefined> {
  const ofContact = sql`workspace_id = ${workspaceId} and contact_id = ${contactId}`;
  await all(tx, sql`delete from erased_sessions where ${ofContact}`);
  return first(tx, sql`delete from contact_erasures where ${ofContact} returning phone`);
}
