import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { MadePasskey } from "./webauthn.ts";

export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  name: string;
  transports: string[];
  is_backed_up: boolean;
  regressed_at: Date | null;
  created_at: Date;
  last_used_at: Date | null;
}

/** The passkeys of an account, oldest first. */
export function listPasskeys(tx: Executor, userId: string): Promise<PasskeyRow[]> {
  return all<PasskeyRow>(tx, sql`select * from user_passkeys where user_id = ${userId} order by id`);
}

/** Stores a passkey; undefined when its authenticator registered it before. */
export function insertPasskey(
  tx: Executor,
  passkey: MadePasskey & { id: string; userId: string; name: string; transports: string[] },
): Promise<PasskeyRow | undefined> {
  return first<PasskeyRow>(
    tx,
    sql`insert into user_passkeys (id, user_id, credential_id, public_key, name, transports, is_backed_up, sign_count)
        values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.name},
                ${passkey.transports}, ${passkey.isBackedUp}, ${passkey.signCount})
        on conflict (credential_id) do nothing returning *`,
  );
}

/** The passkey of an authenticator's credential. */
export function findPasskey(tx: Executor, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return first<PasskeyRow>(tx, sql`select * from user_passkeys where credential_id = ${credentialId}`);
}

/**
 * Records a use. The counter of an authenticator that has one grows with each use; one that did not grow is recorded,
 * and returned as true: the passkey may have been copied.
 */
export async function recordUse(
  tx: Executor,
  id: string,
  { signCount, isBackedUp }: { signCount: number; isBackedUp: boolean },
): Promise<boolean> {
  const row = await first<{ has_regressed: boolean }>(
    tx,
    sql`with before as (
          select id, (sign_count > 0 or ${signCount} > 0) and ${signCount} <= sign_count as has_regressed
            from user_passkeys where id = ${id} for update)
        update user_passkeys p
           set sign_count = ${signCount}, is_backed_up = ${isBackedUp}, last_used_at = now(),
               regressed_at = case when b.has_regressed then now() else p.regressed_at end
          from before b where p.id = b.id returning b.has_regressed`,
  );
  return row?.has_regressed ?? false;
}

/** Renames a passkey of an account; undefined when there is none. */
export function setPasskeyName(
  tx: Executor,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | undefined> {
  return first<PasskeyRow>(
    tx,
    sql`update user_passkeys set name = ${name} where user_id = ${userId} and id = ${id} returning *`,
  );
}

/** Deletes a passkey of an account, or all of them (null); returns the deleted ones. */
export function deletePasskeys(tx: Executor, userId: string, id: string | null): Promise<PasskeyRow[]> {
  return all<PasskeyRow>(
    tx,
    sql`delete from user_passkeys where user_id = ${userId} and (${id}::uuid is null or id = ${id}) returning *`,
  );
}
