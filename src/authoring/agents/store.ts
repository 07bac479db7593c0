import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { clearKnowledge } from "./clear-knowledge.ts";

export interface AgentRow {
  id: string;
  name: string;
  description: string | null;
  flow_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Columns of an agent that a caller sets. */
export interface AgentFields {
  name: string;
  description: string | null;
  flowId: string | null;
}

/** Stores a new agent. */
export async function insertAgent(
  tx: Executor,
  workspaceId: string,
  id: string,
  { name, description, flowId }: AgentFields,
): Promise<AgentRow> {
  const rows = await all<AgentRow>(
    tx,
    sql`insert into agents (workspace_id, id, name, description, flow_id)
        values (${workspaceId}, ${id}, ${name}, ${description}, ${flowId}) returning *`,
  );
  return rows[0] as AgentRow;
}

/** One agent. */
export function findAgent(db: Executor, workspaceId: string, id: string): Promise<AgentRow | undefined> {
  return first(db, sql`select * from agents where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Returns the agents that follow a flow and have something to search. */
export async function findAgentIdsOfFlow(db: Executor, workspaceId: string, flowId: string): Promise<string[]> {
  const rows = await all<{ id: string }>(
    db,
    sql`select a.id from agents a where a.workspace_id = ${workspaceId} and a.flow_id = ${flowId} and exists (
          select 1 from knowledge_items i
          where i.workspace_id = a.workspace_id and i.agent_id = a.id and i.enabled
        ) order by a.id`,
  );
  return rows.map(({ id }) => id);
}

/** Returns one agent, locked for the change that follows; items may still be added meanwhile. */
export function lockAgent(tx: Executor, workspaceId: string, id: string): Promise<AgentRow | undefined> {
  return first(tx, sql`select * from agents where workspace_id = ${workspaceId} and id = ${id} for no key update`);
}

/** Locks an agent against deletion until this transaction ends; false when there is none. */
export async function holdAgent(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const row = await first(
    tx,
    sql`select id from agents where workspace_id = ${workspaceId} and id = ${id} for key share`,
  );
  return row !== undefined;
}

/** Writes a changed agent as the next version. */
export async function updateAgent(
  tx: Executor,
  workspaceId: string,
  id: string,
  { name, description, flowId }: AgentFields,
): Promise<AgentRow> {
  const rows = await all<AgentRow>(
    tx,
    sql`update agents set name = ${name}, description = ${description}, flow_id = ${flowId}, version = version + 1,
          updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} returning *`,
  );
  return rows[0] as AgentRow;
}

/** Deletes an agent and its knowledge base; false when there is none. */
export async function deleteAgent(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  // Separate statements: a later one also includes rows stored while an earlier one waited for a lock.
  const gone = await all(tx, sql`delete from agents where workspace_id = ${workspaceId} and id = ${id} returning id`);
  if (gone.length === 0) return false;
  const deleteOwn = async (table: string) => {
    const from = sql`${sql.raw(table)} where workspace_id = ${workspaceId} and agent_id = ${id}`;
    return (await all<{ id: string }>(tx, sql`delete from ${from} returning id`)).map((row) => row.id);
  };
  const items = await deleteOwn("knowledge_items");
  await clearKnowledge(tx, workspaceId, id, { items, files: await deleteOwn("knowledge_files") });
  return true;
}

/** A page of agents, oldest first, with one row more than asked for. */
export function listAgents(db: Executor, workspaceId: string, page: PageRequest): Promise<AgentRow[]> {
  return all(
    db,
    sql`select * from agents where workspace_id = ${workspaceId} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the agents of a workspace. */
export function countAgents(db: Executor, workspaceId: string): Promise<number> {
  return countOf(db, sql`agents where workspace_id = ${workspaceId}`);
}
