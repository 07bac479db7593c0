import type { Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { createClient, createKey, type CredentialInfo, getCredential, holdCredential } from "./credentials.ts";
import { endAfter, findCredentialDays } from "./store.ts";

/** The longest time for which a replaced credential goes on beside the new one: 30 days. */
export const MAX_OVERLAP_SECONDS = 2_592_000;

/** A credential that takes the place of another, with its secret, which is shown this once. */
export interface Rotated {
  credential: CredentialInfo;
  /** The former one, which is refused from its `expiresAt` on. */
  former: CredentialInfo;
  apiKey?: string;
  clientId?: string;
  clientSecret?: string;
}

/**
 * Makes a credential with the name, permissions, networks and length of life of another, which is accepted for
 * `overlapSeconds` more, so that programs change over without a refusal. Throws 409 for one that is over.
 */
export async function rotateCredential(
  tx: Executor,
  workspaceId: string,
  id: string,
  overlapSeconds: number,
): Promise<Rotated> {
  const former = await holdCredential(tx, workspaceId, id);
  const isOver = former.expiresAt !== null && Date.parse(former.expiresAt) <= nowMs();
  if (former.revokedAt !== null || isOver) throw new AppError("CONFLICT", "This credential is over. Make a new one.");
  const { name, permissions, allowedAddresses } = former;
  const life = lifeOf(former, await findCredentialDays(tx, workspaceId));
  const common = { name, permissions, allowedAddresses, ...life };
  await endAfter(tx, workspaceId, id, overlapSeconds);
  const made =
    former.kind === "API_KEY"
      ? await createKey(tx, workspaceId, common)
      : await createClient(tx, workspaceId, { ...common, ...lifetimeOf(former) });
  const credential = await getCredential(tx, workspaceId, "keyId" in made ? made.keyId : made.credentialId);
  const ended = await getCredential(tx, workspaceId, id);
  if ("keyId" in made) return { credential, former: ended, apiKey: made.apiKey };
  return { credential, former: ended, clientId: made.clientId, clientSecret: made.clientSecret };
}

/** Returns the whole life of a credential; none where it has no end, or is longer than the workspace allows by now. */
function lifeOf({ createdAt, expiresAt }: CredentialInfo, days: number | null): { expiresInSeconds?: number } {
  if (expiresAt === null) return {};
  const seconds = Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000));
  return days !== null && seconds > days * 86_400 ? {} : { expiresInSeconds: seconds };
}

function lifetimeOf({ tokenLifetimeSeconds }: CredentialInfo): { tokenLifetimeSeconds?: number } {
  return tokenLifetimeSeconds === null ? {} : { tokenLifetimeSeconds };
}
