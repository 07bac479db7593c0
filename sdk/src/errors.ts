/** One fault of a request: where it is, a stable code, what to do. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

/** The base of every error that this SDK throws itself. A caller's own abort reason is rethrown unchanged. */
export class ParleyError extends Error {
  override name = "ParleyError";
}

/** No answer arrived: connection refused, broken off, or name not found. `cause` holds what fetch threw. */
export class ConnectionError extends ParleyError {
  override name = "ConnectionError";
}

/** No answer arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** The call or job has not ended within `waitTimeoutMs`. It goes on at the server. */
export class WaitTimeoutError extends ParleyError {
  override name = "WaitTimeoutError";
}

/** A webhook whose signature, time or agreed secret is missing or wrong, or whose body is not an event. */
export class WebhookVerificationError extends ParleyError {
  override name = "WebhookVerificationError";
}

/** Contents of an error answer. */
export interface ApiErrorFacts {
  status: number;
  error: string;
  message: string;
  code: string | undefined;
  details: Fault[];
  requestId: string | undefined;
  /** Seconds until the bucket has refilled. */
  resetSeconds: number | undefined;
  retryAfterSeconds: number | undefined;
}

/** The service answered with an error status. `requestId` names the request in the server's log. */
export class ApiError extends ParleyError {
  override name = "ApiError";
  readonly status: number;
  readonly error: string;
  readonly code: string | undefined;
  readonly details: Fault[];
  readonly requestId: string | undefined;
  readonly resetSeconds: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.status = facts.status;
    this.error = facts.error;
    this.code = facts.code;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.resetSeconds = facts.resetSeconds;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** 400: the request cannot be read or has a wrong type. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}

/** 401: no credential, or one that is not valid. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** 403: the credential lacks a permission. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}

/** 404: there is no such resource in this workspace. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: the state of the resource, or an Idempotency-Key, does not allow this. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 410: the first answer to this Idempotency-Key named a contact who has been erased since. */
export class GoneError extends ApiError {
  override name = "GoneError";
}

/** 413: the body, or one part of it, is larger than the operation takes. */
export class TooLargeError extends ApiError {
  override name = "TooLargeError";
}

/** 422: well formed, but it breaks a rule; `details` names the fields. */
export class ValidationError extends ApiError {
  override name = "ValidationError";
}

/** 429: nothing was queued or applied. A token is free after `retryAfterSeconds`, all are after `resetSeconds`. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** 5xx: something went wrong on the server's side. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: TooLargeError,
  422: ValidationError,
  429: RateLimitError,
};

/** A 401 says nothing more about a credential that it does not know. */
const REFUSED = "The server does not accept this credential: it is wrong, or was revoked.";

/** A 404 of a resource's path says nothing more. */
const MISSING = "Not found: there is nothing with this id in the workspace of the credential.";

/** Returns the error for an answer with this status, these headers and this body text, which need not be JSON. */
export function toApiError(status: number, headers: Headers, bodyText: string): ApiError {
  const body = readBody(bodyText);
  // OAuth (RFC 6749, section 5.2) explains itself in error_description.
  const message = textOf(body.message) ?? textOf(body.error_description);
  const error = textOf(body.error) ?? `HTTP ${status}`;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind({
    status,
    error,
    message: message ?? explain(status, body) ?? error,
    code: textOf(body.code),
    details: Array.isArray(body.details) ? (body.details as Fault[]) : [],
    requestId: headers.get("x-request-id") ?? textOf(body.requestId),
    resetSeconds: numberOf(headers.get("x-ratelimit-reset")),
    retryAfterSeconds: numberOf(headers.get("retry-after")),
  });
}

function readBody(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A header's number of seconds; undefined when absent or a date. */
export function numberOf(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Explains an answer of the API that has no message; undefined for those of other servers, such as a proxy's 404. */
function explain(status: number, body: Record<string, unknown>): string | undefined {
  if (status === 401) return REFUSED;
  return status === 404 && body.error === "Not found" ? MISSING : undefined;
}
