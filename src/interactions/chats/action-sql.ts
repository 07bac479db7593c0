import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** Place of an action in its chat. */
export interface ActionPlace {
  workspaceId: string;
  sessionId: string;
  /** Position of the message that the turn answers; 0 for the opening. */
  anchor: number;
  tool: string;
  position: number;
}

function at({ workspaceId, sessionId, anchor, tool, position }: ActionPlace) {
  return sql`workspace_id = ${workspaceId} and session_id = ${sessionId} and anchor = ${anchor} and tool = ${tool}
             and position = ${position}`;
}

/** Stores an action; false when it was taken before. Waits for a run of the same turn that is taking it. */
export async function insertAction(tx: Executor, place: ActionPlace): Promise<boolean> {
  const { workspaceId, sessionId, anchor, tool, position } = place;
  const rows = await all(
    tx,
    sql`insert into chat_actions (workspace_id, session_id, anchor, tool, position)
        values (${workspaceId}, ${sessionId}, ${anchor}, ${tool}, ${position})
        on conflict do nothing returning tool`,
  );
  return rows.length > 0;
}

/** Returns the stored answer of an action; null when it has none. */
export async function findActionAnswer(tx: Executor, place: ActionPlace): Promise<string | null> {
  const row = await first<{ answer: string | null }>(tx, sql`select answer from chat_actions where ${at(place)}`);
  return row?.answer ?? null;
}

/** Stores the answer of an action. */
export async function setActionAnswer(tx: Executor, place: ActionPlace, answer: string): Promise<void> {
  await all(tx, sql`update chat_actions set answer = ${answer} where ${at(place)}`);
}

/** Returns the number of the tool's actions in the chat. */
export async function countActions(tx: Executor, { workspaceId, sessionId, tool }: ActionPlace): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*)::int as count from chat_actions
         where workspace_id = ${workspaceId} and session_id = ${sessionId} and tool = ${tool}`,
  );
  return row?.count ?? 0;
}
