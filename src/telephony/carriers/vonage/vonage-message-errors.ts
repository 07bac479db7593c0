import { type CarrierReply, retryAfterMs } from "#src/telephony/carriers/carrier-http.ts";
import type { SendResult } from "#src/telephony/carriers/messages.ts";
import { readFault } from "./vonage-errors.ts";
import { asJson, asText, type Json } from "./vonage-json.ts";

interface KnownFault {
  advice: string;
  /** True when another try later may succeed. */
  isRetryable?: boolean;
  /** True when the person sent the carrier STOP. */
  hasOptedOut?: boolean;
}

const SENDER =
  "The account may not send from this number: rent it in the same Vonage account and link it to the application.";
const BARRED = "The account is barred from sending. Ask Vonage's support.";
const BALANCE = "The account has not enough money to send. Top up its balance in the Vonage dashboard.";

/** Codes of the messages interface for which there is advice. */
const KNOWN: Readonly<Record<string, KnownFault>> = {
  "1000": { advice: "The account sends faster than it may.", isRetryable: true },
  "1022": {
    advice: "WhatsApp knows no such template, or its variables do not fit. Check its name, language and variables.",
  },
  "1030": { advice: "Vonage failed inside.", isRetryable: true },
  "1050": { advice: "The number is barred and gets no messages." },
  "1060": { advice: BARRED },
  "1070": { advice: BALANCE },
  "1080": { advice: "The account is not provisioned for this interface. Ask Vonage's support." },
  "1100": { advice: "Vonage could not reach the network.", isRetryable: true },
  "1120": { advice: `The network does not take this sender. ${SENDER}` },
  "1140": { advice: "The account lacks a facility that this message needs. Ask Vonage's support." },
  "1160": {
    advice:
      "A trial account sends only to numbers on its list of test numbers. Add the number in the Vonage dashboard, or upgrade.",
  },
  "1170": { advice: "Vonage cannot send to this number. Check it." },
  "1180": { advice: "The person's phone cannot be reached at the moment." },
  "1190": { advice: "The number is not in use any more." },
  "1210": { advice: "The network took the message for spam. Check its words and the sender's registration." },
  "1230": { advice: "The network failed." },
  "1240": { advice: "The person has opted out with STOP.", hasOptedOut: true },
  "1241": { advice: "Too many messages were sent to this number.", isRetryable: true },
  "1250": { advice: "Vonage has no route to the number's network." },
  "1280": { advice: "The person's network blocks the message." },
  "1300": { advice: "The number is not a user of this channel." },
  "1340": {
    advice: "The last message of the person is older than 24 hours: only an approved WhatsApp template can be sent.",
  },
};

/** A fault of a message as rows and reports hold it. */
export interface MessageFault {
  code: string;
  message: string;
  isRetryable: boolean;
  hasOptedOut: boolean;
}

/** Returns the message for a code of Vonage's. */
export function explainMessageFault(code: string, said: string | null): MessageFault {
  const known = KNOWN[code];
  const advice = known?.advice ?? "Vonage did not deliver the message.";
  const message = said ? `${advice} Vonage said: ${said}` : advice;
  return { code, message, isRetryable: known?.isRetryable ?? false, hasOptedOut: known?.hasOptedOut ?? false };
}

/** Reads the error of a status report, of both versions of the interface; null when there is none. */
export function readReportedFault(error: unknown): MessageFault | null {
  const json = asJson(error);
  const code = codeOf(json);
  if (code === null) return null;
  return explainMessageFault(code, asText(json.detail) ?? asText(json.reason));
}

function codeOf(json: Json): string | null {
  const fragment = /#(\w{1,40})$/.exec(asText(json.type) ?? "")?.[1];
  return asText(json.code) ?? fragment ?? asText(json.title);
}

/** Reads the result of a send. */
export function readSendReply(reply: CarrierReply): SendResult {
  if (reply.kind === "FAILED") {
    const { sent, code, message } = reply;
    if (sent) return { kind: "UNCERTAIN", code, message: `Vonage did not answer: ${message}` };
    return { kind: "REFUSED", code, message: `Vonage: ${message}`, retryable: true };
  }
  const { status, json } = reply;
  if (status >= 200 && status < 300) {
    const providerMessageId = asText(asJson(json).message_uuid);
    if (providerMessageId) return { kind: "ACCEPTED", providerMessageId };
    return { kind: "UNCERTAIN", code: "NO_MESSAGE_ID", message: "Vonage took the message and gave it no id." };
  }
  const fault = readFault(reply);
  const code = fault?.code ?? `HTTP_${status}`;
  const said = fault?.message ?? `HTTP ${status}`;
  if (status === 429) {
    const seconds = Math.ceil(retryAfterMs(reply.headers) / 1_000);
    const message = `Vonage takes no more messages for ${seconds} s: ${said}`;
    return { kind: "REFUSED", code, message, retryable: true };
  }
  if (status >= 500 || status < 400) return { kind: "UNCERTAIN", code, message: `Vonage: ${said}` };
  return refuse(status, code, said);
}

function refuse(status: number, code: string, said: string): SendResult {
  if (KNOWN[code]) {
    const { message, isRetryable, hasOptedOut } = explainMessageFault(code, said);
    return { kind: "REFUSED", code, message, retryable: isRetryable, ...(hasOptedOut ? { optedOut: true } : {}) };
  }
  const refused = (advice: string): SendResult => {
    return { kind: "REFUSED", code, message: `${advice} Vonage said: ${said}`, retryable: false };
  };
  if (status === 401) {
    return refused("Vonage does not accept the application's keys. Check the application id and its private key.");
  }
  if (status === 402) return refused(BALANCE);
  if (status === 403) {
    return refused(`The application may not send this. See that its Messages capability is on. ${SENDER}`);
  }
  return refused("Vonage refused the message.");
}
