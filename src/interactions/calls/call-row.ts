import { Citation } from "#src/authoring/session-plans/citation.ts";
import { FilledOutputs } from "#src/authoring/session-plans/filled-outputs.ts";
import { StagePath } from "#src/authoring/session-plans/stage-path.ts";
import { RECORDING_FAULTS } from "#src/interactions/recordings/recordings.ts";
import { RawJson } from "#src/platform/http/json.ts";
import {
  anyObject,
  anyValue,
  nullable,
  oneOf,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";
import { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { HELD, optOutReviewField } from "#src/tenancy/compliance/opt-out-hold.ts";
import { Cost, toCost } from "#src/tenancy/usage/cost.ts";
import { CallAlert } from "./alerts.ts";
import { latencyOf } from "./latency.ts";
import { NO_JOB } from "./new-row.ts";
import {
  ATTEMPT_STATES,
  CALL_ACTIONS,
  callActions,
  DIRECTIONS,
  isTerminal,
  ROW_OUTCOMES,
  ROW_STATUSES,
  shownStatus,
} from "./states.ts";
import type { CallRowRecord } from "./store.ts";

const Fault = Type.Object({ code: Type.String(), message: Type.String() });

const TurnLatency = Type.Object(
  {
    endpointingMs: Type.Number({ description: "The pause after which the person's turn counted as ended." }),
    sttMs: Type.Number({ description: "The recogniser's words came that much later." }),
    modelMs: Type.Number({ description: "To the first words of the answer." }),
    toolsMs: Type.Number({ description: "Waiting for tools before them." }),
    ttsMs: Type.Number({ description: "To the first of their sound." }),
    transportMs: Type.Number({ description: "To the frame that carried it." }),
    totalMs: Type.Number({ description: "From the end of the person's speech, on the call's audio clock." }),
  },
  { $id: "TurnLatency", description: "How long the person waited for an answer, by stage, in milliseconds." },
);

const Answer = Type.Object(
  {
    answeredBy: Type.String(),
    confidence: Type.Number({ description: "From 0 to 1." }),
    decidedAfterMs: Type.Number({ description: "Call time at the verdict." }),
    reason: Type.String({ description: "What made it: CARRIER, WORDS, SHORT_GREETING, BEEP and the like." }),
  },
  { $id: "AnswerFinding", description: "Who or what was heard to answer; only for calls in real audio." },
);

const Turn = Type.Object(
  {
    index: Type.Integer(),
    role: oneOf(["ASSISTANT", "USER", "SYSTEM", "TOOL"]),
    content: Type.String(),
    startMs: Type.Number({ description: "Milliseconds of call time since the answer." }),
    endMs: Type.Number(),
    interrupted: Type.Boolean(),
    toolCallId: nullable(Type.String()),
    openingHeard: Type.Optional(
      Type.Number({
        description:
          "Of the agent's opening (the flow's firstMessage): how much of it the person had heard after this turn, from 0 to 1. An opening that was talked over is said again from the sentence that was not heard whole.",
      }),
    ),
    citations: Type.Optional(
      Type.Array(Citation, { description: "Passages of the knowledge base behind what the agent said." }),
    ),
    latency: Type.Optional(TurnLatency),
    whisper: Type.Optional(
      Type.Boolean({ description: "True for what whoever supervised the call told the agent alone." }),
    ),
    supervisor: Type.Optional(
      oneOf(
        ["TYPED", "SPOKEN"],
        "TYPED: words that a supervisor typed, and the agent's voice said; SPOKEN: what a supervisor said who had taken the call over. (extension)",
      ),
    ),
  },
  { $id: "TranscriptTurn" },
);

const Attempt = Type.Object(
  {
    number: Type.Integer(),
    state: oneOf(ATTEMPT_STATES),
    provider: Type.String(),
    providerCallId: nullable(Type.String()),
    fromPhoneNumber: Type.String(),
    startedAt: Timestamp,
    ringingAt: nullable(Timestamp),
    answeredAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
    answeredBy: nullable(Type.String()),
    outcome: nullable(Type.String()),
    endReason: nullable(Type.String()),
    sipCode: nullable(Type.Integer()),
    error: nullable(Fault),
  },
  { $id: "CallAttempt" },
);

/** A call: its contact, its attempts and its result. */
export const CallRow = Type.Object(
  {
    id: Uuid,
    jobId: nullable(Uuid),
    sessionId: Uuid,
    direction: oneOf(DIRECTIONS, "INBOUND: the person called fromPhoneNumber, which is ours in either direction."),
    callBackOf: nullable({
      ...Uuid,
      description:
        "The call that the operator of the server interrupted, and for which this one calls back. (extension)",
    }),
    line: nullable(Type.Integer({ description: "Line of the file or place in the list it came from." })),
    externalId: nullable(Type.String()),
    status: oneOf(ROW_STATUSES),
    actions: Type.Array(oneOf(CALL_ACTIONS), {
      description:
        "Actions that the call's state permits; the request of any other one answers 409. cancel: it waits; end: it is dialled or under way. (extension)",
    }),
    outcome: nullable(oneOf(ROW_OUTCOMES)),
    endReason: nullable(Type.String()),
    answeredBy: nullable(Type.String()),
    answer: nullable(Answer),
    attempt: Type.Integer({ description: "Attempts made so far." }),
    maxAttempts: Type.Integer(),
    nextAttemptAt: nullable(
      Type.String({ format: "date-time", description: "Null, too, while an opt-out review of the number is open." }),
    ),
    attempts: Type.Array(Attempt),
    customerNumber: Type.String(),
    fromPhoneNumber: Type.String(),
    contactName: nullable(Type.String()),
    contactEmail: nullable(Type.String()),
    timeZone: nullable(Type.String({ description: "As sent; null: by the number's country." })),
    callingWindow: nullable(CallingWindow),
    rowData: nullable(anyObject("As sent.")),
    contextData: anyValue("As sent, byte for byte."),
    flowId: nullable(Uuid),
    flowApiId: nullable(Type.String()),
    flowVersion: nullable(
      Type.Integer({
        description: "Version of the flow that the first dial took; null before it, and for inline ones.",
      }),
    ),
    inlineFlow: Type.Boolean(),
    transcript: Type.Array(Turn),
    transcriptText: Type.String(),
    recording: nullable(
      Type.Object({
        url: Type.String(),
        format: Type.String(),
        channels: Type.Integer(),
        durationSeconds: Type.Number(),
      }),
    ),
    recordingFile: nullable(
      Type.Object(
        {
          state: oneOf(["RECORDING", "READY", "FAILED", "ERASING", "ERASED"]),
          place: oneOf(["FOLDER", "SPOOL", "BUCKET"], "SPOOL: on the node that made it, on its way to the bucket."),
          failure: nullable(Type.Object({ code: oneOf(RECORDING_FAULTS), message: Type.String() })),
        },
        { description: "The file of a call in real audio. FAILED: audio is missing, and `failure` says why." },
      ),
    ),
    stagePath: StagePath,
    structuredOutputs: FilledOutputs,
    extractedFields: anyObject("Values of all valid outputs, merged."),
    latency: Type.Object({
      turns: Type.Array(
        Type.Object({
          index: Type.Integer({ description: "Of the agent's turn." }),
          modelMs: Type.Number({ description: "The model's time for the whole turn." }),
        }),
      ),
      p50Ms: nullable(
        Type.Number({
          description:
            "How long people waited for answers, where the call was audio; else the model's time. The scripted model's time is not measured.",
        }),
      ),
      p95Ms: nullable(Type.Number()),
    }),
    cost: Cost,
    optOutReview: optOutReviewField,
    humanRequested: Type.Boolean({
      description: "The person asked for a human, and the call could not be handed over: somebody has to call back.",
    }),
    alerts: Type.Array(CallAlert, {
      description: "What a supervisor should have looked at while the call was live. (extension)",
    }),
    error: nullable(Fault),
    durationSeconds: nullable(Type.Number({ description: "Call time since the answer." })),
    queuedAt: Timestamp,
    startedAt: nullable(Timestamp),
    answeredAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "CallRow" },
);
export type CallRow = Static<typeof CallRow>;

/** Converts the row to its API form. `contextData` is a RawJson that the reply writes out untouched. */
export function toCallRow(record: CallRowRecord, publicUrl: string): CallRow {
  const status = shownStatus(record.status, record.attempt_state);
  const waits = status === "WAITING_FOR_RETRY" || status === "QUEUED" || status === "WAITING_FOR_WINDOW";
  const transcript = record.transcript ?? [];
  return {
    id: record.id,
    jobId: record.job_id === NO_JOB ? null : record.job_id,
    sessionId: record.session_id,
    direction: record.direction,
    callBackOf: record.call_back_of,
    line: record.line,
    externalId: record.external_id,
    status,
    actions: callActions(status, record.is_importing),
    outcome: record.outcome as CallRow["outcome"],
    endReason: record.end_reason,
    answeredBy: record.answered_by,
    answer: record.answer,
    attempt: record.attempts_made,
    maxAttempts: record.max_attempts,
    nextAttemptAt: waits && record.error?.code !== HELD ? record.due_at.toISOString() : null,
    attempts: (record.attempts ?? []).map((attempt) => ({ ...attempt, fromPhoneNumber: record.from_number })),
    customerNumber: record.customer_number,
    fromPhoneNumber: record.from_number,
    contactName: record.contact_name,
    contactEmail: record.contact_email,
    timeZone: record.time_zone,
    callingWindow: record.calling_window,
    rowData: record.row_data,
    contextData: record.context_data === null ? null : new RawJson(record.context_data),
    flowId: record.flow_id,
    flowApiId: record.flow_api_id,
    flowVersion: record.flow_version,
    inlineFlow: record.has_inline_flow,
    transcript,
    transcriptText: transcript.map((turn) => `${turn.role}: ${turn.content}`).join("\n"),
    recording: toRecording(record, publicUrl),
    recordingFile: toRecordingFile(record),
    stagePath: record.stage_path ?? [],
    structuredOutputs: record.structured_outputs ?? {},
    extractedFields: record.extracted_fields ?? {},
    latency: toLatency(record.model_ms ?? [], transcript),
    cost: toCost(record.cost),
    optOutReview: record.opt_out_review,
    humanRequested: record.human_requested,
    alerts: record.alerts ?? [],
    error: record.error,
    durationSeconds: record.duration_ms === null ? null : record.duration_ms / 1000,
    ...toTimes(record),
  };
}

function toTimes(record: CallRowRecord) {
  return {
    queuedAt: record.created_at.toISOString(),
    startedAt: record.started_at?.toISOString() ?? null,
    answeredAt: record.answered_at?.toISOString() ?? null,
    endedAt: record.ended_at?.toISOString() ?? null,
    createdAt: record.created_at.toISOString(),
    updatedAt: record.updated_at.toISOString(),
  };
}

/** True for an ended call in text whose recording can be synthesised from its turns. */
export function hasRenderedRecording({ recorded, status, transcript }: CallRowRecord): boolean {
  return recorded === true && isTerminal(status) && transcript !== null && transcript.length > 0;
}

function toRecording(record: CallRowRecord, publicUrl: string): CallRow["recording"] {
  const { recording_state: state, recording_ms: storedMs } = record;
  const hasStored = state === "READY" || (state === "FAILED" && storedMs !== null && storedMs > 0);
  if (state === null ? !hasRenderedRecording(record) : !hasStored) return null;
  return {
    url: `${publicUrl}/api/external/v1/call-rows/${record.id}/recording`,
    format: "audio/wav",
    channels: 2,
    durationSeconds: (storedMs ?? record.duration_ms ?? 0) / 1000,
  };
}

function toRecordingFile(record: CallRowRecord): CallRow["recordingFile"] {
  const { recording_state: state, recording_store: place, recording_failure: failure } = record;
  return state && place && { state, place, failure };
}

function toLatency(modelMs: number[], transcript: Static<typeof Turn>[]): CallRow["latency"] {
  const waitedMs = transcript.flatMap(({ latency }) => (latency ? [latency.totalMs] : []));
  return { turns: modelMs.map((ms, index) => ({ index, modelMs: ms })), ...latencyOf(waitedMs, modelMs) };
}
