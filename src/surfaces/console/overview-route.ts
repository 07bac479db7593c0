import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { getOverview, Overview } from "./overview.ts";

/** Returns the route of the first page's figures. */
export function overviewRoute(db: Executor): Route {
  return route({
    audience: "console",
    access: [WORKSPACE_READ],
    tag: "Workspaces",
    method: "GET",
    path: `${WORKSPACE_PATH}/overview`,
    summary: "How the workspace is doing, and what was done to set it up",
    params: Type.Object({ workspaceId: Uuid }),
    replies: { 200: Overview },
    run: ({ caller }) => getOverview(db, caller.workspaceId),
  });
}
