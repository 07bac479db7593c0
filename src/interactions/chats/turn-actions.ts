import type { SessionAction, TakeAction } from "#src/authoring/session-plans/granted-ports.ts";
import { ServiceError } from "#src/engine/conversation/services.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { type ActionPlace, countActions, findActionAnswer, insertAction, setActionAnswer } from "./action-sql.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";

const REPEATED = "ok: this was done already";

/** The turn of a chat whose actions are taken: what it answers, and what it was shown. */
export interface ActingTurn {
  chat: Pick<ChatRow, "workspace_id" | "id">;
  /** Null for the opening. */
  message: Pick<ChatMessageRow, "anchor"> | null;
  history: Pick<ChatMessageRow, "anchor" | "role">[];
}

/**
 * Takes the actions of one turn of a chat. A turn that is taken again after its node died gets the stored answers of
 * the actions it took before, by their place in the turn. The model's call ids do not tell: a repeated request gets new
 * ones, and some servers give the same id to different calls.
 */
export function openTurnActions({ db }: Database, { chat, message, history }: ActingTurn): TakeAction {
  const anchor = message?.anchor ?? 0;
  // A try that failed after tools left their results in the history, and the next one goes on behind them.
  const first = history.filter((entry) => entry.role === "TOOL" && entry.anchor === anchor).length;
  const taken = new Map<string, number>();
  return async (action) => {
    const { tool } = action;
    const position = taken.get(tool) ?? first;
    const place = { workspaceId: chat.workspace_id, sessionId: chat.id, anchor, tool, position };
    const answer = await db.transaction().execute((tx) => takeOnce(tx, place, action));
    taken.set(tool, position + 1);
    return answer;
  };
}

async function takeOnce(tx: Executor, place: ActionPlace, action: SessionAction): Promise<string> {
  if (!(await insertAction(tx, place))) return (await findActionAnswer(tx, place)) ?? REPEATED;
  const { limit } = action;
  if (limit && (await countActions(tx, place)) > limit.max) throw new ServiceError("LIMIT", limit.message);
  const answer = await action.take(tx);
  if (action.keepsAnswer) await setActionAnswer(tx, place, answer);
  return answer;
}
