import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";
import type { ApiBody } from "./api-body.ts";
import type { ApiHeaders } from "./api-headers.ts";
import type { ToolFields } from "./tool-fields.ts";

/** The fields of a tool that are sealed at rest, with their real values; null for none. */
export interface SealedFields {
  apiHeaders: ApiHeaders | null;
  apiBody: ApiBody | null;
}

/** The sealed fields as they are stored. */
export interface SealedColumns {
  apiHeaders: Buffer | null;
  apiBody: Buffer | null;
}

/** Columns of a stored tool that opening reads. */
export interface SealedRow {
  id: string;
  definition: ToolFields;
  api_headers: Buffer | null;
  api_body: Buffer | null;
}

/** Headers and bodies of tools, as they are stored. */
export const SEALED_TOOLS = [
  sealedColumn("headers of tools", "tools", "api_headers", (workspaceId, id) =>
    placeOf(workspaceId, "api_headers", id),
  ),
  sealedColumn("bodies of tools", "tools", "api_body", (workspaceId, id) => placeOf(workspaceId, "api_body", id)),
];

/** Splits a tool into the fields stored in clear and those that are sealed. */
export function sealFields(
  box: SecretBox,
  workspaceId: string,
  toolId: string,
  fields: ToolFields,
): { definition: ToolFields; sealed: SealedColumns } {
  const { apiHeaders, apiBody, ...definition } = fields;
  const seal = (column: string, value: object | null | undefined) =>
    value ? box.seal(JSON.stringify(value), placeOf(workspaceId, column, toolId)) : null;
  return { definition, sealed: { apiHeaders: seal("api_headers", apiHeaders), apiBody: seal("api_body", apiBody) } };
}

/**
 * Opens the sealed fields of a stored tool. A body that an earlier version stored in clear is read from the definition.
 * Throws a SecretBoxError when a field was sealed with another key or changed.
 */
export function openFields(box: SecretBox, workspaceId: string, row: SealedRow): SealedFields {
  const open = (column: string, sealed: Buffer | null): unknown =>
    sealed && JSON.parse(box.open(sealed, placeOf(workspaceId, column, row.id)));
  return {
    apiHeaders: open("api_headers", row.api_headers) as ApiHeaders | null,
    apiBody: (open("api_body", row.api_body) ?? row.definition.apiBody ?? null) as ApiBody | null,
  };
}

function placeOf(workspaceId: string, column: string, toolId: string): string {
  return `${workspaceId}|tools|${column}|${toolId}`;
}
