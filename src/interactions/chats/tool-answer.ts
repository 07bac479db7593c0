import { loadFlowGrants } from "#src/authoring/session-plans/sessions.ts";
import { readLateAnswer } from "#src/authoring/tool-runs/tool-runs.ts";
import { getEndedToolTasks } from "#src/authoring/tools/tool-task.ts";
import { lateAnswerId } from "#src/engine/conversation/stored-lines.ts";
import type { ToolCall } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { appendMessages, ensureTurn } from "./chat-log.ts";
import type { ChatRow } from "./chat-row.ts";
import { hasToolAnswer } from "./message-store.ts";
import type { ChatParts } from "./parts.ts";
import { hasEnded } from "./states.ts";
import { addVariables, findChat, lockChat } from "./store.ts";

const POLL_MS = 500;
const DONE: TaskEnd = { kind: "DONE" };

/**
 * Stores the answer of an async tool once it has come, as a tool call of its own, and schedules the agent's turn on it.
 * The tool task ends by its own deadline at the latest.
 */
export function createToolAnswerHandler(parts: ChatParts): TaskHandler {
  return async (task) => {
    const { workspaceId, subjectId: sessionId } = task;
    const { taskId, call } = task.payload as { taskId: string; call: ToolCall };
    const { db } = parts.database;
    const chat = await findChat(db, workspaceId, sessionId);
    if (!chat || hasEnded(chat.status)) return DONE;
    const [end] = await getEndedToolTasks(db, [{ workspaceId, id: taskId }]);
    if (!end) return { kind: "RETRY", afterMs: POLL_MS, error: "The tool has not answered yet." };
    const answer = await readAnswer(parts, chat, call, end);
    await db.transaction().execute((tx) => takeDown(tx, task, call, answer));
    return DONE;
  };
}

interface Answer {
  content: string;
  variables: Record<string, unknown>;
  disclosure: "FULL" | "NAME_ONLY" | "HIDDEN";
}

async function readAnswer(
  { database, sessionPortParts }: ChatParts,
  chat: ChatRow,
  call: ToolCall,
  end: Parameters<typeof readLateAnswer>[3],
): Promise<Answer> {
  const where = { flowId: chat.flow_id, channel: "CHAT" as const };
  const { tools } = await loadFlowGrants(
    database.db,
    sessionPortParts.toolRuns,
    chat.workspace_id,
    where,
    chat.plan.flowGrants ?? {},
  );
  const tool = tools.find(({ grant }) => grant.offer.name === call.name);
  if (!tool) return { content: "failed: the tool is there no more", variables: {}, disclosure: "FULL" };
  const result = readLateAnswer(tool, call.input, chat.plan.variables, end);
  const { disclosure } = tool.grant;
  if (result.kind === "VALUE") return { content: result.content, variables: result.variables, disclosure };
  return { content: result.kind === "FAILED" ? `failed: ${result.message}` : "failed", variables: {}, disclosure };
}

async function takeDown(tx: Executor, task: Task, call: ToolCall, answer: Answer): Promise<void> {
  const { workspaceId, subjectId: sessionId } = task;
  const chat = await lockChat(tx, workspaceId, sessionId);
  const toolCallId = lateAnswerId(call.id);
  // A repeated run of the task must not write twice.
  if (!chat || hasEnded(chat.status) || (await hasToolAnswer(tx, workspaceId, sessionId, toolCallId))) return;
  const { content: result, variables, disclosure } = answer;
  const content = JSON.stringify({ name: call.name, input: call.input, result });
  const needsAnswer = chat.ai_mode === "ACTIVE";
  await appendMessages(tx, chat, [{ role: "TOOL", content, toolCallId, disclosure, needsAnswer }], null);
  if (Object.keys(variables).length > 0) await addVariables(tx, workspaceId, sessionId, variables);
  if (needsAnswer) await ensureTurn(tx, chat);
}
