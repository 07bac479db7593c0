import { notifyToolTask } from "#src/authoring/tools/tool-task-notifier.ts";
import {
  createToolTask,
  giveUpToolTask,
  TOOL_TASK_RESPONSE_PATH,
  type ToolTaskEnd,
} from "#src/authoring/tools/tool-task.ts";
import type { ToolRunResult } from "#src/engine/conversation/tool-port.ts";
import { readExactText } from "#src/platform/http/json.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import { readAnswer, toContent } from "./answer.ts";
import { fillHeaders, secretsOf } from "./api-request.ts";
import type { LoadedTool } from "./loaded-tool.ts";
import type { Outcome } from "./outcome.ts";
import { maskSecrets } from "./secrets.ts";
import { ToolFailure } from "./tool-failure.ts";
import type { ToolRunParts } from "./tool-run-parts.ts";
import { type ToolScope, toVariables } from "./tool-scope.ts";
import { shorten } from "./values.ts";

const SECRET_LENGTH = 40;
const MAX_ERROR_BYTES = 500;

/** Options for starting an async tool. */
interface StartOptions {
  /** Milliseconds left of the call's time. */
  waitMs: number;
  /** Signal of the session: the wait for the answer outlasts the request that starts the tool. */
  signal: AbortSignal;
  start: (scope: ToolScope) => Promise<Outcome>;
}

/**
 * Starts a tool whose answer comes by the callback: makes its task, sends the request with the task's id and secret,
 * and waits. A failed request ends the task, so that a stray callback is refused.
 */
export async function startAsync(
  parts: ToolRunParts,
  workspaceId: string,
  scope: ToolScope,
  { waitMs, signal, start }: StartOptions,
): Promise<Outcome | { kind: "PENDING"; taskId: string; outcome: Promise<Outcome> }> {
  const { db } = parts.database;
  const secret = randomText(SECRET_LENGTH);
  const patienceMs = Math.max(1, Math.round(waitMs));
  const id = await createToolTask(db, workspaceId, { secret, source: "TOOL", waitMs: patienceMs });
  const begun = { ...scope, task: { id, secret, callbackUrl: parts.publicUrl + TOOL_TASK_RESPONSE_PATH } };
  // Starts to wait before the request is sent, since the answer may come before the request's own reply.
  const end = parts.awaited.waitFor(workspaceId, id, patienceMs, signal);
  const outcome = end.then(
    (ended) => toOutcome(begun, ended),
    () => ({ kind: "FAILED" as const, code: "CANCELLED", message: "The session is over." }),
  );
  try {
    const started = await start(begun);
    if (started.kind === "VALUE") return { kind: "PENDING", taskId: id, outcome };
    await stopWaiting(parts, workspaceId, id);
    return started;
  } catch (error) {
    await stopWaiting(parts, workspaceId, id);
    throw error;
  }
}

/** Returns the result of a tool whose answer came after the process that asked had stopped waiting for it (chats). */
export function readLateAnswer(
  tool: LoadedTool,
  input: Record<string, unknown>,
  session: Record<string, unknown>,
  end: ToolTaskEnd,
): ToolRunResult {
  const outcome = toOutcome({ tool, session, parameters: input, results: {}, task: null }, end);
  return outcome.kind === "VALUE" ? { ...outcome, content: toContent(outcome.value) } : outcome;
}

async function stopWaiting({ database }: ToolRunParts, workspaceId: string, id: string): Promise<void> {
  await giveUpToolTask(database.db, workspaceId, id, "The tool could not be started.");
  notifyToolTask();
}

function toOutcome(scope: ToolScope, end: ToolTaskEnd | null): Outcome {
  try {
    if (end === null) throw new ToolFailure("TIMEOUT", "The tool did not answer in time.");
    const variables = toVariables(scope);
    const secrets = secretsOf(scope, fillHeaders(scope.tool, variables), variables);
    if (end.status === "FAILED") {
      const said = maskSecrets(end.error ?? "", secrets);
      throw new ToolFailure("TOOL_FAILED", shorten(said, MAX_ERROR_BYTES) || "The tool has failed.");
    }
    const result = JSON.parse(maskSecrets(JSON.stringify(end.result ?? null), secrets)) as unknown;
    const { asyncReturnType, returnValue } = scope.tool.definition;
    return { kind: "VALUE", ...readAnswer(returnValue, toType(result, asyncReturnType ?? null)) };
  } catch (error) {
    if (error instanceof ToolFailure) return { kind: "FAILED", code: error.code, message: error.message };
    return { kind: "FAILED", code: "INTERNAL", message: "The tool's answer could not be read." };
  }
}

/** TEXT turns every value into a text, JSON parses a text that is JSON; other types leave the value as it is. */
function toType(result: unknown, type: string | null): unknown {
  if (/^text$/i.test(type ?? "") && result !== null && typeof result !== "string") return JSON.stringify(result);
  if (!/^json$/i.test(type ?? "") || typeof result !== "string") return result;
  try {
    return readExactText(result);
  } catch {
    return result;
  }
}
