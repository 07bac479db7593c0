import { type ChatTurn, takeChatTurn } from "#src/engine/conversation/chat-turn.ts";
import type { SessionEndReason } from "#src/engine/conversation/plan.ts";
import { type Executor, isUnavailable } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { addTask, type Task, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { recordTokens } from "#src/tenancy/usage/usage.ts";
import { appendMessages, endChat, TOOL_ANSWER_TASK } from "./chat-log.ts";
import { type ChatMessageRow, type ChatRow, type StoredPlan, subjectOf } from "./chat-row.ts";
import { requestHuman } from "./control.ts";
import { findMessage, findUnanswered, listConversation, setNeedsAnswer } from "./message-store.ts";
import { type ChatParts, openChat } from "./parts.ts";
import { toEntries } from "./plan.ts";
import type { ChatEndReason } from "./states.ts";
import { addVariables, lockChat, setOpened, setPlan, setStageState, setTurnTask } from "./store.ts";

/**
 * Number of tries with a failing model, over about 20 s, before the chat ends with an apology. Slow tries leave time
 * for fewer.
 */
const MAX_MODEL_TRIES = 4;
const RETRY_AFTER_MS = [1_000, 4_000, 12_000];
const MAX_MODEL_MS = 20_000;
/** Errors that another try would meet again. */
const LASTING = new Set(["MODEL_UNAUTHORIZED", "MODEL_REFUSED"]);
/** Number of tries after an internal error, before it ends the chat. */
const MAX_FAULTS = 6;
const DONE: TaskEnd = { kind: "DONE" };

/** One due turn: the opening, or the answer to a message. */
interface DueTurn {
  chat: ChatRow;
  /** Null for the opening. */
  message: ChatMessageRow | null;
  history: ChatMessageRow[];
}

/** A turn that was taken. */
interface TakenTurn extends ChatTurn {
  /** Plan to be stored of the flow that took over in it; null when none did. */
  opened: StoredPlan | null;
  /** Humans were there when it was taken. */
  isOpen: boolean;
}

/**
 * Takes the agent's turns of one chat, one after the other, until none is due. A chat names the one task that may do
 * so. A turn is committed only while that still holds and nobody has answered or taken over, so that a repeated run
 * answers once.
 */
export function createTurnHandler(parts: ChatParts): TaskHandler {
  return async (task, signal) => {
    try {
      for (;;) {
        const due = await findDue(parts, task);
        if (!due) return DONE;
        const { plan, ports, openedFlow } = await openChat(parts, due);
        const startedMs = performance.now();
        const turn = await takeChatTurn(plan, toEntries(due.history), ports, signal);
        const taken = { ...turn, opened: turn.openedFlow && openedFlow(), isOpen: plan.handoff?.isOpen ?? true };
        if (turn.ended === "ERROR_MODEL" && mayRetry(task, turn, performance.now() - startedMs)) {
          return await retryModel(parts, task, due, taken);
        }
        await commitTurn(parts, task, due, taken);
      }
    } catch (thrown) {
      return endFault(parts, task, thrown, signal);
    }
  };
}

/** True when there is time for another try, assuming that the earlier ones took as long as this one. */
function mayRetry({ attempt }: Task, { error }: ChatTurn, tookMs: number): boolean {
  if (attempt >= MAX_MODEL_TRIES || LASTING.has(error?.code ?? "")) return false;
  const waitedMs = RETRY_AFTER_MS.slice(0, attempt).reduce((sum, ms) => sum + ms, 0);
  return waitedMs + attempt * tookMs < MAX_MODEL_MS;
}

function findDue({ database }: ChatParts, task: Task): Promise<DueTurn | null> {
  const { workspaceId, subjectId: sessionId } = task;
  return database.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, workspaceId, sessionId);
    if (!chat || chat.turn_task_id !== task.id) return null;
    if (chat.opening_due) return { chat, message: null, history: [] };
    const message = await findUnanswered(tx, workspaceId, sessionId);
    if (message) {
      const history = await listConversation(tx, workspaceId, sessionId, message.anchor);
      return { chat, message, history };
    }
    await setTurnTask(tx, workspaceId, sessionId, null);
    return null;
  });
}

async function commitTurn({ database }: ChatParts, task: Task, due: DueTurn, turn: TakenTurn): Promise<void> {
  const { workspaceId, subjectId: sessionId } = task;
  await database.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, workspaceId, sessionId);
    if (!chat) return;
    await recordTokens(tx, chat.workspace_id, subjectOf(chat), turn.usage);
    if (!(await isStillDue(tx, task, chat, due))) return;
    await keepReplies(tx, chat, due, turn, turn.replies);
    await awaitAnswers(tx, chat, turn);
    if (due.message) await setNeedsAnswer(tx, workspaceId, due.message.id, false);
    else await setOpened(tx, workspaceId, sessionId);
    if (turn.ended) await endChat(tx, chat, { ...toEnd(turn.ended), error: turn.error });
    else if (turn.wantsHuman) await requestHuman(tx, chat, turn.isOpen);
  });
}

/** Stores the agent's messages and tool calls, and the variables from its tools. */
async function keepReplies(
  tx: Executor,
  chat: ChatRow,
  due: DueTurn,
  turn: TakenTurn,
  replies: ChatTurn["replies"],
): Promise<void> {
  const drafts = replies.flatMap(({ role, content, toolCallId, citations = null, disclosure = "FULL" as const }) =>
    role === "ASSISTANT" || role === "TOOL"
      ? [{ role, content, toolCallId, citations, disclosure, confirmsOptOut: turn.optedOut }]
      : [],
  );
  await appendMessages(tx, chat, drafts, due.message?.position ?? 0);
  if (turn.opened) {
    const plan = { ...turn.opened, variables: turn.openedFlow?.variables ?? {} };
    return setPlan(
      tx,
      chat.workspace_id,
      chat.id,
      { ...plan, variables: { ...plan.variables, ...turn.variables } },
      turn.stageState,
    );
  }
  if (turn.stageState) await setStageState(tx, chat.workspace_id, chat.id, turn.stageState);
  if (Object.keys(turn.variables).length > 0) await addVariables(tx, chat.workspace_id, chat.id, turn.variables);
}

/** Schedules a task for each late tool answer, which survives this process. */
async function awaitAnswers(tx: Executor, chat: ChatRow, turn: ChatTurn): Promise<void> {
  for (const { taskId, call } of turn.pending) {
    await addTask(tx, chat.workspace_id, { kind: TOOL_ANSWER_TASK, subjectId: chat.id, payload: { taskId, call } });
  }
}

async function isStillDue(tx: Executor, task: Task, chat: ChatRow, due: DueTurn): Promise<boolean> {
  if (chat.turn_task_id !== task.id || chat.ai_mode !== "ACTIVE") return false;
  if (due.message === null) return chat.opening_due;
  return (await findMessage(tx, chat.workspace_id, due.message.id))?.needs_answer === true;
}

const ENDS: Partial<Record<SessionEndReason, ChatEndReason>> = {
  AGENT_ENDED_CALL: "AGENT_ENDED_CHAT",
  CUSTOMER_OPTED_OUT: "CUSTOMER_OPTED_OUT",
  LIMIT_TURNS: "LIMIT_TURNS",
  LIMIT_TOOL_CALLS: "LIMIT_TOOL_CALLS",
  LIMIT_COST: "LIMIT_COST",
  ERROR_MODEL: "ERROR_MODEL",
};

function toEnd(reason: SessionEndReason): Pick<ChatRow, "status" | "end_reason"> {
  const end_reason = ENDS[reason] ?? "ERROR_INTERNAL";
  return { status: end_reason.startsWith("ERROR") ? "FAILED" : "CLOSED", end_reason };
}

/**
 * Keeps the cost of the failed turn and the results of its tools, so that the next try repeats nothing. The apology is
 * left to the last try.
 */
async function retryModel({ database }: ChatParts, task: Task, due: DueTurn, turn: TakenTurn): Promise<TaskEnd> {
  // What stages said and called stands, because their state goes on behind it.
  const kept = Math.max(turn.replies.findLastIndex(({ role }) => role === "TOOL") + 1, turn.settled);
  await database.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, task.workspaceId, task.subjectId);
    if (!chat) return;
    await recordTokens(tx, chat.workspace_id, subjectOf(chat), turn.usage);
    if ((kept === 0 && !turn.stageState) || !(await isStillDue(tx, task, chat, due))) return;
    await keepReplies(tx, chat, due, turn, turn.replies.slice(0, kept));
    await awaitAnswers(tx, chat, turn);
  });
  return {
    kind: "RETRY",
    afterMs: RETRY_AFTER_MS[task.attempt - 1] ?? 0,
    error: turn.error?.message ?? "The model failed.",
  };
}

/**
 * Ends a turn that threw. It stays due while the server stops or the database is unavailable; a fault that persists
 * ends the chat.
 */
async function endFault({ database }: ChatParts, task: Task, thrown: unknown, signal: AbortSignal): Promise<TaskEnd> {
  const { message } = toError(thrown);
  if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: message };
  if (isUnavailable(thrown) || task.attempt < MAX_FAULTS) {
    return { kind: "RETRY", afterMs: Math.min(30_000, 250 * 2 ** task.attempt), error: message };
  }
  const error = { code: "INTERNAL", message: "The agent's turn could not be taken." };
  await database.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, task.workspaceId, task.subjectId);
    if (chat?.turn_task_id !== task.id) return;
    await endChat(tx, chat, { status: "FAILED", end_reason: "ERROR_INTERNAL", error });
  });
  return { kind: "DEAD", error: message };
}
