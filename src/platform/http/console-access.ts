/** Below it are the dashboard's routes of one workspace. */
export const WORKSPACE_PATH = "/api/console/workspaces/{workspaceId}";

/** Of every member of a workspace, on top of the permissions that credentials have. */
export const WORKSPACE_READ = "WORKSPACE_READ";
/** Of owners: members, credentials, settings, carriers, money. */
export const WORKSPACE_ADMIN = "WORKSPACE_ADMIN";
/** Sending a webhook again: of all but viewers. */
export const DELIVERIES_WRITE = "DELIVERIES_WRITE";
/** Of everybody who is signed in, outside of workspaces. */
export const SIGNED_IN = "SIGNED_IN";
/** Of those who own the installation, outside of workspaces. */
export const INSTALLATION_OWNER = "INSTALLATION_OWNER";
