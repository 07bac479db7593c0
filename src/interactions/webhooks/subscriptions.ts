import { selectFlow } from "#src/authoring/flows/flows.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { isSameOrigin } from "#src/platform/http/origins.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { type Page, toPage } from "#src/platform/http/paging.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { keepsStored, MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";
import { SESSION_EVENTS } from "./session-webhooks.ts";
import { createSigningSecret } from "./sign.ts";
import { stopDeliveries } from "./stop-deliveries.ts";
import {
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  lockSubscription,
  saveSubscription,
  type SubscriptionRow,
} from "./store.ts";
import {
  assertTarget,
  AUTH_MODES,
  type AuthMode,
  chooseAuthMode,
  type WebhookSecrets,
  type WebhookTarget,
} from "./target.ts";

/** Limit of session webhooks in a workspace, because every call that ends reads them. */
const MAX_WEBHOOKS = 100;

/** A webhook for the sessions of one flow, or of all saved flows. */
export const SessionWebhook = Type.Object(
  {
    id: Uuid,
    flowId: nullable(Type.String({ description: "The flow whose sessions it hears of; null: those of every flow." })),
    url: Type.String(),
    events: Type.Array(oneOf(SESSION_EVENTS)),
    authMode: oneOf(AUTH_MODES),
    secret: nullable(Type.String({ description: "Masked. For BEARER." })),
    headerName: nullable(Type.String({ description: "For CUSTOM_HEADER." })),
    headerValue: nullable(Type.String({ description: "Masked. For CUSTOM_HEADER." })),
    enabled: Type.Boolean(),
    disabledReason: nullable(Type.String({ description: "Why the service disabled it." })),
    signingSecret: nullable(
      Type.String({ description: "whsec_… of Standard Webhooks; shown once, when the webhook is made." }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "SessionWebhook" },
);
export type SessionWebhook = Static<typeof SessionWebhook>;

const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

/** Body of a create or change request. Server-owned fields are ignored. */
export const SessionWebhookInput = Type.Object(
  {
    flowId: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 200, description: "uuid or apiId of a saved flow; null: all." })),
    ),
    flowApiId: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 200, description: "apiId of a saved flow, instead of flowId." })),
    ),
    url: Type.String({ minLength: 1, maxLength: 2_048 }),
    events: Type.Optional(
      Type.Array(oneOf(SESSION_EVENTS), { minItems: 1, maxItems: 20, description: "Default: all of them." }),
    ),
    authMode: Type.Optional(
      nullable(oneOf(AUTH_MODES, "Default: as before; without one, the mode whose secret is sent, else NONE.")),
    ),
    secret: text(2_048, "For BEARER."),
    headerName: text(200, "For CUSTOM_HEADER."),
    headerValue: text(2_048, "For CUSTOM_HEADER."),
    enabled: Type.Optional(Type.Boolean({ description: "Default true." })),
  },
  { $id: "SessionWebhookInput" },
);
export type SessionWebhookInput = Static<typeof SessionWebhookInput>;

/** Request body of a webhook's change: the fields that change. */
export const SessionWebhookChange = Type.Partial(SessionWebhookInput, { $id: "SessionWebhookChange" });
export type SessionWebhookChange = Static<typeof SessionWebhookChange>;

/** Dependencies for checking and sealing a webhook. */
export interface SubscriptionParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** Secrets of webhooks, as they are stored. */
export const SEALED_SUBSCRIPTIONS = sealedColumn("session webhooks", "session_webhooks", "secrets", secretsPlace);

/** Returns the place for which a webhook's secrets are sealed. Copied to another row, they do not open. */
export function secretsPlace(workspaceId: string, id: string): string {
  return `${workspaceId}|session_webhooks|secrets|${id}`;
}

/** A page of the workspace's session webhooks, or of one flow's own. */
export async function getSubscriptions(
  { box }: SubscriptionParts,
  tx: Executor,
  workspaceId: string,
  page: PageRequest,
  flowId: string | undefined,
): Promise<Page<SessionWebhook>> {
  const rows = await listSubscriptions(tx, workspaceId, flowId, page);
  const shown = rows.map((row) => toSubscription(row, openSecrets(box, workspaceId, row)));
  return toPage(page, shown, () => countSubscriptions(tx, workspaceId, flowId));
}

/** One session webhook; 404 when there is none. */
export async function getSubscription(
  { box }: SubscriptionParts,
  tx: Executor,
  workspaceId: string,
  id: string,
): Promise<SessionWebhook> {
  const row = await findSubscription(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toSubscription(row, openSecrets(box, workspaceId, row));
}

/** Creates a session webhook. Its signing secret is shown in this reply alone. */
export async function createSubscription(
  parts: SubscriptionParts,
  tx: Executor,
  workspaceId: string,
  input: SessionWebhookInput,
): Promise<SessionWebhook> {
  if ((await countSubscriptions(tx, workspaceId, undefined)) >= MAX_WEBHOOKS) {
    throw new AppError("CONFLICT", `A workspace has at most ${MAX_WEBHOOKS} session webhooks.`);
  }
  const fresh: Settings = {
    id: uuidv7(),
    flow_id: null,
    url: input.url,
    events: [...SESSION_EVENTS],
    auth_mode: "NONE",
    header_name: null,
    enabled: true,
    disabled_reason: null,
  };
  const secrets = { signingSecret: createSigningSecret(), secret: null, headerValue: null };
  const made = await merge(parts, tx, workspaceId, { settings: fresh, secrets }, input);
  return { ...made, signingSecret: secrets.signingSecret };
}

/** Merges the fields of the request into a webhook. Pending events go to the new address. */
export async function changeSubscription(
  parts: SubscriptionParts,
  tx: Executor,
  workspaceId: string,
  id: string,
  input: SessionWebhookChange,
  ifUpdatedAt?: string,
): Promise<SessionWebhook> {
  const row = await lockSubscription(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  return merge(parts, tx, workspaceId, { settings: row, secrets: openSecrets(parts.box, workspaceId, row) }, input);
}

/** Deletes a session webhook for good and gives up its pending events; 404 when there is none. */
export async function removeSubscription(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteSubscription(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  await stopDeliveries(tx, workspaceId, id);
}

type Settings = Omit<SubscriptionRow, "secrets" | "created_at" | "updated_at">;

async function merge(
  { guard, box }: SubscriptionParts,
  tx: Executor,
  workspaceId: string,
  stored: { settings: Settings; secrets: WebhookSecrets },
  input: SessionWebhookChange,
): Promise<SessionWebhook> {
  const { settings, secrets } = stored;
  const target = {
    url: input.url ?? settings.url,
    authMode: mergeAuthMode(input, settings.auth_mode),
    secret: mergeSecret(input.secret, secrets.secret),
    headerName: input.headerName === undefined ? settings.header_name : input.headerName,
    headerValue: mergeSecret(input.headerValue, secrets.headerValue),
  };
  assertTarget(guard, target);
  if (!isSameOrigin(settings.url, target.url)) assertSecretsSent(target, input);
  const kept: WebhookSecrets = {
    signingSecret: secrets.signingSecret,
    secret: target.authMode === "BEARER" ? target.secret : null,
    headerValue: target.authMode === "CUSTOM_HEADER" ? target.headerValue : null,
  };
  const row = await saveSubscription(tx, workspaceId, {
    id: settings.id,
    flow_id: await mergeFlow(tx, workspaceId, input, settings.flow_id),
    url: target.url,
    events: input.events ? SESSION_EVENTS.filter((event) => input.events?.includes(event)) : settings.events,
    auth_mode: target.authMode,
    header_name: target.authMode === "CUSTOM_HEADER" ? target.headerName : null,
    secrets: box.seal(JSON.stringify(kept), secretsPlace(workspaceId, settings.id)),
    enabled: input.enabled ?? settings.enabled,
    disabled_reason: input.enabled === undefined ? settings.disabled_reason : null,
  });
  return toSubscription(row, kept);
}

/** Refuses to send a stored secret to another host: whoever changes the webhook may be unable to read it. */
function assertSecretsSent({ authMode }: WebhookTarget, input: SessionWebhookChange): void {
  if (authMode === "NONE") return;
  const field = authMode === "BEARER" ? "secret" : "headerValue";
  if (keepsStored(input[field])) {
    throw fieldError(field, "REQUIRED", "is required again when the address goes to another host.");
  }
}

function mergeAuthMode(input: SessionWebhookChange, stored: AuthMode): AuthMode {
  return input.authMode === undefined && stored !== "NONE" ? stored : chooseAuthMode(input.authMode, input);
}

function mergeSecret(sent: string | null | undefined, stored: string | null): string | null {
  return keepsStored(sent) ? stored : sent;
}

/** Returns the flow of a webhook. An unchanged one is not checked, because it may have been deleted in the meantime. */
async function mergeFlow(
  tx: Executor,
  workspaceId: string,
  { flowId, flowApiId }: SessionWebhookChange,
  stored: string | null,
): Promise<string | null> {
  if (flowApiId) return (await selectFlow(tx, workspaceId, { flowId: flowId ?? null, flowApiId })).flowId;
  if (flowId === undefined || flowId === stored) return stored;
  return flowId === null ? null : (await selectFlow(tx, workspaceId, { flowId })).flowId;
}

function openSecrets(box: SecretBox, workspaceId: string, row: SubscriptionRow): WebhookSecrets {
  return JSON.parse(box.open(row.secrets, secretsPlace(workspaceId, row.id))) as WebhookSecrets;
}

function toSubscription(row: SubscriptionRow, secrets: WebhookSecrets): SessionWebhook {
  return {
    id: row.id,
    flowId: row.flow_id,
    url: row.url,
    events: row.events as SessionWebhook["events"],
    authMode: row.auth_mode,
    secret: secrets.secret === null ? null : MASK,
    headerName: row.header_name,
    headerValue: secrets.headerValue === null ? null : MASK,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    signingSecret: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
