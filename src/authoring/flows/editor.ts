import type { RawBuilder } from "kysely";
import { sql } from "#src/platform/db/database.ts";
import type { Caller } from "#src/platform/http/route.ts";

/** Who changes a flow. */
export interface Editor {
  /** Of the person who is signed in; null for a credential. */
  name: string | null;
  credentialId: string | null;
}

/** The service itself, as when it makes the sample. */
export const NOBODY: Editor = { name: null, credentialId: null };

/** Who is behind a request. */
export function editorOf({ person, credentialId }: Caller): Editor {
  return { name: person?.name ?? null, credentialId };
}

/** The name under which a change is kept: the person's, or the credential's. */
export function editorName(workspaceId: string, { name, credentialId }: Editor): RawBuilder<unknown> {
  return sql`coalesce(${name}::text,
    (select name from credentials where workspace_id = ${workspaceId} and id = ${credentialId}::uuid))`;
}
