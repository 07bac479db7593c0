import { type PacedTurns, paceTurns } from "#src/audio/recording/pace-turns.ts";
import { PEAKS_PER_SECOND } from "#src/audio/recording/peaks.ts";
import { prepareRecording, type RecordedTurn, type Recording } from "#src/audio/recording/recording.ts";
import { type SpeechEngine, toneEngine } from "#src/audio/recording/speech-engine.ts";
import { measureWaveform, type Waveform } from "#src/audio/recording/waveform.ts";
import type { RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import { findRecording, openRecording, readWaveform } from "#src/interactions/recordings/recordings.ts";
import type { Database } from "#src/platform/db/database.ts";
import { replyWithBytes } from "#src/platform/http/byte-ranges.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { bytesOf, nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { hasRenderedRecording } from "./call-row.ts";
import { isTerminal } from "./states.ts";
import { type CallRowRecord, findRow } from "./store.ts";

const CALL_ROW = "/api/external/v1/call-rows/{rowId}";
const common = {
  method: "GET",
  audience: "external",
  access: ["CALL_HISTORY_READ", "CALL_JOBS_READ"],
  tag: "Calls",
  params: Type.Object({ rowId: Uuid }),
  query: Type.Object({
    spoken: Type.Optional(
      Type.Boolean({
        description:
          "True: the words of a sandbox call whose line carried tones are spoken instead, by the program flite where it is installed; other recordings stay as they are. Default false.",
      }),
    ),
  }),
} as const;

/** Dependencies of the recording routes. */
export interface RecordingContext {
  speech: SpeechEngine;
  recordings: RecordingFiles;
}

const RecordingPeaks = Type.Object(
  {
    intervalMs: Type.Integer({ description: "Milliseconds that each peak stands for." }),
    durationMs: Type.Integer(),
    channels: Type.Array(
      Type.Object({
        name: oneOf(["AGENT", "CUSTOMER"]),
        peaks: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
          description: "The loudest sample of each interval; 255 is full scale.",
        }),
      }),
    ),
    turns: nullable(
      Type.Array(Type.Object({ index: Type.Integer(), startMs: Type.Number(), endMs: Type.Number() }), {
        description:
          "Where the turns of the transcript are in a recording that was spoken instead of tones; null: at the times of the transcript.",
      }),
    ),
  },
  { $id: "RecordingPeaks" },
);

/** Routes for a call's recording: its audio and its waveform. */
export function recordingRoutes(database: Database, context: RecordingContext): Route[] {
  return [audioRoute(database, context), peaksRoute(database, context)];
}

function audioRoute({ db }: Database, context: RecordingContext): Route {
  return route({
    ...common,
    path: `${CALL_ROW}/recording`,
    summary: "Download a call's recording (extension)",
    description:
      "WAV, 8 kHz, two channels: the agent left, the customer right. Calls in real audio are mu-law and can be fetched while they go on, as far as they are written; those of the sandbox in text are spoken from the transcript, 16 bit.",
    replies: {
      200: bytesOf("audio/wav", "The recording."),
      206: bytesOf("audio/wav", "The part that Range asked for."),
    },
    async run({ caller, params: { rowId }, query, headers, requestId }) {
      const paced = query.spoken ? await speakTones(db, context.speech, caller.workspaceId, rowId) : null;
      if (paced) {
        const spoken = await prepareRecording(paced);
        return replyWithBytes({ source: spoken, contentType: "audio/wav", etag: null }, headers, requestId);
      }
      const stored = await findRecording(db, caller.workspaceId, rowId);
      const source = stored
        ? await openRecording(context.recordings, stored)
        : await render(db, context.speech, caller.workspaceId, rowId);
      if (!source) throw new AppError("NOT_FOUND");
      const etag = stored?.state === "READY" ? `"${stored.attempt_id}"` : null;
      return replyWithBytes({ source, contentType: "audio/wav", etag }, headers, requestId);
    },
  });
}

function peaksRoute({ db }: Database, context: RecordingContext): Route {
  return route({
    ...common,
    path: `${CALL_ROW}/recording/peaks`,
    summary: "Read the waveform of a call's recording, for drawing (extension)",
    description: "Of a recording longer than four hours that is not stored yet, only those four hours have peaks.",
    replies: { 200: RecordingPeaks },
    async run({ caller: { workspaceId }, params: { rowId }, query }) {
      const paced = query.spoken ? await speakTones(db, context.speech, workspaceId, rowId) : null;
      if (paced) return toPeaks(await measureWaveform(await prepareRecording(paced)), paced.turns);
      const stored = await findRecording(db, workspaceId, rowId);
      if (stored) return toPeaks(await readWaveform(db, context.recordings, workspaceId, stored));
      const rendered = await render(db, context.speech, workspaceId, rowId);
      return toPeaks(rendered && (await measureWaveform(rendered)));
    },
  });
}

function toPeaks(waveform: Waveform | null, turns: IndexedTurn[] | null = null) {
  if (!waveform) throw new AppError("NOT_FOUND");
  const [agent, customer] = waveform.peaks;
  return {
    intervalMs: 1_000 / PEAKS_PER_SECOND,
    durationMs: Math.round(waveform.durationMs),
    channels: [
      { name: "AGENT", peaks: [...agent] },
      { name: "CUSTOMER", peaks: [...customer] },
    ],
    turns: turns && turns.map(({ index, startMs, endMs }) => ({ index, startMs, endMs })),
  };
}

type IndexedTurn = RecordedTurn & { index: number };

/**
 * Speaks the words of an ended call that the sandbox held in tones. Null for every other call, and where no program
 * speaks.
 */
async function speakTones(
  db: Database["db"],
  speech: SpeechEngine,
  workspaceId: string,
  rowId: string,
): Promise<PacedTurns<IndexedTurn> | null> {
  if (speech === toneEngine) return null;
  const record = await findRow(db, workspaceId, rowId);
  if (!record || !isInTones(record)) return null;
  const turns = (record.transcript ?? []).filter(isSpoken);
  return turns.length === 0 ? null : paceTurns(turns, record.duration_ms ?? 0, speech);
}

/** In the sandbox everybody speaks in tones where the call has audio. */
function isInTones({ attempts, status, recording_state: state }: CallRowRecord): boolean {
  return (state === "READY" || state === "FAILED") && isTerminal(status) && attempts?.at(-1)?.provider === "SANDBOX";
}

/**
 * Renders the recording of a call in text, which has no file, from its turns on request. At 300 calls a second, writing
 * each one ahead would fill the disk with 600 MB a second that nobody listens to. Null when the call has no recording.
 */
async function render(
  db: Database["db"],
  speech: SpeechEngine,
  workspaceId: string,
  rowId: string,
): Promise<Recording | null> {
  const record = await findRow(db, workspaceId, rowId);
  if (!record || !hasRenderedRecording(record)) return null;
  const turns = (record.transcript ?? []).filter(isSpoken);
  return prepareRecording({ turns, durationMs: record.duration_ms ?? 0, speech });
}

function isSpoken<T extends { role: string }>(turn: T): turn is T & RecordedTurn {
  return turn.role === "ASSISTANT" || turn.role === "USER";
}
