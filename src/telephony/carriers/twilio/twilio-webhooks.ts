import { isE164 } from "#src/platform/kernel/e164.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import type { CarrierWebhookEvent, CarrierWebhook, WebhookReading } from "#src/telephony/carriers/account.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { readAnsweredBy, readStage, toEnd } from "./twilio-call-state.ts";
import { OPTED_OUT_CODE } from "./twilio-errors.ts";
import type { TwilioLegs } from "./twilio-legs.ts";
import { NOTHING_MORE, toAnswer } from "./twilio-markup.ts";
import { readDelivery, toFailure } from "./twilio-messenger.ts";
import { isSignedByTwilio } from "./twilio-signature.ts";

const CALL_SID = /^CA[0-9a-fA-F]{32}$/;
const MESSAGE_SID = /^(SM|MM)[0-9a-fA-F]{32}$/;
const MESSAGE_ID = /^[\w-]{1,100}$/;
/** Twilio's replacements for a withheld number: words in digits (ANONYMOUS, RESTRICTED, UNAVAILABLE ...). */
const WITHHELD = new Set(["+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253"]);
const MOST_MEDIA = 10;

type Understood = CarrierWebhookEvent[] | { malformed: string };

/** Verifies and parses a webhook of an account. */
export function readTwilioWebhook(twilio: TwilioAccount, legs: TwilioLegs, webhook: CarrierWebhook): WebhookReading {
  const { keys } = twilio;
  const signature = webhook.headers["x-twilio-signature"];
  if (typeof signature !== "string") return { kind: "FORGED", message: "The header X-Twilio-Signature is missing." };
  const form = webhook.method === "POST" ? new URLSearchParams(webhook.body.toString()) : null;
  if (!isSignedByTwilio(keys.secrets.authToken ?? "", signature, webhook.url, form)) {
    const message = "X-Twilio-Signature does not fit: another Auth Token signed it, or PARLEY_URL is not the address.";
    return { kind: "FORGED", message };
  }
  if (!form) return { kind: "MALFORMED", message: "Twilio reports with POST." };
  if (form.get("AccountSid") !== keys.settings.accountSid) {
    return { kind: "MALFORMED", message: "The report is of another account." };
  }
  const events = understand(twilio, legs, webhook.path, form);
  if (!Array.isArray(events)) return { kind: "MALFORMED", message: events.malformed };
  return { kind: "READ", events, answer: toAnswer(NOTHING_MORE) };
}

function understand(twilio: TwilioAccount, legs: TwilioLegs, path: string, form: URLSearchParams): Understood {
  const [kind = "", id, detail, ...more] = path.split("/");
  if (more.length > 0) return { malformed: "The address is none of ours." };
  if (kind === "messages") return id === undefined ? readMessage(form) : readReport(id, detail, form);
  const sid = form.get("CallSid") ?? "";
  if (!CALL_SID.test(sid)) return { malformed: "CallSid is missing, or is none." };
  if (kind === "calls" && id === undefined) return readCallIn(sid, form);
  const known = kind === "call-ends" && id === undefined ? twilio.links.find(sid)?.attemptId : id;
  // The end of a call that another node answered: its socket has already reported it.
  if (kind === "call-ends" && known === undefined) return [];
  if (known === undefined || !isUuid(known)) return { malformed: "The address is none of ours." };
  if (kind === "legs") return readLeg(legs, known, detail, form);
  if (kind !== "calls" && kind !== "call-ends") return { malformed: "The address is none of ours." };
  twilio.links.link(sid, known);
  return readCall(twilio, { attemptId: known, sid, detail }, form);
}

function readCallIn(providerCallId: string, form: URLSearchParams): Understood {
  const to = form.get("To") ?? "";
  if (!isE164(to)) return { malformed: "To is no number in E.164." };
  const from = form.get("From") ?? "";
  return [{ kind: "CALL_IN", call: { providerCallId, from: isE164(from) && !WITHHELD.has(from) ? from : "", to } }];
}

interface ReportedCall {
  attemptId: string;
  sid: string;
  detail: string | undefined;
}

function readCall(twilio: TwilioAccount, { attemptId, sid, detail }: ReportedCall, form: URLSearchParams): Understood {
  const base = { attemptId, providerCallId: sid, at: readTime(twilio, form) };
  if (detail === "answered-by") {
    const answeredBy = readAnsweredBy(form.get("AnsweredBy"));
    return [{ kind: "CALL", event: { ...base, type: "ANSWERED", eventKey: `${sid}:answered-by`, answeredBy } }];
  }
  if (detail === "stream") return readStream(twilio, base, form);
  if (detail !== undefined) return { malformed: "The address is none of ours." };
  const status = form.get("CallStatus") ?? "";
  const stage = readStage(status);
  if (stage === null) return { malformed: "CallStatus is none that is known." };
  // "initiated" adds nothing to the answer to the dial.
  if (status === "initiated" || status === "queued") return [];
  const eventKey = `${sid}:${(form.get("SequenceNumber") ?? status).slice(0, 40)}`;
  if (stage === "RINGING") return [{ kind: "CALL", event: { ...base, type: "RINGING", eventKey } }];
  const answeredBy = form.get("AnsweredBy");
  if (stage === "ANSWERED") {
    return [{ kind: "CALL", event: { ...base, type: "ANSWERED", eventKey, answeredBy: readAnsweredBy(answeredBy) } }];
  }
  twilio.links.noteEnded(sid);
  twilio.endSoon(attemptId);
  const end = toEnd({ status, answeredBy, sipCode: readSipCode(form), isOurs: twilio.links.isOurs(sid) });
  return [{ kind: "CALL", event: { ...base, type: "ENDED", eventKey, ...end } }];
}

/** Reads an event of a stream. A call ends with its audio, because nothing follows the stream in its markup. */
function readStream(
  twilio: TwilioAccount,
  base: { attemptId: string; providerCallId: string; at: string },
  form: URLSearchParams,
): Understood {
  const what = form.get("StreamEvent");
  if (what !== "stream-stopped" && what !== "stream-error") return [];
  twilio.links.noteEnded(base.providerCallId);
  twilio.endSoon(base.attemptId);
  const eventKey = `${base.providerCallId}:${what}`;
  const ended = { ...base, type: "ENDED", eventKey, sipCode: null } as const;
  if (what === "stream-stopped") {
    const hungUpBy = twilio.links.isOurs(base.providerCallId) ? "AGENT" : "CUSTOMER";
    return [{ kind: "CALL", event: { ...ended, outcome: "ANSWERED", hungUpBy, reason: "Twilio: stream-stopped" } }];
  }
  const reason = `Twilio: the audio did not come: ${(form.get("StreamError") ?? "no reason given").slice(0, 300)}`;
  twilio.parts.log.warn("Twilio could not bring the audio of a call.", { attemptId: base.attemptId, reason });
  return [{ kind: "CALL", event: { ...ended, outcome: "CARRIER_FAILURE", hungUpBy: "CARRIER", reason } }];
}

function readLeg(legs: TwilioLegs, legId: string, detail: string | undefined, form: URLSearchParams): Understood {
  const status = detail === "stream" && form.get("StreamEvent") === "stream-error" ? "failed" : form.get("CallStatus");
  if (detail === undefined || status === "failed") {
    if (readStage(status) === "ENDED") legs.noteEnd(legId, { status: status ?? "", sipCode: readSipCode(form) });
  }
  return [];
}

/** Reads a time: a status callback has an RFC 2822 date, a stream's an ISO one. */
function readTime({ parts }: TwilioAccount, form: URLSearchParams): string {
  const ms = Date.parse(form.get("Timestamp") ?? "");
  return new Date(Number.isNaN(ms) ? parts.now() : ms).toISOString();
}

function readSipCode(form: URLSearchParams): number | null {
  const code = form.get("SipResponseCode") ?? "";
  return /^[1-6]\d\d$/.test(code) ? Number(code) : null;
}

function readMessage(form: URLSearchParams): Understood {
  const providerMessageId = form.get("MessageSid") ?? "";
  const [from, to] = [form.get("From") ?? "", form.get("To") ?? ""];
  const isWhatsApp = from.startsWith("whatsapp:");
  const numbers = { from: bare(from), to: bare(to) };
  if (!MESSAGE_SID.test(providerMessageId)) return { malformed: "MessageSid is missing, or is none." };
  if (!isE164(numbers.to)) return { malformed: "To is no number in E.164." };
  // Short codes and names also send messages, but cannot be answered.
  if (!isE164(numbers.from)) return [];
  const channel = isWhatsApp ? "WHATSAPP" : "SMS";
  return [
    {
      kind: "MESSAGE_IN",
      message: { channel, provider: "TWILIO", providerMessageId, ...numbers, text: readText(form) },
    },
  ];
}

function bare(address: string): string {
  return address.replace(/^whatsapp:/, "");
}

/**
 * Returns the text. A word that Twilio treats as STOP, START or HELP counts as that word, whatever word the account
 * chose for it.
 */
function readText(form: URLSearchParams): string {
  const optOut = form.get("OptOutType");
  if (optOut === "STOP" || optOut === "START" || optOut === "HELP") return optOut;
  const count = Math.min(MOST_MEDIA, Number(form.get("NumMedia") ?? 0) || 0);
  const media = Array.from({ length: count }, (_, at) => `[${form.get(`MediaContentType${at}`) ?? "attachment"}]`);
  return [form.get("Body") ?? "", ...media].filter((line) => line !== "").join("\n");
}

function readReport(messageId: string, detail: string | undefined, form: URLSearchParams): Understood {
  const providerMessageId = form.get("MessageSid") ?? "";
  if (detail !== undefined || !MESSAGE_ID.test(messageId)) return { malformed: "The address is none of ours." };
  if (!MESSAGE_SID.test(providerMessageId)) return { malformed: "MessageSid is missing, or is none." };
  const status = readDelivery(form.get("MessageStatus"));
  if (status === null) return [];
  const code = form.get("ErrorCode");
  const number = code !== null && /^\d{1,9}$/.test(code) ? Number(code) : null;
  const error = status === "FAILED" ? toFailure(number, form.get("ErrorMessage")) : null;
  const optedOut = number === OPTED_OUT_CODE ? { optedOut: true } : {};
  return [{ kind: "DELIVERY", report: { messageId, providerMessageId, status, error, ...optedOut } }];
}
