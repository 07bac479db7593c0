import type { Role } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";

/** A person with a role in the workspace. */
export interface Member {
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** A group of an identity provider gave the role. */
  isByGroup: boolean;
  createdAt: string;
  lastSignedInAt: string | null;
}

/** An invitation that can still be used. */
export interface Invitation {
  id: string;
  role: Role;
  email: string | null;
  name: string | null;
  createdBy: string | null;
  createdAt: string;
  expiresAt: string;
}

/** A link that is shown once. */
export interface GivenLink {
  url: string;
  expiresAt: string;
}

/** An account of the installation. */
export interface Account {
  id: string;
  email: string;
  name: string;
  isInstallationOwner: boolean;
  createdAt: string;
  lastSignedInAt: string | null;
  disabledAt: string | null;
  memberships: { workspaceId: string; workspaceName: string; role: Role }[];
}

export const MEMBERS_PATH = "/members";
export const INVITATIONS_PATH = "/invitations";
export const USERS_PATH = "/users";

/** The roles with a description of their permissions. */
export const ROLES: { value: Role; label: string; may: string }[] = [
  { value: "OWNER", label: t`Owner`, may: t`Everything: people, keys, settings, carriers.` },
  { value: "BUILDER", label: t`Builder`, may: t`Builds flows, tools and knowledge; dials in a sandbox only.` },
  { value: "OPERATOR", label: t`Operator`, may: t`Places calls, runs jobs, answers chats; builds nothing.` },
  { value: "VIEWER", label: t`Viewer`, may: t`Reads everything, changes nothing.` },
];
