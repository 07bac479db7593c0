import { type Access, ConnectionFault } from "#src/authoring/connections/access.ts";
import { findBodySecrets } from "#src/authoring/tools/api-body.ts";
import { readExactText } from "#src/platform/http/json.ts";
import {
  assertHeaderAllowed,
  OutboundError,
  type OutboundReply,
  type SafeFetch,
} from "#src/platform/http/safe-fetch.ts";
import { isHostAllowed } from "./allow-list.ts";
import { fillJson, fillText, omitNulls } from "./fill-template.ts";
import { fillUrl } from "./fill-url.ts";
import type { LoadedTool } from "./loaded-tool.ts";
import { findSecrets, maskSecrets } from "./secrets.ts";
import { ToolFailure } from "./tool-failure.ts";
import { type ToolScope, type TaskAccess, toVariables } from "./tool-scope.ts";
import { isRecord, shorten } from "./values.ts";

const DEFAULT_TIMEOUT_SECONDS = 15;
const MAX_ANSWER_BYTES = 1_048_576;
const MAX_BODY_BYTES = 1_048_576;
const MAX_SHOWN_BYTES = 500;
const HAS_BODY = new Set(["POST", "PUT", "PATCH"]);

/** Options of one request of a tool besides its scope. */
export interface ApiRequestOptions {
  safeFetch: SafeFetch;
  idempotencyKey: string;
  /** Sent unless the tool has a header of this name; undefined when the call is not traced. */
  traceparent?: string | undefined;
  signal: AbortSignal;
  /** Gives access by the tool's connection; null for a tool without one. */
  openAccess: ((url: URL, refused?: string) => Promise<Access>) | null;
}

/** Sends the tool's own request and returns the value of its answer. Throws a ToolFailure. */
export async function sendApiRequest(scope: ToolScope, options: ApiRequestOptions): Promise<unknown> {
  const { definition } = scope.tool;
  const variables = toVariables(scope);
  if (!definition.apiUrl) throw new ToolFailure("URL_INVALID", "The tool has no address.");
  const url = fillUrl(definition.apiUrl, variables);
  assertAllowedHost(scope.tool, url);
  const method = definition.apiMethod ?? "POST";
  const headers = fillHeaders(scope.tool, variables);
  const secrets = secretsOf(scope, headers, variables);
  const body = method === "GET" ? null : toBody(scope, headers, variables, HAS_BODY.has(method));
  if (HAS_BODY.has(method)) headers["idempotency-key"] ??= options.idempotencyKey;
  if (options.traceparent) headers.traceparent ??= options.traceparent;
  const send = (access: Access | null) =>
    options.safeFetch(url.href, {
      method,
      headers: {
        "user-agent": "Service-Tools/1.0",
        ...headers,
        ...toTaskHeaders(scope.task),
        ...(access ? Object.fromEntries([access.header]) : {}),
      },
      ...(body === null ? {} : { body }),
      timeoutMs: (definition.apiTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal: options.signal,
    });
  try {
    if (options.openAccess === null) return readReply(await send(null), secrets);
    return await sendWithAccess(url, options.openAccess, send, secrets);
  } catch (error) {
    if (error instanceof OutboundError) throw toFailure(error);
    if (error instanceof ConnectionFault) throw new ToolFailure(error.code, error.message);
    throw error;
  }
}

/** Returns what a tool's request carries, as it is sent, that must not be shown: of its headers, its body and its task. */
export function secretsOf(
  { tool, task }: ToolScope,
  headers: Record<string, string>,
  variables: Record<string, unknown>,
): string[] {
  const inBody = findBodySecrets(tool.body).map((text) => fillText(text, variables));
  return [...findSecrets(headers, inBody), ...(task ? [task.secret] : [])];
}

/** Sends a request with a connection's token, and once more with a new one when the provider refuses that. */
async function sendWithAccess(
  url: URL,
  openAccess: NonNullable<ApiRequestOptions["openAccess"]>,
  send: (access: Access) => Promise<OutboundReply>,
  secrets: string[],
): Promise<unknown> {
  let access = await openAccess(url);
  let reply = await send(access);
  const tokens = [access.token];
  if (access.refusesToken(reply.status, reply.body)) {
    access = await openAccess(url, access.token);
    reply = await send(access);
    tokens.push(access.token);
  }
  const value = readReply(reply, [...tokens, ...secrets]);
  const failure = access.readFailure(reply.body);
  if (failure === null) return value;
  const said = maskSecrets(shorten(failure, MAX_SHOWN_BYTES), tokens);
  throw new ToolFailure("TOOL_FAILED", `The tool's server refused: ${said}`);
}

/** Refuses a host that the tool's networkAllowList does not name. */
export function assertAllowedHost({ definition }: LoadedTool, url: URL): void {
  const hosts = definition.networkAllowList ?? [];
  const isFree = hosts.length === 0 && !/^https?:\/\/[^/?#\\]*\{\{/i.test(definition.apiUrl ?? "");
  if (isFree || isHostAllowed(hosts, url)) return;
  throw new ToolFailure("HOST_NOT_ALLOWED", "The tool may not reach that host.");
}

/** Returns the tool's headers by lower-case name, filled in; a value that could end its line is refused. */
export function fillHeaders(tool: LoadedTool, variables: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tool.headers).map(([name, template]) => {
      const value = fillText(template, variables).trim();
      try {
        assertHeaderAllowed(name, value, ["content-type"]);
      } catch {
        throw new ToolFailure("HEADER_INVALID", `A value does not fit the header ${name.slice(0, 100)}.`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}

function toTaskHeaders(task: TaskAccess | null): Record<string, string> {
  if (task === null) return {};
  return { "x-tool-task-id": task.id, "x-tool-secret": task.secret, "x-callback-url": task.callbackUrl };
}

/** Fills in apiBody; without one, methods that send a body send the parameters. Sets the content type. */
function toBody(
  { tool, parameters }: ToolScope,
  headers: Record<string, string>,
  variables: Record<string, unknown>,
  sendsAlways: boolean,
): string | null {
  if (!tool.body && !sendsAlways) return null;
  const filled = tool.body ? fillJson(tool.body, variables) : parameters;
  const value = tool.definition.apiBodyOmitsNulls ? (omitNulls(filled) ?? {}) : filled;
  headers["content-type"] ??= "application/json";
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"]);
  const text = isForm ? toForm(value) : JSON.stringify(value);
  if (Buffer.byteLength(text) <= MAX_BODY_BYTES) return text;
  throw new ToolFailure("BODY_TOO_LARGE", "The tool's request would be too large.");
}

function toForm(value: unknown): string {
  const entries = Object.entries(isRecord(value) ? value : {}).filter(([, member]) => member !== null);
  const texts = entries.map(([name, member]) => [name, typeof member === "string" ? member : JSON.stringify(member)]);
  return new URLSearchParams(texts as [string, string][]).toString();
}

function readReply(reply: OutboundReply, secrets: string[]): unknown {
  const { status, headers, truncated } = reply;
  if (headers["content-encoding"] && headers["content-encoding"] !== "identity") {
    throw new ToolFailure("ANSWER_UNREADABLE", "The tool's answer is packed in a way that was not asked for.");
  }
  const text = maskSecrets(reply.body.toString("utf8"), secrets);
  if (status < 200 || status > 299) {
    const said = shorten(text.trim(), MAX_SHOWN_BYTES);
    const redirect = status >= 300 && status < 400 ? " Redirects are not followed." : "";
    throw new ToolFailure(
      "HTTP_STATUS",
      `The tool's server answered ${status}.${redirect}${said ? ` It said: ${said}` : ""}`,
    );
  }
  if (truncated) throw new ToolFailure("ANSWER_TOO_LARGE", "The tool's answer is larger than 1 MiB.");
  return parseLoosely(text, headers["content-type"] ?? "");
}

/** Parses JSON by its type or, since many servers omit that, by its look; any other text stays a text. */
function parseLoosely(text: string, contentType: string): unknown {
  if (text.trim() === "") return null;
  if (!/\bjson\b/i.test(contentType) && !/^\s*[[{]/.test(text)) return text;
  try {
    return readExactText(text);
  } catch {
    return text;
  }
}

const FAILURES = {
  BLOCKED: ["HOST_NOT_ALLOWED", "The tool's address is not one that may be reached."],
  TIMEOUT: ["TIMEOUT", "The tool's server did not answer in time."],
  CONNECT: ["CONNECTION_FAILED", "The tool's server cannot be reached."],
  TLS: ["CONNECTION_FAILED", "No secure connection to the tool's server could be made."],
  PROTOCOL: ["CONNECTION_FAILED", "The connection to the tool's server broke."],
  ABORTED: ["TIMEOUT", "The call of the tool was called off."],
} as const;

/** Uses messages of our own, since those of the error name the host. */
export function toFailure({ kind }: OutboundError): ToolFailure {
  const [code, message] = FAILURES[kind];
  return new ToolFailure(code, message);
}
