import type { Executor } from "#src/platform/db/database.ts";
import { type Applied, changedFields } from "#src/platform/http/applied.ts";
import { assertVersion, ifVersionBody } from "#src/platform/http/precondition.ts";
import { type Static, Type } from "#src/platform/http/schemas.ts";
import { underPath } from "#src/platform/kernel/fault-path.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { restoreBody } from "./api-body.ts";
import { restoreHeaders } from "./api-headers.ts";
import { assertConnection } from "./connection-rules.ts";
import { assertFileId, PortableTool, withNewIds } from "./portable-tools.ts";
import { openFields, sealFields } from "./sealed-fields.ts";
import { insertTool, lockTool, type ToolRow } from "./store.ts";
import { fillToolFields, pickToolFields, type ToolFields } from "./tool-fields.ts";
import { assertTool } from "./tool-rules.ts";
import { assertApplication, assertTools, changeTool, type ToolParts, toolIdsOf } from "./tools.ts";

/** A tool as a file has it: fields that are left out are cleared, masked secrets stay as they are stored. */
export const ToolToApply = Type.Object({ ...PortableTool.properties, ...ifVersionBody }, { $id: "ToolToApply" });
export type ToolToApply = Static<typeof ToolToApply>;

interface Item {
  path: string;
  from: string;
  id: string;
  ifVersion: number | null | undefined;
  fields: ToolFields;
  row: ToolRow | undefined;
}

/**
 * Makes each tool equal to its file: one whose id the workspace has is changed, and another made, with a new id. Plans
 * may name tools of the same body. 409 when a tool has another version than the caller read.
 */
export async function applyTools(
  tx: Executor,
  parts: ToolParts,
  workspaceId: string,
  tools: ToolToApply[],
): Promise<Applied[]> {
  const items = await lockItems(tx, workspaceId, tools);
  const newIds = new Map(items.map(({ from, id }) => [from, id]));
  const renamed = items.map((item) => ({ ...item, fields: fillToolFields(withNewIds(item.fields, newIds)) }));
  const fresh = renamed.filter(({ row }) => row === undefined);
  const applied = new Map<string, Applied>();
  for (const item of fresh) {
    applied.set(item.id, await underPath(item.path, () => makeTool(tx, parts, workspaceId, item)));
  }
  for (const item of renamed) {
    const { row, path } = item;
    if (row) applied.set(item.id, await underPath(path, () => alterTool(tx, parts, workspaceId, { ...item, row })));
  }
  // Only now do all tools exist that a plan may name.
  for (const { path, fields } of fresh) {
    await underPath(path, () => assertTools(tx, workspaceId, toolIdsOf(fields)));
  }
  return items.map(({ id }) => applied.get(id) as Applied);
}

/** Locks the tools of a body, in the order of their ids, so that two callers do not wait for each other. */
async function lockItems(tx: Executor, workspaceId: string, tools: ToolToApply[]): Promise<Item[]> {
  const taken = new Set<string>();
  const items = tools.map(({ ifVersion, ...tool }, i): Item => {
    const path = `tools.${i}`;
    const from = assertFileId(tool.id, `${path}.id`, taken);
    taken.add(from);
    return { path, from, id: from, ifVersion, fields: pickToolFields(tool), row: undefined };
  });
  for (const item of items.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    item.row = await lockTool(tx, workspaceId, item.from);
    item.id = item.row?.id ?? uuidv7();
    await underPath(item.path, () => assertVersion("The tool", item.row?.version ?? 0, item.ifVersion));
  }
  return items;
}

async function makeTool(
  tx: Executor,
  { guard, box }: ToolParts,
  workspaceId: string,
  { from, id, fields }: Item,
): Promise<Applied> {
  assertTool(guard, fields);
  await assertApplication(tx, workspaceId, fields.applicationId, null);
  await assertConnection(tx, workspaceId, fields, null);
  const row = await insertTool(tx, workspaceId, id, { ...sealFields(box, workspaceId, id, fields), origin: null });
  const name = fields.name ?? "";
  return { from, id, name, action: "CREATED", fields: changedFields({}, fields), version: row.version };
}

async function alterTool(
  tx: Executor,
  parts: ToolParts,
  workspaceId: string,
  { from, id, fields, row }: Item & { row: ToolRow },
): Promise<Applied> {
  const stored = openFields(parts.box, workspaceId, row);
  const after = {
    ...fields,
    apiHeaders: fields.apiHeaders && restoreHeaders(fields.apiHeaders, stored.apiHeaders ?? {}),
    apiBody: fields.apiBody && restoreBody(fields.apiBody, stored.apiBody ?? {}),
  };
  const changed = changedFields({ ...row.definition, ...stored }, after);
  const named = { from, id, name: fields.name ?? "", fields: changed };
  if (changed.length === 0) return { ...named, action: "UNCHANGED", version: row.version };
  const { version } = await changeTool(tx, parts, workspaceId, id, { body: fields, origin: null });
  return { ...named, action: "CHANGED", version };
}
