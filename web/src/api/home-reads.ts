import { pickWorkspace } from "./first-workspace.ts";
import type { Query } from "./http.ts";
import type { Session } from "./session.ts";

/** One of home's reads. */
export interface HomeRead {
  path: string;
  query?: Query;
  /** True: the days are those of the workspace's time zone. */
  isZoned?: boolean;
  /** Permission that the person's role needs for it. */
  permission?: string;
}

/**
 * Requests that the home page makes when it opens. They are listed here because they are sent before the page has
 * loaded.
 */
export const HOME_READS = {
  overview: { path: "/overview" },
  balance: { path: "/balance", permission: "BALANCE_READ" },
  calls: { path: "/call-history", query: { size: 5 }, permission: "CALL_HISTORY_READ" },
  results: { path: "/results", query: { lastDays: 7 }, isZoned: true, permission: "CALL_HISTORY_READ" },
} satisfies Record<string, HomeRead>;

/** The home page's reads for an address, limited to this person's permissions; none for any other screen's address. */
export function listHomeReads(address: string, session: Session): (HomeRead & { workspaceId: string })[] {
  const id = /^\/w\/([^/]+)\/?$/.exec(address)?.[1];
  const workspace = address === "/" ? pickWorkspace(session) : session.workspaces.find((one) => one.id === id);
  if (!workspace || !session.user || workspace.lacksSecondFactor) return [];
  return Object.values<HomeRead>(HOME_READS)
    .filter(({ permission }) => permission === undefined || workspace.permissions.includes(permission))
    .map((read) => ({ ...inZoneOf(read, workspace), workspaceId: workspace.id }));
}

/** Returns one of home's reads with the days of the workspace's time zone, where it has days. */
export function inZoneOf(read: HomeRead, { timeZone }: { timeZone: string }): HomeRead {
  return read.isZoned ? { ...read, query: { ...read.query, timeZone } } : read;
}
