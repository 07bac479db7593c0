import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type {
  AskedMessage,
  DeliveryState,
  MessageChannel,
  MessageLookUp,
  Messenger,
  OutgoingMessage,
  SendResult,
} from "#src/telephony/carriers/messages.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { readList, readSuccess, textOf } from "./twilio-api.ts";
import { mayWait, OPTED_OUT_CODE, readCode, readFault, toFault, TWILIO_NAME } from "./twilio-errors.ts";

/** Twilio's dates have whole seconds, and its clock may be a little behind ours. */
const CLOCK_SLACK_MS = 2_000;
const LONGEST_SEND_MS = 60_000;
const NEWEST = "50";
const CONTENT_SID = /^HX[0-9a-fA-F]{32}$/;

/**
 * Creates the messenger of one account. Twilio has no idempotency key for a send, and its list shows no message that is
 * still on its way, so absence proves nothing; after two minutes every accepted message is listed.
 */
export function createTwilioMessenger(twilio: TwilioAccount): Messenger {
  return {
    name: "twilio",
    horizonMs: 120_000,
    absenceIsProof: false,
    assumesOpenWindow: false,
    send: (message, signal) => send(twilio, message, signal),
    lookUp: (message, signal) => lookUp(twilio, message, signal),
  };
}

/** Returns a number in Twilio's form for a channel. */
function addressOf(channel: MessageChannel, number: string): string {
  return channel === "WHATSAPP" ? `whatsapp:${number}` : number;
}

async function send({ api, hook, keys }: TwilioAccount, message: OutgoingMessage, signal: AbortSignal) {
  const { channel, template } = message;
  if (template && !CONTENT_SID.test(template.name)) return UNKNOWN_TEMPLATE;
  const { messagingServiceSid } = keys.settings;
  const content = template
    ? ([
        ["ContentSid", template.name],
        ["ContentVariables", JSON.stringify(template.variables)],
      ] as const)
    : ([["Body", message.text]] as const);
  const fields = [
    ["To", addressOf(channel, message.to)] as const,
    ["From", addressOf(channel, message.from)] as const,
    ...(messagingServiceSid && channel === "SMS" ? [["MessagingServiceSid", messagingServiceSid] as const] : []),
    ...content,
    ["StatusCallback", hook(`messages/${encodeURIComponent(message.messageId)}`)] as const,
  ];
  const beforeSend = message.assertMayLeave;
  return readSend(await api.send({ method: "POST", path: "/Messages.json", fields, signal, beforeSend }));
}

const UNKNOWN_TEMPLATE: SendResult = {
  kind: "REFUSED",
  code: "TEMPLATE_NOT_FOUND",
  message: "Twilio knows a template by its Content SID (HX and 32 digits): enter that as the template's name.",
  retryable: false,
};

function readSend(reply: CarrierReply): SendResult {
  const success = readSuccess(reply);
  const sid = success && textOf(success, "sid");
  if (sid) return { kind: "ACCEPTED", providerMessageId: sid };
  if (reply.kind === "FAILED") {
    const { sent, code } = reply;
    const message = `${TWILIO_NAME} did not answer: ${reply.message}`;
    return sent ? { kind: "UNCERTAIN", code, message } : { kind: "REFUSED", code, message, retryable: true };
  }
  const { status } = reply;
  const fault = readFault(reply);
  const code = fault?.code ?? `HTTP_${status}`;
  const message = `${TWILIO_NAME}: ${fault?.message ?? `answered HTTP ${status}.`}`;
  if (status < 400 || status > 499 || status === 408) return { kind: "UNCERTAIN", code, message };
  const optedOut = readCode(reply) === OPTED_OUT_CODE ? { optedOut: true } : {};
  return { kind: "REFUSED", code, message, retryable: mayWait(reply), ...optedOut };
}

async function lookUp({ api }: TwilioAccount, asked: AskedMessage, signal: AbortSignal): Promise<MessageLookUp> {
  const { providerMessageId, channel } = asked;
  if (providerMessageId !== null) {
    const path = `/Messages/${encodeURIComponent(providerMessageId)}.json`;
    const reply = await api.send({ method: "GET", path, signal });
    if (reply.kind === "ANSWER" && reply.status === 404) return { kind: "ABSENT" };
    return toFound(readSuccess(reply), channel);
  }
  if (asked.sentAt === null) return { kind: "ABSENT" };
  // Not filtered by DateSent, which a queued message does not have.
  const fields = [
    ["To", addressOf(channel, asked.to)],
    ["From", addressOf(channel, asked.from)],
    ["PageSize", NEWEST],
  ] as const;
  const rows = readList(await api.send({ method: "GET", path: "/Messages.json", fields, signal }), "messages");
  if (!rows) return { kind: "UNCERTAIN", message: "Twilio did not tell its messages." };
  const row = rows.find((candidate) => isIt(candidate, asked, asked.sentAt as Date));
  return row ? toFound(row, channel) : { kind: "ABSENT" };
}

/** True when a listed message is the one looked up; a trial account adds a notice before each text. */
function isIt(row: Record<string, unknown>, { text }: AskedMessage, sentAt: Date): boolean {
  const createdMs = Date.parse(textOf(row, "date_created") ?? "");
  const isInTime = createdMs >= sentAt.getTime() - CLOCK_SLACK_MS && createdMs <= sentAt.getTime() + LONGEST_SEND_MS;
  const isOutbound = textOf(row, "direction")?.startsWith("outbound") === true;
  return isInTime && isOutbound && (textOf(row, "body") ?? "").endsWith(text);
}

function toFound(row: Record<string, unknown> | null, channel: MessageChannel): MessageLookUp {
  const providerMessageId = row && textOf(row, "sid");
  if (!row || !providerMessageId) return { kind: "UNCERTAIN", message: "Twilio did not tell how the message stands." };
  const status = readDelivery(textOf(row, "status"));
  // A message delivered over WhatsApp may still be read.
  const isFinal = status === "READ" || status === "FAILED" || (status === "DELIVERED" && channel === "SMS");
  const code = typeof row.error_code === "number" ? row.error_code : null;
  const error = status === "FAILED" ? toFailure(code, textOf(row, "error_message")) : null;
  return { kind: "FOUND", providerMessageId, status: status ?? "SENT", error, isFinal };
}

/** Converts Twilio's status of a message; null while it waits at Twilio. */
export function readDelivery(word: string | null): DeliveryState | null {
  switch (word) {
    case "sent":
      return "SENT";
    case "delivered":
    case "partially_delivered":
      return "DELIVERED";
    case "read":
      return "READ";
    case "failed":
    case "undelivered":
    case "canceled":
      return "FAILED";
    default:
      return null;
  }
}

/** Returns the reason why a message was not delivered, with advice. */
export function toFailure(code: number | null, said: string | null): { code: string; message: string } {
  if (code === null) return { code: "NOT_DELIVERED", message: `${TWILIO_NAME}: ${said ?? "not delivered."}` };
  const fault = toFault(code, said);
  return { code: fault.code, message: `${TWILIO_NAME}: ${fault.message}` };
}
