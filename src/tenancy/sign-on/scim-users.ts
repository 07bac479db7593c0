import type { Executor } from "#src/platform/db/database.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { isUuid, uuidv7 } from "#src/platform/kernel/id.ts";
import { type Actor, recordAccountAudit, recordAudit } from "#src/tenancy/audit/audit.ts";
import { hashNothing } from "#src/tenancy/users/password.ts";
import { changeEmail, createUser, disableUser, findUserByEmail, renameUser } from "#src/tenancy/users/users.ts";
import { applyGroupRoles } from "./group-roles.ts";
import {
  findVisible,
  type IdentityRow,
  insertIdentity,
  lockByUserName,
  lockIdentity,
  updateIdentity,
} from "./identity-store.ts";
import { isInDomains } from "./person.ts";
import { invalidValue, noResource, taken } from "./scim-fault.ts";
import { dropMember } from "./scim-group-store.ts";
import { emailOf, nameOf, type ScimUser } from "./scim-user.ts";
import type { ProviderRow } from "./store.ts";

/** The provider that provisions, locked for the request, as it appears in the audit log. */
export interface Provisioner {
  provider: ProviderRow;
  actor: Actor;
}

/**
 * Makes the account of a person, or takes up the one that the provider deleted. An e-mail address that has an account
 * belongs to that; only where e-mail addresses link accounts does the provider get it.
 */
export async function provisionUser(tx: Executor, by: Provisioner, user: ScimUser): Promise<IdentityRow> {
  const { provider, actor } = by;
  const email = requireEmail(provider, user);
  const former = await lockByUserName(tx, provider.id, user.userName);
  if (former) {
    if (former.deleted_at === null) throw taken(`userName ${user.userName} is taken.`);
    return changeUser(tx, by, former, user);
  }
  const userId = await findOrCreateAccount(tx, by, { email, user });
  const isNew = await insertIdentity(tx, {
    provider_id: provider.id,
    user_id: userId,
    subject: null,
    external_id: user.externalId,
    user_name: user.userName,
    profile: profileOf(user),
  });
  // The account is known under another user name.
  if (!isNew) throw taken(`${email} is provisioned already.`);
  await recordAudit(tx, { workspaceId: null, actor, action: "user.provisioned", target: email });
  if (!user.active) await setActive(tx, by, await requireUser(tx, provider.id, userId), false);
  return requireUser(tx, provider.id, userId);
}

/**
 * Changes a person to what the provider says. Deactivated, all their sessions end at once, whatever the domains are by
 * now: their account keeps its e-mail address rather than take one that is in none of them.
 */
export async function changeUser(
  tx: Executor,
  by: Provisioner,
  row: IdentityRow,
  user: ScimUser,
): Promise<IdentityRow> {
  const { provider, actor } = by;
  const email = user.active ? requireEmail(provider, user, row.email) : leaverEmail(provider, user, row.email);
  const isSame = await updateIdentity(tx, {
    ...row,
    external_id: user.externalId,
    user_name: user.userName,
    profile: profileOf(user),
    deleted_at: null,
  });
  if (!isSame) throw taken(`userName ${user.userName} is taken.`);
  const isMoved = email.toLowerCase() !== row.email.toLowerCase();
  if (isMoved) await changeEmail(tx, row.user_id, email);
  if (nameOf(user) !== row.name) await renameUser(tx, row.user_id, nameOf(user));
  await setActive(tx, by, { ...row, deleted_at: null }, user.active);
  const event = { actor, action: "user.updated", target: email } as const;
  if (isMoved) await recordAccountAudit(tx, row.user_id, { ...event, details: { formerEmail: row.email } });
  else await recordAudit(tx, { ...event, workspaceId: null });
  return requireUser(tx, provider.id, row.user_id);
}

/** Takes a person away: the account is disabled and stays, with what it did. */
export async function deprovisionUser(tx: Executor, by: Provisioner, row: IdentityRow): Promise<void> {
  const { provider, actor } = by;
  await setActive(tx, by, row, false);
  const latest = (await lockIdentity(tx, provider.id, row.user_id)) ?? row;
  await updateIdentity(tx, { ...latest, deleted_at: now() });
  await dropMember(tx, provider.id, row.user_id);
  await applyGroupRoles(tx, provider.id, row.user_id, actor);
  await recordAudit(tx, { workspaceId: null, actor, action: "user.deprovisioned", target: row.email });
}

/** Returns a person whom the provider may provision; 404 for another's, an owner of the installation, and none. */
export async function requireUser(tx: Executor, providerId: string, id: string): Promise<IdentityRow> {
  const row = isUuid(id) ? await findVisible(tx, providerId, id) : undefined;
  if (!row) throw noResource(id);
  return row;
}

/**
 * Disables the account or enables it again. One that somebody disabled by hand stays so, whatever the provider says:
 * only what the provider disabled, it enables.
 */
async function setActive(tx: Executor, { actor }: Provisioner, row: IdentityRow, isActive: boolean): Promise<void> {
  const isByHand = !isActive && row.disabled_at !== null;
  if (isActive === row.is_active || isByHand) return;
  const latest = (await lockIdentity(tx, row.provider_id, row.user_id)) ?? row;
  await updateIdentity(tx, { ...latest, is_active: isActive });
  if ((latest.disabled_at === null) !== isActive) await disableUser(tx, row.user_id, !isActive, actor);
}

async function findOrCreateAccount(
  tx: Executor,
  { provider }: Provisioner,
  { email, user }: { email: string; user: ScimUser },
): Promise<string> {
  const known = await findUserByEmail(tx, email);
  if (!known) {
    const id = uuidv7();
    await createUser(tx, {
      id,
      email,
      name: nameOf(user),
      passwordHash: hashNothing(),
      isInstallationOwner: false,
    });
    return id;
  }
  if (provider.links_by_email && !known.is_installation_owner) return known.id;
  throw taken(`${email} has an account here that this directory does not own.`);
}

/** Returns the e-mail address that the account is to have. `former` is the one that it has. */
function requireEmail(provider: ProviderRow, user: ScimUser, former?: string): string {
  const email = emailOf(user, former);
  if (email === null) throw invalidValue("The person needs an e-mail address, in emails or as userName.");
  if (isInDomains(provider, email)) return email;
  throw invalidValue(`${email} is in none of the domains that this directory may provision.`);
}

function leaverEmail(provider: ProviderRow, user: ScimUser, former: string): string {
  const email = emailOf(user, former);
  return email !== null && isInDomains(provider, email) ? email : former;
}

function profileOf({ displayName, name, emails }: ScimUser): Record<string, unknown> {
  return { displayName, name, emails };
}
