import { timingSafeEqual } from "node:crypto";
import type { Executor } from "#src/platform/db/database.ts";
import { RawJson } from "#src/platform/http/json.ts";
import { anyValue, nullable, oneOf, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import {
  endToolTask,
  expireToolTask,
  findEndedToolTasks,
  findToolTask,
  findToolTasksAnywhere,
  insertToolTask,
  type ToolTaskRow,
  type ToolTaskSource,
} from "./tool-task-sql.ts";

/** Path, below the public origin, to which a tool's server sends its answer. */
export const TOOL_TASK_RESPONSE_PATH = "/api/webhooks/async-tool-task/response";

/** Printable ASCII, so that ids and secrets fit into headers unchanged. */
export const ToolTaskId = Type.String({
  pattern: "^[!-~]([ -~]{0,198}[!-~])?$",
  description: "1 to 200 printable ASCII characters.",
});
export const ToolTaskSecret = Type.String({
  pattern: "^[!-~]([ -~]{0,998}[!-~])?$",
  description: "1 to 1000 printable ASCII characters.",
});

/** An async tool task as it is read; never its secret. */
export const ToolTask = Type.Object(
  {
    toolTaskId: Type.String(),
    status: oneOf(["PENDING", "COMPLETED", "FAILED"]),
    result: anyValue("What the tool answered; null while PENDING."),
    error: nullable(Type.String()),
    createdAt: Timestamp,
    completedAt: nullable(Timestamp),
  },
  { $id: "ToolTask" },
);
export type ToolTask = Static<typeof ToolTask>;

/** Body of a tool server's answer. */
export const ToolTaskAnswer = Type.Object(
  {
    toolTaskId: Type.Optional(nullable(ToolTaskId)),
    secret: Type.Optional(nullable(ToolTaskSecret)),
    status: Type.Optional(nullable(oneOf(["COMPLETED", "FAILED"], "Default COMPLETED."))),
    result: Type.Optional(anyValue("Any JSON value.")),
    error: Type.Optional(nullable(Type.String({ maxLength: 10_000, description: "Why it failed." }))),
    completedAt: Type.Optional(nullable(Type.String({ description: "Ignored: the service's own clock counts." }))),
  },
  { $id: "ToolTaskAnswer" },
);
export type ToolTaskAnswer = Static<typeof ToolTaskAnswer>;

/** End of a task. */
export interface ToolTaskEnd {
  status: "COMPLETED" | "FAILED";
  result: unknown;
  error: string | null;
}

/**
 * Makes a task that waits for its answer, for ever or for `waitMs`, and returns its id; 409 when the workspace has a
 * task of that id.
 */
export async function createToolTask(
  tx: Executor,
  workspaceId: string,
  task: { id?: string; secret: string | null; source: ToolTaskSource; waitMs?: number },
): Promise<string> {
  const id = task.id ?? uuidv7();
  const secretHash = task.secret === null ? null : sha256(task.secret);
  if (await insertToolTask(tx, workspaceId, { id, source: task.source, secretHash, waitMs: task.waitMs ?? null }))
    return id;
  throw new AppError("CONFLICT", "There is a tool task of this toolTaskId already.", [
    { path: "toolTaskId", code: "TAKEN", message: "Choose another, or leave it out." },
  ]);
}

/** One task; 404 when there is none. */
export async function getToolTask(db: Executor, workspaceId: string, id: string): Promise<ToolTask> {
  const row = await findToolTask(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return {
    toolTaskId: row.id,
    status: statusOf(row),
    result: row.result_text === null ? null : new RawJson(row.result_text),
    error: row.is_overdue ? NO_ANSWER : row.error,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}

/** Error of a task that nobody answered. */
const NO_ANSWER = "No answer came in time.";

function statusOf(row: ToolTaskRow): ToolTaskRow["status"] {
  return row.is_overdue ? "FAILED" : row.status;
}

/** A task that somebody waited for, with its end. */
export interface EndedToolTask extends ToolTaskEnd {
  workspaceId: string;
  id: string;
}

/** Returns those of these tasks that have ended. */
export async function getEndedToolTasks(
  db: Executor,
  tasks: readonly { workspaceId: string; id: string }[],
): Promise<EndedToolTask[]> {
  const rows = await findEndedToolTasks(db, tasks);
  return rows.map(({ workspace_id: workspaceId, id, status, result, error }) => ({
    workspaceId,
    id,
    status: status === "COMPLETED" ? status : "FAILED",
    result: result ?? null,
    error,
  }));
}

/** Ends the wait for a task, so that a later answer gets 409; false when it has ended meanwhile. */
export function giveUpToolTask(
  db: Executor,
  workspaceId: string,
  id: string,
  error: string = NO_ANSWER,
): Promise<boolean> {
  return expireToolTask(db, workspaceId, id, error);
}

/** True when a conversation of the workspace waits for this task and `secret` is its secret. */
export async function isAwaited(
  tx: Executor,
  workspaceId: string,
  id: string,
  secret: string | null,
): Promise<boolean> {
  const row = await findToolTask(tx, workspaceId, id);
  return row?.source === "TOOL" && statusOf(row) === "PENDING" && hasSecret(row, secret);
}

/** Ends a task: 404 when there is none, 409 when it has ended before. */
export async function completeToolTask(tx: Executor, workspaceId: string, id: string, end: ToolTaskEnd): Promise<void> {
  if (await endToolTask(tx, workspaceId, id, end)) return;
  const row = await findToolTask(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  throw new AppError("CONFLICT", `This tool task is ${statusOf(row)} already.`);
}

/**
 * Returns the workspace whose task an answer ends. The task's secret opens it from anywhere, a client's token
 * (`workspaceId`) only the tasks of its own workspace. 404 when there is no such task, 401 for a wrong secret.
 */
export async function findAnswered(
  tx: Executor,
  id: string,
  shown: { secret: string | null; workspaceId: string | null },
): Promise<string> {
  const rows = await findToolTasksAnywhere(tx, id);
  const owned = rows.filter((row) => row.workspace_id === shown.workspaceId);
  const opened = [...owned, ...rows].find((row) => hasSecret(row, shown.secret)) ?? owned[0];
  if (opened) return opened.workspace_id;
  throw new AppError(shown.workspaceId === null && rows.length > 0 ? "UNAUTHORIZED" : "NOT_FOUND");
}

function hasSecret({ secret_hash: expected }: ToolTaskRow, secret: string | null): boolean {
  return expected !== null && secret !== null && timingSafeEqual(expected, sha256(secret));
}
