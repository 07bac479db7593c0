import {
  type CallToolResult,
  createMcpHandler,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { rawSlice } from "#src/platform/http/json.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { CallApi } from "./call-api.ts";
import { ArgumentError, refusal } from "./tool-result.ts";
import type { McpTool, ToolCall } from "./tool.ts";

const INFO: Implementation = { name: "parley", title: "Parley", version: "1.0.0" };
const INSTRUCTIONS =
  "Parley makes outbound phone calls and chats. A flow says what the agent talks about (list_flows); place_call_and_wait calls one person and returns the transcript, start_call_job_from_rows calls several. Calls reach real people unless the workspace is a sandbox; +12025550100 to +12025550199 are always simulated. Pass an idempotencyKey to writing tools so that a repeat does nothing twice.";
/** Lifetime of the tool list, which changes only when the service is replaced. */
const LIST_TTL_MS = 300_000;
const CACHE = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;
const KEEP_ALIVE_MS = 15_000;
const EMPTY_LIST = { tools: [], ...CACHE };
const NO_TOOLS = '"tools":[]';

/** One message to the server, from an admitted caller. */
export interface McpExchange {
  request: Request;
  /** The parsed body, and its exact text. */
  body: unknown;
  bodyText: string;
  /** The REST API with this caller's credential. */
  api: CallApi;
}

/** Answers MCP messages of both protocol eras; keeps no state between them. */
export interface McpAnswerer {
  answer(exchange: McpExchange): Promise<Response>;
  /**
   * Puts the tools into the bytes of an answer to tools/list, which has none yet. The library would check and write half
   * a megabyte anew for every message, and they are the same for everybody.
   */
  complete(body: unknown, reply: Buffer): Buffer;
  /** True when the answer may take so long that it should end when the client leaves. */
  lasts(body: unknown): boolean;
  /** Returns the tool that a message calls, or its method, and never the caller's own text. */
  nameOf(body: unknown): string | undefined;
}

const METHODS = new Set<unknown>(["initialize", "server/discover", "tools/list", "ping"]);

/** Builds the server's tool list once; a Server object lives for one message only. */
export function createAnswerer(tools: McpTool[], log: Log): McpAnswerer {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const definitions = Buffer.from(JSON.stringify(tools.map((tool) => tool.definition)));
  const options = {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { "tools/list": CACHE, "server/discover": CACHE },
    jsonSchemaValidator: NO_VALIDATOR,
  };
  const handlerFor = (responseMode: "auto" | "sse") =>
    createMcpHandler(
      ({ authInfo }) => {
        const server = new Server(INFO, options);
        server.setRequestHandler("tools/list", () => EMPTY_LIST);
        server.setRequestHandler("tools/call", ({ params }, context) => {
          const tool = byName.get(params.name);
          if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
          return runTool(tool, toCall(params.arguments ?? {}, context, authInfo?.extra as unknown as McpExchange), log);
        });
        return server;
      },
      { responseMode, keepAliveMs: KEEP_ALIVE_MS },
    );
  const brief = handlerFor("auto");
  const lasting = handlerFor("sse");
  return {
    answer(exchange) {
      const { request, body } = exchange;
      const { fetch } = byName.get(calledTool(body))?.waits ? lasting : brief;
      const authInfo = { token: "", clientId: "", scopes: [], extra: { ...exchange } };
      return fetch(request, { authInfo, ...(body === undefined ? {} : { parsedBody: body }) });
    },
    complete: (body, reply) => (methodOf(body) === "tools/list" ? fillList(reply, definitions) : reply),
    lasts(body) {
      const tool = byName.get(calledTool(body));
      return tool ? tool.waits === true : methodOf(body) !== "tools/list";
    },
    nameOf(body) {
      const method = methodOf(body);
      return byName.get(calledTool(body))?.definition.name ?? (METHODS.has(method) ? String(method) : undefined);
    },
  };
}

function fillList(reply: Buffer, tools: Buffer): Buffer {
  const at = reply.indexOf(NO_TOOLS);
  if (at < 0) return reply;
  const start = at + NO_TOOLS.length - "[]".length;
  return Buffer.concat([reply.subarray(0, start), tools, reply.subarray(start + "[]".length)]);
}

/** Validator stub. It would check answers to questions that this server never asks its clients. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("This server elicits nothing.");
  },
};

function methodOf(body: unknown): unknown {
  return ((body ?? {}) as { method?: unknown }).method;
}

function calledTool(body: unknown): string {
  const name = ((body ?? {}) as { params?: { name?: unknown } }).params?.name;
  return methodOf(body) === "tools/call" && typeof name === "string" ? name : "";
}

function toCall(args: Record<string, unknown>, context: ServerContext, { bodyText, api }: McpExchange): ToolCall {
  const { signal, notify, _meta } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    args,
    textOf: (name) => rawSlice(bodyText, ["params", "arguments", name]) ?? JSON.stringify(args[name]),
    api,
    signal,
    report(progress, message, total) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
      // The client may be gone already; sending the result will show that.
      notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}

async function runTool(tool: McpTool, call: ToolCall, log: Log): Promise<CallToolResult> {
  try {
    return await tool.run(call);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof ArgumentError) return refusal(`${error.message} Correct the arguments and call again.`);
    if (error instanceof AppError) return refusal(error.message);
    if (!call.signal.aborted) {
      log.error("A tool failed.", { tool: tool.definition.name, error: toError(error).message });
    }
    return refusal("Something went wrong on our side. Try again in a moment.");
  }
}
