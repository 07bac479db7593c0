import { toError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { asObject } from "#src/platform/kernel/json-object.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type {
  CarrierWebhookEvent,
  CarrierWebhook,
  WebhookAnswer,
  WebhookReading,
} from "#src/telephony/carriers/account.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { type ClientState, readClientState, type TelnyxCalls } from "./telnyx-calls.ts";
import { readEvent, type TelnyxEvent, toCarrierEvent } from "./telnyx-events.ts";
import { TELNYX, toDeliveryReport, toInboundMessage } from "./telnyx-messages.ts";
import type { VerifyTelnyx } from "./telnyx-signature.ts";

/** Telnyx expects a 2xx and reads nothing else. */
export const TAKEN: WebhookAnswer = { status: 200, headers: {}, body: "" };

/** Names that networks show in place of a withheld number. */
const WITHHELD = /^(?:sip:)?(?:anonymous|restricted|private|unavailable|unknown)\b/i;

/** Dependencies of reading webhooks. */
export interface WebhookParts {
  verify: VerifyTelnyx;
  calls: TelnyxCalls;
  /** Receives events of a transfer's second call, which belongs to no attempt. */
  onLegEvent: (legId: string, event: TelnyxEvent) => void;
  /** Called when a call is over and its audio may be closed. */
  onEnded: (attemptId: string, providerCallId: string) => void;
  log: Log;
  now: () => number;
}

/** Verifies and parses a webhook; never throws. */
export function readTelnyxWebhook(parts: WebhookParts, webhook: CarrierWebhook): WebhookReading {
  try {
    const why = parts.verify(webhook.headers, webhook.body, parts.now());
    return why === null ? readVerified(parts, webhook) : { kind: "FORGED", message: why };
  } catch (error) {
    return { kind: "MALFORMED", message: toError(error).message };
  }
}

function readVerified(parts: WebhookParts, webhook: CarrierWebhook): WebhookReading {
  const body: unknown = JSON.parse(webhook.body.toString());
  if (!isMeantFor(webhook.url, body)) return { kind: "FORGED", message: "It was sent to another address." };
  const event = readEvent(body);
  if (!event) return { kind: "MALFORMED", message: "It is no event of Telnyx's." };
  const [room = "", id = ""] = webhook.path.split("/", 2);
  if (room === "legs") {
    if (isUuid(id)) parts.onLegEvent(id, event);
    return { kind: "READ", events: [], answer: TAKEN };
  }
  if (event.type.startsWith("message.")) return readMessage(event, isUuid(id) ? id : null);
  return event.type.startsWith("call.") || event.type.startsWith("streaming.")
    ? readCall(parts, event, isUuid(id) ? id : null)
    : { kind: "READ", events: [], answer: TAKEN };
}

/**
 * True when a webhook was sent to this address. The signature does not cover the address, but the body names it: an
 * event of one call, replayed to the address of another, is refused. A webhook that names none is judged by its other
 * contents.
 */
function isMeantFor(url: string, body: unknown): boolean {
  const deliveredTo = asText(asObject(asObject(body)?.["meta"])?.["delivered_to"]);
  if (deliveredTo === null || !URL.canParse(deliveredTo)) return true;
  return new URL(deliveredTo).pathname === new URL(url).pathname;
}

function readMessage(event: TelnyxEvent, pathMessageId: string | null): WebhookReading {
  const isInbound = event.type === "message.received" || event.payload["direction"] === "inbound";
  const message = isInbound ? toInboundMessage(event.payload) : null;
  const report = isInbound ? null : toDeliveryReport(event.payload, pathMessageId);
  if (message) return { kind: "READ", events: [{ kind: "MESSAGE_IN", message }], answer: TAKEN };
  if (report) return { kind: "READ", events: [{ kind: "DELIVERY", report }], answer: TAKEN };
  return { kind: "MALFORMED", message: `The ${event.type} of ${TELNYX} lacks its id or its numbers.` };
}

function readCall(parts: WebhookParts, event: TelnyxEvent, pathAttemptId: string | null): WebhookReading {
  const { payload, type } = event;
  const state = readClientState(payload["client_state"]);
  if (state && pathAttemptId && state.attemptId !== pathAttemptId.toLowerCase()) {
    return { kind: "MALFORMED", message: "It tells of another call than its address." };
  }
  if (!state && !pathAttemptId) return readInbound(event);
  const whose: ClientState = state ?? { attemptId: (pathAttemptId ?? "").toLowerCase(), direction: "OUTBOUND" };
  const providerCallId = asText(payload["call_control_id"]) ?? parts.calls.idOf(whose.attemptId);
  if (type === "streaming.failed") {
    const reason = asText(payload["failure_reason"]) ?? "";
    parts.log.warn("Telnyx could not open the audio of a call.", { attemptId: whose.attemptId, reason });
  }
  const reported = providerCallId === null ? null : toCarrierEvent(event, { ...whose, providerCallId });
  if (!reported) return { kind: "READ", events: [], answer: TAKEN };
  follow(parts, whose, reported.providerCallId, event);
  return { kind: "READ", events: [{ kind: "CALL", event: reported }], answer: TAKEN };
}

function follow(parts: WebhookParts, whose: ClientState, providerCallId: string, { type, payload }: TelnyxEvent): void {
  if (type === "call.hangup") {
    parts.calls.forget(providerCallId);
    return parts.onEnded(whose.attemptId, providerCallId);
  }
  const from = asText(payload["from"]) ?? "";
  const to = asText(payload["to"]) ?? "";
  const [ours, theirs] = whose.direction === "OUTBOUND" ? [from, to] : [to, from];
  parts.calls.learn(providerCallId, { attemptId: whose.attemptId, ours, theirs });
  if (type !== "call.initiated") parts.calls.markAnswered(providerCallId);
}

/** Reads an event of a call that is not ours yet: an inbound call. Its other events before the answer are ignored. */
function readInbound({ type, payload }: TelnyxEvent): WebhookReading {
  const events: CarrierWebhookEvent[] = [];
  const providerCallId = asText(payload["call_control_id"]);
  const to = asText(payload["to"]);
  if (type === "call.initiated" && payload["direction"] === "incoming" && providerCallId && to) {
    const from = asText(payload["from"]) ?? "";
    events.push({ kind: "CALL_IN", call: { providerCallId, from: WITHHELD.test(from) ? "" : from, to } });
  }
  return { kind: "READ", events, answer: TAKEN };
}
