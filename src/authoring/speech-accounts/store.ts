import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** Providers at which a workspace may have an account of its own. */
export const SPEECH_PROVIDERS = ["DEEPGRAM", "ELEVENLABS", "OPENAI_COMPATIBLE"] as const;
export type SpeechProvider = (typeof SPEECH_PROVIDERS)[number];

export interface SpeechAccountRow {
  workspace_id: string;
  provider: SpeechProvider;
  base_url: string | null;
  api_key: Buffer | null;
  hears: boolean;
  speaks: boolean;
  transcription_model: string | null;
  speech_model: string | null;
  voice: string | null;
  updated_at: Date;
}

/** The accounts of a workspace. */
export function listAccounts(tx: Executor, workspaceId: string): Promise<SpeechAccountRow[]> {
  return all(tx, sql`select * from speech_accounts where workspace_id = ${workspaceId} order by provider`);
}

/** One account, locked for the change that follows. */
export function lockAccount(
  tx: Executor,
  workspaceId: string,
  provider: SpeechProvider,
): Promise<SpeechAccountRow | undefined> {
  return first(
    tx,
    sql`select * from speech_accounts where workspace_id = ${workspaceId} and provider = ${provider} for update`,
  );
}

/** Stores a new or changed account; undefined when there is one that may not be replaced. */
export function saveAccount(
  tx: Executor,
  workspaceId: string,
  row: Omit<SpeechAccountRow, "workspace_id" | "updated_at">,
  { mayReplace }: { mayReplace: boolean },
): Promise<SpeechAccountRow | undefined> {
  return first(
    tx,
    sql`insert into speech_accounts (workspace_id, provider, base_url, api_key, hears, speaks, transcription_model,
                                     speech_model, voice)
        values (${workspaceId}, ${row.provider}, ${row.base_url}, ${row.api_key}, ${row.hears}, ${row.speaks},
                ${row.transcription_model}, ${row.speech_model}, ${row.voice})
        on conflict (workspace_id, provider) do update set base_url = excluded.base_url, api_key = excluded.api_key,
          hears = excluded.hears, speaks = excluded.speaks, transcription_model = excluded.transcription_model,
          speech_model = excluded.speech_model, voice = excluded.voice, updated_at = clock_timestamp()
          where ${mayReplace}::boolean
        returning *`,
  );
}

/** Deletes an account; false when there is none. */
export async function deleteAccount(tx: Executor, workspaceId: string, provider: SpeechProvider): Promise<boolean> {
  const gone = await first(
    tx,
    sql`delete from speech_accounts where workspace_id = ${workspaceId} and provider = ${provider} returning provider`,
  );
  return gone !== undefined;
}
