import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";

/** Ways in which the service authenticates to a receiver. */
export const AUTH_MODES = ["NONE", "BEARER", "CUSTOM_HEADER"] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** Address and credentials of a webhook. */
export interface WebhookTarget {
  url: string;
  authMode: AuthMode;
  /** For BEARER. */
  secret: string | null;
  /** For CUSTOM_HEADER. */
  headerName: string | null;
  headerValue: string | null;
}

/** Returns the way to authenticate: the one asked for, else the one whose secret was sent, else NONE. */
export function chooseAuthMode(
  asked: AuthMode | null | undefined,
  sent: { secret?: string | null | undefined; headerValue?: string | null | undefined },
): AuthMode {
  if (asked) return asked;
  const isSent = (value: string | null | undefined) => Boolean(value) && value !== MASK;
  if (isSent(sent.secret)) return "BEARER";
  return isSent(sent.headerValue) ? "CUSTOM_HEADER" : "NONE";
}

/** Part of a webhook that is stored sealed. */
export interface WebhookSecrets {
  signingSecret: string;
  /** For BEARER. */
  secret: string | null;
  /** For CUSTOM_HEADER. */
  headerValue: string | null;
}

/** Checks a webhook before it is saved. A 422 names the field, prefixed with `path` when it is nested in the body. */
export function assertTarget(guard: OutboundGuard, target: WebhookTarget, path = ""): void {
  const at = (field: string) => (path === "" ? field : `${path}.${field}`);
  const allow = (field: string, check: () => void) => {
    try {
      check();
    } catch (error) {
      throw error instanceof AppError ? fieldError(at(field), "NOT_ALLOWED", error.message) : error;
    }
  };
  const need = (field: "secret" | "headerName" | "headerValue"): string => {
    const value = target[field];
    if (!value) throw fieldError(at(field), "REQUIRED", `is required for ${target.authMode}.`);
    return value;
  };
  allow("url", () => guard.checkUrl(target.url));
  if (target.authMode === "BEARER") {
    const secret = need("secret");
    allow("secret", () => assertHeaderAllowed("authorization", `Bearer ${secret}`));
  }
  if (target.authMode === "CUSTOM_HEADER") {
    const name = need("headerName");
    const value = need("headerValue");
    allow("headerName", () => assertHeaderAllowed(name, value));
  }
}
