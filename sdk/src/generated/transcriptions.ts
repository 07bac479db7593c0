/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ChangeTranscriptionJob, CreateTranscriptionJob, MetadataField, MetadataFieldList, Recording, RecordingForm, RecordingInput, RecordingPage, RecordingReceipt, RecordingSummary, SpreadsheetForm, TranscriptionJob, TranscriptionJobPage, TranscriptionsListQuery, TranscriptionsMetadataFieldsQuery, TranscriptionsRecordingsQuery, TranscriptionsUpdateQuery } from "./shapes.ts";

/** Operations of the API that the resource transcriptions of the client has. */
export class TranscriptionsOperations extends Resource {
  /**
   * List transcription jobs, newest first.
   * Needs TRANSCRIPTIONS_READ.
   */
  list(query: TranscriptionsListQuery = {}, options: RequestOptions = {}): Pages<TranscriptionJob, TranscriptionJobPage> {
    return this.readPages({ path: pathOf`/transcriptions/jobs`, query }, options);
  }

  /**
   * Create a transcription job.
   * Needs TRANSCRIPTIONS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: CreateTranscriptionJob, options: RequestOptions = {}): Promise<TranscriptionJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/transcriptions/jobs`, json: body, takesKey: true }, options);
  }

  /**
   * Read a transcription job.
   * Needs TRANSCRIPTIONS_READ.
   */
  get(jobId: string, options: RequestOptions = {}): Promise<TranscriptionJob> {
    return this.sendRequest({ method: "GET", path: pathOf`/transcriptions/jobs/${jobId}` }, options);
  }

  /**
   * Change a transcription job; recordings it has stay as they are.
   * Needs TRANSCRIPTIONS_WRITE.
   */
  update(jobId: string, body: ChangeTranscriptionJob, query: TranscriptionsUpdateQuery = {}, options: RequestOptions = {}): Promise<TranscriptionJob> {
    return this.sendRequest({ method: "PATCH", path: pathOf`/transcriptions/jobs/${jobId}`, query, json: body }, options);
  }

  /**
   * Close a transcription job: no new recordings; queued ones are still transcribed.
   * Needs TRANSCRIPTIONS_WRITE.
   */
  close(jobId: string, options: RequestOptions = {}): Promise<TranscriptionJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/transcriptions/jobs/${jobId}/close` }, options);
  }

  /**
   * List the recordings of a job, in the order they came.
   * Needs TRANSCRIPTIONS_READ.
   */
  recordings(jobId: string, query: TranscriptionsRecordingsQuery = {}, options: RequestOptions = {}): Pages<RecordingSummary, RecordingPage> {
    return this.readPages({ path: pathOf`/transcriptions/jobs/${jobId}/recordings`, query }, options);
  }

  /**
   * Add a recording by its address.
   * The address is handed to the provider as given. A repeat of an externalId returns the existing row. Needs TRANSCRIPTIONS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  addRecording(jobId: string, body: RecordingInput, options: RequestOptions = {}): Promise<RecordingReceipt> {
    return this.sendRequest({ method: "POST", path: pathOf`/transcriptions/jobs/${jobId}/recordings`, json: body, takesKey: true }, options);
  }

  /**
   * Add a recording by its file.
   * At most 500 MiB. A repeat of an externalId returns the existing row. Needs TRANSCRIPTIONS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  uploadRecording(jobId: string, body: RecordingForm, options: RequestOptions = {}): Promise<RecordingReceipt> {
    return this.sendRequest({ method: "POST", path: pathOf`/transcriptions/jobs/${jobId}/recordings/upload`, form: body, takesKey: true }, options);
  }

  /**
   * Read a recording with its transcript.
   * Needs TRANSCRIPTIONS_READ.
   */
  getRecording(jobId: string, rowId: string, options: RequestOptions = {}): Promise<Recording> {
    return this.sendRequest({ method: "GET", path: pathOf`/transcriptions/jobs/${jobId}/recordings/${rowId}` }, options);
  }

  /**
   * Download uploaded audio that is still kept.
   * 404 once it was deleted: after its transcription, unless the job retains audio. Needs TRANSCRIPTIONS_READ.
   */
  audio(jobId: string, rowId: string, options: RequestOptions = {}): Promise<Response> {
    return this.sendRequest({ method: "GET", path: pathOf`/transcriptions/jobs/${jobId}/recordings/${rowId}/audio`, answer: "RAW" }, options);
  }

  /**
   * Upload the spreadsheet of a job, CSV or XLSX, in the place of the one before.
   * The first line has the headings. A column fileName or externalId (or both) names the recording; the others become its metadata. At most 10 MiB and 100,000 rows. Recordings that are there already stay as they are. Needs TRANSCRIPTIONS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  uploadSpreadsheet(jobId: string, body: SpreadsheetForm, options: RequestOptions = {}): Promise<TranscriptionJob> {
    return this.sendRequest({ method: "POST", path: pathOf`/transcriptions/jobs/${jobId}/spreadsheet`, form: body, takesKey: true }, options);
  }

  /**
   * List the valid keys of metadata.
   * The workspace's own, and those of its open jobs (the hundred newest) or of the job that is named. Needs TRANSCRIPTIONS_READ or TRANSCRIPTIONS_WRITE.
   */
  metadataFields(query: TranscriptionsMetadataFieldsQuery = {}, options: RequestOptions = {}): Promise<MetadataField[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/metadata/fields`, query }, options);
  }

  /**
   * Replace the workspace's own metadata fields.
   * Needs TRANSCRIPTIONS_WRITE.
   */
  updateMetadataFields(body: MetadataFieldList, options: RequestOptions = {}): Promise<MetadataField[]> {
    return this.sendRequest({ method: "PUT", path: pathOf`/metadata/fields`, json: body }, options);
  }
}
