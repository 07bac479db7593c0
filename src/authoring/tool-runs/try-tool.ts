import { findBodySecrets } from "#src/authoring/tools/api-body.ts";
import { maskHeaders } from "#src/authoring/tools/api-headers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import {
  OutboundError,
  type OutboundReply,
  type OutboundRequest,
  type SafeFetch,
} from "#src/platform/http/safe-fetch.ts";
import { anyObject, nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { grantTools } from "./grant-tools.ts";
import { findSecrets, maskSecrets } from "./secrets.ts";
import type { ToolRunParts } from "./tool-run-parts.ts";
import { createToolRunner } from "./tool-runner.ts";
import { shorten } from "./values.ts";

const MAX_SHOWN_BYTES = 65_536;
const MAX_EXCHANGES = 20;

/** One request that a tool sent while it was tried, with credentials masked. */
const Exchange = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    requestHeaders: anyObject("By name; credentials are masked."),
    requestBody: nullable(Type.String()),
    status: nullable(Type.Integer({ description: "Null: no answer arrived." })),
    responseHeaders: anyObject("By lower-case name; credentials are masked."),
    responseBody: nullable(Type.String()),
    durationMs: Type.Integer(),
    error: nullable(Type.String()),
  },
  { $id: "ToolExchange" },
);
type Exchange = Static<typeof Exchange>;

/** Body of a tool's trial. */
export const ToolTrialInput = Type.Object(
  {
    input: Type.Optional(anyObject("What the model would give: the parameters by name.")),
    variables: Type.Optional(anyObject("What the session would know: values for VARIABLE parameters and templates.")),
  },
  { $id: "ToolTrialInput" },
);
type ToolTrialInput = Static<typeof ToolTrialInput>;

/** Result of one run of a tool outside of any conversation. */
export const ToolTrial = Type.Object(
  {
    outcome: oneOf(["VALUE", "FAILED", "PENDING", "TRANSFER"], "PENDING: the answer comes to the task later."),
    content: nullable(Type.String({ description: "What the model would be told." })),
    errorCode: nullable(Type.String()),
    taskId: nullable(Type.String({ description: "Task of an async tool; GET /tool-tasks/{toolTaskId} reads it." })),
    transfer: nullable(anyObject("What would be dialled; nobody is called.")),
    variables: anyObject("Variables that the session would keep."),
    durationMs: Type.Integer(),
    exchanges: Type.Array(Exchange),
  },
  { $id: "ToolTrial" },
);
type ToolTrial = Static<typeof ToolTrial>;

/**
 * Runs one of the workspace's own tools once, as a conversation would: its requests are sent; its mock, cache and
 * limits apply. A transfer is reported, never dialled. 404 when there is no such tool.
 */
export async function tryTool(
  db: Executor,
  parts: ToolRunParts,
  workspaceId: string,
  toolId: string,
  { input = {}, variables = {} }: ToolTrialInput,
): Promise<ToolTrial> {
  const exchanges: Exchange[] = [];
  const watched: ToolRunParts = { ...parts, safeFetch: watchFetch(parts.safeFetch, exchanges) };
  const granted = await grantTools(db, watched, workspaceId, [toolId], { language: "en-US" });
  // Offers the tool even if only other tools may call it, so that it can be tried.
  const tools = granted.map((tool) => (tool.grant.id === toolId.toLowerCase() ? { ...tool, isOffered: true } : tool));
  const tool = tools.find(({ grant }) => grant.id === toolId.toLowerCase());
  if (!tool) throw new AppError("NOT_FOUND", "There is no such tool of the workspace. System tools cannot be tried.");
  const sessionId = uuidv7();
  const session = {
    workspaceId,
    sessionId,
    flowId: null,
    contactKey: null,
    channel: "VOICE",
    language: "en-US",
  } as const;
  const startedMs = performance.now();
  const call = { callId: sessionId, tool: tool.grant, input, variables };
  const result = await createToolRunner(watched, session, tools).run(call, new AbortController().signal);
  const nothing = { content: null, errorCode: null, taskId: null, transfer: null, variables: {} };
  const shared = { ...nothing, outcome: result.kind, durationMs: Math.round(performance.now() - startedMs), exchanges };
  if (result.kind === "VALUE") return { ...shared, content: result.content, variables: result.variables };
  if (result.kind === "FAILED") return { ...shared, content: result.message, errorCode: result.code };
  if (result.kind === "PENDING") return { ...shared, taskId: result.taskId };
  return { ...shared, transfer: { ...result.order } };
}

function watchFetch(safeFetch: SafeFetch, exchanges: Exchange[]): SafeFetch {
  return async (url, request) => {
    const startedMs = performance.now();
    const note = (came: Partial<Exchange>) => {
      if (exchanges.length >= MAX_EXCHANGES) return;
      exchanges.push({ ...toExchange(url, request), ...came, durationMs: Math.round(performance.now() - startedMs) });
    };
    try {
      const reply = await safeFetch(url, request);
      note(readReply(reply, secretsOf(request)));
      return reply;
    } catch (error) {
      note({ error: error instanceof OutboundError ? error.message : "The request failed." });
      throw error;
    }
  };
}

function secretsOf({ headers, body }: OutboundRequest): string[] {
  return findSecrets(headers, typeof body === "string" ? findBodySecrets(readBody(body)) : []);
}

/** Parses a request's body as the tool filled it in: JSON, else a form. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

function toExchange(url: string, request: OutboundRequest): Exchange {
  const { method, headers, body } = request;
  const secrets = secretsOf(request);
  return {
    method,
    url: maskSecrets(url, secrets),
    requestHeaders: maskHeaders(headers),
    requestBody: typeof body === "string" ? shorten(maskSecrets(body, secrets), MAX_SHOWN_BYTES) : null,
    status: null,
    responseHeaders: {},
    responseBody: null,
    durationMs: 0,
    error: null,
  };
}

function readReply({ status, headers, body }: OutboundReply, secrets: string[]): Partial<Exchange> {
  const text = maskSecrets(body.toString("utf8").replaceAll("\u0000", "\uFFFD"), secrets);
  return { status, responseHeaders: maskHeaders(headers), responseBody: shorten(text, MAX_SHOWN_BYTES) };
}
