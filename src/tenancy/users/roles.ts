import { DELIVERIES_WRITE, WORKSPACE_ADMIN, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { PERMISSIONS } from "#src/tenancy/auth/permissions.ts";
import type { WorkspaceMode } from "#src/tenancy/workspaces/workspaces.ts";

/** Roles of a person in a workspace. */
export const ROLES = ["OWNER", "BUILDER", "OPERATOR", "VIEWER"] as const;
export type Role = (typeof ROLES)[number];

const READS = PERMISSIONS.filter((name) => name.endsWith("_READ"));
const DIALS = ["CALL_JOBS_WRITE", "OUTBOUND_CALLS_TRIGGER", "OUTBOUND_CHATS_TRIGGER"];
const BUILDS = [
  "FLOWS_WRITE",
  "AGENTS_WRITE",
  "TOOLS_WRITE",
  "STRUCTURED_OUTPUTS_WRITE",
  "DATA_STORES_WRITE",
  "TRANSCRIPTIONS_WRITE",
];

/**
 * Returns the permissions of a role. A builder tries things out: in a SANDBOX workspace, where no call can leave, a
 * builder also dials and sets up numbers; in a LIVE one only operators and owners do.
 */
export function permissionsOf(role: Role, mode: WorkspaceMode): ReadonlySet<string> {
  switch (role) {
    case "OWNER":
      return new Set([...PERMISSIONS, WORKSPACE_READ, WORKSPACE_ADMIN, DELIVERIES_WRITE]);
    case "BUILDER":
      return new Set([
        ...READS,
        ...BUILDS,
        WORKSPACE_READ,
        DELIVERIES_WRITE,
        ...(mode === "SANDBOX" ? [...DIALS, "PHONE_NUMBERS_WRITE"] : []),
      ]);
    case "OPERATOR":
      return new Set([...READS, ...DIALS, WORKSPACE_READ, DELIVERIES_WRITE]);
    case "VIEWER":
      return new Set([...READS, WORKSPACE_READ]);
  }
}
