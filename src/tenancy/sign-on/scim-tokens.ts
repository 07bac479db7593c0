import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";
import { requireProvider } from "./identity-providers.ts";
import { deleteScimToken, insertScimToken, listScimTokens, type ScimTokenRow } from "./scim-token-store.ts";

/** A token with which a provider provisions its people; never its text. */
export const ScimToken = Type.Object(
  { id: Uuid, last4: Type.String(), createdAt: Timestamp, lastUsedAt: nullable(Timestamp) },
  { $id: "ScimToken" },
);
export type ScimToken = Static<typeof ScimToken>;

/** The tokens of a provider, newest first. */
export async function getScimTokens(tx: Executor, providerId: string): Promise<ScimToken[]> {
  await requireProvider(tx, providerId);
  return (await listScimTokens(tx, providerId)).map(show);
}

/** Makes a token of a provider. It is only in the answer; the database stores its digest. */
export async function createScimToken(
  tx: Executor,
  providerId: string,
  actor: Actor,
): Promise<ScimToken & { token: string }> {
  const { key } = await requireProvider(tx, providerId);
  const token = `svc_scim_${randomText(43)}`;
  const row = await insertScimToken(tx, token, { id: uuidv7(), providerId });
  const details = { tokenId: row.id, last4: row.last4 };
  await recordAudit(tx, { workspaceId: null, actor, action: "scim_token.created", target: key, details });
  return { ...show(row), token };
}

/** Revokes a token: its next request is refused. */
export async function revokeScimToken(tx: Executor, id: string, actor: Actor): Promise<void> {
  const row = await deleteScimToken(tx, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such token.");
  const { key } = await requireProvider(tx, row.provider_id);
  const details = { tokenId: id, last4: row.last4 };
  await recordAudit(tx, { workspaceId: null, actor, action: "scim_token.revoked", target: key, details });
}

function show(row: ScimTokenRow): ScimToken {
  return {
    id: row.id,
    last4: row.last4,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
