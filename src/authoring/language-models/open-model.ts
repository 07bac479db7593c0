import {
  type ChainedModel,
  createFallbackModel,
  type FallbackLimits,
  ModelHealth,
} from "#src/engine/models/fallback-model.ts";
import { measureModel } from "#src/engine/models/hosted/measured-model.ts";
import { openHostedModel } from "#src/engine/models/hosted/providers.ts";
import { RefusalMemory } from "#src/engine/models/hosted/refusal-memory.ts";
import { addressOf } from "#src/engine/models/hosted/vendors.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { OnProviderRequest } from "#src/platform/kernel/provider-request.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { modelKeyPlace } from "./language-models.ts";
import { openHeaders } from "./model-headers.ts";
import { findModels, type LanguageModelRow } from "./store.ts";

const LIMITS: FallbackLimits = { respondMs: 20_000, extractMs: 20_000 };
/** Opened models that are kept; another one is opened in a millisecond. */
const MOST_OPENED = 500;

/** Configured models that a flow selects: the first, and its fallbacks. */
export interface ModelChoice {
  modelId?: string | null | undefined;
  fallbackModelIds?: string[] | null | undefined;
  temperature?: number | null | undefined;
}

/** Dependencies for opening a workspace's models. */
export interface OpenerParts {
  box: SecretBox;
  fetch: WebFetch;
  /** Opens a connection ahead of a request to an address. */
  warm?: (url: string) => void;
  /** Model of workspaces that have configured none. */
  scripted: LanguageModel;
  log: Log;
  /** Called after each request to a hosted model. */
  onRequest?: OnProviderRequest;
}

/** Opens the model that a session uses. */
export type OpenModel = (
  db: Executor,
  workspaceId: string,
  choice: ModelChoice | null | undefined,
) => Promise<LanguageModel>;

/**
 * Opens the models that a flow names, then the workspace's default, as one that fails over from each to the next. A
 * workspace without any uses the scripted model. Sessions share an opened model for as long as its settings stay: its
 * library builds 0.3 MB of schemas for each (bench/live-calls).
 */
export function createModelOpener(parts: OpenerParts): OpenModel {
  const health = new ModelHealth();
  const memory = new RefusalMemory();
  const opened = new BoundedMap<string, LanguageModel>(MOST_OPENED);
  return async (db, workspaceId, choice) => {
    const wanted = [choice?.modelId, ...(choice?.fallbackModelIds ?? [])].filter((id) => typeof id === "string");
    const rows = await findModels(db, workspaceId, wanted);
    const named = wanted.map((id) => rows.find((row) => row.id === id.toLowerCase()));
    const chain = new Set([...named, rows.find((row) => row.is_default)].filter((row) => row !== undefined));
    const models = [...chain].map((row): ChainedModel => {
      const settings = JSON.stringify([row, choice?.temperature]);
      const open = () => openRow(parts, row, choice?.temperature, memory);
      return { key: row.id, model: opened.getOrMake(settings, open) };
    });
    const [first, ...others] = models;
    if (!first) return parts.scripted;
    if (others.length === 0) return first.model;
    return createFallbackModel([first, ...others], LIMITS, health, (failed, next, error) => {
      const message =
        next === null ? "A model failed, and no other is left." : "A model failed; the next one is asked.";
      parts.log.warn(message, { workspaceId, failed, next, error: error.message });
    });
  };
}

function openRow(
  { box, fetch, warm, onRequest = () => undefined }: OpenerParts,
  row: LanguageModelRow,
  temperature: number | null | undefined,
  memory: RefusalMemory,
): LanguageModel {
  const { provider, base_url: baseUrl, model, api_key: sealed } = row;
  const apiKey = sealed === null ? null : box.open(sealed, modelKeyPlace(row.workspace_id, row.id));
  const settings = {
    provider,
    baseUrl,
    apiKey,
    model,
    temperature: temperature ?? row.temperature,
    maxOutputTokens: row.max_output_tokens,
    reasoningEffort: row.reasoning_effort,
    region: row.region,
    accessKeyId: row.access_key_id,
    headers: openHeaders(box, row),
    extraBody: row.extra_body,
  };
  const hosted = measureModel(openHostedModel(settings, fetch, memory), provider, onRequest);
  return { ...hosted, warm: () => warm?.(addressOf(provider, baseUrl, row.region) ?? "") };
}

/** Result of a trial question to a model. */
export interface ModelCheck {
  ok: boolean;
  model: string;
  latencyMs: number;
  firstPieceMs: number | null;
  answer: string | null;
  error: { code: string; message: string } | null;
}

const CHECK_TIMEOUT_MS = 20_000;

/** Asks a configured model to say one word, and returns the result. Never throws for the model's faults. */
export async function checkModel(parts: OpenerParts, row: LanguageModelRow): Promise<ModelCheck> {
  const startedMs = performance.now();
  const since = () => Math.round(performance.now() - startedMs);
  const model = openRow(parts, row, null, new RefusalMemory());
  let firstPieceMs: number | null = null;
  let answer = "";
  const done = (error: ModelCheck["error"]): ModelCheck => ({
    ok: error === null,
    model: model.name,
    latencyMs: since(),
    firstPieceMs,
    answer: answer === "" ? null : answer.slice(0, 200),
    error,
  });
  try {
    const pieces = model.respond({
      messages: [
        { role: "SYSTEM", content: "Answer with one word." },
        { role: "USER", content: "Say hello." },
      ],
      tools: [],
      outputs: [],
      language: "en",
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    for await (const piece of pieces) {
      firstPieceMs ??= since();
      if (piece.kind === "TEXT") answer += piece.text;
    }
    return done(null);
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code;
    return done({ code: typeof code === "string" ? code : "MODEL_STALLED", message: toError(thrown).message });
  }
}
