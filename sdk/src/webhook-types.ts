import type {
  CallAlerted,
  CallJobCompleted,
  HumanRequested,
  MessageCreated,
  SessionEnded,
  SessionStarted,
} from "./generated/shapes.ts";

/** Every event that the service sends; distinguish them by `eventType`. */
export type WebhookEvent =
  | CallJobCompleted
  | SessionStarted
  | MessageCreated
  | HumanRequested
  | CallAlerted
  | SessionEnded;
