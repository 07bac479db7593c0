import type { RowStatus } from "#src/interactions/calls/states.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import type { Supervised } from "./supervision.ts";

/** Fields of a call that decide whether it can be supervised. */
export interface SupervisedRow {
  status: RowStatus;
  ended_at: Date | null;
  answered_at: Date | null;
  attempt_id: string | null;
  /** The node that holds the call, while that node is alive. */
  node_id: string | null;
  node_address: string | null;
}

/** Returns a call of the workspace; undefined when there is none. */
export function findSupervised(db: Executor, workspaceId: string, rowId: string): Promise<SupervisedRow | undefined> {
  return first(
    db,
    sql`select r.status, r.ended_at, a.answered_at, r.attempt_id, n.id as node_id, n.address as node_address
          from call_rows r
          left join call_attempts a on a.workspace_id = r.workspace_id and a.id = r.attempt_id
          left join nodes n on n.id = r.lease_owner and n.alive_until > now()
         where r.workspace_id = ${workspaceId} and r.id = ${rowId}`,
  );
}

/** Stores a token by its digest. */
export async function insertToken(
  db: Executor,
  workspaceId: string,
  token: string,
  supervised: Supervised,
): Promise<Date> {
  const row = await first<{ expires_at: Date }>(
    db,
    sql`insert into supervision_tokens (token_hash, workspace_id, row_id, credential_id, session_id, expires_at)
        values (${sha256(token)}, ${workspaceId}, ${supervised.rowId}, ${supervised.credentialId}, ${supervised.sessionId},
                now() + interval '60 seconds') returning expires_at`,
  );
  return (row as { expires_at: Date }).expires_at;
}

const HELD = sql`workspace_id as "workspaceId", row_id as "rowId", credential_id as "credentialId", session_id as "sessionId"`;

/** Returns the holder of a token. */
export function findToken(db: Executor, token: string): Promise<Supervised | undefined> {
  return first<Supervised>(
    db,
    sql`select ${HELD} from supervision_tokens where token_hash = ${sha256(token)} and expires_at > now()`,
  );
}

/** Uses up a token; undefined when it was already used or has expired. */
export function takeToken(db: Executor, token: string): Promise<Supervised | undefined> {
  return first<Supervised>(
    db,
    sql`delete from supervision_tokens where token_hash = ${sha256(token)} and expires_at > now() returning ${HELD}`,
  );
}

/** Command to the node that holds a call. */
export interface CommandRow {
  workspaceId: string;
  id: string;
  rowId: string;
  credentialId: string;
  kind: "END" | "WHISPER" | "SAY" | "HEAR";
  words: string | null;
}

/** State of a command. */
export interface CommandState {
  state: "ACCEPTED" | "TAKEN" | "DONE" | "REFUSED" | "WITHDRAWN" | "LOST";
  reason: string | null;
  isNodeAlive: boolean;
}

/** Stores a command for a node. */
export async function insertCommand(tx: Executor, workspaceId: string, nodeId: string, row: CommandRow): Promise<void> {
  await all(
    tx,
    sql`insert into call_commands (workspace_id, id, row_id, node_id, kind, words, credential_id)
        values (${workspaceId}, ${row.id}, ${row.rowId}, ${nodeId}, ${row.kind}, ${row.words}, ${row.credentialId})`,
  );
}

/**
 * Takes the open commands of a node, new ones and those whose end was not stored. A taken command can no longer be
 * withdrawn.
 */
export function takeCommands(db: Executor, nodeId: string): Promise<CommandRow[]> {
  return all<CommandRow>(
    db,
    sql`update call_commands set state = 'TAKEN' where node_id = ${nodeId} and settled_at is null
        returning workspace_id as "workspaceId", id, row_id as "rowId", credential_id as "credentialId", kind, words`,
  );
}

/** Stores the result of a command that was taken. */
export async function settleCommand(
  tx: Executor,
  workspaceId: string,
  id: string,
  reason: string | null,
): Promise<void> {
  await all(
    tx,
    sql`update call_commands set state = ${reason === null ? "DONE" : "REFUSED"}, reason = ${reason}, words = null,
               settled_at = now()
         where workspace_id = ${workspaceId} and id = ${id} and settled_at is null`,
  );
}

/** Returns the state of a command; undefined when there is none. */
export function findCommand(db: Executor, workspaceId: string, id: string): Promise<CommandState | undefined> {
  return first(
    db,
    sql`select c.state, c.reason, coalesce(n.alive_until > now(), false) as "isNodeAlive"
          from call_commands c left join nodes n on n.id = c.node_id
         where c.workspace_id = ${workspaceId} and c.id = ${id}`,
  );
}

/** Gives up a command that is still in the state `from`. */
export async function giveUpCommand(
  db: Executor,
  workspaceId: string,
  id: string,
  step: { from: CommandState["state"]; to: "WITHDRAWN" | "LOST" },
): Promise<void> {
  await all(
    db,
    sql`update call_commands set state = ${step.to}, words = null, settled_at = now()
         where workspace_id = ${workspaceId} and id = ${id} and state = ${step.from}`,
  );
}
