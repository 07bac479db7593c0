import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { AiOriginHeaders, readAiOrigin } from "./ai-origin.ts";
import { IfMatchHeader, readIfMatch } from "./if-match.ts";
import { ToolDefinitionInput } from "./tool-fields.ts";
import { toolTaskRoutes } from "./tool-task-routes.ts";
import { changeTool, createTool, getTool, getTools, removeTool, ToolDefinition, type ToolParts } from "./tools.ts";

const PATH = "/api/external/v1/tools";
const READ = ["TOOLS_READ"];
const WRITE = ["TOOLS_WRITE"];
const common = { audience: "external", tag: "Tools" } as const;
const params = Type.Object({ toolId: Uuid });
const ToolChangeHeaders = Type.Object({ ...AiOriginHeaders.properties, ...IfMatchHeader });

/** Custom tools and their async tasks. */
export function toolRoutes(database: Database, parts: ToolParts & { publicUrl: string }): Route[] {
  return [
    ...readRoutes(database, parts),
    ...writeRoutes(database, parts),
    ...toolTaskRoutes(database, parts.publicUrl),
  ];
}

function readRoutes({ db }: Database, parts: ToolParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the workspace's tools and the system tools",
      replies: { 200: Type.Array(ToolDefinition) },
      run: ({ caller }) => getTools(db, parts, caller.workspaceId),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{toolId}`,
      access: READ,
      summary: "Read a tool",
      params,
      replies: { 200: ToolDefinition },
      run: ({ caller, params: { toolId } }) => getTool(db, parts, caller.workspaceId, toolId),
    }),
  ];
}

function writeRoutes({ db }: Database, parts: ToolParts): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a tool",
      description:
        "Required: name, description, toolType; apiUrl and apiMethod for API, apiUrl for MCP, forwardCallConfig.destination for FORWARD_CALL, executionPlan for CODE.",
      idempotent: true,
      headers: AiOriginHeaders,
      body: ToolDefinitionInput,
      replies: { 201: ToolDefinition },
      run: ({ caller, tx, headers, body }) => createTool(tx, parts, caller.workspaceId, body, readAiOrigin(headers)),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{toolId}`,
      access: WRITE,
      summary: "Change a tool; sent fields are merged",
      description:
        "Each sent field replaces the stored one as a whole; null clears an optional one. System tools cannot be changed.",
      params,
      headers: ToolChangeHeaders,
      body: ToolDefinitionInput,
      replies: { 200: ToolDefinition },
      run: ({ caller, headers, params: { toolId }, body }) => {
        const change = { body, origin: readAiOrigin(headers), ifVersion: readIfMatch(headers) };
        return db.transaction().execute((tx) => changeTool(tx, parts, caller.workspaceId, toolId, change));
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{toolId}`,
      access: WRITE,
      summary: "Delete a tool for good",
      params,
      replies: { 204: null },
      run: ({ caller, params: { toolId } }) => removeTool(db, caller.workspaceId, toolId),
    }),
  ];
}
