/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { AcceptedWords, CallRef, CallRow, CallsRecordingPeaksQuery, CallsRecordingQuery, CancelledCall, EndedCall, PlaceCall, RecordingPeaks, SaidWords, Supervision, Whisper, Whispered } from "./shapes.ts";

/** Operations of the API that the resource calls of the client has. */
export class CallsOperations extends Resource {
  /**
   * Queue one outbound call.
   * Returns once the call is queued. Read the result with GET /call-rows/{rowId} or /call-history. Needs OUTBOUND_CALLS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: PlaceCall, options: RequestOptions = {}): Promise<CallRef> {
    return this.sendRequest({ method: "POST", path: pathOf`/outbound/calls`, json: body, takesKey: true }, options);
  }

  /**
   * Read one call.
   * Needs CALL_HISTORY_READ or CALL_JOBS_READ.
   */
  get(rowId: string, options: RequestOptions = {}): Promise<CallRow> {
    return this.sendRequest({ method: "GET", path: pathOf`/call-rows/${rowId}` }, options);
  }

  /**
   * End a call that is ringing or under way.
   * The line is hung up without a goodbye. A conversation is COMPLETED with endReason ENDED_BY_REQUEST and its outputs are filled; a call that still rang is CANCELLED and not dialled again. 409 when the call is not live. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  end(rowId: string, options: RequestOptions = {}): Promise<EndedCall> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-rows/${rowId}/end`, takesKey: true }, options);
  }

  /**
   * Cancel a call that waits for its first or next attempt.
   * It is CANCELLED with endReason CANCELLED_BY_USER and never dialled; the last waiting row completes its job. 409 for a call that is over or is being dialled, which POST /call-rows/{rowId}/end ends. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  cancel(rowId: string, options: RequestOptions = {}): Promise<CancelledCall> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-rows/${rowId}/cancel`, takesKey: true }, options);
  }

  /**
   * Download a call's recording.
   * WAV, 8 kHz, two channels: the agent left, the customer right. Calls in real audio are mu-law and can be fetched while they go on, as far as they are written; those of the sandbox in text are spoken from the transcript, 16 bit. Needs CALL_HISTORY_READ or CALL_JOBS_READ.
   */
  recording(rowId: string, query: CallsRecordingQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRequest({ method: "GET", path: pathOf`/call-rows/${rowId}/recording`, query, answer: "RAW" }, options);
  }

  /**
   * Read the waveform of a call's recording, for drawing.
   * Of a recording longer than four hours that is not stored yet, only those four hours have peaks. Needs CALL_HISTORY_READ or CALL_JOBS_READ.
   */
  recordingPeaks(rowId: string, query: CallsRecordingPeaksQuery = {}, options: RequestOptions = {}): Promise<RecordingPeaks> {
    return this.sendRequest({ method: "GET", path: pathOf`/call-rows/${rowId}/recording/peaks`, query }, options);
  }

  /**
   * Listen in on a live call, and speak to its agent or to both.
   * The token opens the WebSocket once, within 60 seconds. 409 while the call has no live audio. Any server of the installation takes it, whichever holds the call. Needs CALL_JOBS_WRITE.
   */
  supervise(rowId: string, options: RequestOptions = {}): Promise<Supervision> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-rows/${rowId}/supervise` }, options);
  }

  /**
   * Tell the agent of a live call something that the person does not hear.
   * The agent heeds it from its next turn on. It is in the transcript as a SYSTEM turn with whisper true. 409 when the call is over. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  whisper(rowId: string, body: Whisper, options: RequestOptions = {}): Promise<Whispered> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-rows/${rowId}/whisper`, json: body, takesKey: true }, options);
  }

  /**
   * Have the agent's voice say your words to the person of a live call.
   * Said after the turn that is under way, in place of the agent's answer to what the person says meanwhile, and also while a supervisor has taken the call over. It can be interrupted like the agent. The transcript shows what was heard of it, as an ASSISTANT turn with supervisor TYPED. 200 means that the call has the words: if it ends first, they are not said. 409 when the call is over. Needs CALL_JOBS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  say(rowId: string, body: SaidWords, options: RequestOptions = {}): Promise<AcceptedWords> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-rows/${rowId}/say`, json: body, takesKey: true }, options);
  }
}
