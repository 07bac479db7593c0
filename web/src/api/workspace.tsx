import { createContext, type ReactNode, useContext } from "react";
import type { WorkspaceAccess } from "./session.ts";

const WorkspaceContext = createContext<WorkspaceAccess | null>(null);

/** Provides the workspace to the screens below. */
export function WorkspaceProvider({ workspace, children }: { workspace: WorkspaceAccess; children: ReactNode }) {
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

/** The workspace in the address. */
export function useWorkspace(): WorkspaceAccess {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error("This screen belongs to a workspace.");
  return workspace;
}

/** True when the person's role has the permission. This only hides actions; the server decides. */
export function useMay(permission: string): boolean {
  return useWorkspace().permissions.includes(permission);
}
