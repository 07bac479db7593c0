import { randomUUID } from "node:crypto";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { TestDatabase } from "../database.ts";

/** A sealed value of the database: a canary, where it is, and the place that it was sealed for. */
export interface Sealed {
  canary: string;
  sql: string;
  place: string;
}

/** Stores a secret of each kind that connections have, by the API where it has a way, and returns them. */
export async function sealConnections(
  workspaceId: string,
  database: TestDatabase,
  box: SecretBox,
  make: (body: object) => Promise<Record<string, unknown>>,
): Promise<Sealed[]> {
  const app = await make({ name: "App", provider: "GOOGLE", clientId: "c", clientSecret: "canary-app" });
  const key = await make({ name: "Key", provider: "CAL_COM", method: "API_KEY", apiKey: "canary-key" });
  const of = (table: string, column: string, id: unknown, canary: string): Sealed => ({
    canary,
    sql: `select ${column} as sealed from ${table} where id = '${String(id)}'`,
    place: `${workspaceId}|${table}|${column}|${String(id)}`,
  });
  const signIn = of("connection_sign_ins", "verifier", randomUUID(), "canary-verifier");
  await database.query(
    `insert into connection_sign_ins (workspace_id, id, connection_id, session_id, state_hash, verifier, expires_at)
     values ($1, $2, $3, $2, '\\x01', $4, now() + interval '1 day')`,
    [workspaceId, signIn.place.split("|").at(-1), app.id, box.seal(signIn.canary, signIn.place)],
  );
  return [
    of("connections", "client_secret", app.id, "canary-app"),
    of("connections", "tokens", key.id, "canary-key"),
    signIn,
  ];
}
