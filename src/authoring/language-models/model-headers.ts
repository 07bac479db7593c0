import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { fieldError, toError } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";

/** Headers by name. All values are treated as secrets. */
export type ModelHeaders = Record<string, string>;

/** Headers of models, as they are stored. */
export const SEALED_MODEL_HEADERS = sealedColumn("headers of models", "language_models", "headers", headersPlace);

/** A row with a model's headers. */
interface HeadersRow {
  workspace_id: string;
  id: string;
  headers: Buffer | null;
}

/** Headers as they are stored. */
interface StoredHeaders {
  headers: Buffer | null;
  header_names: string[];
}

/** Opens the headers of a stored model; empty when it has none. */
export function openHeaders(box: SecretBox, { workspace_id: workspaceId, id, headers }: HeadersRow): ModelHeaders {
  return headers === null ? {} : (JSON.parse(box.open(headers, headersPlace(workspaceId, id))) as ModelHeaders);
}

/** Seals headers that replace the stored ones; a mask keeps the value of its name. 422 when one cannot be used. */
export function sealHeaders(
  box: SecretBox,
  workspaceId: string,
  id: string,
  sent: ModelHeaders | null,
  stored: ModelHeaders,
): StoredHeaders {
  if (sent === null || Object.keys(sent).length === 0) return { headers: null, header_names: [] };
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const seen = new Set<string>();
  const kept: ModelHeaders = {};
  for (const [name, value] of Object.entries(sent)) {
    const lower = name.toLowerCase();
    const fault = (code: string, message: string) => fieldError(`headers.${name.slice(0, 200)}`, code, message);
    if (seen.has(lower)) throw fault("DUPLICATE", "is there twice; case does not count.");
    seen.add(lower);
    const meant = value === MASK ? known.get(lower) : value;
    if (meant === undefined) throw fault("MASKED", "is the mask, but no value of it is stored.");
    try {
      assertHeaderAllowed(name, meant);
    } catch (error) {
      throw fault("NOT_ALLOWED", toError(error).message);
    }
    kept[name] = meant;
  }
  const headers = box.seal(JSON.stringify(kept), headersPlace(workspaceId, id));
  return { headers, header_names: Object.keys(kept) };
}

/** Returns the headers as they are read. */
export function maskHeaders(names: string[]): ModelHeaders | null {
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, MASK]));
}

function headersPlace(workspaceId: string, id: string): string {
  return `${workspaceId}|language_models|headers|${id}`;
}
