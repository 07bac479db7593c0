import { powerOf } from "#src/audio/codec/power.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import type { ApiClient } from "./api-client.ts";

const PAGE = 200;
/** Most seconds by which a recording may be shorter than its call. */
const MISSING_S = 2;

/** Calls of a job that ended, as the API tells of them after the measurement. */
export interface CheckedCalls {
  ended: number;
  failed: number;
  /** Calls whose recording is as long as they were. */
  recorded: number;
  personTurns: number;
  agentTurns: number;
  /** Both channels of the recording that was downloaded have sound. */
  hasBothVoices: boolean;
}

interface Row {
  id: string;
  status: string;
  transcript: { role: string; content: string }[];
  recording: { durationSeconds: number } | null;
  durationSeconds: number | null;
}

/** Reads all calls of a job that ended, with their transcripts, and downloads one recording. */
export async function checkCalls(api: ApiClient, jobId: string): Promise<CheckedCalls> {
  const checked = { ended: 0, failed: 0, recorded: 0, personTurns: 0, agentTurns: 0, hasBothVoices: false };
  let recordedId: string | null = null;
  for (let cursor = ""; ;) {
    const path = `/call-jobs/${jobId}/rows?size=${PAGE}&status=COMPLETED&status=FAILED${cursor}`;
    const { content, nextCursor } = await api.ask<{ content: Row[]; nextCursor: string | null }>("GET", path);
    for (const { id, status, transcript, recording, durationSeconds } of content) {
      checked.ended++;
      if (status === "FAILED") checked.failed++;
      checked.personTurns += transcript.filter(({ role }) => role === "USER").length;
      checked.agentTurns += transcript.filter(({ role }) => role === "ASSISTANT").length;
      if (!recording || recording.durationSeconds < (durationSeconds ?? 0) - MISSING_S) continue;
      checked.recorded++;
      recordedId = id;
    }
    if (nextCursor === null) break;
    cursor = `&cursor=${nextCursor}`;
  }
  if (recordedId !== null)
    checked.hasBothVoices = hasBothVoices(await api.download(`/call-rows/${recordedId}/recording`));
  return checked;
}

function hasBothVoices(file: Uint8Array): boolean {
  const { channels } = parseWav(file);
  return channels.length === 2 && channels.every((samples) => powerOf(samples) > 100);
}
