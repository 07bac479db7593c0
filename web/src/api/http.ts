import { ApiError } from "./api-error.ts";
import { takeEarlyReply } from "./early-replies.ts";
import { parseExactly } from "./exact-json.ts";

/** Query of a request; empty values are left out, lists are repeated. */
export type Query = Record<string, string | number | boolean | string[] | null | undefined>;

/** What a request may carry. */
export interface RequestParts {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** True: numbers of the reply are written back as they came (see parseExactly). */
  isExact?: boolean;
}

/** Who is signed in; the one read that a visitor without a session may do. */
export const SESSION_PATH = "/api/console/session";

let csrfToken = "";
let onSessionLost: () => void = () => undefined;

/** Keeps the token that every writing request must show. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Says what happens when the server no longer knows the session. */
export function whenSessionIsLost(listener: () => void): void {
  onSessionLost = listener;
}

/** What every writing request of a signed-in person shows. */
export function writeHeaders(): Record<string, string> {
  return { accept: "application/json", "x-csrf-token": csrfToken, "idempotency-key": crypto.randomUUID() };
}

/** Tells that the server no longer knows the session, for requests that are not sent by `send`. */
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

/** One request to the server; throws ApiError. Replies without a body give undefined. */
export async function send<T>(method: string, path: string, parts: RequestParts = {}): Promise<T> {
  const reply = await fetchReply(method, withQuery(path, parts.query), parts);
  const text = await reply.text();
  const body = parseJson(text, parts.isExact);
  if (reply.ok) return body as T;
  const error = new ApiError(reply.status, (body ?? {}) as object, reply.headers.get("x-request-id"));
  if (reply.status === 401 && !path.startsWith(SESSION_PATH)) onSessionLost();
  throw error;
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
      // What is sent because the page is left must still arrive.
      keepalive: isWrite && body === undefined,
      headers: {
        accept: "application/json",
        ...(isWrite ? { "x-csrf-token": csrfToken, "idempotency-key": crypto.randomUUID() } : {}),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
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
    return isExact ? parseExactly(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}
