import type { IncomingHttpHeaders } from "node:http";
import {
  type CallToolResult,
  classifyInboundRequest,
  type Implementation,
  type InboundClassificationOutcome,
  isSpecType,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { Reply } from "#src/platform/http/route.ts";

/** The newer era's revision that plain calls are answered in; the library answers every other. */
const MODERN_REVISION = "2026-07-28";
const METHOD = "tools/call";
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

/** A message that calls a tool and asks for nothing else, so that one result answers it. */
export interface PlainCall {
  era: "modern" | "legacy";
  id: string | number;
  name: string;
  args: Record<string, unknown>;
}

interface CallMessage {
  id: string | number;
  params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };
}

/**
 * Reads a plain call, by the library's verdict on the message and its headers. Undefined for every other message, also for
 * those that are to be refused: the library answers them.
 */
export function readPlainCall(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined {
  if ((body as { method?: unknown } | null | undefined)?.method !== METHOD) return undefined;
  const { accept = "", "mcp-protocol-version": version, "mcp-method": method, "mcp-name": named } = headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return undefined;
  const verdict = classifyInboundRequest({
    httpMethod: "POST",
    ...(typeof version === "string" ? { protocolVersionHeader: version } : {}),
    ...(typeof method === "string" ? { mcpMethodHeader: method } : {}),
    ...(typeof named === "string" ? { mcpNameHeader: named } : {}),
    body,
  });
  const era = eraOf(verdict);
  if (era === undefined) return undefined;
  const { id, params } = body as CallMessage;
  if (!isSpecType.CallToolRequestParams(params) || Object.keys(params).some((name) => !PARAMS.has(name))) {
    return undefined;
  }
  const { name, arguments: args = {}, _meta: meta } = params;
  if (era === "legacy") {
    const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
    return isKnown && meta === undefined ? { era, id, name, args } : undefined;
  }
  if (version !== MODERN_REVISION || method !== METHOD || named !== name) return undefined;
  return meta?.progressToken === undefined ? { era, id, name, args } : undefined;
}

/** Returns the era of a request; undefined for other messages, and for those that are refused. */
function eraOf(verdict: InboundClassificationOutcome): PlainCall["era"] | undefined {
  if (verdict.kind === "legacy") return verdict.reason === "no-claim" ? "legacy" : undefined;
  return verdict.kind === "modern" && verdict.messageKind === "request" ? "modern" : undefined;
}

const JSON_HEADERS = { "content-type": "application/json" };
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
};

/**
 * Writes the result of a plain call as the library does: as JSON in the newer era, as a stream of one event in the older
 * one. `servedAs` names the tool for the request log.
 */
export function writePlainResult(
  { era, id }: PlainCall,
  result: CallToolResult,
  server: Implementation,
  servedAs: string,
): Reply {
  if (era === "legacy") {
    const text = `event: message\ndata: ${JSON.stringify({ result, jsonrpc: "2.0", id })}\n\n`;
    return new Reply(200, text, STREAM_HEADERS, servedAs);
  }
  const complete = { ...result, resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: server } };
  // Bytes: the server would add a charset to the type of a text.
  const bytes = Buffer.from(JSON.stringify({ result: complete, jsonrpc: "2.0", id }));
  return new Reply(200, bytes, JSON_HEADERS, servedAs);
}
