import { NO_NUMBER } from "#src/interactions/calls/new-row.ts";
import { ANNOUNCE_SESSION_ENDED_SQL } from "#src/interactions/calls/session-end.ts";
import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import { countAll } from "#src/platform/db/paged-lists.ts";
import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { creditUsedUpSql } from "#src/tenancy/usage/credit.ts";

/** A page that waits to be rung. */
export interface WebPhoneRow {
  id: string;
  name: string;
  allowed_origins: string[];
  expires_at: Date;
  created_at: Date;
}

/** Settings for beginning a call over the web. */
export interface NewWebCall {
  rowId: string;
  tokenHash: Buffer | null;
  webPhoneId: string | null;
  displayName: string | null;
  allowedOrigins: string[];
  lifetimeSeconds: number;
}

/** Stores the settings for beginning a call; returns the time at which they expire. */
export async function insertWebCall(tx: Executor, workspaceId: string, call: NewWebCall): Promise<Date> {
  const row = await first<{ expires_at: Date }>(
    tx,
    sql`insert into web_calls (workspace_id, row_id, token_hash, web_phone_id, display_name, allowed_origins, expires_at)
        values (${workspaceId}, ${call.rowId}, ${call.tokenHash}, ${call.webPhoneId}, ${call.displayName},
                ${call.allowedOrigins}, now() + make_interval(secs => ${call.lifetimeSeconds}))
        returning expires_at`,
  );
  return (row as { expires_at: Date }).expires_at;
}

/**
 * Returns the number of calls over the web that wait or are live. Serialises the workspace's callers until the
 * transaction ends.
 */
export async function countOpen(tx: Executor, workspaceId: string): Promise<number> {
  await lockName(tx, workspaceId, "web calls");
  return countAll(
    tx,
    sql`call_rows
        where workspace_id = ${workspaceId} and phone_number_id = ${sql.raw(`'${NO_NUMBER}'`)} and ended_at is null`,
  );
}

/** True when a call of the workspace with this person would bill, and no credit is left for it. */
export async function lacksCredit(tx: Executor, workspaceId: string, customerNumber: string): Promise<boolean> {
  const row = await first<{ lacks: boolean }>(
    tx,
    sql`select w.mode <> 'SANDBOX' and ${customerNumber}::text !~ ${FICTIONAL_PATTERN}
               and ${sql.raw(creditUsedUpSql("w.id"))} as lacks
          from workspaces w where w.id = ${workspaceId}`,
  );
  return row?.lacks ?? false;
}

/** Stores a page that may be rung. */
export async function insertWebPhone(
  tx: Executor,
  workspaceId: string,
  phone: { name: string; tokenHash: Buffer; allowedOrigins: string[]; lifetimeSeconds: number },
): Promise<WebPhoneRow> {
  const rows = await all<WebPhoneRow>(
    tx,
    sql`insert into web_phones (workspace_id, id, name, token_hash, allowed_origins, expires_at)
        values (${workspaceId}, ${uuidv7()}, ${phone.name}, ${phone.tokenHash}, ${phone.allowedOrigins},
                now() + make_interval(secs => ${phone.lifetimeSeconds}))
        returning *`,
  );
  return rows[0] as WebPhoneRow;
}

/** Lists the pages of a workspace that may be rung, oldest first. */
export function listWebPhones(tx: Executor, workspaceId: string): Promise<WebPhoneRow[]> {
  return all(tx, sql`select * from web_phones where workspace_id = ${workspaceId} and expires_at > now() order by id`);
}

/** Returns one page that may be rung, locked against deletion until the transaction ends. */
export function holdWebPhone(tx: Executor, workspaceId: string, id: string): Promise<WebPhoneRow | undefined> {
  return first(
    tx,
    sql`select * from web_phones where workspace_id = ${workspaceId} and id = ${id} and expires_at > now() for key share`,
  );
}

/** Deletes a page; false when there is none. */
export async function deleteWebPhone(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from web_phones where workspace_id = ${workspaceId} and id = ${id} and expires_at > now() returning id`,
  );
  return rows.length > 0;
}

/** The call or phone that a token opens. It is the one look-up without a workspace, which follows from the token. */
export interface OpenedToken {
  kind: "CALL" | "PHONE";
  workspace_id: string;
  /** Id of the call's row, or of the phone. */
  id: string;
  name: string | null;
  allowed_origins: string[];
}

/** Returns the call or phone that a token opens; undefined when the token is unknown, used or expired. */
export function findToken(db: Executor, hash: Buffer): Promise<OpenedToken | undefined> {
  return first(
    db,
    sql`select 'CALL' as kind, c.workspace_id, c.row_id as id, c.display_name as name, c.allowed_origins
          from web_calls c join call_rows r on r.workspace_id = c.workspace_id and r.id = c.row_id
         where c.token_hash = ${hash} and c.expires_at > now() and r.status = 'QUEUED'
        union all
        select 'PHONE', workspace_id, id, name, allowed_origins from web_phones
         where token_hash = ${hash} and expires_at > now()`,
  );
}

/** A call that rings a page. */
export interface RingRow {
  workspace_id: string;
  web_phone_id: string;
  row_id: string;
  display_name: string | null;
  expires_at: Date;
}

/** A page that waits on this node. */
export interface PhoneKey {
  workspaceId: string;
  id: string;
}

/** Returns the calls that ring these pages, the oldest first, and which of the pages still exist. */
export async function findRings(db: Executor, phones: PhoneKey[]): Promise<{ rings: RingRow[]; alive: Set<string> }> {
  const asked = JSON.stringify(phones.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })));
  const rows = await all<RingRow & { row_id: string | null }>(
    db,
    sql`select p.workspace_id, p.id as web_phone_id, r.id as row_id, c.display_name, c.expires_at
          from json_to_recordset(${asked}::json) as k(workspace_id uuid, id uuid)
          join web_phones p on p.workspace_id = k.workspace_id and p.id = k.id and p.expires_at > now()
          left join web_calls c on c.workspace_id = p.workspace_id and c.web_phone_id = p.id and c.expires_at > now()
          left join call_rows r on r.workspace_id = c.workspace_id and r.id = c.row_id and r.status = 'QUEUED'
         order by c.row_id`,
  );
  return { rings: rows.filter((row) => row.row_id !== null), alive: new Set(rows.map((row) => row.web_phone_id)) };
}

/**
 * Ends a call that was never begun, with all its events; false when it no longer waits. It has no attempt, so it used
 * nothing.
 */
export async function endWaiting(
  db: Executor,
  workspaceId: string,
  rowId: string,
  end: { outcome: string; endReason: string; message: string },
): Promise<boolean> {
  const error = JSON.stringify({ code: end.outcome, message: end.message });
  const ended = await first<{ count: number }>(
    db,
    sql`with closed as (
          update call_rows set status = 'FAILED', outcome = ${end.outcome}, end_reason = ${end.endReason},
              error = ${error}::json, ended_at = now(), updated_at = now()
           where workspace_id = ${workspaceId} and id = ${rowId} and status = 'QUEUED'
             and phone_number_id = ${sql.raw(`'${NO_NUMBER}'`)}
          returning workspace_id, id, status, outcome, end_reason, answered_at, human_requested
        ),
        closed_sessions as (select c.*, ${uuidv7()}::uuid as event_id from closed c),
        announced as (
          insert into events (workspace_id, id, type, subject_id, data)
          select workspace_id, event_id, 'call.ended', id,
                 json_build_object('jobId', null, 'status', status, 'outcome', outcome)
            from closed_sessions
        ),${sql.raw(ANNOUNCE_SESSION_ENDED_SQL)}
        select count(*) as count from closed`,
  );
  return Number(ended?.count ?? 0) > 0;
}
