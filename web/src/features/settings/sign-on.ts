import type { Role } from "#web/api/session.ts";

/** Role that a group gives in a workspace. */
export interface GroupRole {
  group: string;
  workspaceId: string;
  role: Role;
}

/** A company's identity provider. */
export interface IdentityProvider {
  id: string;
  key: string;
  name: string;
  issuer: string;
  clientId: string;
  /** A mask when one is stored; the secret itself is never shown. */
  clientSecret: string | null;
  scopes: string[];
  domains: string[];
  groupClaim: string;
  externalIdClaim: string;
  createsAccounts: boolean;
  linksByEmail: boolean;
  refusesPasswords: boolean;
  groupRoles: GroupRole[];
  redirectUrl: string;
  signOutUrl: string;
  scimUrl: string;
  updatedAt: string;
}

/** Result of a provider's test. */
export interface ProviderProbe {
  ok: boolean;
  message: string;
  notes: string[];
}

/** A token with which a provider provisions its people. */
export interface ScimToken {
  id: string;
  last4: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export const PROVIDERS_PATH = "/identity-providers";
