import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { FlowUses, getFlowUses } from "./flow-uses.ts";

/** Returns the dashboard's route that tells what a publication of a flow changes for whom. */
export function flowUsesRoute(db: Executor): Route {
  return route({
    audience: "console",
    access: [WORKSPACE_READ],
    tag: "Flows",
    method: "GET",
    path: `${WORKSPACE_PATH}/flows/{flowId}/uses`,
    summary: "List the numbers, jobs, widgets, lead sources and flows that use a flow",
    params: Type.Object({ workspaceId: Uuid, flowId: Uuid }),
    replies: { 200: FlowUses },
    run: ({ caller: { workspaceId }, params: { flowId } }) => getFlowUses(db, workspaceId, flowId),
  });
}
