import { createWriteStream, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readAudioFacts } from "#src/audio/batch-stt/audio-facts.ts";
import { type AudioFile, BatchSttError, type Transcript } from "#src/audio/batch-stt/batch-stt.ts";
import type { BatchSttProviders } from "#src/audio/speech-providers/batch-stt-providers.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { CREDIT_USED_UP, isCreditUsedUp } from "#src/tenancy/usage/credit.ts";
import { recordUsage } from "#src/tenancy/usage/usage.ts";
import {
  completeRecording,
  deleteUnretainedAudio,
  failRecording,
  findAudio,
  requeueRecording,
  type RunningRow,
  startRecording,
} from "./run-state.ts";

/** The most transient failures of one recording, about half an hour of attempts. */
const MAX_FAILURES = 8;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 600_000;
/**
 * The most runs of one task, interrupted by crashes or shutdowns or not: a recording that ends the process must not do
 * so forever.
 */
const MAX_RUNS = 50;
const STORAGE_DELAY_MS = 5_000;

/** Dependencies of transcription. */
export interface TranscriptionParts {
  database: Database;
  batchSttProviders: BatchSttProviders;
  /** Room on the disk that holds uploaded audio while it is transcribed. */
  spool: SpoolRoom;
  log: Log;
}

/**
 * Creates the task handler that transcribes one recording. Its end, its audio's deletion and its bill are one
 * transaction.
 */
export function createTranscriptionRunner(parts: TranscriptionParts): TaskHandler {
  return async (task, signal) => {
    try {
      return await runOnce(parts, task, signal);
    } catch (error) {
      // The recording's state could not be read or stored, so the transcription is repeated.
      parts.log.error("A transcription could not be stored.", { recordingId: task.subjectId, error });
      return { kind: "RETRY", afterMs: STORAGE_DELAY_MS, error: "The transcription could not be stored." };
    }
  };
}

async function runOnce(parts: TranscriptionParts, task: Task, signal: AbortSignal): Promise<TaskEnd> {
  const { db } = parts.database;
  const { workspaceId, subjectId: id } = task;
  const row = await startRecording(db, workspaceId, id);
  if (!row) return { kind: "DONE" };
  if (isBilled(row) && (await isCreditUsedUp(db, workspaceId)))
    return giveUp(db, workspaceId, row, { code: "BALANCE_EXHAUSTED", message: CREDIT_USED_UP });
  try {
    if (task.attempt > MAX_RUNS) throw new BatchSttError("PERMANENT", "The transcription was cut off too often.");
    const done = await transcribe(parts, workspaceId, row, signal);
    await db.transaction().execute((tx) => complete(tx, workspaceId, row, done));
    return { kind: "DONE" };
  } catch (error) {
    if (!(error instanceof BatchSttError)) throw error;
    return await giveBack(db, task, row, error, signal.aborted);
  }
}

function isBilled({ provider }: RunningRow): boolean {
  return provider !== "SANDBOX";
}

interface Done {
  transcript: Transcript;
  durationSeconds: number;
  audioFormat: string | null;
}

async function transcribe(
  { database, batchSttProviders, spool }: TranscriptionParts,
  workspaceId: string,
  row: RunningRow,
  signal: AbortSignal,
): Promise<Done> {
  const batchStt = batchSttProviders.get(row.provider);
  if (!batchStt) throw new BatchSttError("TRANSIENT", `${row.provider} is not configured on this node.`);
  const options = { language: row.requested_language };
  if (row.url !== null) {
    const transcript = await batchStt.transcribe({ url: row.url }, options, signal);
    return { transcript, durationSeconds: durationOf(transcript, null), audioFormat: null };
  }
  const file = await restoreFile(database.db, workspaceId, row, spool.folder);
  try {
    const facts = await readAudioFacts(file.path, signal);
    const transcript = await batchStt.transcribe(file, options, signal);
    return { transcript, durationSeconds: durationOf(transcript, facts.durationSeconds), audioFormat: facts.format };
  } finally {
    await rm(file.path, { force: true });
  }
}

/** Returns the duration in seconds: the provider's first, else the file's own, else the end of the last segment. */
function durationOf({ durationSeconds, segments }: Transcript, ofFile: number | null): number {
  return durationSeconds ?? ofFile ?? segments.reduce((end, segment) => Math.max(end, segment.endMs), 0) / 1000;
}

async function restoreFile(db: Executor, workspaceId: string, row: RunningRow, folder: string): Promise<AudioFile> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomText(24));
  let bytes = 0;
  async function* read(): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const piece = await findAudio(db, workspaceId, row.id, position);
      if (!piece) return;
      bytes += piece.length;
      yield piece;
    }
  }
  try {
    await pipeline(Readable.from(read()), createWriteStream(path, { mode: 0o600, flags: "wx" }));
    if (bytes !== (row.bytes ?? 0)) throw new BatchSttError("PERMANENT", "The uploaded audio is gone.");
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, fileName: row.file_name, mediaType: row.media_type ?? "", bytes };
}

async function complete(tx: Executor, workspaceId: string, row: RunningRow, done: Done): Promise<void> {
  if (!(await completeRecording(tx, workspaceId, row.id, done))) return;
  await recordUsage(tx, workspaceId, [
    {
      kind: "TRANSCRIPTION_SECOND",
      quantity: done.durationSeconds,
      subjectType: "TRANSCRIPTION",
      subjectId: row.id,
      simulated: !isBilled(row),
    },
  ]);
  await end(tx, workspaceId, row, "COMPLETED");
}

async function end(tx: Executor, workspaceId: string, row: RunningRow, status: string): Promise<void> {
  await deleteUnretainedAudio(tx, workspaceId, row.job_id, row.id);
  const data = { jobId: row.job_id, status };
  await appendEvents(tx, workspaceId, [{ type: "transcription.ended", subjectId: row.id, data }]);
}

async function giveBack(
  db: Database["db"],
  { workspaceId }: Task,
  row: RunningRow,
  error: BatchSttError,
  isInterrupted: boolean,
): Promise<TaskEnd> {
  const { message } = error;
  if (isInterrupted) {
    await requeueRecording(db, workspaceId, row.id, null);
    return { kind: "RETRY", afterMs: 0, error: "The process was shutting down." };
  }
  if (error.kind === "TRANSIENT" && row.failures + 1 < MAX_FAILURES) {
    await requeueRecording(db, workspaceId, row.id, { code: "TRANSIENT", message });
    return { kind: "RETRY", afterMs: delayMs(row.failures, error.retryAfterMs), error: message };
  }
  return giveUp(db, workspaceId, row, { code: error.kind === "TRANSIENT" ? "GAVE_UP" : "PERMANENT", message });
}

async function giveUp(
  db: Database["db"],
  workspaceId: string,
  row: RunningRow,
  error: { code: string; message: string },
): Promise<TaskEnd> {
  await db.transaction().execute(async (tx) => {
    if (await failRecording(tx, workspaceId, row.id, error)) await end(tx, workspaceId, row, "FAILED");
  });
  return { kind: "DEAD", error: error.message };
}

/**
 * Returns the delay before the next attempt: 1, 4, 16, 64, 256, 600, 600 seconds; longer when the provider asks for it.
 */
function delayMs(failures: number, retryAfterMs: number | null): number {
  return Math.max(Math.min(FIRST_DELAY_MS * 4 ** failures, MAX_DELAY_MS), retryAfterMs ?? 0);
}
