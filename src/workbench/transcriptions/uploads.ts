import type { Database, Executor } from "#src/platform/db/database.ts";
import { canonicalJson, hashParts, readIdempotencyKey, runOnce } from "#src/platform/http/idempotency.ts";
import { parseJson, readDigits } from "#src/platform/http/json.ts";
import { Reply, type RequestOf } from "#src/platform/http/route.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { compileUnknownCheck } from "#src/platform/http/unknown-members.ts";
import { type MultipartUpload, openSpooled, readMultipart, type Spooled } from "#src/platform/http/upload.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addRecording, RecordingDetails } from "./recordings.ts";
import { announceUpload, dropUpload, insertAudio, settleUpload } from "./run-state.ts";
import { findByExternalId, findJob } from "./store.ts";

/** The largest recording that may be uploaded, in bytes. */
export const MAX_RECORDING_BYTES = 500 * 1024 * 1024;
/** Bytes that a form adds to its file: the payload of at most 1 MiB and the headers of its parts. */
const MAX_FORM_BYTES = 2 * 1024 * 1024;
const PIECE_BYTES = 512 * 1024;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/;

const findUnknown = compileUnknownCheck(RecordingDetails);
const checkDetails = compileCheck(RecordingDetails, "INVALID_BODY", "VALIDATION_FAILED");

/** Dependencies of uploads. */
export interface UploadContext {
  spool: SpoolRoom;
}

/** A request that carries a file. */
export type UploadRequest = RequestOf<{ jobId: string }, unknown, unknown>;

/**
 * Reads a form onto this node's disk. Throws a 413 at once when the declared length is too large, and a 404 when there
 * is no such job.
 */
export async function takeForm(
  { db }: Database,
  { spool: room }: UploadContext,
  request: UploadRequest,
  maxBytes: number,
): Promise<MultipartUpload> {
  if (!(await findJob(db, request.caller.workspaceId, request.params.jobId))) throw new AppError("NOT_FOUND");
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + MAX_FORM_BYTES) {
    throw new AppError("PAYLOAD_TOO_LARGE", `The file may have at most ${maxBytes} bytes.`);
  }
  const rules = { room, caller: request.caller.workspaceId, maxBytes, text: false };
  return readMultipart(request.headers, request.stream, rules);
}

/**
 * Adds an uploaded recording. Its audio is stored in pieces before the transaction that makes it a recording, so that a
 * large file holds no transaction open; pieces that end without a recording are deleted.
 */
export async function addUpload(database: Database, context: UploadContext, request: UploadRequest): Promise<unknown> {
  const { file, payload } = await takeForm(database, context, request, MAX_RECORDING_BYTES);
  try {
    if (file.bytes === 0) throw fieldError("file", "EMPTY", "is empty.");
    const details = readDetails(payload);
    request.warnings.inspect(findUnknown, details);
    const bodyHash = hashParts([request.params.jobId, canonicalJson(payload ?? ""), file.fileName ?? "", file.sha256]);
    return await storeUpload(database, request, file, details, bodyHash);
  } finally {
    await file.remove();
  }
}

function readDetails(payload: string | null): RecordingDetails {
  if (payload === null || payload.trim() === "") return {};
  checkDetails(parseJson(payload));
  return readDigits(payload) as RecordingDetails;
}

async function storeUpload(
  { db }: Database,
  request: UploadRequest,
  file: Spooled,
  details: RecordingDetails,
  bodyHash: Buffer,
): Promise<unknown> {
  const { caller, params } = request;
  const { workspaceId } = caller;
  const id = uuidv7();
  const declared = file.mediaType.toLowerCase();
  const mediaType = MEDIA_TYPE.test(declared) ? declared : null;
  const { fileName, bytes, sha256 } = file;
  const incoming = { id, url: null, file: { fileName, mediaType, bytes, sha256 }, details };
  const isRepeat = await isKnown(db, workspaceId, params.jobId, details.externalId ?? null);
  try {
    if (!isRepeat) await storeAudio(db, workspaceId, id, file);
    return await once(db, request, "recordings/upload", bodyHash, async (tx) => {
      const receipt = await addRecording(tx, workspaceId, params.jobId, incoming);
      if (receipt.rowId === id) await settleUpload(tx, workspaceId, id);
      return receipt;
    });
  } finally {
    // Deletes only what is still announced as an upload. If even this fails, the sweep does it a day later.
    await dropUpload(db, workspaceId, id).catch(() => undefined);
  }
}

/** Runs a streamed request's effect in one transaction, and once per Idempotency-Key. */
export async function once(
  db: Database["db"],
  { caller, headers, warnings }: UploadRequest,
  what: string,
  bodyHash: Buffer,
  effect: (tx: Executor) => Promise<unknown>,
): Promise<unknown> {
  const key = readIdempotencyKey(headers);
  return db.transaction().execute((tx) => {
    if (key === undefined) return effect(tx);
    const route = `POST /transcriptions/jobs/{jobId}/${what}`;
    const reply = async () => new Reply(200, warnings.attach(await effect(tx)));
    return runOnce(tx, { caller, route, key, bodyHash }, reply);
  });
}

async function isKnown(db: Executor, workspaceId: string, jobId: string, externalId: string | null): Promise<boolean> {
  return externalId !== null && (await findByExternalId(db, workspaceId, jobId, externalId)) !== undefined;
}

async function storeAudio(db: Executor, workspaceId: string, id: string, file: Spooled): Promise<void> {
  await announceUpload(db, workspaceId, id);
  let position = 0;
  for await (const piece of openSpooled(file)) {
    for (let start = 0; start < piece.length; start += PIECE_BYTES) {
      await insertAudio(db, workspaceId, id, position++, piece.subarray(start, start + PIECE_BYTES));
    }
  }
}
