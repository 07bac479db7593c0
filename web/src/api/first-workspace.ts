import type { Session, WorkspaceAccess } from "./session.ts";

const REMEMBERED = "parley:workspace";

/** Remembers the workspace that was opened last. */
export function rememberWorkspace(id: string): void {
  localStorage.setItem(REMEMBERED, id);
}

/** Returns the workspace to open by default: the one opened last, else the person's first. */
export function pickWorkspace({ workspaces }: Session): WorkspaceAccess | undefined {
  return workspaces.find(({ id }) => id === localStorage.getItem(REMEMBERED)) ?? workspaces[0];
}
