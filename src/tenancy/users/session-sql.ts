import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";

/** Seconds after which an unused session ends; each request extends it. */
export const IDLE_SECONDS = 7 * 86_400;
/** Seconds after which a session ends even when it is used. */
export const ABSOLUTE_SECONDS = 30 * 86_400;
/** Bucket of a session: a page sends a dozen requests at once and then few. */
export const SESSION_CAPACITY = 600;
export const SESSION_PER_SECOND = 20;

/**
 * Condition that workspace `w` refuses session `s` of account `u`: it requires a second factor, and neither the session's
 * identity provider answers for one nor, where no provider has said that it asked for one alone, the account has one.
 */
export const LACKS_FACTOR_SQL = sql`(w.requires_second_factor and not coalesce(s.provider_factor, u.second_factor_at is not null))`;

export interface SessionRow {
  id: string;
  user_id: string;
  address: string;
  user_agent: string | null;
  created_at: Date;
  seen_at: Date;
  idle_expires_at: Date;
  expires_at: Date;
}

/** Stores a session by its token's digest. */
export async function insertSession(
  tx: Executor,
  token: string,
  session: { id: string; userId: string; address: string; userAgent: string | null; providerFactor: boolean | null },
): Promise<void> {
  await all(
    tx,
    sql`insert into user_sessions (token_hash, id, user_id, address, user_agent, provider_factor, tokens, idle_expires_at,
                                   expires_at)
        values (${sha256(token)}, ${session.id}, ${session.userId}, ${session.address}, ${session.userAgent},
                ${session.providerFactor}, ${SESSION_CAPACITY}, now() + make_interval(secs => ${IDLE_SECONDS}),
                now() + make_interval(secs => ${ABSOLUTE_SECONDS}))`,
  );
}

/** A session as a request finds it, with the person's permissions in the requested workspace. */
export interface AdmittedRow {
  session_id: string;
  user_id: string;
  email: string;
  name: string;
  is_installation_owner: boolean;
  workspace_id: string | null;
  mode: "SANDBOX" | "LIVE" | null;
  role: string | null;
  /** True when the workspace requires a second factor, which neither the person nor their provider has shown. */
  lacks_factor: boolean;
  granted: boolean;
  tokens: number;
}

/**
 * Checks a session, extends it and draws from its bucket, in one statement that reads everything anew: after a
 * sign-out, a disabled account or a lost role, the next request is refused.
 */
export function admitSession(
  tx: Executor,
  token: string,
  workspaceId: string | null,
): Promise<AdmittedRow | undefined> {
  return first<AdmittedRow>(
    tx,
    sql`with held as materialized (
          select s.token_hash, s.id, s.user_id,
                 least(${SESSION_CAPACITY}, s.tokens
                   + greatest(0, extract(epoch from clock_timestamp() - s.refilled_at)) * ${SESSION_PER_SECOND}) as level
            from user_sessions s
           where s.token_hash = ${sha256(token)} and s.idle_expires_at > now() and s.expires_at > now()
             for update)
        update user_sessions s
           set granted = h.level >= 1, tokens = h.level - (case when h.level >= 1 then 1 else 0 end),
               refilled_at = clock_timestamp(), seen_at = now(),
               idle_expires_at = now() + make_interval(secs => ${IDLE_SECONDS})
          from held h
          join users u on u.id = h.user_id and u.disabled_at is null
          left join workspaces w on w.id = ${workspaceId}::uuid
          left join memberships m on m.workspace_id = w.id and m.user_id = u.id
         where s.token_hash = h.token_hash
        returning s.id as session_id, u.id as user_id, u.email, u.name, u.is_installation_owner, w.id as workspace_id,
                  w.mode, case when u.is_installation_owner and w.id is not null then 'OWNER' else m.role end as role,
                  coalesce(${LACKS_FACTOR_SQL}, false) as lacks_factor, s.granted, s.tokens`,
  );
}

/** Returns those of these sessions that may still view the workspace. */
export async function findLiveSessions(db: Executor, workspaceId: string, sessionIds: string[]): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    db,
    sql`select s.id from user_sessions s join users u on u.id = s.user_id and u.disabled_at is null
          join workspaces w on w.id = ${workspaceId} and not ${LACKS_FACTOR_SQL}
         where s.id = any(${sessionIds}::uuid[]) and s.idle_expires_at > now() and s.expires_at > now()
           and (u.is_installation_owner or exists (
             select 1 from memberships m where m.workspace_id = ${workspaceId} and m.user_id = u.id))`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Role of a session's person in a workspace. */
export interface StandingRow {
  session_id: string;
  workspace_id: string;
  role: string;
  mode: "SANDBOX" | "LIVE";
}

/** Returns the roles of these sessions' people in these workspaces, pair by pair, while session and membership last. */
export function findStandings(
  db: Executor,
  pairs: { workspaceId: string; sessionId: string }[],
): Promise<StandingRow[]> {
  return all<StandingRow>(
    db,
    sql`select s.id as session_id, w.id as workspace_id, w.mode,
               case when u.is_installation_owner then 'OWNER' else m.role end as role
          from unnest(${pairs.map((pair) => pair.workspaceId)}::uuid[], ${pairs.map((pair) => pair.sessionId)}::uuid[])
                 as p(workspace_id, session_id)
          join user_sessions s on s.id = p.session_id and s.idle_expires_at > now() and s.expires_at > now()
          join users u on u.id = s.user_id and u.disabled_at is null
          join workspaces w on w.id = p.workspace_id and not ${LACKS_FACTOR_SQL}
          left join memberships m on m.workspace_id = w.id and m.user_id = u.id
         where u.is_installation_owner or m.role is not null`,
  );
}

/** The live sessions of an account, newest first. */
export function listSessions(tx: Executor, userId: string): Promise<SessionRow[]> {
  return all<SessionRow>(
    tx,
    sql`select * from user_sessions where user_id = ${userId} and idle_expires_at > now() and expires_at > now()
         order by id desc`,
  );
}

/** Ends one session of an account; false when there is none. */
export async function deleteSession(tx: Executor, userId: string, id: string): Promise<boolean> {
  const rows = await all(tx, sql`delete from user_sessions where user_id = ${userId} and id = ${id} returning id`);
  return rows.length > 0;
}

/** Ends the sessions of an account, except the given one. */
export async function deleteSessions(tx: Executor, userId: string, exceptId: string | null): Promise<void> {
  await all(
    tx,
    sql`delete from user_sessions where user_id = ${userId} and (${exceptId}::uuid is null or id <> ${exceptId})`,
  );
}

/**
 * Draws one token from each bucket, and creates missing ones. A bucket with less than one token grants nothing and
 * keeps filling.
 */
export async function drawBuckets(
  tx: Executor,
  buckets: { name: string; capacity: number; perSecond: number }[],
): Promise<{ name: string; granted: boolean; tokens: number }[]> {
  const names = buckets.map((bucket) => bucket.name);
  const capacities = buckets.map((bucket) => bucket.capacity);
  const rates = buckets.map((bucket) => bucket.perSecond);
  await all(
    tx,
    sql`insert into sign_in_buckets (name, tokens)
        select * from unnest(${names}::text[], ${capacities}::float8[]) on conflict do nothing`,
  );
  return all(
    tx,
    sql`with levels as materialized (
          select b.name, least(a.capacity, b.tokens
                   + greatest(0, extract(epoch from clock_timestamp() - b.refilled_at)) * a.rate) as level
            from sign_in_buckets b
            join unnest(${names}::text[], ${capacities}::float8[], ${rates}::float8[]) as a(name, capacity, rate)
              using (name)
           order by b.name for update of b)
        update sign_in_buckets b
           set granted = l.level >= 1, refilled_at = clock_timestamp(),
               tokens = l.level - (case when l.level >= 1 then 1 else 0 end)
          from levels l where l.name = b.name
        returning b.name, b.granted, b.tokens`,
  );
}

/** Refunds the tokens drawn for a right password, so that signing in empties no bucket. */
export async function refundBuckets(tx: Executor, names: string[]): Promise<void> {
  await all(tx, sql`update sign_in_buckets set tokens = tokens + 1 where name = any(${names})`);
}

/** True when an account has a live session from an address. */
export async function hasSessionFrom(tx: Executor, userId: string, address: string): Promise<boolean> {
  const row = await first(
    tx,
    sql`select 1 from user_sessions where user_id = ${userId} and address = ${address} and idle_expires_at > now()
           and expires_at > now() limit 1`,
  );
  return row !== undefined;
}
