import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Presented, readPresented } from "#src/platform/http/admission.ts";
import { EXACT_ARGUMENTS, parseJson } from "#src/platform/http/json.ts";
import { type Caller, Reply, type RequestOf, type Route, route } from "#src/platform/http/route.ts";
import { type Static, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { CallApi } from "./call-api.ts";
import { composedTools } from "./composed-tools.ts";
import type { McpAnswerer, McpExchange } from "./mcp-server.ts";
import { findOperations, operationTool } from "./operations.ts";
import { assertOwnOrigin } from "./origin-check.ts";
import { searchTools } from "./tool-search.ts";

const PATH = "/api/mcp";
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Dependencies and settings of the MCP server. */
export interface McpParts {
  publicUrl: string;
  log: Log;
  callApi: CallApi;
  /** Reads a credential anew, without a token of its bucket; null for one that holds no more. */
  readCaller: (presented: Presented, address: string) => Promise<Caller | null>;
  /** Adds the tools of the protocol's conformance suite. */
  testTools: boolean;
}

const McpQuery = Type.Object({
  toolsets: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "Tools that are listed: names of toolsets with commas between them, `default` or `all`.",
    }),
  ),
  schemas: Type.Optional(
    Type.Union([Type.Literal("slim"), Type.Literal("full")], {
      description: "`full` lists whole input schemas, and output schemas. Default `slim`.",
    }),
  ),
});

type McpRequest = RequestOf<unknown, Static<typeof McpQuery>, unknown>;

/**
 * Returns the routes of the MCP server: its tools are made from the external routes, each a request to the REST API
 * with the caller's own credential.
 */
export function mcpRoutes(external: Route[], parts: McpParts): Route[] {
  let answerer: Promise<McpAnswerer> | undefined;
  const run = (method: string) => async (request: McpRequest) =>
    serve(await (answerer ??= openAnswerer(external, parts)), parts, method, request);
  const declare = (method: "GET" | "POST" | "DELETE", summary: string) =>
    route({
      audience: "public",
      access: "ANY",
      tag: "MCP",
      method,
      path: PATH,
      summary,
      bodyKind: method === "POST" ? "ANY" : "NONE",
      bodyLimit: MAX_BODY_BYTES,
      keyInQuery: true,
      query: McpQuery,
      openQuery: true,
      resource: PATH,
      replies: { 200: null },
      run: run(method),
    });
  return [
    declare("POST", "One MCP message"),
    declare("GET", "Refused: the server keeps no stream open"),
    declare("DELETE", "Refused: the server keeps no session"),
  ];
}

/** Creates the answerer at the first message: the tools' schemas and the protocol's library take a fifth of a start. */
async function openAnswerer(external: Route[], { log, testTools }: McpParts): Promise<McpAnswerer> {
  const { createAnswerer } = await import("./mcp-server.ts");
  const operations = findOperations(external);
  const own = testTools ? (await import("./fixture-tools.ts")).fixtureTools() : [];
  const tools = [...composedTools(operations), ...operations.map(operationTool)];
  return createAnswerer([...tools, ...searchTools(tools), ...own], log);
}

async function serve(answerer: McpAnswerer, parts: McpParts, method: string, request: McpRequest): Promise<Reply> {
  assertOwnOrigin(request.headers, parts.publicUrl);
  const bodyText = request.bytes.toString("utf8").replace(/^\uFEFF/, "");
  let body: unknown;
  if (method === "POST" && isJson(request.headers["content-type"])) {
    try {
      body = parseJson(bodyText, EXACT_ARGUMENTS);
    } catch (error) {
      return rpcError(error instanceof AppError && error.code !== "INVALID_JSON" ? -32_600 : -32_700, error);
    }
    // Each request takes one rate-limit token; a batch would take one for all its messages.
    if (Array.isArray(body)) return rpcError(-32_600, new AppError("BAD_REQUEST", "Send one message at a time."));
  }
  const presented = readPresented(request.headers, request.query);
  const exchange: McpExchange = {
    body,
    bodyText,
    api: asCaller(parts.callApi, presented, request),
    permissions: request.caller.permissions,
    readPermissions: async () => (await parts.readCaller(presented, request.address))?.permissions,
    view: request.query,
  };
  answerer.assertView(exchange.view);
  const plain = answerer.answerPlain(exchange, request.headers);
  if (plain) return plain;
  // Only for messages that may take long: a signal makes the request object several times more expensive.
  const closing = answerer.lasts(body) ? abortOnClose(request.stream) : undefined;
  const response = await answerer.answer(exchange, toWebRequest(parts.publicUrl, method, request, closing?.signal));
  if (closing) return toStream(response, answerer.nameOf(body), closing.release);
  return toReply(response, (bytes) => answerer.complete(exchange, bytes), answerer.nameOf(body));
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json *(;|$)/i.test(contentType ?? "");
}

function rpcError(code: number, error: unknown): Reply {
  const message = error instanceof Error ? error.message : "The message cannot be read.";
  return new Reply(400, { jsonrpc: "2.0", error: { code, message }, id: null });
}

/** Converts the request for the protocol library, without the query and the headers that may hold a credential. */
function toWebRequest(publicUrl: string, method: string, { headers }: McpRequest, signal?: AbortSignal): Request {
  const list: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string" && (PROTOCOL_HEADERS.has(name) || name.startsWith("mcp-"))) list.push([name, value]);
  }
  return new Request(publicUrl + PATH, { method, headers: list, ...(signal ? { signal } : {}) });
}

const PROTOCOL_HEADERS = new Set(["accept", "content-type", "last-event-id", "user-agent"]);

/**
 * Returns the API for this caller: with the same credential, however it was sent, from the same address, and with the
 * same origin header.
 */
function asCaller(callApi: CallApi, { apiKey, bearer }: Presented, { headers, caller, address }: McpRequest): CallApi {
  const credential: Record<string, string> =
    apiKey === undefined ? { authorization: `Bearer ${bearer ?? ""}` } : { "x-api-key": apiKey };
  const origin = headers["x-service-ai-origin"];
  const forwarded = { ...credential, ...(typeof origin === "string" ? { "x-service-ai-origin": origin } : {}) };
  // This request has read the caller already. Later requests of a tool read it anew, so that a credential revoked
  // meanwhile stops it.
  let known: Caller | undefined = caller;
  return (request) => {
    const fresh = known;
    known = undefined;
    return callApi({ ...request, address, headers: { ...request.headers, ...forwarded } }, fresh);
  };
}

/** Aborts when the connection ends before the answer does. */
function abortOnClose(stream: Readable): { signal: AbortSignal; release: () => void } {
  const { socket } = stream as IncomingMessage;
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("The client has gone."));
  socket.once("close", abort);
  return { signal: controller.signal, release: () => void socket.off("close", abort) };
}

/** Returns an answer that may last: a stream, where the library made one. */
async function toStream(response: Response, servedAs: string | undefined, release: () => void): Promise<Reply> {
  const headers = Object.fromEntries(response.headers);
  if (response.body && headers["content-type"]?.startsWith("text/event-stream")) {
    const stream = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    stream.once("close", release);
    return new Reply(response.status, stream, { ...headers, "x-accel-buffering": "no" }, servedAs);
  }
  return toReply(response, (bytes) => bytes, servedAs).finally(release);
}

/** Returns an answer that is there at once, also where the library wrote it as a stream of one event. */
async function toReply(
  response: Response,
  complete: (bytes: Buffer) => Buffer,
  servedAs: string | undefined,
): Promise<Reply> {
  const headers = Object.fromEntries(response.headers);
  // The library counted the bytes before they were complete.
  delete headers["content-length"];
  const bytes = complete(Buffer.from(await response.arrayBuffer()));
  return new Reply(response.status, bytes.length === 0 ? undefined : bytes, headers, servedAs);
}
