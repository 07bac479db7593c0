import { MODEL_PROVIDERS, type ModelProvider, REASONING_EFFORTS } from "#src/engine/models/hosted/vendors.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { checkUrlField, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";
import {
  deleteModel,
  findModel,
  findModelNamed,
  findModels,
  type LanguageModelRow,
  lockModel,
  type ModelKind,
  saveModel,
  setDefaultModel,
} from "./store.ts";

/** Kind of the task that follows a change of a workspace's embedding models; its subject is the workspace. */
export const EMBEDDINGS_CHANGED_TASK = "models.embeddings_changed";

const KINDS = ["CHAT", "EMBEDDING"] as const;

/** Text shown instead of a stored key; sent back, it leaves the key unchanged. */
const MASK = "********";

/** A model for the conversations of flows, or for searches of knowledge bases by meaning. */
export const ConfiguredModel = Type.Object(
  {
    id: Uuid,
    kind: oneOf(KINDS, "CHAT speaks; EMBEDDING turns text into vectors, for searches by meaning."),
    name: Type.String(),
    provider: oneOf(MODEL_PROVIDERS, "Whose protocol the server speaks."),
    baseUrl: nullable(Type.String({ description: "Null: the provider's own." })),
    model: Type.String({ description: "The provider's name of the model." }),
    apiKey: nullable(Type.String({ description: `${MASK} when one is stored.` })),
    temperature: nullable(Type.Number({ description: "Not sent to models that reason: they refuse it." })),
    maxOutputTokens: nullable(
      Type.Integer({ description: "Of one answer, hidden reasoning included; null: as its family needs." }),
    ),
    reasoningEffort: nullable(oneOf(REASONING_EFFORTS, "Null: low for models known to reason, else not sent.")),
    isDefault: Type.Boolean({
      description: "Of its kind: flows that name no model speak through it; searches use it.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "ConfiguredModel" },
);
export type ConfiguredModel = Static<typeof ConfiguredModel>;

/** Request body of a model's creation or change; on a change, absent fields stay. */
export const ConfiguredModelInput = Type.Object(
  {
    kind: Type.Optional(oneOf(KINDS, "Default CHAT; cannot be changed later.")),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    provider: Type.Optional(oneOf(MODEL_PROVIDERS)),
    baseUrl: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 2_048, description: "Such as https://host/v1." })),
    ),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    apiKey: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 2_048, description: "Sealed at rest." }))),
    temperature: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 2 }))),
    maxOutputTokens: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 64,
          maximum: 200_000,
          description: "Of one answer, hidden reasoning included; null: as its family needs.",
        }),
      ),
    ),
    reasoningEffort: Type.Optional(
      nullable(oneOf(REASONING_EFFORTS, "For OPENAI_COMPATIBLE and GOOGLE; what a model refuses is left out.")),
    ),
    isDefault: Type.Optional(Type.Boolean()),
  },
  { $id: "ConfiguredModelInput" },
);
export type ConfiguredModelInput = Static<typeof ConfiguredModelInput>;

/** Dependencies for checking and sealing a model's settings. */
export interface ModelParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** Place that a model's key is sealed for: copied to another row, the key cannot be opened. */
export function modelKeyPlace(workspaceId: string, id: string): string {
  return `${workspaceId}|language_models|api_key|${id}`;
}

/** Keys of models, as they are stored. */
export const SEALED_MODELS = sealedColumn("language models", "language_models", "api_key", modelKeyPlace);

/** Configures a model; 422 names the missing fields. Nothing is sent to it yet. */
export function createModel(tx: Executor, parts: ModelParts, workspaceId: string, input: ConfiguredModelInput) {
  for (const field of ["name", "provider", "model"] as const) {
    if (input[field] === undefined) throw fieldError(field, "REQUIRED", "is required.");
  }
  return store(tx, parts, workspaceId, uuidv7(), input, undefined);
}

/** Merges the sent fields into a configured model. */
export async function changeModel(
  tx: Executor,
  parts: ModelParts,
  workspaceId: string,
  id: string,
  input: ConfiguredModelInput,
  ifUpdatedAt?: string,
): Promise<ConfiguredModel> {
  const before = await lockModel(tx, workspaceId, id);
  if (!before) throw new AppError("NOT_FOUND");
  assertUnchanged(before.updated_at, ifUpdatedAt);
  return store(tx, parts, workspaceId, before.id, input, before);
}

async function store(
  tx: Executor,
  { guard, box }: ModelParts,
  workspaceId: string,
  id: string,
  input: ConfiguredModelInput,
  before: LanguageModelRow | undefined,
): Promise<ConfiguredModel> {
  if (input.baseUrl) checkUrlField(guard, "baseUrl", "NOT_ALLOWED", input.baseUrl);
  if (input.apiKey === MASK && !before?.api_key)
    throw fieldError("apiKey", "MASKED", "is the mask, but no key is stored.");
  const keepsKey = input.apiKey === undefined || input.apiKey === MASK;
  if (before && keepsKey) assertKeyStays(before, input);
  const seal = (key: string) => {
    assertKey(key);
    return box.seal(key, modelKeyPlace(workspaceId, id));
  };
  const kind = before?.kind ?? input.kind ?? "CHAT";
  const provider = input.provider ?? before?.provider ?? "OPENAI_COMPATIBLE";
  assertKind(kind, provider, input);
  const effort = input.reasoningEffort === undefined ? (before?.reasoning_effort ?? null) : input.reasoningEffort;
  if (effort !== null && provider === "ANTHROPIC") {
    throw fieldError("reasoningEffort", "PROVIDER", "is not for models of ANTHROPIC.");
  }
  const saved = await saveModel(tx, workspaceId, {
    id,
    kind,
    name: input.name ?? before?.name ?? "",
    provider,
    base_url: input.baseUrl === undefined ? (before?.base_url ?? null) : input.baseUrl,
    model: input.model ?? before?.model ?? "",
    api_key: keepsKey ? (before?.api_key ?? null) : input.apiKey ? seal(input.apiKey) : null,
    temperature: input.temperature === undefined ? (before?.temperature ?? null) : input.temperature,
    max_output_tokens:
      input.maxOutputTokens === undefined ? (before?.max_output_tokens ?? null) : input.maxOutputTokens,
    reasoning_effort: effort,
  });
  const isDefault = input.isDefault ?? saved.is_default;
  if (isDefault !== saved.is_default) await setDefaultModel(tx, workspaceId, kind, isDefault ? id : null);
  if (kind === "EMBEDDING") await describeEmbeddings(tx, workspaceId);
  return toConfigured({ ...saved, is_default: isDefault });
}

/**
 * Refuses a change that would send the stored key to another address: whoever makes the change may be unable to read
 * the key. Without an address of its own, a model is asked at the one of its provider.
 */
function assertKeyStays(before: LanguageModelRow, input: ConfiguredModelInput): void {
  if (before.api_key === null) return;
  const baseUrl = input.baseUrl === undefined ? before.base_url : input.baseUrl;
  const isElsewhere = trimUrl(baseUrl) !== trimUrl(before.base_url);
  const isOtherProvider = baseUrl === null && (input.provider ?? before.provider) !== before.provider;
  if (isElsewhere || isOtherProvider) {
    throw fieldError("apiKey", "REQUIRED", "is required again when the address or the provider changes.");
  }
}

function trimUrl(url: string | null): string | undefined {
  return url?.trim().replace(/\/+$/, "");
}

function assertKind(kind: ModelKind, provider: ModelProvider, input: ConfiguredModelInput): void {
  if (input.kind !== undefined && input.kind !== kind) {
    throw fieldError("kind", "IMMUTABLE", "cannot be changed. Configure another model.");
  }
  if (kind === "CHAT") return;
  if (provider !== "OPENAI_COMPATIBLE") {
    throw fieldError("provider", "KIND", "must be OPENAI_COMPATIBLE for a model of kind EMBEDDING.");
  }
  for (const field of ["temperature", "maxOutputTokens", "reasoningEffort"] as const) {
    if (input[field] !== undefined && input[field] !== null) {
      throw fieldError(field, "KIND", "is only for models of kind CHAT.");
    }
  }
}

/** Queues the task that re-embeds what another model embedded. */
async function describeEmbeddings(tx: Executor, workspaceId: string): Promise<void> {
  await addTask(tx, workspaceId, { kind: EMBEDDINGS_CHANGED_TASK, subjectId: workspaceId, payload: {} });
}

/** Refuses a key with line breaks or other control characters, since it travels in a header. */
function assertKey(key: string): void {
  try {
    assertHeaderAllowed("x-model-key", key);
  } catch {
    throw fieldError("apiKey", "FORMAT", "holds characters that no header can carry.");
  }
}

/** Removes a model; a flow that names it falls back to its other models, then to the workspace's default. */
export async function removeModel(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const gone = await deleteModel(tx, workspaceId, id);
  if (!gone) throw new AppError("NOT_FOUND");
  if (gone.kind === "EMBEDDING") await describeEmbeddings(tx, workspaceId);
}

/** One model; 404 when there is none. */
export async function getModel(tx: Executor, workspaceId: string, id: string): Promise<ConfiguredModel> {
  const row = await findModel(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toConfigured(row);
}

/** The chat model with this name; undefined when there is none. */
export async function findModelByName(
  tx: Executor,
  workspaceId: string,
  name: string,
): Promise<ConfiguredModel | undefined> {
  const row = await findModelNamed(tx, workspaceId, name);
  return row && toConfigured(row);
}

/** Answers 404 with a message when a body names a model that the workspace does not have or that is no chat model. */
export async function assertModels(tx: Executor, workspaceId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await findModels(tx, workspaceId, ids)).map((row) => row.id));
  const lost = ids.find((id) => !known.has(id.toLowerCase()));
  if (lost !== undefined) throw missing(`Model ${lost}`);
}

/** A row as the API shows it. */
export function toConfigured(row: LanguageModelRow): ConfiguredModel {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    provider: row.provider,
    baseUrl: row.base_url,
    model: row.model,
    apiKey: row.api_key === null ? null : MASK,
    temperature: row.temperature,
    maxOutputTokens: row.max_output_tokens,
    reasoningEffort: row.reasoning_effort,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
