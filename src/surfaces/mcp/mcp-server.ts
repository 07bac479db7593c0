import type { IncomingHttpHeaders } from "node:http";
import {
  type CallToolResult,
  createMcpHandler,
  type Implementation,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { rawSlice } from "#src/platform/http/json.ts";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import type { Reply } from "#src/platform/http/route.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { readVersion } from "#src/platform/kernel/version.ts";
import type { CallApi } from "./call-api.ts";
import { type PlainCall, readPlainCall, writePlainResult } from "./plain-call.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { Resources } from "./resources.ts";
import { Subscriptions } from "./subscriptions.ts";
import { ToolList, type ToolView } from "./tool-list.ts";
import { ArgumentError, refusal } from "./tool-result.ts";
import { RUN_TOOL } from "./tool-search.ts";
import { type McpTool, textsOf, type ToolCall } from "./tool.ts";

const INFO: Implementation = { name: "parley", title: "Parley", version: readVersion() };
const INSTRUCTIONS =
  "Parley makes outbound phone calls and chats. A flow says what the agent talks about (list_flows); place_call_and_wait calls one person and returns the transcript, start_call_job_from_rows calls several. Calls reach real people unless the workspace is a sandbox; +12025550100 to +12025550199 are always simulated. Pass an idempotencyKey to writing tools so that a repeat does nothing twice. Your list holds the common tools: find_tools finds the others, and the full schema of an argument. The documentation is in the resources parley://docs/….";
/** Lifetime of the lists, which change when the service is replaced or the caller's permissions are changed. */
const LIST_TTL_MS = 300_000;
const CACHE = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;
const CACHE_HINTS = {
  "tools/list": CACHE,
  "prompts/list": CACHE,
  "resources/list": CACHE,
  "resources/templates/list": CACHE,
  "server/discover": CACHE,
};
const KEEP_ALIVE_MS = 15_000;
const EMPTY_LIST = { tools: [], ...CACHE };
const NO_TOOLS = '"tools":[]';

/** One message to the server, from an admitted caller. */
export interface McpExchange {
  /** The parsed body, and its exact text. */
  body: unknown;
  bodyText: string;
  /** The REST API with this caller's credential. */
  api: CallApi;
  permissions: ReadonlySet<string>;
  /** Returns the caller's permissions as they are now; undefined for a credential that holds no more. */
  readPermissions: () => Promise<ReadonlySet<string> | undefined>;
  view: ToolView;
}

/** Answers MCP messages of both protocol eras; keeps no state between them. */
export interface McpAnswerer {
  /** Throws BAD_REQUEST for a view with an unknown toolset. */
  assertView(view: ToolView): void;
  /**
   * Answers a message that calls a tool and asks for nothing else, without the library, which would make a server, a
   * transport, a Request and a Response for it; undefined for all other messages.
   */
  answerPlain(exchange: McpExchange, headers: IncomingHttpHeaders): Promise<Reply> | undefined;
  /** Answers any message. */
  answer(exchange: McpExchange, request: Request): Promise<Response>;
  /**
   * Puts the tools into the bytes of an answer to tools/list, which has none yet. The library would check and write
   * them anew for every message.
   */
  complete(exchange: McpExchange, reply: Buffer): Buffer;
  /** True when the answer may take so long that it should end when the client leaves. */
  lasts(body: unknown): boolean;
  /** Returns the tool that a message calls, or its method, and never the caller's own text. */
  nameOf(body: unknown): string | undefined;
}

/** Methods that are answered at once. */
const METHODS = new Set<unknown>([
  "initialize",
  "server/discover",
  "ping",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
]);

/** Builds the server's lists once; a Server object lives for one message only. */
export function createAnswerer(tools: McpTool[], log: Log): McpAnswerer {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const list = new ToolList(tools);
  const factory = createFactory(byName, log);
  const brief = createMcpHandler(factory, { responseMode: "auto", keepAliveMs: KEEP_ALIVE_MS });
  const lasting = createMcpHandler(factory, { responseMode: "sse", keepAliveMs: KEEP_ALIVE_MS });
  const subscriptions = new Subscriptions(factory, KEEP_ALIVE_MS);
  const answerCall = async (tool: McpTool, call: PlainCall, exchange: McpExchange, servedAs: string) => {
    const context = { signal: NEVER_ABORTED, report: () => undefined };
    return writePlainResult(call, await runTool(tool, toCall(call.args, exchange, context), log), INFO, servedAs);
  };
  return {
    assertView: (view) => list.check(view),
    answerPlain(exchange, headers) {
      const tool = byName.get(calledTool(exchange.body));
      if (!tool || tool.waits || tool.viaLibrary) return undefined;
      const call = readPlainCall(headers, exchange.body);
      const called = call && byName.get(call.name);
      return called && answerCall(called, call, exchange, tool.definition.name);
    },
    async answer(exchange, request) {
      const { body } = exchange;
      const authInfo = { token: "", clientId: "", scopes: [], extra: { ...exchange } };
      const options = { authInfo, ...(body === undefined ? {} : { parsedBody: body }) };
      if (methodOf(body) === "subscriptions/listen") return subscriptions.open({ ...exchange, request }, options);
      const { fetch } = byName.get(calledTool(body))?.waits ? lasting : brief;
      return fetch(request, options);
    },
    complete({ body, permissions, view }, reply) {
      return methodOf(body) === "tools/list" ? fillList(reply, list.bytesFor(permissions, view)) : reply;
    },
    lasts(body) {
      const tool = byName.get(calledTool(body));
      return tool ? tool.waits === true : !METHODS.has(methodOf(body));
    },
    nameOf(body) {
      const method = methodOf(body);
      return byName.get(calledTool(body))?.definition.name ?? (METHODS.has(method) ? String(method) : undefined);
    },
  };
}

/**
 * Returns the factory of the server of one message. Only the newer era has a stream by which a client learns that its
 * tools have changed.
 */
function createFactory(byName: ReadonlyMap<string, McpTool>, log: Log): McpServerFactory {
  const resources = new Resources();
  const shared = { instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS, jsonSchemaValidator: NO_VALIDATOR };
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const options = {
    legacy: { ...shared, capabilities },
    modern: { ...shared, capabilities: { ...capabilities, tools: { listChanged: true } } },
  };
  return ({ authInfo, era }) => {
    const exchange = authInfo?.extra as unknown as McpExchange;
    const server = new Server(INFO, options[era]);
    server.setRequestHandler("tools/list", () => EMPTY_LIST);
    server.setRequestHandler("tools/call", ({ params }, context) => {
      const tool = byName.get(params.name);
      if (!tool) {
        const message = `Unknown tool: ${params.name}.${askNearest(params.name, [...byName.keys()])}`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
      return runTool(tool, toCall(params.arguments ?? {}, exchange, followOf(context)), log);
    });
    server.setRequestHandler("resources/list", async () => ({ resources: await resources.list() }));
    server.setRequestHandler("resources/templates/list", () => ({
      resourceTemplates: resources.templates(exchange.permissions),
    }));
    server.setRequestHandler("resources/read", ({ params }) => resources.read(params.uri, exchange.api));
    server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }));
    server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments));
    return server;
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

/** Returns the tool that a message calls; for run_tool the one that it runs. */
function calledTool(body: unknown): string {
  if (methodOf(body) !== "tools/call") return "";
  const { name, arguments: args } = ((body as { params?: unknown }).params ?? {}) as Record<string, unknown>;
  const inner = name === RUN_TOOL ? (args as { name?: unknown } | null | undefined)?.name : undefined;
  if (typeof inner === "string" && inner !== RUN_TOOL) return inner;
  return typeof name === "string" ? name : "";
}

/** The way in which a call is followed while it runs. */
type Following = Pick<ToolCall, "signal" | "report">;

/** The signal of calls that nobody can end. */
const NEVER_ABORTED = new AbortController().signal;

function followOf({ mcpReq: { signal, notify, _meta } }: ServerContext): Following {
  const progressToken = _meta?.progressToken;
  return {
    signal,
    report(progress, message, total) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
      // The client may be gone already; sending the result will show that.
      notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}

function toCall(
  args: Record<string, unknown>,
  { bodyText, api, permissions }: McpExchange,
  following: Following,
): ToolCall {
  const textOf = textsOf(args, () => rawSlice(bodyText, ["params", "arguments"]) ?? "{}");
  return { args, textOf, api, permissions, ...following };
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
