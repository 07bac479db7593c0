import { t } from "#web/i18n/t.ts";
import { sayError, sayFault } from "./server-texts.ts";

/** A fault of a request: the field's path, a stable code, and the remedy. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

interface ErrorBody {
  error?: string;
  message?: string;
  code?: string;
  details?: Fault[];
  requestId?: string;
}

/** Every failed request of the dashboard. Status 0: no answer arrived. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly faults: Fault[];
  readonly requestId: string | null;

  constructor(status: number, body: ErrorBody, requestId: string | null) {
    const said = body.message ?? PLAIN[status] ?? body.error ?? t`The request failed.`;
    super(sayError(body.code ?? "", said, (body.details ?? []).length > 0));
    this.status = status;
    this.code = body.code ?? "";
    this.title = body.error ?? t`Error`;
    this.faults = (body.details ?? []).map((fault) => ({ ...fault, message: sayFault(fault) }));
    this.requestId = body.requestId ?? requestId;
  }
}

const PLAIN: Record<number, string> = {
  0: t`The server did not answer. Check the connection; nothing was lost.`,
  401: t`You are signed out. Sign in to go on.`,
  403: t`Your role does not allow this.`,
  404: t`There is no such thing, or it was deleted.`,
  429: t`Too many requests at once. Wait a few seconds and try again.`,
};

/** Returns the text shown to a person for any thrown value. */
export function explainError(thrown: unknown): string {
  if (thrown instanceof ApiError) {
    const faults = thrown.faults.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    return [...new Set([thrown.message, ...faults.slice(0, 5)])].join("\n");
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Faults by field, in the form that forms use: `rows[0].name` becomes `rows.0.name`. */
export function faultsByField(thrown: unknown): Record<string, string> {
  if (!(thrown instanceof ApiError)) return {};
  return Object.fromEntries(
    thrown.faults.filter(({ path }) => path !== "").map(({ path, message }) => [toFieldPath(path), message]),
  );
}

function toFieldPath(path: string): string {
  return path
    .replace(/^\//, "")
    .replaceAll("/", ".")
    .replace(/\[(\d+)\]/g, ".$1");
}

/** True when another person saved first. */
export function isStaleSave(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.status === 409 && thrown.faults.some(({ code }) => code === "STALE");
}
