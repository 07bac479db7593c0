import { Readable } from "node:stream";
import type { Database } from "#src/platform/db/database.ts";
import { hashParts } from "#src/platform/http/idempotency.ts";
import { readDigits } from "#src/platform/http/json.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { bytesOf, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { cleanFileName } from "./file-name.ts";
import {
  addRecording,
  assertAddress,
  Recording,
  RecordingInput,
  RecordingReceipt,
  RecordingDetails,
  RecordingSummary,
  toRecording,
  toSummary,
} from "./recordings.ts";
import { findAudio } from "./run-state.ts";
import { replaceSheet } from "./sheet-rows.ts";
import { MAX_SHEET_BYTES, readSpreadsheet } from "./spreadsheet.ts";
import { countRecordings, findRecording, listRecordings, lockJob } from "./store.ts";
import { getJob, TranscriptionJob } from "./transcription-jobs.ts";
import { addUpload, once, takeForm, type UploadContext, type UploadRequest } from "./uploads.ts";

const JOB = "/api/external/v1/transcriptions/jobs/{jobId}";
const PATH = `${JOB}/recordings`;
const READ = ["TRANSCRIPTIONS_READ"];
const WRITE = ["TRANSCRIPTIONS_WRITE"];
const common = { audience: "external", tag: "Transcriptions" } as const;
const params = Type.Object({ jobId: Uuid });
const rowParams = Type.Object({ jobId: Uuid, rowId: Uuid });

const Binary = Type.Unsafe<unknown>({ type: "string", format: "binary" });
const RecordingForm = Type.Object(
  {
    file: Binary,
    payload: Type.Optional(
      Type.String({ description: "JSON object with fileName, externalId and metadata, as in RecordingDetails." }),
    ),
  },
  { $id: "RecordingForm" },
);
const SpreadsheetForm = Type.Object({ file: Binary }, { $id: "SpreadsheetForm" });

/** Dependencies of the recording routes besides the database. */
export interface RecordingContext extends UploadContext {
  /** Wakes the task worker of this process. */
  wake(): void;
}

/** Returns the routes of a transcription job's recordings. */
export function recordingRoutes(database: Database, context: RecordingContext): Route[] {
  return [
    ...sendRoutes(database, context),
    ...readRoutes(database),
    audioRoute(database),
    spreadsheetRoute(database, context),
  ];
}

function sendRoutes(database: Database, context: RecordingContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Add a recording by its address",
      description:
        "The address is handed to the provider as given. A repeat of an externalId returns the existing row.",
      idempotent: true,
      params,
      body: RecordingInput,
      replies: { 200: RecordingReceipt },
      async run({ caller, params: { jobId }, body, bodyText, tx }) {
        const { url, ...details } = readDigits(bodyText) as typeof body;
        assertAddress(url);
        const incoming = { id: uuidv7(), url, file: null, details };
        const receipt = await addRecording(tx, caller.workspaceId, jobId, incoming);
        return receipt;
      },
      afterCommit: () => context.wake(),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/upload`,
      access: WRITE,
      summary: "Add a recording by its file",
      description: "At most 500 MiB. A repeat of an externalId returns the existing row.",
      params,
      body: RecordingForm,
      namedBody: RecordingDetails,
      bodyKind: "STREAM",
      consumes: ["multipart/form-data"],
      replies: { 200: RecordingReceipt },
      run: (request) => addUpload(database, context, request as unknown as UploadRequest),
      afterCommit: () => context.wake(),
    }),
  ];
}

function readRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the recordings of a job, in the order they came (extension)",
      params,
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(
          Type.Array(oneOf(["QUEUED", "PROCESSING", "COMPLETED", "FAILED"]), {
            description: "Any of these; repeat it for several.",
          }),
        ),
        externalId: Type.Optional(
          Type.String({
            maxLength: 500,
            pattern: "^[^\\u0000]*$",
            description: "Your own id of the recording, whole.",
          }),
        ),
      }),
      replies: { 200: pageOf(RecordingSummary, "RecordingPage") },
      async run({ caller: { workspaceId }, params: { jobId }, query }) {
        await getJob(db, workspaceId, jobId);
        const page = readPage(query);
        const rows = await listRecordings(db, workspaceId, jobId, query, page);
        return toPage(page, rows.map(toSummary), () => countRecordings(db, workspaceId, jobId, query));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{rowId}`,
      access: READ,
      summary: "Read a recording with its transcript (extension)",
      params: rowParams,
      replies: { 200: Recording },
      async run({ caller, params: { jobId, rowId } }) {
        const row = await findRecording(db, caller.workspaceId, jobId, rowId);
        if (!row) throw new AppError("NOT_FOUND");
        return toRecording(row);
      },
    }),
  ];
}

function audioRoute({ db }: Database): Route {
  return route({
    ...common,
    method: "GET",
    path: `${PATH}/{rowId}/audio`,
    access: READ,
    summary: "Download uploaded audio that is still kept (extension)",
    description: "404 once it was deleted: after its transcription, unless the job retains audio.",
    params: rowParams,
    replies: { 200: bytesOf("audio/*", "The bytes as they were uploaded.") },
    async run({ caller: { workspaceId }, params: { jobId, rowId } }) {
      const row = await findRecording(db, workspaceId, jobId, rowId);
      const head = row && (await findAudio(db, workspaceId, rowId, 0));
      if (!row || !head) throw new AppError("NOT_FOUND");
      async function* read(first: Buffer): AsyncGenerator<Buffer> {
        let piece: Buffer | undefined = first;
        for (let position = 1; piece; position++) {
          yield piece;
          piece = await findAudio(db, workspaceId, rowId, position);
        }
      }
      return new Reply(200, Readable.from(read(head), { objectMode: false }), {
        "content-type": "application/octet-stream",
        "content-length": String(row.bytes),
        "content-disposition": `attachment; filename*=UTF-8''${encodeName(cleanFileName(row.file_name) ?? "recording")}`,
      });
    },
  });
}

/** Encodes a file name by RFC 8187; encodeURIComponent leaves four characters that it does not allow. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function spreadsheetRoute(database: Database, context: RecordingContext): Route {
  const { db } = database;
  return route({
    ...common,
    method: "POST",
    path: `${JOB}/spreadsheet`,
    access: WRITE,
    summary: "Upload the spreadsheet of a job, CSV or XLSX, in the place of the one before (extension)",
    description:
      "The first line has the headings. A column fileName or externalId (or both) names the recording; the others become its metadata. At most 10 MiB and 100,000 rows. Recordings that are there already stay as they are.",
    params,
    body: SpreadsheetForm,
    bodyKind: "STREAM",
    consumes: ["multipart/form-data"],
    replies: { 200: TranscriptionJob },
    async run(request) {
      const { jobId } = request.params;
      const { caller } = request;
      const upload = request as unknown as UploadRequest;
      const { file } = await takeForm(database, context, upload, MAX_SHEET_BYTES);
      try {
        const { columns, rows, lines } = await readSpreadsheet(file.path);
        return await once(db, upload, "spreadsheet", hashParts([jobId, file.sha256]), async (tx) => {
          if (!(await lockJob(tx, caller.workspaceId, jobId, "update"))) throw new AppError("NOT_FOUND");
          const uploadedAt = now().toISOString();
          const facts = { fileName: cleanFileName(file.fileName), columns, rows: lines, uploadedAt };
          await replaceSheet(tx, caller.workspaceId, jobId, facts, rows);
          return getJob(tx, caller.workspaceId, jobId);
        });
      } finally {
        await file.remove();
      }
    },
  });
}
