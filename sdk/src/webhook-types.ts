import type { JobStatus, JsonObject } from "./types.ts";

/** The body of the webhook that ends a run of a job. */
export interface CallJobCompleted {
  eventId: string;
  eventType: "call_job.completed";
  occurredAt: string;
  deliveryAttempt: number;
  job: {
    id: string;
    name: string;
    status: JobStatus;
    totalRows: number;
    processedRows: number;
    successfulRows: number;
    errorRows: number;
    flowApiId: string | null;
  };
  retrieval: { endpoints: { callJob: string; callRows: string } };
}

/** Members that every event of a session has. */
interface SessionEventBase {
  /** The same on every attempt: store it, and drop an event that was handled before. */
  eventId: string;
  occurredAt: string;
  /** 1 for the first. */
  deliveryAttempt: number;
  session: WebhookSession;
  /** The call's row; null for chats. */
  row: { id: string; jobId: string | null; humanRequested: boolean } | null;
  /** Addresses of the event's objects: `callRow` and `callJob`, or `chatSession` and `messages`. */
  retrieval: {
    endpoints: { callRow?: string; callJob?: string; chatSession?: string; messages?: string };
  };
}

/** A session as events show it; members that do not apply are null. */
export interface WebhookSession {
  id: string;
  channel: "VOICE" | "CHAT" | "SMS" | "WHATSAPP";
  status: string;
  outcome: string | null;
  flowId: string | null;
  flowApiId: string | null;
  contactName: string | null;
  contactPhone: string | null;
  /** Time at which the call was answered; null when nobody answered. */
  startedAt: string | null;
  endedAt: string | null;
  endReason: string | null;
  /** As it was sent; read the raw body if numbers beyond 2^53 matter. */
  contextData: JsonObject | null;
}

/** A conversation began. */
export interface SessionStarted extends SessionEventBase {
  eventType: "session.started";
}

/** A message of a chat was stored. */
export interface MessageCreated extends SessionEventBase {
  eventType: "message.created";
  message: { id: string; role: "ASSISTANT" | "USER" | "AGENT"; content: string; createdAt: string };
}

/** Somebody asked for a human: a chat waits for an operator, or a call could not be transferred. */
export interface HumanRequested extends SessionEventBase {
  eventType: "session.human_requested";
}

/** A dialled call reached its final end, or a chat was closed. */
export interface SessionEnded extends SessionEventBase {
  eventType: "session.ended";
}

/** Every event that the service sends; distinguish them by `eventType`. */
export type WebhookEvent = CallJobCompleted | SessionStarted | MessageCreated | HumanRequested | SessionEnded;
