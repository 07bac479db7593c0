import type { Client, JsonSchemaValidator } from "@modelcontextprotocol/client";
import { checkSchema } from "#src/authoring/structured-outputs/schema-check.ts";
import { readExactText } from "#src/platform/http/json.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeOpen, OutboundError } from "#src/platform/http/safe-fetch.ts";
import { createWebFetch, type WebFetch } from "#src/platform/http/web-fetch.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { assertAllowedHost, fillHeaders, toFailure } from "./api-request.ts";
import { fillUrl } from "./fill-url.ts";
import type { LoadedTool } from "./loaded-tool.ts";
import { findSecrets, maskSecrets } from "./secrets.ts";
import { ToolFailure } from "./tool-failure.ts";
import { type ToolScope, toVariables } from "./tool-scope.ts";
import { isRecord, shorten } from "./values.ts";

type Schema = Record<string, unknown>;

const DEFAULT_TIMEOUT_SECONDS = 15;
/** A session waits for the schema at its start, unless it is cached. */
const SCHEMA_TIMEOUT_MS = 4_000;
const SCHEMA_LIFE_MS = 300_000;
const FAILURE_LIFE_MS = 15_000;
const MAX_KNOWN = 1_000;
const MAX_ANSWER_BYTES = 1_048_576;
const MAX_SHOWN_BYTES = 500;
const MAX_PAGES = 10;
/** Headers that the transport sets itself. */
const OWN_HEADERS = new Set([
  "accept",
  "content-type",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
]);
/** Accepts every schema: they come from a third party, and only our own checks apply to them. */
const TRUSTING = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};

interface Known {
  schema: Promise<Schema | null>;
  untilMs: number;
}

/** Tools of MCP servers (toolType MCP), through the official client and the guarded fetch. */
export class McpSource {
  readonly #guard: OutboundGuard;
  readonly #log: Log;
  readonly #known = new Map<string, Known>();

  constructor(guard: OutboundGuard, log: Log) {
    this.#guard = guard;
    this.#log = log;
  }

  /** Returns the server's schema for the tool's input, cached for five minutes; null when it cannot be had. */
  inputSchema(workspaceId: string, tool: LoadedTool): Promise<Schema | null> {
    const key = `${workspaceId}|${tool.grant.id}|${tool.version}`;
    const known = this.#known.get(key);
    if (known && known.untilMs > Date.now()) return known.schema;
    const entry: Known = { schema: this.#readSchema(tool), untilMs: Date.now() + SCHEMA_LIFE_MS };
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    void entry.schema.then((schema) => {
      if (schema === null) entry.untilMs = Date.now() + FAILURE_LIFE_MS;
    });
    return entry.schema;
  }

  /** Calls the tool at its server and returns the answer. Throws a ToolFailure. */
  async call(scope: ToolScope, input: Schema, signal: AbortSignal): Promise<unknown> {
    const timeoutMs = (scope.tool.definition.apiTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
    return this.#withClient(scope, timeoutMs, signal, async (client, secrets) => {
      const options = { signal, timeout: timeoutMs };
      const result = await client.callTool({ name: toServerName(scope.tool), arguments: input }, options);
      return readResult(JSON.parse(maskSecrets(JSON.stringify(result), secrets)) as Schema);
    });
  }

  async #readSchema(tool: LoadedTool): Promise<Schema | null> {
    // At the start of a session there are no values yet to fill in.
    const isTemplated = JSON.stringify([tool.definition.apiUrl, tool.headers]).includes("{{");
    if (isTemplated) return null;
    const scope: ToolScope = { tool, session: {}, parameters: {}, results: {}, task: null };
    const signal = AbortSignal.timeout(SCHEMA_TIMEOUT_MS);
    try {
      const schema = await this.#withClient(scope, SCHEMA_TIMEOUT_MS, signal, (client) =>
        findSchema(client, tool, signal),
      );
      return schema !== null && checkSchema(schema).length === 0 ? schema : null;
    } catch (error) {
      const code = error instanceof ToolFailure ? error.code : "INTERNAL";
      this.#log.info("The schema of an MCP tool could not be read.", { toolId: tool.grant.id, code });
      return null;
    }
  }

  async #withClient<T>(
    scope: ToolScope,
    timeoutMs: number,
    signal: AbortSignal,
    work: (client: Client, secrets: string[]) => Promise<T>,
  ): Promise<T> {
    const { tool } = scope;
    const variables = toVariables(scope);
    const url = fillUrl(tool.definition.apiUrl ?? "", variables);
    const filled = Object.entries(fillHeaders(tool, variables)).filter(([name]) => !OWN_HEADERS.has(name));
    const headers = Object.fromEntries(filled);
    const trouble: { error?: unknown } = {};
    // Loaded on demand: few installations have such tools, and a start needs no such library.
    const library = await import("@modelcontextprotocol/client");
    const client = new library.Client(
      { name: "service-tools", version: "1.0.0" },
      { versionNegotiation: { mode: "auto" }, jsonSchemaValidator: TRUSTING },
    );
    try {
      const fetch = this.#createFetch(tool, timeoutMs, trouble);
      const transport = new library.StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch });
      await client.connect(transport, { signal, timeout: timeoutMs });
      return await work(client, findSecrets(headers));
    } catch (error) {
      const cause = trouble.error ?? error;
      throw explain(cause, cause instanceof library.ProtocolError, findSecrets(headers));
    } finally {
      await client.close().catch(() => undefined);
    }
  }

  /** Makes the guarded fetch, for the hosts that the tool may call and answers of at most 1 MiB. */
  #createFetch(tool: LoadedTool, timeoutMs: number, trouble: { error?: unknown }): WebFetch {
    const send = createWebFetch(createSafeOpen(this.#guard), timeoutMs);
    return async (input, init) => {
      try {
        assertAllowedHost(tool, new URL(input instanceof Request ? input.url : String(input)));
        return limitBody(await send(input, init));
      } catch (error) {
        const isOurs = error instanceof ToolFailure || (error instanceof OutboundError && error.kind !== "ABORTED");
        if (isOurs) trouble.error = error;
        throw error;
      }
    };
  }
}

/** The tool's name at its server. */
function toServerName({ definition }: LoadedTool): string {
  return definition.toolSubtype || definition.name;
}

async function findSchema(client: Client, tool: LoadedTool, signal: AbortSignal): Promise<Schema | null> {
  const name = toServerName(tool);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
    const found = tools.find((one) => one.name === name);
    if (found) return found.inputSchema as Schema;
    if (nextCursor === undefined) return null;
    cursor = nextCursor;
  }
  return null;
}

function limitBody(response: Response): Response {
  if (response.body === null) return response;
  let left = MAX_ANSWER_BYTES;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      left -= piece.length;
      if (left < 0) controller.error(new ToolFailure("ANSWER_TOO_LARGE", "The tool's answer is larger than 1 MiB."));
      else controller.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(limit), { status: response.status, headers: response.headers });
}

/** Returns the relevant part of a result: its structured content, else its texts, parsed when they are JSON. */
function readResult({ content, structuredContent, isError }: Schema): unknown {
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => (isRecord(part) && typeof part.text === "string" ? [part.text] : []));
  const text = texts.join("\n");
  if (isError) throw new ToolFailure("TOOL_FAILED", shorten(text.trim() || "The tool has failed.", MAX_SHOWN_BYTES));
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent;
  try {
    return /^\s*[[{]/.test(text) ? readExactText(text) : text;
  } catch {
    return text;
  }
}

/** Shows only errors of the server's own protocol; other errors name addresses. */
function explain(error: unknown, isOfServer: boolean, secrets: string[]): unknown {
  if (error instanceof ToolFailure) return error;
  if (error instanceof OutboundError) return toFailure(error);
  if (isOfServer) {
    return new ToolFailure("TOOL_FAILED", shorten(maskSecrets(toError(error).message, secrets), MAX_SHOWN_BYTES));
  }
  return new ToolFailure("MCP_FAILED", "The tool's MCP server did not answer as it should.");
}
