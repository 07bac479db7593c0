import type { Executor } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { checkUrlField } from "#src/platform/http/outbound-guard.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";
import { removeMember } from "#src/tenancy/users/members.ts";
import { WorkspaceRole } from "#src/tenancy/users/users.ts";
import { applyToEverybody } from "./group-roles.ts";
import { listGivenWorkspaces, listUserIds, lockIdentity } from "./identity-store.ts";
import { isInDomains } from "./person.ts";
import {
  deleteProvider,
  findMissingWorkspaces,
  findProvider,
  findProviderByKey,
  insertProvider,
  listGroupRoles,
  listProviders,
  lockProvider,
  type ProviderRow,
  replaceGroupRoles,
  updateProvider,
} from "./store.ts";

const DOMAIN = "^[a-z0-9-]+(\\.[a-z0-9-]+)+$";
const Claim = Type.String({ minLength: 1, maxLength: 200, pattern: "^\\S+$" });

const GroupRole = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 300, description: "As the provider sends it: a name or an id." }),
    workspaceId: Uuid,
    role: WorkspaceRole,
  },
  { $id: "GroupRole" },
);

const settings = {
  name: Type.String({ minLength: 1, maxLength: 60, pattern: "\\S", description: "Stands on the sign-in page." }),
  clientId: Type.String({ minLength: 1, maxLength: 300, pattern: "^[\\x21-\\x7e]+$" }),
  clientSecret: nullable(Type.String({ minLength: 1, maxLength: 1_000, description: `${MASK} when one is stored.` })),
  scopes: Type.Array(Type.String({ pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$" }), {
    maxItems: 20,
    description: "Asked for besides openid, email and profile.",
  }),
  domains: Type.Array(Type.String({ maxLength: 253, pattern: DOMAIN }), {
    maxItems: 100,
    description: "E-mail domains of its people, in lower case. Only these get accounts.",
  }),
  groupClaim: Claim,
  externalIdClaim: Type.Unsafe<string>({ ...Claim, description: "Claim with the value of SCIM's externalId." }),
  createsAccounts: Type.Boolean({ description: "Makes an account at somebody's first sign-in." }),
  linksByEmail: Type.Boolean({ description: "A verified e-mail address opens the account that has it already." }),
  refusesPasswords: Type.Boolean({ description: "People of the domains cannot sign in with a password." }),
  groupRoles: Type.Array(GroupRole, { maxItems: 1_000, description: "Roles that groups give." }),
};

/** A company's identity provider, as owners of the installation see it. */
export const IdentityProvider = Type.Object(
  {
    id: Uuid,
    key: Type.String({ description: "Its name in addresses; fixed." }),
    issuer: Type.String({ description: "Fixed: people are known by issuer and subject." }),
    ...settings,
    redirectUrl: Type.String({ description: "To enter at the provider." }),
    signOutUrl: Type.String({ description: "To enter at the provider as the address after signing out." }),
    scimUrl: Type.String({ description: "Base address of SCIM 2.0, to enter at the provider." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "IdentityProvider" },
);
export type IdentityProvider = Static<typeof IdentityProvider>;

/** Settings that a request changes; absent ones stay. */
export const IdentityProviderChange = Type.Object(
  {
    name: Type.Optional(settings.name),
    clientId: Type.Optional(settings.clientId),
    clientSecret: Type.Optional(settings.clientSecret),
    scopes: Type.Optional(settings.scopes),
    domains: Type.Optional(settings.domains),
    groupClaim: Type.Optional(settings.groupClaim),
    externalIdClaim: Type.Optional(settings.externalIdClaim),
    createsAccounts: Type.Optional(settings.createsAccounts),
    linksByEmail: Type.Optional(settings.linksByEmail),
    refusesPasswords: Type.Optional(settings.refusesPasswords),
    groupRoles: Type.Optional(settings.groupRoles),
  },
  { $id: "IdentityProviderChange" },
);
export type IdentityProviderChange = Static<typeof IdentityProviderChange>;

/** A new provider. */
export const IdentityProviderInput = Type.Object(
  {
    ...IdentityProviderChange.properties,
    key: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$", description: "Small letters, digits and hyphens." }),
    name: settings.name,
    issuer: Type.String({ minLength: 1, maxLength: 1_000 }),
    clientId: settings.clientId,
  },
  { $id: "IdentityProviderInput" },
);
export type IdentityProviderInput = Static<typeof IdentityProviderInput>;

/** Dependencies for checking, sealing and showing providers. */
export interface ProviderParts {
  guard: OutboundGuard;
  box: SecretBox;
  publicUrl: string;
}

/** All providers, oldest first. */
export async function getProviders(tx: Executor, publicUrl: string): Promise<IdentityProvider[]> {
  const rows = await listProviders(tx);
  return Promise.all(rows.map((row) => show(tx, publicUrl, row)));
}

/** The names of the providers, for the sign-in page. */
export async function getProviderNames(tx: Executor): Promise<{ key: string; name: string }[]> {
  return (await listProviders(tx)).map(({ key, name }) => ({ key, name }));
}

/** Stores a new provider. Nothing is sent to it. */
export async function createProvider(
  tx: Executor,
  { guard, box, publicUrl }: ProviderParts,
  input: IdentityProviderInput,
  actor: Actor,
): Promise<IdentityProvider> {
  assertIssuer(guard, input.issuer);
  const blank: ProviderRow = {
    id: uuidv7(),
    key: input.key,
    name: input.name,
    issuer: input.issuer,
    client_id: input.clientId,
    client_secret: null,
    scopes: [],
    domains: [],
    group_claim: "groups",
    external_id_claim: "sub",
    creates_accounts: false,
    links_by_email: false,
    refuses_passwords: false,
    created_at: now(),
    updated_at: now(),
  };
  const row = merge(box, blank, input);
  await assertStaysIn(tx, blank, row, actor);
  if (!(await insertProvider(tx, row))) throw fieldError("key", "TAKEN", "is taken by another provider.");
  if (input.groupRoles) await storeGroupRoles(tx, row.id, input.groupRoles);
  const details = { issuer: row.issuer };
  await recordAudit(tx, { workspaceId: null, actor, action: "identity_provider.created", target: row.key, details });
  return show(tx, publicUrl, await requireProvider(tx, row.id));
}

/** Changes the sent settings. A changed mapping applies to everybody at once. */
export async function changeProvider(
  tx: Executor,
  { box, publicUrl }: ProviderParts,
  id: string,
  { ifUpdatedAt, ...input }: IdentityProviderChange & { ifUpdatedAt?: string },
  actor: Actor,
): Promise<IdentityProvider> {
  const before = await lockProvider(tx, id);
  if (!before) throw noProvider();
  assertUnchanged(before.updated_at, ifUpdatedAt);
  const changed = merge(box, before, input);
  await assertStaysIn(tx, before, changed, actor);
  await updateProvider(tx, changed);
  const details = { fields: Object.keys(input) };
  await recordAudit(tx, { workspaceId: null, actor, action: "identity_provider.changed", target: before.key, details });
  if (input.groupRoles) {
    await storeGroupRoles(tx, id, input.groupRoles);
    await applyToEverybody(tx, id, actor);
  }
  return show(tx, publicUrl, await requireProvider(tx, id));
}

/** Lets people of a provider's domains sign in with passwords again, or forbids it, for the operator. */
export async function setPasswords(tx: Executor, key: string, isAllowed: boolean, actor: Actor): Promise<void> {
  const row = await requireProviderByKey(tx, key);
  await updateProvider(tx, { ...row, refuses_passwords: !isAllowed });
  const action = isAllowed ? "identity_provider.passwords_allowed" : "identity_provider.passwords_refused";
  await recordAudit(tx, { workspaceId: null, actor, action, target: key });
}

/**
 * Deletes a provider: the sessions that it opened end, and the roles that its groups gave. Accounts and roles given by
 * hand stay.
 */
export async function removeProvider(tx: Executor, id: string, actor: Actor): Promise<void> {
  const row = await lockProvider(tx, id);
  if (!row) throw noProvider();
  for (const userId of await listUserIds(tx, id)) {
    for (const workspaceId of await listGivenWorkspaces(tx, id, userId))
      await removeMember(tx, workspaceId, userId, actor);
  }
  await deleteProvider(tx, id);
  await recordAudit(tx, { workspaceId: null, actor, action: "identity_provider.deleted", target: row.key });
}

/** The row of a provider; 404 when there is none. */
export async function requireProvider(tx: Executor, id: string): Promise<ProviderRow> {
  const row = await findProvider(tx, id);
  if (!row) throw noProvider();
  return row;
}

/** The row of the provider with a key; 404 when there is none. */
export async function requireProviderByKey(tx: Executor, key: string): Promise<ProviderRow> {
  const row = await findProviderByKey(tx, key);
  if (!row) throw noProvider();
  return row;
}

/** Returns the address to which a provider sends its answers. Each has its own, so none can answer for another. */
export function redirectUrlOf(publicUrl: string, key: string): string {
  return `${publicUrl}/api/sign-on/${key}/callback`;
}

/** Returns the address that a provider opens after it signed somebody out. */
export function afterSignOutUrlOf(publicUrl: string): string {
  return `${publicUrl}/sign-in`;
}

/** Returns the client secret of a provider; undefined for a client without one. */
export function openClientSecret(box: SecretBox, row: ProviderRow): string | undefined {
  return row.client_secret === null ? undefined : box.open(row.client_secret, secretPlace(row.id));
}

/** Client secrets of identity providers, as they are stored. */
export const SEALED_PROVIDERS: SealedColumn = {
  what: "identity providers",
  table: "identity_providers",
  key: { id: "uuid" },
  read: "client_secret",
  write: (parameter) => `client_secret = ${parameter}`,
  place: ({ id = "" }) => secretPlace(id),
};

function secretPlace(id: string): string {
  return `identity_providers|client_secret|${id}`;
}

function noProvider(): AppError {
  return new AppError("NOT_FOUND", "There is no such identity provider.");
}

/** Plain http is for a provider on this machine. Whether the machine may be asked at all, the guard decides. */
function assertIssuer(guard: OutboundGuard, issuer: string): void {
  checkUrlField(guard, "issuer", "NOT_ALLOWED", issuer);
  const url = new URL(issuer);
  if (url.protocol !== "https:" && !isOnThisMachine(url)) throw fieldError("issuer", "FORMAT", "must be an https URL.");
  if (url.search !== "" || url.hash !== "") throw fieldError("issuer", "FORMAT", "must have no query and no fragment.");
}

/** True for an address of this machine, where plain http cannot be read on the way. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function merge(box: SecretBox, row: ProviderRow, input: IdentityProviderChange): ProviderRow {
  const { clientSecret: secret = MASK } = input;
  const merged: ProviderRow = {
    ...row,
    name: input.name ?? row.name,
    client_id: input.clientId ?? row.client_id,
    scopes: input.scopes ?? row.scopes,
    domains: input.domains ?? row.domains,
    group_claim: input.groupClaim ?? row.group_claim,
    external_id_claim: input.externalIdClaim ?? row.external_id_claim,
    creates_accounts: input.createsAccounts ?? row.creates_accounts,
    links_by_email: input.linksByEmail ?? row.links_by_email,
    refuses_passwords: input.refusesPasswords ?? row.refuses_passwords,
  };
  if (secret === null) merged.client_secret = null;
  else if (secret !== MASK) merged.client_secret = box.seal(secret, secretPlace(row.id));
  const needsDomains = merged.creates_accounts || merged.links_by_email || merged.refuses_passwords;
  if (needsDomains && merged.domains.length === 0)
    throw fieldError("domains", "REQUIRED", "must name the e-mail domains to which these settings apply.");
  return merged;
}

/** Throws a 422 when a person would turn off the password by which alone they sign in. */
async function assertStaysIn(tx: Executor, before: ProviderRow, after: ProviderRow, actor: Actor): Promise<void> {
  const isOff = after.refuses_passwords && !before.refuses_passwords && isInDomains(after, actor.name);
  if (!isOff || actor.userId === null || (await lockIdentity(tx, after.id, actor.userId))?.subject) return;
  const message = "would shut you out: sign in with this provider yourself first.";
  throw fieldError("refusesPasswords", "OWN_ACCOUNT", message);
}

async function storeGroupRoles(tx: Executor, providerId: string, roles: Static<typeof GroupRole>[]): Promise<void> {
  const [missing] = await findMissingWorkspaces(
    tx,
    roles.map(({ workspaceId }) => workspaceId),
  );
  if (missing !== undefined) throw fieldError("groupRoles", "NOT_FOUND", `names no workspace: ${missing}.`);
  const pairs = new Set(roles.map(({ group, workspaceId }) => `${workspaceId.toLowerCase()} ${group}`));
  if (pairs.size < roles.length) throw fieldError("groupRoles", "TWICE", "names a group twice for one workspace.");
  await replaceGroupRoles(tx, providerId, roles);
}

async function show(tx: Executor, publicUrl: string, row: ProviderRow): Promise<IdentityProvider> {
  const roles = await listGroupRoles(tx, row.id);
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: row.client_secret === null ? null : MASK,
    scopes: row.scopes,
    domains: row.domains,
    groupClaim: row.group_claim,
    externalIdClaim: row.external_id_claim,
    createsAccounts: row.creates_accounts,
    linksByEmail: row.links_by_email,
    refusesPasswords: row.refuses_passwords,
    groupRoles: roles.map((one) => ({ group: one.group_name, workspaceId: one.workspace_id, role: one.role })),
    redirectUrl: redirectUrlOf(publicUrl, row.key),
    signOutUrl: afterSignOutUrlOf(publicUrl),
    scimUrl: `${publicUrl}/scim/v2`,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
