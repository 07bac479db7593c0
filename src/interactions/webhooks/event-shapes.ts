import type { DocumentedWebhook } from "#src/platform/http/openapi.ts";
import { anyValue, nullable, oneOf, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import type { SessionEventType } from "./session-webhooks.ts";

type WebhookEventType = SessionEventType | "call_job.completed";

/** Members that every event has; `eventType` is the event's own. */
function eventFields<const Name extends string>(eventType: Name) {
  return {
    eventId: Type.String({ description: "The same on every attempt: drop an event that was handled before." }),
    eventType: Type.Literal(eventType),
    occurredAt: Timestamp,
    deliveryAttempt: Type.Integer({ minimum: 1, description: "1 for the first." }),
  };
}

const CallJobCompleted = Type.Object(
  {
    ...eventFields("call_job.completed"),
    job: Type.Object({
      id: Uuid,
      name: Type.String(),
      status: oneOf(["COMPLETED", "CANCELLED", "FAILED"]),
      totalRows: Type.Integer(),
      processedRows: Type.Integer(),
      successfulRows: Type.Integer(),
      errorRows: Type.Integer(),
      flowApiId: Type.String({ description: "Empty for an inline flow." }),
    }),
    retrieval: Type.Object({ endpoints: Type.Object({ callJob: Type.String(), callRows: Type.String() }) }),
  },
  { $id: "CallJobCompleted" },
);

const WebhookSession = Type.Object(
  {
    id: Uuid,
    channel: oneOf(["VOICE", "CHAT", "SMS", "WHATSAPP"]),
    status: nullable(Type.String()),
    outcome: nullable(Type.String()),
    flowId: nullable(Uuid),
    flowApiId: nullable(Type.String()),
    contactName: nullable(Type.String()),
    contactPhone: nullable(Type.String()),
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
    endReason: nullable(Type.String()),
    contextData: anyValue("As sent, byte for byte; null when none was."),
  },
  { $id: "WebhookSession", description: "Members that do not apply are null; chats have some of their own." },
);

const sessionFields = {
  session: WebhookSession,
  row: nullable(
    Type.Object(
      { id: Uuid, jobId: nullable(Uuid), humanRequested: Type.Boolean() },
      { description: "The call's row; null for chats." },
    ),
  ),
  retrieval: Type.Object({
    endpoints: Type.Object({
      callRow: Type.Optional(Type.String()),
      callJob: Type.Optional(Type.String()),
      chatSession: Type.Optional(Type.String()),
      messages: Type.Optional(Type.String()),
    }),
  }),
};

const message = Type.Object({
  id: Uuid,
  role: oneOf(["ASSISTANT", "USER", "AGENT"]),
  content: Type.String(),
  createdAt: Timestamp,
});

const alert = Type.Object({
  kind: oneOf(["LONG_SILENCE", "ANGER", "OPT_OUT_DOUBTFUL", "TOOL_FAILING"]),
  raisedAt: Timestamp,
  times: Type.Integer({ minimum: 1, description: "How often the call has raised it." }),
});

/** Every event that is delivered, with its body. */
export const DOCUMENTED_WEBHOOKS: (DocumentedWebhook & { event: WebhookEventType })[] = [
  { event: "call_job.completed", summary: "A run of a call job has ended", body: CallJobCompleted },
  {
    event: "session.started",
    summary: "A conversation begins",
    body: Type.Object({ ...eventFields("session.started"), ...sessionFields }, { $id: "SessionStarted" }),
  },
  {
    event: "message.created",
    summary: "A message of a chat is stored",
    body: Type.Object({ ...eventFields("message.created"), ...sessionFields, message }, { $id: "MessageCreated" }),
  },
  {
    event: "session.human_requested",
    summary: "The person asked for a human",
    body: Type.Object({ ...eventFields("session.human_requested"), ...sessionFields }, { $id: "HumanRequested" }),
  },
  {
    event: "call.alert",
    summary: "A supervisor should look at a live call",
    body: Type.Object({ ...eventFields("call.alert"), ...sessionFields, alert }, { $id: "CallAlerted" }),
  },
  {
    event: "session.ended",
    summary: "A dialled call came to its final end, or a chat was closed",
    body: Type.Object({ ...eventFields("session.ended"), ...sessionFields }, { $id: "SessionEnded" }),
  },
];
