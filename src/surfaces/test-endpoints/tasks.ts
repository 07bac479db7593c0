import { notifyToolTask } from "#src/authoring/tools/tool-task-notifier.ts";
import { completeToolTask } from "#src/authoring/tools/tool-task.ts";
import type { Database } from "#src/platform/db/database.ts";
import { RawJson, stringifyReply } from "#src/platform/http/json.ts";
import { OutboundError, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { echoPlace, type EchoOrder } from "./async-echo.ts";

const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 2_000;

/** Dependencies of sending a callback. */
export interface EchoCallbackParts {
  database: Database;
  safeFetch: SafeFetch;
  box: SecretBox;
}

/**
 * Sends the test result of an async echo, once: any answer ends it, whatever its status. It is only tried again when
 * the receiver certainly got nothing, at most twice.
 */
export function createEchoCallback(parts: EchoCallbackParts): TaskHandler {
  return async (task) => {
    const sealed = Buffer.from(String(task.payload.sealed), "base64");
    const order = JSON.parse(parts.box.open(sealed, echoPlace(task.workspaceId, task.subjectId))) as EchoOrder;
    return order.callbackUrl === null
      ? await completeOwn(parts, task, order)
      : await post(parts, task, order, order.callbackUrl);
  };
}

async function completeOwn({ database }: EchoCallbackParts, task: Task, order: EchoOrder): Promise<TaskEnd> {
  try {
    const result = new RawJson(stringifyReply(toResult(order)));
    const end = { status: "COMPLETED", result, error: null } as const;
    await completeToolTask(database.db, task.workspaceId, order.toolTaskId, end);
    notifyToolTask();
    return { kind: "DONE" };
  } catch (error) {
    // Answered by another request meanwhile, or by this very task before a crash.
    if (error instanceof AppError) return { kind: "DEAD", error: error.message };
    throw error;
  }
}

async function post({ safeFetch }: EchoCallbackParts, task: Task, order: EchoOrder, url: string): Promise<TaskEnd> {
  const { toolTaskId, secret } = order;
  const body = {
    toolTaskId,
    secret,
    status: "COMPLETED",
    result: toResult(order),
    error: null,
    completedAt: now().toISOString(),
  };
  try {
    await safeFetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Service-Async-Echo/1.0",
        "x-tool-task-id": toolTaskId,
        ...(secret === null ? {} : { "x-tool-secret": secret }),
      },
      body: stringifyReply(body),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: 0,
    });
    return { kind: "DONE" };
  } catch (error) {
    return decide(task, error);
  }
}

function decide(task: Task, error: unknown): TaskEnd {
  if (!(error instanceof OutboundError)) throw error;
  const reason = `${error.kind}: ${error.message}`;
  const isOver = error.bytesSent || error.kind === "BLOCKED" || task.attempt >= MAX_ATTEMPTS;
  return isOver ? { kind: "DEAD", error: reason } : { kind: "RETRY", afterMs: RETRY_MS, error: reason };
}

function toResult({ receivedAt, delaySeconds, echo, bodyText }: EchoOrder): Record<string, unknown> {
  const exact = bodyText === undefined ? echo : { ...echo, body: new RawJson(bodyText) };
  return { message: `Async echo after ${delaySeconds} s.`, receivedAt, delaySeconds, echo: exact };
}
