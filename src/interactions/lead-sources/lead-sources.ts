import { selectFlow } from "#src/authoring/flows/flows.ts";
import { readRetryConfig, RetryConfig, RetryConfigInput } from "#src/interactions/calls/retry.ts";
import { selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import {
  E164,
  nullable,
  oneOf,
  type Static,
  Timestamp,
  TimestampInput,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { randomText, sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import { keepsStored, MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";
import { CallingWindow, CallingWindowInput, readCallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { isCountry } from "#src/tenancy/compliance/numbers.ts";
import { LeadMapping } from "./lead.ts";
import { fitsSignature, SIGNATURE_KINDS } from "./signature.ts";
import {
  deleteSource,
  findSource,
  type LeadRules,
  type LeadSourceRow,
  listSources,
  lockSource,
  saveSource,
  type SourceSettings,
} from "./store.ts";

/** Path below which each source has its address: its token. */
export const LEADS_PATH = "/api/webhooks/leads";
/** Rate of one source's deliveries: a hundred at once, ten a second. */
export const DELIVERY_RATE = { capacity: 100, perSecond: 10 };

const MAX_SOURCES = 200;
const TOKEN_LENGTH = 40;
const DEDUPLICATIONS = ["EXTERNAL_ID", "NUMBER", "EITHER", "NONE"] as const;

/** An address that takes leads and queues a call for each. */
export const LeadSource = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    active: Type.Boolean(),
    url: nullable(
      Type.String({
        description: "Its address, with a secret; shown once, when it is made or rotated. Null otherwise.",
      }),
    ),
    flowId: nullable({ ...Uuid, description: "Null: the workspace's default flow." }),
    fromPhoneNumber: nullable(Type.String({ description: "Null: the workspace's default number." })),
    retryConfig: RetryConfig,
    callingWindow: nullable(CallingWindow),
    startAt: nullable(Timestamp),
    delaySeconds: Type.Integer(),
    mapping: LeadMapping,
    defaultCountry: nullable(Type.String()),
    deduplicateBy: oneOf(DEDUPLICATIONS),
    deduplicateHours: Type.Integer(),
    dailyLimit: nullable(Type.Integer()),
    consentRequired: Type.Boolean(),
    signature: oneOf(SIGNATURE_KINDS),
    signatureHeader: nullable(Type.String()),
    signingSecret: nullable(Type.String({ description: `${MASK} when there is one.` })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "LeadSource" },
);
export type LeadSource = Static<typeof LeadSource>;

/** Body of a source's creation or change. */
export const LeadSourceInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
    active: Type.Optional(Type.Boolean({ description: "False: deliveries are refused. Default true." })),
    flowId: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "uuid or apiId of a saved flow. Unset: the default.",
        }),
      ),
    ),
    fromPhoneNumber: Type.Optional(nullable(E164)),
    retryConfig: Type.Optional(nullable(RetryConfigInput)),
    callingWindow: Type.Optional(nullable(CallingWindowInput)),
    startAt: Type.Optional(nullable({ ...TimestampInput, description: "Nobody is called before this time." })),
    delaySeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_592_000, description: "Wait from the delivery to the call. Default 0." }),
    ),
    mapping: LeadMapping,
    defaultCountry: Type.Optional(
      nullable(
        Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166 code of the country of numbers without one." }),
      ),
    ),
    deduplicateBy: Type.Optional(
      oneOf(DEDUPLICATIONS, "What of an earlier lead makes a delivery its repeat, besides its id. Default EITHER."),
    ),
    deduplicateHours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 720, description: "How long after the earlier lead. Default 24." }),
    ),
    dailyLimit: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Calls queued a day, by workspace time." })),
    ),
    consentRequired: Type.Optional(
      Type.Boolean({ description: "True: leads without consent at mapping.consent are refused. Default false." }),
    ),
    signature: Type.Optional(
      oneOf(
        SIGNATURE_KINDS,
        "HMAC_SHA256: digest of the body in signatureHeader, in hex or base64. STANDARD_WEBHOOKS: its three headers.",
      ),
    ),
    signatureHeader: Type.Optional(
      nullable(Type.String({ pattern: "^[A-Za-z0-9-]{1,100}$", description: "For HMAC_SHA256." })),
    ),
    signingSecret: Type.Optional(
      nullable(Type.String({ minLength: 8, maxLength: 500, description: `The sender's secret; ${MASK} keeps it.` })),
    ),
  },
  { $id: "LeadSourceInput" },
);
export type LeadSourceInput = Static<typeof LeadSourceInput>;

/** Request body of a source's change: the fields that change. */
export const LeadSourceChange = Type.Partial(LeadSourceInput, { $id: "LeadSourceChange" });
export type LeadSourceChange = Static<typeof LeadSourceChange>;

/** Dependencies of sources besides the database. */
export interface SourceParts {
  box: SecretBox;
  publicUrl: string;
}

/** Secrets with which deliveries are signed, as they are stored. */
export const SEALED_LEAD_SOURCES = sealedColumn("lead sources", "lead_sources", "signing_secret", secretPlace);

function secretPlace(workspaceId: string, id: string): string {
  return `${workspaceId}|lead_sources|signing_secret|${id}`;
}

/** Returns the secret with which a source's deliveries are signed; empty when they are not. */
export function openSigningSecret(box: SecretBox, row: LeadSourceRow): string {
  return row.signing_secret ? box.open(row.signing_secret, secretPlace(row.workspace_id, row.id)) : "";
}

/** All sources of a workspace. */
export async function getSources(db: Executor, workspaceId: string): Promise<LeadSource[]> {
  return (await listSources(db, workspaceId)).map((row) => toSource(row));
}

/** One source; 404 when there is none. */
export async function getSource(db: Executor, workspaceId: string, id: string): Promise<LeadSource> {
  return toSource(await demandSource(db, workspaceId, id));
}

/** The stored row of a source; 404 when there is none. */
export async function demandSource(db: Executor, workspaceId: string, id: string): Promise<LeadSourceRow> {
  const row = await findSource(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

/** Creates a source. Its address is shown in this reply alone. */
export async function createSource(
  tx: Executor,
  parts: SourceParts,
  workspaceId: string,
  input: LeadSourceInput,
): Promise<LeadSource> {
  if ((await listSources(tx, workspaceId)).length >= MAX_SOURCES) {
    throw new AppError("CONFLICT", `A workspace has at most ${MAX_SOURCES} lead sources.`);
  }
  const token = createToken();
  const fresh = { ...FRESH, id: uuidv7(), name: input.name, mapping: input.mapping, token_hash: sha256(token) };
  const settings = await merge(tx, parts, workspaceId, fresh, input);
  return toSource(await saveSource(tx, workspaceId, settings, DELIVERY_RATE.capacity), addressOf(parts, token));
}

/** Merges the fields of the request into a source; null clears one. */
export async function changeSource(
  tx: Executor,
  parts: SourceParts,
  workspaceId: string,
  id: string,
  input: LeadSourceChange,
  ifUpdatedAt?: string,
): Promise<LeadSource> {
  const row = await lockSource(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  return toSource(await saveSource(tx, workspaceId, await merge(tx, parts, workspaceId, row, input), 0));
}

/** Gives a source another address. The one before is unknown from then on. */
export async function rotateSource(
  tx: Executor,
  parts: SourceParts,
  workspaceId: string,
  id: string,
): Promise<LeadSource> {
  const row = await lockSource(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  const token = createToken();
  const saved = await saveSource(tx, workspaceId, { ...row, token_hash: sha256(token) }, 0);
  return toSource(saved, addressOf(parts, token));
}

/** Deletes a source for good, with the log of its deliveries. Its calls stay. */
export async function removeSource(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteSource(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
}

const FRESH = {
  active: true,
  flow_id: null,
  from_number: null,
  retry_config: readRetryConfig(null, 3),
  calling_window: null,
  start_at: null,
  delay_seconds: 0,
  rules: {
    defaultCountry: null,
    deduplicateBy: "EITHER",
    deduplicateHours: 24,
    dailyLimit: null,
    consentRequired: false,
  } satisfies LeadRules as LeadRules,
  signature_kind: "NONE",
  signature_header: null,
  signing_secret: null,
} satisfies Partial<SourceSettings>;

/** Checks the settings that the request names, and merges them into the stored ones. */
async function merge(
  tx: Executor,
  { box }: SourceParts,
  workspaceId: string,
  stored: SourceSettings,
  input: LeadSourceChange,
): Promise<SourceSettings> {
  const { flowId, fromPhoneNumber, retryConfig, callingWindow, startAt } = input;
  const flow_id = flowId ? (await selectFlow(tx, workspaceId, { flowId })).flowId : flowId;
  if (fromPhoneNumber) await selectNumbers(tx, workspaceId, [fromPhoneNumber], "fromPhoneNumber");
  return {
    ...stored,
    name: input.name ?? stored.name,
    active: input.active ?? stored.active,
    flow_id: flow_id === undefined ? stored.flow_id : flow_id,
    from_number: fromPhoneNumber === undefined ? stored.from_number : fromPhoneNumber,
    retry_config: retryConfig === undefined ? stored.retry_config : readRetryConfig(retryConfig, 3),
    calling_window: callingWindow === undefined ? stored.calling_window : readCallingWindow(callingWindow),
    start_at: startAt === undefined ? stored.start_at : readStart(startAt),
    delay_seconds: input.delaySeconds ?? stored.delay_seconds,
    mapping: input.mapping ?? stored.mapping,
    rules: mergeRules(stored.rules, input.mapping ?? stored.mapping, input),
    ...mergeSignature(box, workspaceId, stored, input),
  };
}

function mergeRules(stored: LeadRules, mapping: LeadMapping, input: LeadSourceChange): LeadRules {
  const { defaultCountry, dailyLimit } = input;
  if (defaultCountry && !isCountry(defaultCountry)) {
    throw fieldError("defaultCountry", "COUNTRY", "is not the ISO 3166 code of a country, such as US.");
  }
  const consentRequired = input.consentRequired ?? stored.consentRequired;
  if (consentRequired && !mapping.consent) {
    throw fieldError("mapping.consent", "REQUIRED", "is required while consentRequired is true.");
  }
  return {
    defaultCountry: defaultCountry === undefined ? stored.defaultCountry : defaultCountry,
    deduplicateBy: input.deduplicateBy ?? stored.deduplicateBy,
    deduplicateHours: input.deduplicateHours ?? stored.deduplicateHours,
    dailyLimit: dailyLimit === undefined ? stored.dailyLimit : dailyLimit,
    consentRequired,
  };
}

function mergeSignature(box: SecretBox, workspaceId: string, stored: SourceSettings, input: LeadSourceChange) {
  const kind = input.signature ?? stored.signature_kind;
  if (kind === "NONE") return { signature_kind: kind, signature_header: null, signing_secret: null };
  const header = input.signatureHeader === undefined ? stored.signature_header : input.signatureHeader;
  if (kind === "HMAC_SHA256" && !header)
    throw fieldError("signatureHeader", "REQUIRED", "is required for HMAC_SHA256.");
  const isKept = kind === stored.signature_kind && keepsStored(input.signingSecret ?? undefined);
  const sealed = isKept ? stored.signing_secret : sealSecret(box, workspaceId, stored.id, kind, input.signingSecret);
  return { signature_kind: kind, signature_header: kind === "HMAC_SHA256" ? header : null, signing_secret: sealed };
}

function sealSecret(
  box: SecretBox,
  workspaceId: string,
  id: string,
  kind: SourceSettings["signature_kind"],
  secret: string | null | undefined,
): Buffer {
  if (!secret || secret === MASK) throw fieldError("signingSecret", "REQUIRED", "is required to check signatures.");
  if (!fitsSignature(kind, secret)) {
    throw fieldError("signingSecret", "FORMAT", "must be whsec_ and 24 to 64 bytes in base64.");
  }
  return box.seal(secret, secretPlace(workspaceId, id));
}

function readStart(text: string | null): Date | null {
  if (text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw fieldError("startAt", "FORMAT", "is not a date that exists.");
  return date;
}

function createToken(): string {
  return `lds_${randomText(TOKEN_LENGTH)}`;
}

function addressOf({ publicUrl }: SourceParts, token: string): string {
  return `${publicUrl}${LEADS_PATH}/${token}`;
}

function toSource(row: LeadSourceRow, url: string | null = null): LeadSource {
  return {
    id: row.id,
    name: row.name,
    active: row.active,
    url,
    flowId: row.flow_id,
    fromPhoneNumber: row.from_number,
    retryConfig: row.retry_config,
    callingWindow: row.calling_window,
    startAt: row.start_at?.toISOString() ?? null,
    delaySeconds: row.delay_seconds,
    mapping: row.mapping,
    ...row.rules,
    signature: row.signature_kind,
    signatureHeader: row.signature_header,
    signingSecret: row.signing_secret ? MASK : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
