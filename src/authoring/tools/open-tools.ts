import type { Executor } from "#src/platform/db/database.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { type SecretBox, SecretBoxError } from "#src/platform/kernel/secret-box.ts";
import type { ApiBody } from "./api-body.ts";
import type { ApiHeaders } from "./api-headers.ts";
import { openFields } from "./sealed-fields.ts";
import { findTools } from "./store.ts";
import type { ToolFields } from "./tool-fields.ts";

/** A workspace's own tool with the real values of its headers and body, for running it and never for showing it. */
export interface OpenTool {
  id: string;
  version: number;
  /** Without apiHeaders and apiBody. */
  fields: Omit<ToolFields, "apiBody"> & { name: string; description: string };
  headers: ApiHeaders;
  body: ApiBody | null;
}

/**
 * Returns the workspace's own tools among `ids`, in their order. Leaves out deleted ones, and those whose sealed fields
 * do not open, which it reports to `onUnreadable`.
 */
export async function openTools(
  db: Executor,
  box: SecretBox,
  workspaceId: string,
  ids: readonly string[],
  onUnreadable: (toolId: string) => void,
): Promise<OpenTool[]> {
  const wanted = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
  if (wanted.length === 0) return [];
  const rows = new Map((await findTools(db, workspaceId, wanted)).map((row) => [row.id, row]));
  return wanted.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    try {
      const { apiHeaders, apiBody } = openFields(box, workspaceId, row);
      const fields = { ...row.definition, apiBody: null } as OpenTool["fields"];
      return [{ id, version: row.version, fields, headers: apiHeaders ?? {}, body: apiBody }];
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      onUnreadable(id);
      return [];
    }
  });
}
