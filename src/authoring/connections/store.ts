import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { CustomProvider, Method, ProviderName } from "./providers.ts";

/** States of a connection. NEEDS_SIGN_IN: its provider accepts neither its token nor a refresh. */
export const STATES = ["NOT_CONNECTED", "CONNECTED", "NEEDS_SIGN_IN"] as const;
export type ConnectionState = (typeof STATES)[number];

export interface ConnectionRow {
  workspace_id: string;
  id: string;
  name: string;
  provider: ProviderName;
  method: Method;
  state: ConnectionState;
  client_id: string | null;
  client_secret: Buffer | null;
  tokens: Buffer | null;
  token_version: number;
  base_url: string | null;
  custom: CustomProvider | null;
  scopes: string[];
  granted_scopes: string[] | null;
  instance_origin: string | null;
  connected_by: string | null;
  connected_at: Date | null;
  refreshed_at: Date | null;
  expires_at: Date | null;
  failure: string | null;
  created_at: Date;
  updated_at: Date;
  /** By the database's clock: the token ends within a minute, or has ended. */
  is_due: boolean;
  is_over: boolean;
}

/** Seconds before the end of a token at which it is refreshed. */
const MARGIN = sql`interval '60 seconds'`;
const COLUMNS = sql`*, coalesce(expires_at < now() + ${MARGIN}, false) as is_due,
  coalesce(expires_at < now(), false) as is_over`;

/** A workspace's connections, oldest first. */
export function listConnections(tx: Executor, workspaceId: string): Promise<ConnectionRow[]> {
  return all(tx, sql`select ${COLUMNS} from connections where workspace_id = ${workspaceId} order by id`);
}

/** One connection. */
export function findConnection(tx: Executor, workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
  return first(tx, sql`select ${COLUMNS} from connections where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One connection, locked for the change that follows. */
export function lockConnection(tx: Executor, workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
  return first(
    tx,
    sql`select ${COLUMNS} from connections where workspace_id = ${workspaceId} and id = ${id} for update`,
  );
}

/** Columns that a caller's change writes. */
export type ConnectionContent = Pick<
  ConnectionRow,
  "name" | "provider" | "method" | "client_id" | "client_secret" | "base_url" | "custom" | "scopes"
>;

/** Stores a connection, or the changed content of one; its tokens and state stay. */
export async function saveConnection(
  tx: Executor,
  workspaceId: string,
  id: string,
  row: ConnectionContent,
): Promise<ConnectionRow> {
  const custom = row.custom && JSON.stringify(row.custom);
  const saved = await first<ConnectionRow>(
    tx,
    sql`insert into connections (workspace_id, id, name, provider, method, client_id, client_secret, base_url, custom, scopes)
        values (${workspaceId}, ${id}, ${row.name}, ${row.provider}, ${row.method}, ${row.client_id}, ${row.client_secret},
                ${row.base_url}, ${custom}, ${row.scopes}::text[])
        on conflict (workspace_id, id) do update set name = excluded.name, client_id = excluded.client_id,
          client_secret = excluded.client_secret, base_url = excluded.base_url, custom = excluded.custom,
          scopes = excluded.scopes, updated_at = clock_timestamp()
        returning ${COLUMNS}`,
  );
  return saved as ConnectionRow;
}

/** Tokens as they are stored, and when they end. */
export interface StoredTokens {
  sealed: Buffer;
  /** Null: they do not end by time. */
  expiresInSeconds: number | null;
}

/** Stores the tokens of a new sign-in, or a key. */
export async function connect(
  tx: Executor,
  workspaceId: string,
  id: string,
  { sealed, expiresInSeconds }: StoredTokens,
  of: { grantedScopes: string[] | null; instanceOrigin: string | null; by: string },
): Promise<ConnectionRow | undefined> {
  return first(
    tx,
    sql`update connections set tokens = ${sealed}, token_version = token_version + 1, state = 'CONNECTED', failure = null,
          expires_at = now() + make_interval(secs => ${expiresInSeconds}), refreshed_at = null, refreshing_until = null,
          granted_scopes = ${of.grantedScopes}::text[], instance_origin = ${of.instanceOrigin},
          connected_by = ${of.by}, connected_at = now(), updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`,
  );
}

/** Forgets the tokens, and what came with them. */
export async function disconnect(tx: Executor, workspaceId: string, id: string): Promise<ConnectionRow> {
  const row = await first<ConnectionRow>(
    tx,
    sql`update connections set tokens = null, token_version = token_version + 1, state = 'NOT_CONNECTED', failure = null,
          expires_at = null, refreshed_at = null, refreshing_until = null, granted_scopes = null,
          instance_origin = null, connected_by = null, connected_at = null
        where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`,
  );
  return row as ConnectionRow;
}

/** Deletes a connection and its sign-ins; returns it as it was. */
export function deleteConnection(tx: Executor, workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
  return first(
    tx,
    sql`delete from connections where workspace_id = ${workspaceId} and id = ${id} returning ${COLUMNS}`,
  );
}

/**
 * Takes the right to refresh tokens of this version, for 30 s; false when another node has it or the tokens were
 * replaced. A request for tokens takes 10 s at most.
 */
export async function takeRefresh(tx: Executor, { workspace_id, id, token_version }: ConnectionRow): Promise<boolean> {
  const row = await first(
    tx,
    sql`update connections set refreshing_until = now() + interval '30 seconds'
        where workspace_id = ${workspace_id} and id = ${id} and token_version = ${token_version} and state = 'CONNECTED'
          and (refreshing_until is null or refreshing_until < now())
        returning id`,
  );
  return row !== undefined;
}

/** Gives the right back after a refresh that failed for a time. */
export async function giveRefreshBack(tx: Executor, { workspace_id, id, token_version }: ConnectionRow): Promise<void> {
  await all(
    tx,
    sql`update connections set refreshing_until = null
        where workspace_id = ${workspace_id} and id = ${id} and token_version = ${token_version}`,
  );
}

/** Stores refreshed tokens, unless those that were refreshed have been replaced meanwhile. */
export async function storeRefreshed(
  tx: Executor,
  { workspace_id, id, token_version }: ConnectionRow,
  { sealed, expiresInSeconds }: StoredTokens,
): Promise<void> {
  await all(
    tx,
    sql`update connections set tokens = ${sealed}, token_version = token_version + 1, refreshed_at = now(),
          expires_at = now() + make_interval(secs => ${expiresInSeconds}), refreshing_until = null
        where workspace_id = ${workspace_id} and id = ${id} and token_version = ${token_version}`,
  );
}

/** Marks tokens of this version as refused; false when they were replaced or marked before. */
export async function markRefused(
  tx: Executor,
  { workspace_id, id, token_version }: ConnectionRow,
  failure: string,
): Promise<boolean> {
  const row = await first(
    tx,
    sql`update connections set state = 'NEEDS_SIGN_IN', failure = ${failure}, refreshing_until = null,
          updated_at = clock_timestamp()
        where workspace_id = ${workspace_id} and id = ${id} and token_version = ${token_version} and state = 'CONNECTED'
        returning id`,
  );
  return row !== undefined;
}

/** A sign-in under way. */
export interface SignInRow {
  workspace_id: string;
  id: string;
  connection_id: string;
  session_id: string;
  verifier: Buffer;
}

/** Stores a sign-in for ten minutes. */
export async function insertSignIn(tx: Executor, row: SignInRow & { state_hash: Buffer }): Promise<void> {
  await all(
    tx,
    sql`insert into connection_sign_ins (workspace_id, id, connection_id, session_id, state_hash, verifier, expires_at)
        values (${row.workspace_id}, ${row.id}, ${row.connection_id}, ${row.session_id}, ${row.state_hash},
                ${row.verifier}, now() + interval '10 minutes')`,
  );
}

/** Uses a sign-in up; undefined when there is none of this state and session, or its time is over. */
export function takeSignIn(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  stateHash: Buffer,
): Promise<SignInRow | undefined> {
  return first(
    tx,
    sql`delete from connection_sign_ins where workspace_id = ${workspaceId} and state_hash = ${stateHash}
          and session_id = ${sessionId} and expires_at > now() returning *`,
  );
}

/** Ends the sign-ins of a connection that are under way. */
export async function dropSignIns(tx: Executor, workspaceId: string, connectionId: string): Promise<void> {
  await all(
    tx,
    sql`delete from connection_sign_ins where workspace_id = ${workspaceId} and connection_id = ${connectionId}`,
  );
}
