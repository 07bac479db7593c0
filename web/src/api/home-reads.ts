import { pickWorkspace } from "./first-workspace.ts";
import type { Query } from "./http.ts";
import type { Session } from "./session.ts";

/** One of home's reads. */
export interface HomeRead {
  path: string;
  query?: Query;
  /** What a person's role must have to read it. */
  permission?: string;
}

/** What home reads when it opens; one list, because it is asked for before home has loaded. */
export const HOME_READS = {
  overview: { path: "/overview" },
  balance: { path: "/balance", permission: "BALANCE_READ" },
  calls: { path: "/call-history", query: { size: 5 }, permission: "CALL_HISTORY_READ" },
} satisfies Record<string, HomeRead>;

/** The reads of the home at an address, as far as this person may do them; none at any other screen's address. */
export function listHomeReads(address: string, session: Session): (HomeRead & { workspaceId: string })[] {
  const id = /^\/w\/([^/]+)\/?$/.exec(address)?.[1];
  const workspace = address === "/" ? pickWorkspace(session) : session.workspaces.find((one) => one.id === id);
  if (!workspace || !session.user) return [];
  return Object.values<HomeRead>(HOME_READS)
    .filter(({ permission }) => permission === undefined || workspace.permissions.includes(permission))
    .map((read) => ({ ...read, workspaceId: workspace.id }));
}
