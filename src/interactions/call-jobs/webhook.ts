import { webhookSecretPlace } from "#src/interactions/webhooks/deliver.ts";
import { createSigningSecret } from "#src/interactions/webhooks/sign.ts";
import { assertTarget, AUTH_MODES, chooseAuthMode, type WebhookSecrets } from "#src/interactions/webhooks/target.ts";
import { isSameOrigin } from "#src/platform/http/origins.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { keepsStored } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn, sealedPayload } from "#src/platform/secrets/sealed-column.ts";
import { COMPLETION_TASK } from "./completion.ts";
import type { StoredWebhook } from "./store.ts";

/** Target and authentication of a job's completion webhook. */
export const CompletionWebhookInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_048 }),
    authMode: Type.Optional(nullable(oneOf(AUTH_MODES, "Default: the mode whose secret is sent; NONE without one."))),
    secret: Type.Optional(nullable(Type.String({ maxLength: 2_048, description: "For BEARER." }))),
    headerName: Type.Optional(nullable(Type.String({ maxLength: 200, description: "For CUSTOM_HEADER." }))),
    headerValue: Type.Optional(nullable(Type.String({ maxLength: 2_048, description: "For CUSTOM_HEADER." }))),
  },
  { $id: "CompletionWebhookInput" },
);
export type CompletionWebhookInput = Static<typeof CompletionWebhookInput>;

/** A webhook as it is read: without its secrets, except the signing secret once, on creation. */
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

/** Dependencies for checking and sealing a webhook. */
export interface WebhookParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** Secrets of jobs' webhooks, and the copy that a delivery has. */
export const SEALED_JOB_WEBHOOKS = [
  sealedColumn("webhooks of jobs", "call_jobs", "webhook_secret", webhookSecretPlace),
  sealedPayload("deliveries of jobs' webhooks", COMPLETION_TASK, "secret", webhookSecretPlace),
];

/** Checks a webhook and seals its secrets for the job. A 422 names the field. */
export function sealWebhook(
  { guard, box }: WebhookParts,
  workspaceId: string,
  jobId: string,
  input: CompletionWebhookInput,
): { stored: StoredWebhook; sealed: Buffer; signingSecret: string } {
  const authMode = chooseAuthMode(input.authMode, input);
  const { url, secret = null, headerName = null, headerValue = null } = input;
  assertTarget(guard, { url, authMode, secret, headerName, headerValue }, "completionWebhook");
  const signingSecret = createSigningSecret();
  const secrets: WebhookSecrets = { signingSecret, secret, headerValue };
  return {
    stored: { url, authMode, headerName: authMode === "CUSTOM_HEADER" ? headerName : null },
    sealed: box.seal(JSON.stringify(secrets), webhookSecretPlace(workspaceId, jobId)),
    signingSecret,
  };
}

/**
 * Seals the webhook that replaces a job's earlier one. The signing secret stays. Other secrets that are left out or
 * masked stay too, as long as they go to the same origin in the same way.
 */
export function resealWebhook(
  parts: WebhookParts,
  workspaceId: string,
  job: { id: string; completion_webhook: StoredWebhook | null; webhook_secret: Buffer | null },
  input: CompletionWebhookInput,
): { stored: StoredWebhook; sealed: Buffer; signingSecret: string | null } {
  const earlier = job.completion_webhook;
  if (!earlier || !job.webhook_secret) return sealWebhook(parts, workspaceId, job.id, unmask(input, null));
  const place = webhookSecretPlace(workspaceId, job.id);
  const secrets = JSON.parse(parts.box.open(job.webhook_secret, place)) as WebhookSecrets;
  const authMode = chooseAuthMode(input.authMode, input);
  const isSame = authMode === earlier.authMode && isSameOrigin(input.url, earlier.url) && isSameHeader(earlier, input);
  const known = unmask({ ...input, headerName: input.headerName ?? earlier.headerName }, isSame ? secrets : null);
  const { stored } = sealWebhook(parts, workspaceId, job.id, known);
  const kept: WebhookSecrets = {
    signingSecret: secrets.signingSecret,
    secret: known.secret ?? null,
    headerValue: known.headerValue ?? null,
  };
  return { stored, sealed: parts.box.seal(JSON.stringify(kept), place), signingSecret: null };
}

function unmask(input: CompletionWebhookInput, secrets: WebhookSecrets | null): CompletionWebhookInput {
  const value = (sent: string | null | undefined, stored: string | null | undefined) =>
    sent === null || keepsStored(sent) ? (stored ?? null) : sent;
  return {
    ...input,
    secret: value(input.secret, secrets?.secret),
    headerValue: value(input.headerValue, secrets?.headerValue),
  };
}

function isSameHeader(earlier: StoredWebhook, input: CompletionWebhookInput): boolean {
  return !input.headerName || input.headerName.toLowerCase() === earlier.headerName?.toLowerCase();
}
