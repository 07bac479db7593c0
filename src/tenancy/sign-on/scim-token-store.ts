import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";

export interface ScimTokenRow {
  id: string;
  provider_id: string;
  last4: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** Stores a token by its digest. */
export async function insertScimToken(
  tx: Executor,
  token: string,
  { id, providerId }: { id: string; providerId: string },
): Promise<ScimTokenRow> {
  const rows = await all<ScimTokenRow>(
    tx,
    sql`insert into scim_tokens (token_hash, id, provider_id, last4)
        values (${sha256(token)}, ${id}, ${providerId}, ${token.slice(-4)})
        returning id, provider_id, last4, created_at, last_used_at`,
  );
  return rows[0] as ScimTokenRow;
}

/** The tokens of a provider, newest first. */
export function listScimTokens(tx: Executor, providerId: string): Promise<ScimTokenRow[]> {
  return all<ScimTokenRow>(
    tx,
    sql`select id, provider_id, last4, created_at, last_used_at from scim_tokens where provider_id = ${providerId}
         order by id desc`,
  );
}

/** Revokes a token; undefined when there is none. */
export function deleteScimToken(tx: Executor, id: string): Promise<ScimTokenRow | undefined> {
  return first<ScimTokenRow>(
    tx,
    sql`delete from scim_tokens where id = ${id} returning id, provider_id, last4, created_at, last_used_at`,
  );
}

/** Returns the provider of a token, and notes its use once a minute. */
export async function useScimToken(
  tx: Executor,
  token: string,
): Promise<{ provider_id: string; key: string } | undefined> {
  const row = await first<{ provider_id: string; key: string; is_old: boolean }>(
    tx,
    sql`select t.provider_id, p.key, coalesce(t.last_used_at < now() - interval '1 minute', true) as is_old
          from scim_tokens t join identity_providers p on p.id = t.provider_id where t.token_hash = ${sha256(token)}`,
  );
  if (row?.is_old) await all(tx, sql`update scim_tokens set last_used_at = now() where token_hash = ${sha256(token)}`);
  return row;
}
