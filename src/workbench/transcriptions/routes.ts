import type { BatchSttProviders } from "#src/audio/speech-providers/batch-stt-providers.ts";
import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUnchangedBody, ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { EXTERNAL_API, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { getFields, MetadataField, MetadataFieldInputs, setFields } from "./metadata-fields.ts";
import { recordingRoutes } from "./recording-routes.ts";
import { countJobs, listJobs } from "./store.ts";
import {
  ChangeTranscriptionJob,
  changeJob,
  closeJob,
  createJob,
  CreateTranscriptionJob,
  getJob,
  toJob,
  TranscriptionJob,
} from "./transcription-jobs.ts";

const PATH = `${EXTERNAL_API}/transcriptions/jobs`;
const READ = ["TRANSCRIPTIONS_READ"];
const WRITE = ["TRANSCRIPTIONS_WRITE"];
const common = { audience: "external", tag: "Transcriptions" } as const;
const params = Type.Object({ jobId: Uuid });

/** Dependencies of the routes besides the database. */
export interface TranscriptionContext {
  batchSttProviders: BatchSttProviders;
  spool: SpoolRoom;
  /** Wakes the task worker of this process. */
  wake(): void;
}

/** Returns the routes of transcription jobs, their recordings, and metadata fields. */
export function transcriptionRoutes(database: Database, context: TranscriptionContext): Route[] {
  return [
    ...readRoutes(database),
    ...writeRoutes(database, context),
    ...recordingRoutes(database, context),
    ...fieldRoutes(database),
  ];
}

function readRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List transcription jobs, newest first (extension)",
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(TranscriptionJob, "TranscriptionJobPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const rows = await listJobs(db, caller.workspaceId, page);
        return toPage(page, rows.map(toJob), () => countJobs(db, caller.workspaceId));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{jobId}`,
      access: READ,
      summary: "Read a transcription job (extension)",
      params,
      replies: { 200: TranscriptionJob },
      run: ({ caller, params: { jobId } }) => getJob(db, caller.workspaceId, jobId),
    }),
  ];
}

function writeRoutes({ db }: Database, { batchSttProviders }: TranscriptionContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a transcription job (extension)",
      idempotent: true,
      body: CreateTranscriptionJob,
      replies: { 200: TranscriptionJob },
      run: ({ caller, body, tx }) => createJob(tx, batchSttProviders, caller.workspaceId, body),
    }),
    route({
      ...common,
      method: "PATCH",
      path: `${PATH}/{jobId}`,
      access: WRITE,
      summary: "Change a transcription job; recordings it has stay as they are (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: ChangeTranscriptionJob,
      replies: { 200: TranscriptionJob },
      run: ({ caller, params: { jobId }, query: { ifUpdatedAt }, body }) =>
        db
          .transaction()
          .execute((tx) => changeJob(tx, batchSttProviders, caller.workspaceId, jobId, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{jobId}/close`,
      access: WRITE,
      summary: "Close a transcription job: no new recordings; queued ones are still transcribed (extension)",
      params,
      replies: { 200: TranscriptionJob },
      run: ({ caller, params: { jobId } }) => closeJob(db, caller.workspaceId, jobId),
    }),
  ];
}

/**
 * Returns the routes of metadata fields. The contract writes GET /metadata/fields without the prefix, so it is served
 * at both places.
 */
function fieldRoutes({ db }: Database): Route[] {
  const read = ["", EXTERNAL_API].map((prefix) =>
    route({
      ...common,
      method: "GET",
      path: `${prefix}/metadata/fields`,
      ...(prefix === "" ? { operationId: "getMetadataFieldsAtOrigin" } : {}),
      access: [...READ, ...WRITE],
      summary:
        prefix === ""
          ? "List the valid keys of metadata, at the path without a prefix"
          : "List the valid keys of metadata",
      description: "The workspace's own, and those of its open jobs (the hundred newest) or of the job that is named.",
      query: Type.Object({ jobId: Type.Optional(Uuid) }),
      replies: { 200: Type.Array(MetadataField) },
      run: ({ caller, query }) => getFields(db, caller.workspaceId, query.jobId),
    }),
  );
  return [
    ...read,
    route({
      ...common,
      method: "PUT",
      path: `${EXTERNAL_API}/metadata/fields`,
      access: WRITE,
      summary: "Replace the workspace's own metadata fields (extension)",
      body: Type.Object({ fields: MetadataFieldInputs, ...ifUnchangedBody }, { $id: "MetadataFieldList" }),
      replies: { 200: Type.Array(MetadataField) },
      run: ({ caller, body }) =>
        db.transaction().execute((tx) => setFields(tx, caller.workspaceId, body.fields, body.before)),
    }),
  ];
}
