import { createContext, type ReactNode, useContext } from "react";
import type { WorkspaceAccess } from "./session.ts";

const WorkspaceContext = createContext<WorkspaceAccess | null>(null);

/** Gives the screens below the workspace that they show. */
export function WorkspaceProvider({ workspace, children }: { workspace: WorkspaceAccess; children: ReactNode }) {
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

/** The workspace that the address names. */
export function useWorkspace(): WorkspaceAccess {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error("This screen belongs to a workspace.");
  return workspace;
}

/** True when the person's role has the permission; the server decides anyway, this only hides what it would refuse. */
export function useMay(permission: string): boolean {
  return useWorkspace().permissions.includes(permission);
}
