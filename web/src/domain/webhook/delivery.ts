/** One event on its way to one receiver. */
export interface Delivery {
  id: string;
  eventId: string | null;
  eventType: string;
  subjectId: string;
  url: string | null;
  status: "WAITING" | "SENDING" | "DELIVERED" | "DEAD";
  attempts: number;
  lastResponseStatus: number | null;
  lastError: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** An attempt to deliver it. */
export interface Attempt {
  attempt: number;
  at: string;
  url: string;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
}

/** A delivery with its attempts, the newest first. */
export interface DeliveryDetail extends Delivery {
  body: string | null;
  history: Attempt[];
}

/** API path of the webhook deliveries. */
export const DELIVERIES_PATH = "/webhook-deliveries";

/** Status of the receiver's last response, or the last error. */
export function describeAnswer({ lastResponseStatus, lastError }: Delivery): string {
  return lastResponseStatus === null ? (lastError ?? "–") : String(lastResponseStatus);
}
