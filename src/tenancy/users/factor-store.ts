import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import type { UserRow } from "./store.ts";

/** Returns an account, locked until the transaction ends: other changes of its factors wait. */
export function lockUser(tx: Executor, id: string): Promise<UserRow | undefined> {
  return first<UserRow>(tx, sql`select * from users where id = ${id} for no key update`);
}

/**
 * Stores since when an account has a second factor, or that it has none any more; returns the time, and whether there
 * was one before.
 */
export async function refreshFactor(tx: Executor, userId: string): Promise<{ has: boolean; had: boolean }> {
  const row = await first<{ has: boolean; had: boolean }>(
    tx,
    sql`with before as (select id, second_factor_at is not null as had from users where id = ${userId})
        update users u
           set second_factor_at = case
                 when exists (select 1 from user_passkeys where user_id = u.id)
                   or exists (select 1 from user_totp where user_id = u.id and confirmed_at is not null)
                 then coalesce(u.second_factor_at, now()) end
          from before b where u.id = b.id returning u.second_factor_at is not null as has, b.had`,
  );
  return row ?? { has: false, had: false };
}

export interface TotpRow {
  user_id: string;
  secret: Buffer;
  confirmed_at: Date | null;
}

/** Stores a new secret that no code has confirmed yet, in place of such a one; false when a confirmed one exists. */
export async function putTotp(tx: Executor, userId: string, secret: Buffer): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into user_totp as t (user_id, secret) values (${userId}, ${secret})
        on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
         where t.confirmed_at is null returning user_id`,
  );
  return rows.length > 0;
}

/** The secret of an account. */
export function findTotp(tx: Executor, userId: string): Promise<TotpRow | undefined> {
  return first<TotpRow>(tx, sql`select * from user_totp where user_id = ${userId}`);
}

/** Uses a code's time step up; false when it or a later one was used. Of two uses at once, one waits and is refused. */
export async function useStep(tx: Executor, userId: string, step: number): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update user_totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
         where user_id = ${userId} and last_step < ${step} returning user_id`,
  );
  return rows.length > 0;
}

/** Deletes the secret of an account; false when there is none. */
export async function deleteTotp(tx: Executor, userId: string): Promise<boolean> {
  return (await all(tx, sql`delete from user_totp where user_id = ${userId} returning user_id`)).length > 0;
}

/** Replaces the recovery codes of an account by those with these digests. */
export async function replaceRecoveryCodes(tx: Executor, userId: string, hashes: Buffer[]): Promise<void> {
  await all(tx, sql`delete from user_recovery_codes where user_id = ${userId}`);
  if (hashes.length === 0) return;
  await all(
    tx,
    sql`insert into user_recovery_codes (user_id, code_hash) select ${userId}, h from unnest(${hashes}::bytea[]) as u(h)`,
  );
}

/** Uses a recovery code up; false when it is used or unknown. */
export async function useRecoveryCode(tx: Executor, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update user_recovery_codes set used_at = now()
         where user_id = ${userId} and code_hash = ${hash} and used_at is null returning user_id`,
  );
  return rows.length > 0;
}

/** Returns how many recovery codes of an account can be used. */
export async function countRecoveryCodes(tx: Executor, userId: string): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*)::int as count from user_recovery_codes where user_id = ${userId} and used_at is null`,
  );
  return row?.count ?? 0;
}

/** Records that the person of a session showed again who they are. */
export async function markConfirmed(tx: Executor, sessionId: string): Promise<void> {
  await all(tx, sql`update user_sessions set confirmed_at = now() where id = ${sessionId}`);
}

/** Records that the person of a session showed a second factor of theirs, where the provider asked for one alone. */
export async function markFactorShown(tx: Executor, sessionId: string): Promise<void> {
  await all(tx, sql`update user_sessions set provider_factor = null where id = ${sessionId} and not provider_factor`);
}

/** True for a session that an identity provider opened by one factor alone, and in which none was shown since. */
export async function awaitsFactor(tx: Executor, sessionId: string): Promise<boolean> {
  return (
    (await first(tx, sql`select 1 from user_sessions where id = ${sessionId} and not provider_factor`)) !== undefined
  );
}

/**
 * True when the person of a session signed in, or showed again who they are, within some seconds. A provider's sign-in
 * by one factor alone does not count for an account that has a second one.
 */
export async function isConfirmed(tx: Executor, sessionId: string, seconds: number): Promise<boolean> {
  const row = await first(
    tx,
    sql`select 1 from user_sessions s join users u on u.id = s.user_id
         where s.id = ${sessionId} and now() - make_interval(secs => ${seconds}) < coalesce(
               s.confirmed_at,
               case when coalesce(s.provider_factor, true) or u.second_factor_at is null then s.created_at end)`,
  );
  return row !== undefined;
}

/** Kinds of steps of a sign-in. */
export type StepKind = "SECOND_FACTOR" | "PASSKEY_SIGN_IN" | "PASSKEY_NEW" | "PASSKEY_CONFIRM";

export interface StepRow {
  user_id: string | null;
  challenge: string | null;
}

/** Stores a step for whoever has the holder's token, or the session's id, in place of an earlier one of its kind. */
export async function putStep(
  tx: Executor,
  kind: StepKind,
  holder: string,
  step: { userId: string | null; challenge: string | null; seconds: number },
): Promise<void> {
  await all(
    tx,
    sql`insert into sign_in_steps (holder_hash, user_id, challenge, expires_at)
        values (${hashOf(kind, holder)}, ${step.userId}, ${step.challenge}, now() + make_interval(secs => ${step.seconds}))
        on conflict (holder_hash) do update
          set user_id = excluded.user_id, challenge = excluded.challenge, expires_at = excluded.expires_at`,
  );
}

/** A step that is not over. */
export function findStep(tx: Executor, kind: StepKind, holder: string): Promise<StepRow | undefined> {
  return first<StepRow>(
    tx,
    sql`select * from sign_in_steps where holder_hash = ${hashOf(kind, holder)} and expires_at > now()`,
  );
}

/** Uses a step up. Of two uses at once, one waits and finds none. */
export function takeStep(tx: Executor, kind: StepKind, holder: string): Promise<StepRow | undefined> {
  return first<StepRow>(
    tx,
    sql`delete from sign_in_steps where holder_hash = ${hashOf(kind, holder)} and expires_at > now() returning *`,
  );
}

function hashOf(kind: StepKind, holder: string): Buffer {
  return sha256(`${kind}|${holder}`);
}
