/** Path prefix of the dashboard's routes of one workspace. */
export const WORKSPACE_PATH = "/api/console/workspaces/{workspaceId}";

/** Permission of every member of a workspace, on top of the permissions that credentials have. */
export const WORKSPACE_READ = "WORKSPACE_READ";
/** Permission of owners: members, credentials, settings, carriers, money. */
export const WORKSPACE_ADMIN = "WORKSPACE_ADMIN";
/** Permission to send a webhook again, held by all but viewers. */
export const DELIVERIES_WRITE = "DELIVERIES_WRITE";
/** Permission of everybody who is signed in, outside of workspaces. */
export const SIGNED_IN = "SIGNED_IN";
/** Permission of the installation's owners, outside of workspaces. */
export const INSTALLATION_OWNER = "INSTALLATION_OWNER";
