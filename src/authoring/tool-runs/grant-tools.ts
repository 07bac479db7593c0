import { type OpenTool, openTools } from "#src/authoring/tools/open-tools.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { LoadedTool } from "./loaded-tool.ts";
import type { McpSource } from "./mcp-source.ts";
import { toGrant } from "./offer.ts";
import type { ToolRunParts } from "./tool-run-parts.ts";

/** Depth to which the steps of tools may lead to other tools. */
export const MAX_DEPTH = 4;

/** Dependencies for granting tools. */
export type GrantParts = Pick<ToolRunParts, "box" | "log"> & { mcp: Pick<McpSource, "inputSchema"> };

/**
 * Returns the workspace's own tools among `toolIds`, the more important first, and the tools that their steps lead to,
 * which are not offered. Ids that name no such tool are left out.
 */
export async function grantTools(
  db: Executor,
  parts: GrantParts,
  workspaceId: string,
  toolIds: readonly string[],
  { language }: { language: string },
): Promise<LoadedTool[]> {
  const granted = new Set(toolIds.map((id) => id.toLowerCase()));
  const found = await openReachable(db, parts, workspaceId, [...granted]);
  const names = new Set<string>();
  const loaded: LoadedTool[] = [];
  for (const tool of found.sort((a, b) => priorityOf(b) - priorityOf(a))) {
    const isOffered = granted.has(tool.id) && tool.fields.internalOnly !== true;
    const name = isOffered ? takeName(names, tool.fields.name) : tool.fields.name;
    loaded.push(toLoaded(tool, isOffered, name, language));
  }
  await Promise.all(
    loaded.filter((tool) => tool.isOffered).map((tool) => askServer(parts, workspaceId, tool, language)),
  );
  return loaded;
}

async function openReachable(
  db: Executor,
  { box, log }: GrantParts,
  workspaceId: string,
  ids: string[],
): Promise<OpenTool[]> {
  const known = new Map<string, OpenTool>();
  let wanted = ids;
  for (let depth = 0; depth <= MAX_DEPTH && wanted.length > 0; depth++) {
    const opened = await openTools(db, box, workspaceId, wanted, (toolId) =>
      log.error("The sealed fields of a tool cannot be read, so it is left out.", { workspaceId, toolId }),
    );
    for (const tool of opened) known.set(tool.id, tool);
    const next = opened.flatMap(({ fields }) =>
      (fields.executionPlan ?? []).map(({ toolId }) => toolId?.toLowerCase()),
    );
    wanted = next.filter((id) => id !== undefined).filter((id) => !known.has(id));
  }
  return [...known.values()];
}

function priorityOf({ fields }: OpenTool): number {
  return fields.aimetaHint?.priority ?? 0;
}

/** Makes a name unique: a workspace may have several tools of one name, but the model needs distinct names. */
function takeName(names: Set<string>, name: string): string {
  let free = name;
  for (let i = 2; names.has(free); i++) free = `${name.slice(0, 60)}_${i}`;
  names.add(free);
  return free;
}

function toLoaded(
  { id, version, fields, headers, body }: OpenTool,
  isOffered: boolean,
  name: string,
  language: string,
): LoadedTool {
  const grant = toGrant(id, fields, language);
  return {
    grant: { ...grant, offer: { ...grant.offer, name } },
    isOffered,
    version,
    definition: fields,
    headers,
    body,
  };
}

/**
 * Replaces the input schema of an MCP tool by the server's; while the server cannot be asked, the definition's own
 * parameters count.
 */
async function askServer({ mcp }: GrantParts, workspaceId: string, tool: LoadedTool, language: string): Promise<void> {
  if (tool.definition.toolType !== "MCP") return;
  const schema = await mcp.inputSchema(workspaceId, tool);
  if (schema === null) return;
  const { offer } = toGrant(tool.grant.id, tool.definition, language, schema);
  tool.grant.offer = { ...offer, name: tool.grant.offer.name };
}
