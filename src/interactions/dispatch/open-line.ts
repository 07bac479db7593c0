import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { AmdVerdict, Line } from "#src/audio/line/line.ts";
import type { VoiceCall, VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import { maxDurationOf } from "#src/authoring/session-plans/session-plan.ts";
import type { RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import { beginRecording, finishRecording, type RecordingFault } from "#src/interactions/recordings/recordings.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Carrier, ShownTurn } from "#src/telephony/carriers/carrier.ts";
import type { ClaimedRow } from "./claim.ts";
import { openTransfer } from "./hand-over.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { LoadedFlow } from "./plan.ts";

/** Dependencies for opening the audio of calls. */
export interface LineParts {
  database: { db: Executor };
  voice: VoiceCalls;
  recordings: RecordingFiles;
  /** Called when the end of a recording is stored, with the reason if audio is missing. */
  onRecorded: (fault: RecordingFault | null) => void;
  /** Calls whose audio is open, for those who listen in. */
  liveCalls: LiveCalls;
  log: Log;
}

/** Seconds of speech that a line used, for billing. */
export interface SpeechUsed {
  speechSeconds?: number;
  transcriptionSeconds?: number;
}

/** The line of an answered call. */
export interface OpenedLine {
  line: Line;
  /** Passes the transcript so far to a carrier that wants it. */
  show(turns: readonly ShownTurn[]): void;
  /** Accepts the carrier's AMD result when it comes after the answer; null for a line of text, which needs none. */
  takeVerdict: ((answeredBy: AnsweredBy) => void) | null;
  /** Closes the line after it hung up; waits for the recording. Never rejects. */
  close(): Promise<{ verdict: AmdVerdict | null; used: SpeechUsed }>;
}

interface AnsweredCall {
  row: ClaimedRow;
  flow: LoadedFlow;
  providerCallId: string;
  answered: AnsweredBy;
}

/** True unless the flow turns recording off. */
export function isRecorded({ fields }: LoadedFlow): boolean {
  return fields.recordingEnabled ?? true;
}

/** Opens the audio of a call if the carrier offers it, otherwise its line of text. */
export async function openLine(parts: LineParts, carrier: Carrier, call: AnsweredCall): Promise<OpenedLine> {
  const source = carrier.openMedia?.(call.providerCallId) ?? null;
  if (!source) return openText(carrier, call.providerCallId);
  const { row, flow, answered } = call;
  flow.model.warm?.();
  const { fields } = flow;
  const attemptId = row.attempt_id as string;
  const options = {
    speech: carrier.speaksTones ? ("TONES" as const) : ("VOICES" as const),
    providers: carrier.speaksTones ? undefined : await parts.voice.providersOf(row.workspace_id),
    language: fields.language ?? "en-US",
    voiceId: fields.voiceId ?? null,
    names: row.contact_name === null ? [] : [row.contact_name],
    hints: [row.contact_name ?? "", fields.name ?? ""].filter((hint) => hint !== ""),
  };
  const voice: VoiceCall = parts.voice.open({
    ...options,
    source,
    endOfTurnMs: fields.turnTaking?.endOfTurnMs ?? null,
    bargeInMs: fields.turnTaking?.bargeInMs ?? null,
    recording: isRecorded(flow) ? await placeRecording(parts, row) : null,
    carrierVerdict: answered === "UNCERTAIN" ? null : answered,
    transfer: openTransfer({
      carrier,
      providerCallId: call.providerCallId,
      voice: parts.voice,
      options,
      maxDurationSeconds: maxDurationOf(fields),
      person: () => voice,
      mayRing: () => holdsCall(parts, row),
    }),
  });
  const leave = parts.liveCalls.enter(row.workspace_id, row.id, voice);
  const { line } = voice;
  return {
    line,
    show: (turns) => carrier.showTurns?.(call.providerCallId, turns),
    takeVerdict: (answeredBy) => voice.media.takeVerdict(answeredBy),
    async close() {
      await line.hangUp();
      leave();
      await keepRecording(parts, row.workspace_id, attemptId, voice);
      return { verdict: line.answers.verdict, used: line.used };
    },
  };
}

/** Longest time for a fresh answer. A slower read means that this process was paused. */
const FRESH_MS = 3_000;

/**
 * True while a call is under a live lease, without which the target of a transfer must not be rung. The owner of the
 * lease is not checked, because a process that lost the call aborts it.
 */
async function holdsCall({ database }: LineParts, row: ClaimedRow): Promise<boolean> {
  const since = new Elapsed();
  const found = await all(
    database.db,
    sql`select 1 from call_rows r join nodes n on n.id = r.lease_owner and n.alive_until > now()
         where r.workspace_id = ${row.workspace_id} and r.id = ${row.id} and r.attempt_id = ${row.attempt_id}::uuid`,
  ).catch(() => []);
  return found.length > 0 && since.ms < FRESH_MS;
}

function openText(carrier: Carrier, providerCallId: string): OpenedLine {
  return {
    line: carrier.openLine(providerCallId),
    show: (turns) => carrier.showTurns?.(providerCallId, turns),
    takeVerdict: null,
    close: async () => ({ verdict: null, used: {} }),
  };
}

/** Begins the recording. Without a database the call goes on unrecorded rather than being lost. */
async function placeRecording({ database, recordings, log }: LineParts, row: ClaimedRow) {
  const call = { rowId: row.id, attemptId: row.attempt_id as string };
  try {
    return await beginRecording(database.db, recordings, row.workspace_id, call);
  } catch (error) {
    log.warn("A call is not recorded.", { rowId: row.id, error: toError(error).message });
    return null;
  }
}

async function keepRecording(parts: LineParts, workspaceId: string, attemptId: string, voice: VoiceCall) {
  const { recording } = await voice.ended;
  if (!recording) return;
  try {
    parts.onRecorded(await finishRecording(parts.database.db, workspaceId, attemptId, recording));
  } catch (error) {
    // Housekeeping measures the file later.
    parts.log.warn("A recording was not noted.", { attemptId, error: toError(error).message });
  }
}
