import type { RawBuilder } from "kysely";
import { sql } from "#src/platform/db/database.ts";
import type { Caller } from "#src/platform/http/route.ts";

/** Author of a change of a flow. */
export interface Editor {
  /** Name of the signed-in person; null for a credential. */
  name: string | null;
  credentialId: string | null;
}

/** The service itself, for example when it makes the sample. */
export const NOBODY: Editor = { name: null, credentialId: null };

/** Returns the author behind a request. */
export function editorOf({ person, credentialId }: Caller): Editor {
  return { name: person?.name ?? null, credentialId };
}

/** SQL expression for the name stored with a change: the person's, or the credential's. */
export function editorName(workspaceId: string, { name, credentialId }: Editor): RawBuilder<unknown> {
  return sql`coalesce(${name}::text,
    (select name from credentials where workspace_id = ${workspaceId} and id = ${credentialId}::uuid))`;
}
