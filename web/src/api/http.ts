import { ApiError } from "./api-error.ts";
import { takeEarlyReply } from "./early-replies.ts";
import { parseReply, stringifyExactly } from "./exact-json.ts";

/** Query of a request; empty values are left out, lists are repeated. */
export type Query = Record<string, string | number | boolean | string[] | null | undefined>;

/** Parts of a request, all optional. */
export interface RequestParts {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** True: all numbers of the reply are written back as they came (see parseReply); contextData always is. */
  isExact?: boolean;
}

/** Path of the session, the only read open to a visitor without one. */
export const SESSION_PATH = "/api/console/session";

let csrfToken = "";
let onSessionLost: () => void = () => undefined;

/** Stores the CSRF token that every write must send. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Sets the handler for a session that the server no longer knows. */
export function whenSessionIsLost(listener: () => void): void {
  onSessionLost = listener;
}

let onRefused: () => Promise<boolean> = () => Promise.resolve(false);

/**
 * Sets the handler for a write that was refused. It returns true where the write is sent again, with the token of a
 * newer session of the same person.
 */
export function whenWriteIsRefused(listener: () => Promise<boolean>): void {
  onRefused = listener;
}

/** A member of a sent body that had no effect, a misspelt one for example, or a variable that nothing fills. */
export interface Warning {
  /** JSON Pointer into the body. */
  path: string;
  member: string;
  /** The known name that is most like it; null when none is. */
  nearest: string | null;
  message: string;
}

let onWarnings: (warnings: Warning[]) => void = () => undefined;

/** Sets the handler for writes that succeeded but whose body the server warned about. */
export function whenWarned(listener: (warnings: Warning[]) => void): void {
  onWarnings = listener;
}

/** Returns the headers of every write by a signed-in person. */
export function writeHeaders(): Record<string, string> {
  return { accept: "application/json", "x-csrf-token": csrfToken, "idempotency-key": crypto.randomUUID() };
}

/** Reports that the server no longer knows the session, for requests not sent by `send`. */
export function noteLostSession(): void {
  onSessionLost();
}

/** The path with its query. */
export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    for (const single of Array.isArray(value) ? value : [value]) params.append(name, String(single));
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The console path of one of the workspace's resources, such as `/call-rows/{id}`. */
export function inWorkspace(workspaceId: string, path: string): string {
  return `/api/console/workspaces/${encodeURIComponent(workspaceId)}${path}`;
}

/** Sends one request to the server; throws ApiError. Returns undefined for a reply without a body. */
export async function send<T>(method: string, path: string, parts: RequestParts = {}): Promise<T> {
  const url = withQuery(path, parts.query);
  let reply = await fetchReply(method, url, parts);
  if (reply.status === 403 && method !== "GET" && (await onRefused())) reply = await fetchReply(method, url, parts);
  const text = await reply.text();
  const body = parseJson(text, parts.isExact);
  if (reply.ok) {
    const warnings = method === "GET" ? [] : readWarnings(body);
    if (warnings.length > 0) onWarnings(warnings);
    return body as T;
  }
  const error = new ApiError(reply.status, (body ?? {}) as object, reply.headers.get("x-request-id"));
  if (reply.status === 401 && !path.startsWith(SESSION_PATH)) onSessionLost();
  throw error;
}

function readWarnings(body: unknown): Warning[] {
  const { warnings } = (body ?? {}) as { warnings?: unknown };
  if (!Array.isArray(warnings)) return [];
  // Other replies may have a list of the same name.
  return warnings.filter((one: unknown): one is Warning => typeof (one as Warning | null)?.member === "string");
}

async function fetchReply(method: string, url: string, { body, headers, signal }: RequestParts): Promise<Response> {
  const isWrite = method !== "GET";
  const isForm = body instanceof FormData || body instanceof Blob;
  try {
    const early = isWrite ? undefined : takeEarlyReply(url);
    if (early) return await early;
    return await fetch(url, {
      method,
      credentials: "same-origin",
      // A request sent as the page closes must still arrive.
      keepalive: isWrite && body === undefined,
      headers: {
        accept: "application/json",
        ...(isWrite ? { "x-csrf-token": csrfToken, "idempotency-key": crypto.randomUUID() } : {}),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : (stringifyExactly(body) ?? "null") }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, {}, null);
  }
}

function parseJson(text: string, isExact = false): unknown {
  if (text === "") return undefined;
  try {
    return parseReply(text, isExact);
  } catch {
    return undefined;
  }
}
