import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_PATH } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import type { ToolRunParts } from "./tool-run-parts.ts";
import { ToolTrial, ToolTrialInput, tryTool } from "./try-tool.ts";

/** Routes for trying a tool from the dashboard. */
export function toolTrialRoutes(db: Executor, parts: ToolRunParts): Route[] {
  return [
    route({
      audience: "console",
      access: ["TOOLS_WRITE"],
      tag: "Tools",
      method: "POST",
      path: `${WORKSPACE_PATH}/tools/{toolId}/run`,
      summary: "Run a tool once and see what was sent and answered",
      params: Type.Object({ workspaceId: Uuid, toolId: Uuid }),
      body: ToolTrialInput,
      replies: { 200: ToolTrial },
      run: ({ caller, params: { toolId }, body }) => tryTool(db, parts, caller.workspaceId, toolId, body),
    }),
  ];
}
