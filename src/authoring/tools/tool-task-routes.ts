import type { Database } from "#src/platform/db/database.ts";
import { parseJson, readExactText } from "#src/platform/http/json.ts";
import { Reply, type RequestOf, type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Type } from "#src/platform/http/schemas.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { notifyToolTask } from "./tool-task-notifier.ts";
import {
  completeToolTask,
  findAnswered,
  getToolTask,
  TOOL_TASK_RESPONSE_PATH,
  ToolTask,
  ToolTaskAnswer,
  ToolTaskId,
  ToolTaskSecret,
} from "./tool-task.ts";

const checkAnswer = compileCheck(ToolTaskAnswer, "INVALID_BODY", "VALIDATION_FAILED");
const AnswerHeaders = Type.Object({
  "X-Tool-Task-Id": Type.Optional(ToolTaskId),
  "X-Tool-Secret": Type.Optional(ToolTaskSecret),
});
const checkHeaders = compileCheck(AnswerHeaders, "INVALID_HEADER", "INVALID_HEADER");

/** The spec's body of 401 and 404; the OpenAPI document adds it by itself only to routes that need a credential. */
const Refusal = Type.Object({ error: Type.String(), message: Type.Optional(Type.String()) });

/** Routes for the answers of async tools, and for reading their tasks. */
export function toolTaskRoutes({ db }: Database, publicUrl: string): Route[] {
  return [
    route({
      audience: "external",
      tag: "Tools",
      method: "GET",
      path: "/api/external/v1/tool-tasks/{toolTaskId}",
      access: ["TOOLS_READ"],
      summary: "Read an async tool task (extension)",
      params: Type.Object({ toolTaskId: ToolTaskId }),
      replies: { 200: ToolTask },
      run: ({ caller, params }) => getToolTask(db, caller.workspaceId, params.toolTaskId),
    }),
    route({
      audience: "public",
      tag: "Tools",
      method: "POST",
      path: TOOL_TASK_RESPONSE_PATH,
      access: "PUBLIC",
      summary: "Answer an async tool task",
      description:
        "Takes the task's secret (X-Tool-Secret or body.secret) or the token of an OAuth client, which needs no permission. The task is named by body.toolTaskId or X-Tool-Task-Id. 401 for a wrong secret, 404 for an unknown task, 409 for one that has ended.",
      headers: AnswerHeaders,
      body: ToolTaskAnswer,
      // Read by the handler, so that a caller without a credential gets 401 whatever the body looks like.
      bodyKind: "ANY",
      replies: { 200: Type.Object({ status: oneOf(["accepted"]) }), 401: Refusal, 404: Refusal },
      run: (request) => answer(db, publicUrl, request),
    }),
  ];
}

type Request = RequestOf<unknown, unknown, unknown>;

async function answer(db: Database["db"], publicUrl: string, request: Request): Promise<unknown> {
  const { headers } = request;
  const client = request.caller?.kind === "OAUTH_CLIENT" ? request.caller : null;
  const given = readBody(request.bytes);
  if (client === null && !headers["x-tool-secret"] && !hasSecret(given.body)) return refuse(publicUrl, headers);
  if (given.error) throw given.error;
  checkAnswer(given.body);
  const body = given.body as ToolTaskAnswer;
  const shown = readHeaders(headers);
  const id = body.toolTaskId ?? shown.id;
  const secret = shown.secret ?? body.secret ?? null;
  if (!id) throw fieldError("toolTaskId", "REQUIRED", "is required, here or in the header X-Tool-Task-Id.");
  const { status, result = null, error = null } = body;
  try {
    await db.transaction().execute(async (tx) => {
      const workspaceId = await findAnswered(tx, id, { secret, workspaceId: client?.workspaceId ?? null });
      await completeToolTask(tx, workspaceId, id, { status: status ?? "COMPLETED", result, error });
    });
    notifyToolTask();
  } catch (fault) {
    if (fault instanceof AppError && fault.code === "UNAUTHORIZED") return refuse(publicUrl, headers, secret);
    throw fault;
  }
  return { status: "accepted" };
}

/**
 * Reads the body, and the error when it cannot be kept. Only callers with a credential get that error, and the
 * credential may be in that same body.
 */
function readBody(bytes: Buffer): { body: unknown; error?: AppError } {
  if (bytes.length === 0) return { body: {} };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    parseJson(text);
    return { body: readExactText(text) };
  } catch (error) {
    const invalid = new AppError("INVALID_BODY", "The body is not valid UTF-8.");
    return { body: parseLoosely(bytes), error: error instanceof AppError ? error : invalid };
  }
}

function parseLoosely(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

function hasSecret(body: unknown): boolean {
  return Boolean((body as { secret?: unknown } | null)?.secret);
}

function readHeaders(headers: Request["headers"]): { id: string | null; secret: string | null } {
  const id = headers["x-tool-task-id"];
  const secret = headers["x-tool-secret"];
  checkHeaders({ ...(id ? { "X-Tool-Task-Id": id } : {}), ...(secret ? { "X-Tool-Secret": secret } : {}) });
  return { id: id ? String(id) : null, secret: secret ? String(secret) : null };
}

/** Returns 401 in the contract's two shapes: with a message when no credential was sent, without one for a wrong one. */
function refuse(publicUrl: string, headers: Request["headers"], secret: string | null = null): Reply {
  const showsSomething = secret !== null || "x-api-key" in headers || "authorization" in headers;
  const fault = "authorization" in headers && !("x-api-key" in headers) ? ', error="invalid_token"' : "";
  return new Reply(
    401,
    showsSomething
      ? { error: "Unauthorized" }
      : { error: "Unauthorized", message: "Missing API key. Use X-API-Key header." },
    {
      "www-authenticate": `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"${fault}`,
    },
  );
}
