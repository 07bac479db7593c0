import { hasApplication } from "#src/authoring/applications/applications.ts";
import { findToolTarget } from "#src/authoring/connections/connections.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { underPath } from "#src/platform/kernel/fault-path.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { cutSecrets } from "./api-body.ts";
import { carriesCredential } from "./api-headers.ts";
import { assertConnection } from "./connection-rules.ts";
import { openFields, type SealedFields, sealFields } from "./sealed-fields.ts";
import { findTools, insertTool, type ToolRow } from "./store.ts";
import { SYSTEM_TOOLS } from "./system-tools.ts";
import { pickToolFields, type ToolFields, toolFields } from "./tool-fields.ts";
import { assertTool } from "./tool-rules.ts";
import { type ToolParts, toolIdsOf } from "./tools.ts";

/** Longest path that is named; a longer one is cut. */
const MAX_PATH = 500;

/** A tool in a file: the fields that a caller may set, without secret values of headers and body. */
export const PortableTool = Type.Object(
  { id: { ...Uuid, description: "Names it within the document." }, ...toolFields },
  { $id: "PortableTool" },
);
export type PortableTool = Static<typeof PortableTool>;

/** A value that a file leaves out. */
export const RequiredSecret = Type.Object(
  {
    toolId: Uuid,
    toolName: Type.String({ maxLength: 200 }),
    header: Type.String({
      maxLength: MAX_PATH,
      description: "Name of the header whose value must be given anew, or apiBody.<path> of a text in the body.",
    }),
  },
  { $id: "RequiredSecret" },
);
export type RequiredSecret = Static<typeof RequiredSecret>;

/**
 * Returns the named tools of a workspace and those that their plans call, without secrets, and the list of those
 * secrets. Leaves out deleted tools, and system tools, which are the same everywhere.
 */
export async function packTools(
  db: Executor,
  { box }: ToolParts,
  workspaceId: string,
  ids: string[],
): Promise<{ tools: PortableTool[]; requiredSecrets: RequiredSecret[] }> {
  const rows = new Map<string, ToolRow>();
  let wanted = ids;
  while (wanted.length > 0) {
    const found = await findTools(db, workspaceId, wanted);
    for (const row of found) rows.set(row.id, row);
    wanted = found.flatMap(({ definition }) => toolIdsOf(definition)).filter((id) => !rows.has(id));
  }
  const tools: PortableTool[] = [];
  const requiredSecrets: RequiredSecret[] = [];
  for (const row of rows.values()) {
    const { tool, left } = packTool(row, openFields(box, workspaceId, row));
    tools.push(tool);
    for (const header of left) requiredSecrets.push({ toolId: row.id, toolName: row.definition.name ?? "", header });
  }
  return { tools, requiredSecrets };
}

function packTool(
  { id, definition }: ToolRow,
  { apiHeaders, apiBody }: SealedFields,
): { tool: PortableTool; left: string[] } {
  const headers = Object.entries(apiHeaders ?? {});
  const kept = headers.filter(([name]) => !carriesCredential(name));
  const cut = apiBody && cutSecrets(apiBody);
  const open = {
    apiHeaders: kept.length > 0 ? Object.fromEntries(kept) : null,
    apiBody: cut?.body ?? null,
  };
  const left = headers.filter(([name]) => carriesCredential(name)).map(([name]) => name);
  const paths = (cut?.paths ?? []).map((path) => path.slice(0, MAX_PATH));
  return { tool: { id, ...withoutNulls({ ...definition, ...open }) }, left: [...left, ...paths] };
}

/** An id that a file names and the workspace does not have. */
export interface Unresolved {
  path: string;
  value: string;
}

/**
 * Makes the tools of a file, and returns the new id of each by the one in the file. Plans among them call the new ones.
 * An application or a connection that the workspace does not have is left out and listed.
 */
export async function unpackTools(
  tx: Executor,
  parts: ToolParts,
  workspaceId: string,
  tools: PortableTool[],
): Promise<{ newIds: Map<string, string>; unresolved: Unresolved[] }> {
  const unresolved: Unresolved[] = [];
  const newIds = new Map<string, string>();
  for (const [i, { id }] of tools.entries()) newIds.set(assertFileId(id, `tools.${i}.id`, newIds), uuidv7());
  for (const [i, tool] of tools.entries()) {
    const fields = withNewIds(pickToolFields(tool), newIds);
    await underPath(`tools.${i}`, () => assertTool(parts.guard, fields));
    const { applicationId } = fields;
    if (applicationId && !(await hasApplication(tx, workspaceId, applicationId))) {
      unresolved.push({ path: `tools.${i}.applicationId`, value: applicationId });
      fields.applicationId = null;
    }
    const { connectionId } = fields;
    if (connectionId && !(await findToolTarget(tx, workspaceId, connectionId))) {
      unresolved.push({ path: `tools.${i}.connectionId`, value: connectionId });
      fields.connectionId = null;
    }
    await assertConnection(tx, workspaceId, fields, null);
    const id = newIds.get(tool.id.toLowerCase()) as string;
    await insertTool(tx, workspaceId, id, { ...sealFields(parts.box, workspaceId, id, fields), origin: null });
  }
  return { newIds, unresolved };
}

/** Returns the id of a tool in a file in lower case; 422 when `taken` has it, or when it is a system tool's. */
export function assertFileId(id: string, path: string, taken: { has(id: string): boolean }): string {
  const known = id.toLowerCase();
  if (taken.has(known)) throw fieldError(path, "DUPLICATE", "is there twice.");
  if (SYSTEM_TOOLS.some((tool) => tool.id === known)) throw fieldError(path, "RESERVED", "is the id of a system tool.");
  return known;
}

/**
 * Returns the fields with the tool ids of a plan replaced. A step whose tool the file does not hold keeps its id, which
 * names nothing here, as it may have named nothing in the source workspace.
 */
export function withNewIds(fields: ToolFields, newIds: Map<string, string>): ToolFields {
  if (!fields.executionPlan) return { ...fields };
  const executionPlan = fields.executionPlan.map((step) =>
    step.toolId ? { ...step, toolId: newIds.get(step.toolId.toLowerCase()) ?? step.toolId } : step,
  );
  return { ...fields, executionPlan };
}

function withoutNulls(fields: ToolFields): ToolFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as ToolFields;
}
