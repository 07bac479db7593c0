import type { Session, WorkspaceAccess } from "./session.ts";

const REMEMBERED = "parley:workspace";

/** Keeps which workspace was looked at last. */
export function rememberWorkspace(id: string): void {
  localStorage.setItem(REMEMBERED, id);
}

/** Where a person without a choice starts: the workspace looked at last, else their first. */
export function pickWorkspace({ workspaces }: Session): WorkspaceAccess | undefined {
  return workspaces.find(({ id }) => id === localStorage.getItem(REMEMBERED)) ?? workspaces[0];
}
