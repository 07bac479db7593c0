import { PEAKS_PER_SECOND } from "#src/audio/recording/peaks.ts";
import { prepareRecording, type RecordedTurn, type Recording } from "#src/audio/recording/recording.ts";
import type { SpeechEngine } from "#src/audio/recording/speech-engine.ts";
import { measureWaveform, type Waveform } from "#src/audio/recording/waveform.ts";
import type { RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import { findRecording, openRecording, readWaveform } from "#src/interactions/recordings/recordings.ts";
import type { Database } from "#src/platform/db/database.ts";
import { replyWithBytes } from "#src/platform/http/byte-ranges.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { bytesOf, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { hasRenderedRecording } from "./call-row.ts";
import { findRow } from "./store.ts";

const CALL_ROW = "/api/external/v1/call-rows/{rowId}";
const common = {
  method: "GET",
  audience: "external",
  access: ["CALL_HISTORY_READ", "CALL_JOBS_READ"],
  tag: "Calls",
  params: Type.Object({ rowId: Uuid }),
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
    async run({ caller, params: { rowId }, headers, requestId }) {
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
    async run({ caller: { workspaceId }, params: { rowId } }) {
      const stored = await findRecording(db, workspaceId, rowId);
      if (stored) return toPeaks(await readWaveform(db, context.recordings, workspaceId, stored));
      const rendered = await render(db, context.speech, workspaceId, rowId);
      return toPeaks(rendered && (await measureWaveform(rendered)));
    },
  });
}

function toPeaks(waveform: Waveform | null) {
  if (!waveform) throw new AppError("NOT_FOUND");
  const [agent, customer] = waveform.peaks;
  return {
    intervalMs: 1_000 / PEAKS_PER_SECOND,
    durationMs: Math.round(waveform.durationMs),
    channels: [
      { name: "AGENT", peaks: [...agent] },
      { name: "CUSTOMER", peaks: [...customer] },
    ],
  };
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

function isSpoken(turn: { role: string }): turn is RecordedTurn {
  return turn.role === "ASSISTANT" || turn.role === "USER";
}
