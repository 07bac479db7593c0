/**
 * Catalogue of every error that a caller may get. The domain throws `AppError` by code; only `http/` turns it into a
 * body.
 */
const CATALOGUE = {
  INVALID_JSON: { status: 400, error: "Bad request", message: "The body is not valid JSON." },
  INVALID_BODY: { status: 400, error: "Bad request", message: "The body does not have the expected shape." },
  INVALID_QUERY: { status: 400, error: "Bad request", message: "A query parameter is not valid." },
  INVALID_PATH: { status: 400, error: "Bad request", message: "A path parameter is not valid." },
  INVALID_HEADER: { status: 400, error: "Bad request", message: "A header is not valid." },
  BAD_URL: { status: 400, error: "Bad request", message: "The URL cannot be read." },
  BAD_REQUEST: { status: 400, error: "Bad request", message: "The request cannot be read." },
  FLOW_SELECTION: {
    status: 400,
    error: "Bad request",
    message: "Send either flowId/flowApiId or flow, not both.",
  },
  UNAUTHORIZED: { status: 401, error: "Unauthorized", message: "The credential is not valid." },
  FORBIDDEN: { status: 403, error: "Forbidden", message: "The credential lacks a permission." },
  NOT_FOUND: { status: 404, error: "Not found", message: "There is no such resource." },
  METHOD_NOT_ALLOWED: { status: 405, error: "Method not allowed", message: "This path does not take that method." },
  REQUEST_TIMEOUT: { status: 408, error: "Request timeout", message: "The request took too long to arrive." },
  CONFLICT: { status: 409, error: "Conflict", message: "The state of the resource does not allow this." },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    error: "Conflict",
    message: "A request with this Idempotency-Key is still running. Try again in a moment.",
  },
  GONE: {
    status: 410,
    error: "Gone",
    message: "The request was carried out. Its first reply named a contact who was erased since, and is gone.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, error: "Payload too large", message: "The body is larger than this path takes." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: "Unsupported media type",
    message: "This path does not take that Content-Type.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    error: "Range not satisfiable",
    message: "The content has no byte in that range.",
  },
  VALIDATION_FAILED: { status: 422, error: "Validation failed", message: "The request breaks a rule." },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    error: "Validation failed",
    message: "This Idempotency-Key was used with another body. Use a new key.",
  },
  UNKNOWN_VARIABLES: {
    status: 422,
    error: "Validation failed",
    message: "Templates of the flow name variables that nothing declares.",
  },
  RATE_LIMITED: { status: 429, error: "Rate limit exceeded", message: "Wait for X-RateLimit-Reset seconds." },
  HEADERS_TOO_LARGE: {
    status: 431,
    error: "Request header fields too large",
    message: "Send fewer or shorter headers.",
  },
  NOT_IMPLEMENTED: { status: 501, error: "Not implemented", message: "The server does not know that method." },
  INTERNAL: { status: 500, error: "Internal server error", message: "Something went wrong on our side." },
  UNAVAILABLE: {
    status: 503,
    error: "Service unavailable",
    message: "The database cannot be reached. Try again in a moment.",
  },
  STORAGE_FULL: {
    status: 507,
    error: "Insufficient storage",
    message: "The disk is full. Free some space and try again.",
  },
} as const;

export type ErrorCode = keyof typeof CATALOGUE;

/** One fault of a request: where it is (dotted path from the body's root), a stable code, what to do. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

/** An error with a stable code. `message` and `details` are shown to the caller, so they hold no secrets. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly details: Fault[];
  /** True when the thrower gave its own message (the contract's four exact bodies show only such ones). */
  readonly hasOwnMessage: boolean;
  /** Headers of the reply that belong to this refusal. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message?: string, details: Fault[] = [], headers: Record<string, string> = {}) {
    super(message ?? CATALOGUE[code].message);
    this.name = "AppError";
    this.code = code;
    this.status = CATALOGUE[code].status;
    this.title = CATALOGUE[code].error;
    this.details = details;
    this.headers = headers;
    this.hasOwnMessage = message !== undefined;
  }
}

/** Returns a 422 that names one field. */
export function fieldError(path: string, code: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", `${path}: ${message}`, [{ path, code, message }]);
}

/** Returns a 404 for a resource that a body names. */
export function missing(what: string): AppError {
  return new AppError("NOT_FOUND", `${what} does not exist in this workspace.`);
}

/** Returns a thrown value as an Error. One of all addresses of a host gets their messages, since it has none of its own. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof AggregateError && thrown.message === "") {
    thrown.message = thrown.errors.map((error) => toError(error).message).join("; ");
  }
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the `code` of a Node or PostgreSQL error, if it has one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}
