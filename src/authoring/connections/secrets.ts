import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";

/** Tokens of a connection; a key is an access token that is never refreshed. */
export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
}

/** Columns of a connection that are sealed. */
type Column = "client_secret" | "tokens";

interface SealedRow {
  workspace_id: string;
  id: string;
  client_secret: Buffer | null;
  tokens: Buffer | null;
}

/** Secrets of connections and of their sign-ins, as they are stored. */
export const SEALED_CONNECTIONS = [
  sealedColumn("secrets of OAuth apps", "connections", "client_secret", placeIn("connections", "client_secret")),
  sealedColumn("tokens of connections", "connections", "tokens", placeIn("connections", "tokens")),
  sealedColumn(
    "sign-ins of connections",
    "connection_sign_ins",
    "verifier",
    placeIn("connection_sign_ins", "verifier"),
  ),
];

function placeIn(table: string, column: string): (workspaceId: string, id: string) => string {
  return (workspaceId, id) => `${workspaceId}|${table}|${column}|${id}`;
}

/** Seals the secret of a connection's OAuth app. */
export function sealClientSecret(box: SecretBox, workspaceId: string, id: string, secret: string): Buffer {
  return box.seal(secret, placeOf("client_secret", workspaceId, id));
}

/** Opens the secret of a connection's OAuth app; null when it has none, as public clients do. */
export function openClientSecret(box: SecretBox, row: SealedRow): string | null {
  return row.client_secret && box.open(row.client_secret, placeOf("client_secret", row.workspace_id, row.id));
}

/** Seals a connection's tokens. */
export function sealTokens(box: SecretBox, workspaceId: string, id: string, tokens: Tokens): Buffer {
  return box.seal(JSON.stringify(tokens), placeOf("tokens", workspaceId, id));
}

/** Opens a connection's tokens; null when it has none. */
export function openTokens(box: SecretBox, row: SealedRow): Tokens | null {
  return row.tokens && (JSON.parse(box.open(row.tokens, placeOf("tokens", row.workspace_id, row.id))) as Tokens);
}

/** Returns the place that a sign-in's code verifier is sealed for. */
export const verifierPlace = placeIn("connection_sign_ins", "verifier");

function placeOf(column: Column, workspaceId: string, id: string): string {
  return placeIn("connections", column)(workspaceId, id);
}
