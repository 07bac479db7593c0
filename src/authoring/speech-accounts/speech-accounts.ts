import type { Executor } from "#src/platform/db/database.ts";
import { checkUrlField, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertUnchanged, NOT_STORED, staleError } from "#src/platform/http/precondition.ts";
import { assertHeaderAllowed } from "#src/platform/http/safe-fetch.ts";
import { nullable, oneOf, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { keepsStored, MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";
import {
  deleteAccount,
  listAccounts,
  lockAccount,
  saveAccount,
  SPEECH_PROVIDERS,
  type SpeechAccountRow,
  type SpeechProvider,
} from "./store.ts";

/**
 * Abilities of each provider, and its selectable models: Deepgram's voice is its model, ElevenLabs offers no STT here.
 */
const ABILITIES: Record<SpeechProvider, { hears: boolean; speechModel: boolean; needsKey: boolean }> = {
  DEEPGRAM: { hears: true, speechModel: false, needsKey: true },
  ELEVENLABS: { hears: false, speechModel: true, needsKey: true },
  OPENAI_COMPATIBLE: { hears: true, speechModel: true, needsKey: false },
};

/** Account used for STT or TTS at a provider, and its owner. */
export const SpeechAccount = Type.Object(
  {
    provider: oneOf(SPEECH_PROVIDERS),
    source: oneOf(
      ["WORKSPACE", "SERVER", "NONE"],
      "WORKSPACE: stored here. SERVER: the operator's, from the environment. NONE: it cannot be used.",
    ),
    baseUrl: nullable(Type.String({ description: "Null: the provider's own." })),
    apiKey: nullable(Type.String({ description: `${MASK} when one is stored.` })),
    hears: Type.Boolean(),
    speaks: Type.Boolean(),
    transcriptionModel: nullable(Type.String({ description: "Null: the usual one." })),
    speechModel: nullable(Type.String({ description: "Null: the usual one." })),
    voice: nullable(Type.String({ description: "Of flows that name none; null: the usual one." })),
    updatedAt: nullable(Timestamp),
  },
  { $id: "SpeechAccount" },
);
export type SpeechAccount = Static<typeof SpeechAccount>;

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: "^[\\x20-\\x7e]+$" });

/** Request body of an account; on a change, absent fields stay. */
export const SpeechAccountInput = Type.Object(
  {
    baseUrl: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 2_048, description: "Such as https://host/v1." })),
    ),
    apiKey: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 2_048, description: "Sealed at rest." }))),
    hears: Type.Optional(Type.Boolean()),
    speaks: Type.Optional(Type.Boolean()),
    transcriptionModel: Type.Optional(nullable(Name)),
    speechModel: Type.Optional(nullable(Name)),
    voice: Type.Optional(nullable(Name)),
  },
  { $id: "SpeechAccountInput" },
);
export type SpeechAccountInput = Static<typeof SpeechAccountInput>;

/** Dependencies for checking and sealing an account. */
export interface SpeechAccountParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** A provider's account for STT and TTS, with its key open. */
export interface OpenAccount extends Omit<SpeechAccountRow, "workspace_id" | "api_key" | "updated_at"> {
  apiKey: string | undefined;
}

/** Stores an account, or merges the sent fields into the existing one. Nothing is sent to the provider. */
export async function changeSpeechAccount(
  tx: Executor,
  { guard, box }: SpeechAccountParts,
  workspaceId: string,
  provider: SpeechProvider,
  { ifUpdatedAt, ...input }: SpeechAccountInput & { ifUpdatedAt?: string },
): Promise<SpeechAccount> {
  const before = await lockAccount(tx, workspaceId, provider);
  const isExpectedNew = ifUpdatedAt === NOT_STORED;
  if (before) assertUnchanged(before.updated_at, ifUpdatedAt);
  else if (ifUpdatedAt !== undefined && !isExpectedNew) {
    throw staleError("The account was deleted after what this change is based on.");
  }
  const baseUrl = input.baseUrl === undefined ? (before?.base_url ?? null) : trimUrl(input.baseUrl);
  assertInput(provider, guard, { ...input, baseUrl: baseUrl ?? null }, before);
  const keepsKey = keepsStored(input.apiKey);
  const apiKey = keepsKey ? (before?.api_key ?? null) : sealKey(box, workspaceId, provider, input.apiKey ?? null);
  if (apiKey === null && (ABILITIES[provider].needsKey || baseUrl === null)) {
    throw fieldError("apiKey", "REQUIRED", "is required.");
  }
  const account = {
    provider,
    base_url: baseUrl,
    api_key: apiKey,
    hears: input.hears ?? before?.hears ?? ABILITIES[provider].hears,
    speaks: input.speaks ?? before?.speaks ?? true,
    transcription_model: merge(input.transcriptionModel, before?.transcription_model),
    speech_model: merge(input.speechModel, before?.speech_model),
    voice: merge(input.voice, before?.voice),
  };
  const row = await saveAccount(tx, workspaceId, account, { mayReplace: !isExpectedNew });
  // There was no row to lock, so another transaction may have stored one meanwhile.
  if (!row) throw staleError("The account was stored after what this change is based on.");
  return toAccount(row);
}

function merge(sent: string | null | undefined, before: string | null | undefined): string | null {
  return sent === undefined ? (before ?? null) : sent;
}

function assertInput(
  provider: SpeechProvider,
  guard: OutboundGuard,
  input: SpeechAccountInput,
  before: SpeechAccountRow | undefined,
): void {
  const { hears, speechModel } = ABILITIES[provider];
  if (input.baseUrl) checkUrlField(guard, "baseUrl", "NOT_ALLOWED", input.baseUrl);
  // A stored key was entered for its address; a new address needs the key again, so that it is not sent elsewhere
  // unnoticed.
  const isMoved = before !== undefined && input.baseUrl !== before.base_url && before.api_key !== null;
  if (isMoved && keepsStored(input.apiKey)) {
    throw fieldError("apiKey", "REQUIRED", "is required again when the address changes.");
  }
  if (input.apiKey === MASK && !before?.api_key) {
    throw fieldError("apiKey", "MASKED", "is the mask, but no key is stored.");
  }
  if (input.hears && !hears) throw fieldError("hears", "NOT_ALLOWED", "is nothing that this provider does.");
  if (input.transcriptionModel && !hears) {
    throw fieldError("transcriptionModel", "NOT_ALLOWED", "is nothing that this provider has.");
  }
  if (input.speechModel && !speechModel) {
    throw fieldError("speechModel", "NOT_ALLOWED", "is chosen by the voice at this provider.");
  }
}

function trimUrl(url: string | null): string | null {
  return url === null ? null : url.trim().replace(/\/+$/, "") || null;
}

function sealKey(box: SecretBox, workspaceId: string, provider: SpeechProvider, key: string | null): Buffer | null {
  if (key === null) return null;
  try {
    assertHeaderAllowed("x-speech-key", key);
  } catch {
    throw fieldError("apiKey", "FORMAT", "holds characters that no header can carry.");
  }
  return box.seal(key, keyPlace(workspaceId, provider));
}

/** Place that a key is sealed for: copied to another row, the key cannot be opened. */
function keyPlace(workspaceId: string, provider: SpeechProvider): string {
  return `${workspaceId}|speech_accounts|api_key|${provider}`;
}

/** Keys of accounts, as they are stored. */
export const SEALED_SPEECH_ACCOUNTS: SealedColumn = {
  what: "speech accounts",
  table: "speech_accounts",
  key: { workspace_id: "uuid", provider: "text" },
  read: "api_key",
  write: (parameter) => `api_key = ${parameter}`,
  place: ({ workspace_id: workspaceId = "", provider = "" }) => keyPlace(workspaceId, provider as SpeechProvider),
};

/** Deletes an account and its key. The server's own account takes its place, where there is one. */
export async function removeSpeechAccount(tx: Executor, workspaceId: string, provider: SpeechProvider): Promise<void> {
  if (!(await deleteAccount(tx, workspaceId, provider))) throw new AppError("NOT_FOUND");
}

/** Returns every provider as the workspace has it; `server` holds those that the operator configured. */
export async function getSpeechAccounts(
  tx: Executor,
  workspaceId: string,
  server: { sttProviders: readonly string[]; ttsProviders: readonly string[] },
): Promise<SpeechAccount[]> {
  const rows = await listAccounts(tx, workspaceId);
  return SPEECH_PROVIDERS.map((provider) => {
    const row = rows.find((one) => one.provider === provider);
    if (row) return toAccount(row);
    const [hears, speaks] = [server.sttProviders.includes(provider), server.ttsProviders.includes(provider)];
    const source = hears || speaks ? ("SERVER" as const) : ("NONE" as const);
    const none = { baseUrl: null, apiKey: null, transcriptionModel: null, speechModel: null, voice: null };
    return { provider, source, hears, speaks, ...none, updatedAt: null };
  });
}

/** Returns the stored accounts with a text that identifies their version; `open` unseals them. */
export async function readSpeechAccounts(
  tx: Executor,
  box: SecretBox,
  workspaceId: string,
): Promise<{ version: string; open: () => OpenAccount[] }> {
  const rows = await listAccounts(tx, workspaceId);
  const version = rows.map((row) => `${row.provider} ${row.updated_at.toISOString()}`).join("|");
  return { version, open: () => rows.map((row) => openAccount(box, row)) };
}

function openAccount(
  box: SecretBox,
  { workspace_id: workspaceId, api_key: sealed, ...row }: SpeechAccountRow,
): OpenAccount {
  const apiKey = sealed === null ? undefined : box.open(sealed, keyPlace(workspaceId, row.provider));
  return { ...row, apiKey };
}

function toAccount(row: SpeechAccountRow): SpeechAccount {
  return {
    provider: row.provider,
    source: "WORKSPACE",
    baseUrl: row.base_url,
    apiKey: row.api_key === null ? null : MASK,
    hears: row.hears,
    speaks: row.speaks,
    transcriptionModel: row.transcription_model,
    speechModel: row.speech_model,
    voice: row.voice,
    updatedAt: row.updated_at.toISOString(),
  };
}
