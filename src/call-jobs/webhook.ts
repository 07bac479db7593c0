import type { OutboundGuard } from "#src/http/outbound-guard.ts";
import { assertHeaderAllowed } from "#src/http/safe-fetch.ts";
import { nullable, oneOf, type Static, Type } from "#src/http/schemas.ts";
import { AppError, fieldError } from "#src/kernel/errors.ts";
import type { SecretBox } from "#src/kernel/secret-box.ts";
import { webhookSecretPlace, type WebhookSecrets } from "#src/webhooks/deliver.ts";
import { createSigningSecret } from "#src/webhooks/sign.ts";
import type { StoredWebhook } from "./store.ts";

const AUTH_MODES = ["NONE", "BEARER", "CUSTOM_HEADER"] as const;

/** Where and how a job's completion is reported (spec, "Events" rule 2). */
export const CompletionWebhookInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_048 }),
    authMode: Type.Optional(nullable(oneOf(AUTH_MODES))),
    secret: Type.Optional(nullable(Type.String({ maxLength: 2_048, description: "For BEARER." }))),
    headerName: Type.Optional(nullable(Type.String({ maxLength: 200, description: "For CUSTOM_HEADER." }))),
    headerValue: Type.Optional(nullable(Type.String({ maxLength: 2_048, description: "For CUSTOM_HEADER." }))),
  },
  { $id: "CompletionWebhookInput" },
);
export type CompletionWebhookInput = Static<typeof CompletionWebhookInput>;

/** A webhook as it is read: never its secrets, except the signing secret once, when it is made. */
export const CompletionWebhook = Type.Object(
  {
    url: Type.String(),
    authMode: oneOf(AUTH_MODES),
    headerName: nullable(Type.String()),
    signingSecret: nullable(
      Type.String({ description: "whsec_… of Standard Webhooks; shown once, when the job is made." }),
    ),
  },
  { $id: "CompletionWebhook" },
);

/** What is needed to check and seal a webhook. */
export interface WebhookParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** Checks a webhook and seals its secrets for the job; 422 names the field. */
export function sealWebhook(
  { guard, box }: WebhookParts,
  workspaceId: string,
  jobId: string,
  input: CompletionWebhookInput,
): { stored: StoredWebhook; sealed: Buffer; signingSecret: string } {
  const authMode = input.authMode ?? "NONE";
  assertUrl(guard, input.url);
  if (authMode === "BEARER" && !input.secret)
    throw fieldError("completionWebhook.secret", "REQUIRED", "is required for BEARER.");
  if (authMode === "BEARER") assertHeader("authorization", `Bearer ${input.secret}`, "secret");
  if (authMode === "CUSTOM_HEADER") {
    if (!input.headerName)
      throw fieldError("completionWebhook.headerName", "REQUIRED", "is required for CUSTOM_HEADER.");
    if (!input.headerValue)
      throw fieldError("completionWebhook.headerValue", "REQUIRED", "is required for CUSTOM_HEADER.");
    assertHeader(input.headerName, input.headerValue, "headerName");
  }
  const signingSecret = createSigningSecret();
  const secrets: WebhookSecrets = {
    signingSecret,
    secret: input.secret ?? null,
    headerValue: input.headerValue ?? null,
  };
  return {
    stored: { url: input.url, authMode, headerName: authMode === "CUSTOM_HEADER" ? (input.headerName ?? null) : null },
    sealed: box.seal(JSON.stringify(secrets), webhookSecretPlace(workspaceId, jobId)),
    signingSecret,
  };
}

function assertUrl(guard: OutboundGuard, url: string): void {
  try {
    guard.checkUrl(url);
  } catch (error) {
    throw at("url", error);
  }
}

function assertHeader(name: string, value: string, field: string): void {
  try {
    assertHeaderAllowed(name, value);
  } catch (error) {
    throw at(field, error);
  }
}

function at(field: string, error: unknown): unknown {
  return error instanceof AppError ? fieldError(`completionWebhook.${field}`, "NOT_ALLOWED", error.message) : error;
}
