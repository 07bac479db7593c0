/** A test receiver that shows the webhooks sent to it. */
export interface WebhookInspector {
  url: string;
  failNext: number;
  failStatus: number;
}

/** A request that the receiver got. */
export interface InspectedRequest {
  id: string;
  at: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | null;
  bodyEncoding: "TEXT" | "BASE64" | "NONE";
  address: string | null;
  answered: number;
}

export const INSPECTOR_PATH = "/webhook-inspector";
export const ARRIVALS_PATH = `${INSPECTOR_PATH}/requests`;

export const EVENT_ID_HEADER = "x-service-event-id";
export const ATTEMPT_HEADER = "x-service-delivery-attempt";
const EVENT_NAMES = ["eventType", "event", "type"];

/** Name of a request's event, from its headers or body; the HTTP method when there is none. */
export function nameEvent({ body, headers, method }: InspectedRequest): string {
  const named = headers["x-service-event-type"];
  if (named) return named;
  try {
    const value = JSON.parse(body ?? "null") as Record<string, unknown> | null;
    const found = EVENT_NAMES.map((name) => value?.[name]).find((text) => typeof text === "string");
    if (typeof found === "string") return found.slice(0, 80);
  } catch {
    // A body that is no JSON names no event.
  }
  return method;
}
