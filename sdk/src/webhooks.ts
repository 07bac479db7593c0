import { WebhookVerificationError } from "./errors.ts";
import type { CallJobCompleted } from "./types.ts";

/** How the service proves who it is, as it was set on the job. */
export type WebhookAuth =
  | { mode: "NONE" }
  | { mode: "BEARER"; secret: string }
  | { mode: "CUSTOM_HEADER"; headerName: string; headerValue: string };

/** Headers as a `Request` or as Node's `IncomingMessage` has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** What a receiver should know of a delivery before it reads the body. */
export interface WebhookDelivery {
  eventType: string;
  /** The same for every attempt: remember it, and drop what was seen before. */
  eventId: string;
  /** 1 for the first. */
  attempt: number;
}

/** True when the headers carry the agreed secret. Compares in constant time; an empty secret is never right. */
export function verify(headers: WebhookHeaders, auth: WebhookAuth): boolean {
  if (auth.mode === "NONE") return true;
  if (auth.mode === "BEARER") return isSame(read(headers, "authorization"), auth.secret && `Bearer ${auth.secret}`);
  return isSame(read(headers, auth.headerName), auth.headerValue);
}

/** Checks the headers and reads the event. Throws WebhookVerificationError: answer that with a 401. */
export function unwrap(headers: WebhookHeaders, bodyText: string, auth: WebhookAuth): CallJobCompleted {
  if (!verify(headers, auth)) throw new WebhookVerificationError("The webhook does not carry the agreed secret.");
  const event = parse(bodyText) as CallJobCompleted | null;
  if (event?.eventType !== "call_job.completed") {
    throw new WebhookVerificationError("The body is not a call_job.completed event.");
  }
  return event;
}

/** The delivery's event id and attempt, from its headers. */
export function delivery(headers: WebhookHeaders): WebhookDelivery {
  return {
    eventType: read(headers, "x-service-event-type"),
    eventId: read(headers, "x-service-event-id"),
    attempt: Number(read(headers, "x-service-delivery-attempt")),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function read(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === wanted) return (Array.isArray(value) ? value[0] : value) ?? "";
  }
  return "";
}

/**
 * Written out rather than taken from node:crypto, so that the SDK also runs where there is no Node. Every
 * byte of `given` is looked at whatever came before; only the secret's length can show in the time.
 */
function isSame(given: string, expected: string): boolean {
  if (expected === "") return false;
  const left = new TextEncoder().encode(given);
  const right = new TextEncoder().encode(expected);
  let difference = left.length ^ right.length;
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i % right.length] as number);
  return difference === 0;
}
