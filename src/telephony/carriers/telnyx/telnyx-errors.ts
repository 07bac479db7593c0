import { type CarrierReply, readDialFailure, retryAfterMs } from "#src/telephony/carriers/carrier-http.ts";
import type { CallOutcome, DialResult } from "#src/telephony/carriers/carrier.ts";
import { readFault, type TelnyxFault } from "./telnyx-api.ts";

/** Meaning of a Telnyx error, with advice for its fix. */
interface Advice {
  then: "REQUEUE" | "TERMINAL";
  outcome: CallOutcome;
  blame?: "NUMBER" | "ACCOUNT";
  retryAfterMs?: number;
  advice: string;
}

const BUSY_RETRY_MS = 5_000;

const ACCOUNT: Omit<Advice, "advice"> = { then: "REQUEUE", outcome: "CARRIER_FAILURE", blame: "ACCOUNT" };
const NUMBER: Omit<Advice, "advice"> = { then: "REQUEUE", outcome: "CARRIER_FAILURE", blame: "NUMBER" };
const CALL: Omit<Advice, "advice"> = { then: "TERMINAL", outcome: "CARRIER_FAILURE" };

const WRONG_KEY = "The API key is wrong, expired or revoked: enter a valid one of the portal's page API Keys.";
const NO_FUNDS = "The account has no credit left: top it up in the portal, under Billing.";

/** Errors of the account, whatever the request. */
const ACCOUNT_ADVICE: Readonly<Record<string, string>> = {
  10009: WRONG_KEY,
  20002: WRONG_KEY,
  20006: WRONG_KEY,
  20012: "The account is inactive, often for want of credit: look at Billing in the portal.",
  20013: "The account is blocked: only Telnyx's support can open it.",
  20014: "The account is not verified: finish the verification in the portal, under Account.",
  20015: "The feature is not enabled for this account: ask Telnyx's support for it.",
  20016: "The account needs Telnyx's level 1 verification: portal, Account, Public profile.",
  20017: "The account needs Telnyx's level 2 verification: portal, Account, Public profile.",
  20100: NO_FUNDS,
};

/**
 * Reasons that Telnyx gives by D code, or in words, with a shared code of a refused call (10010 and the like). The
 * first match counts.
 */
const BY_DETAIL: readonly { pattern: RegExp; meaning: Advice }[] = [
  {
    pattern: /\bD1[123]\b|whitelisted (?:countr|destination|region)/i,
    meaning: {
      ...CALL,
      advice:
        "Telnyx may not call this number or its country for you: allow it in the portal, in the Outbound Voice Profile.",
    },
  },
  {
    pattern: /\bD(?:1|2|3|22)\b|channel limit|concurrent/i,
    meaning: {
      then: "REQUEUE",
      outcome: "CARRIER_FAILURE",
      retryAfterMs: BUSY_RETRY_MS,
      advice: "More calls at once than the account may have: it is tried again; Telnyx raises the limit on request.",
    },
  },
  {
    pattern: /\bD24\b|rate per minute|maximum rate/i,
    meaning: {
      ...CALL,
      advice: "The call costs more a minute than the Outbound Voice Profile allows: raise its maximum.",
    },
  },
  {
    pattern: /\bD3[56]\b|caller (?:id|origination)|origination number|unverified (?:from|origin)/i,
    meaning: {
      ...NUMBER,
      advice: "The calling number is not this account's and is not verified: buy it or verify it in the portal.",
    },
  },
  {
    pattern: /\btrial\b|verified numbers? only|only .{0,20}verified number/i,
    meaning: {
      ...CALL,
      advice: "A trial account calls verified numbers only: verify this one in the portal, or upgrade the account.",
    },
  },
  { pattern: /\bD19\b|insufficient (?:funds|balance|credit)/i, meaning: { ...ACCOUNT, advice: NO_FUNDS } },
  {
    pattern: /\bD(?:1[04-8]|2[5-9]|38)\b|voice profile/i,
    meaning: {
      ...ACCOUNT,
      advice:
        "The Voice API application or its Outbound Voice Profile is disabled or missing: look at both in the portal.",
    },
  },
];

const BAD_CONNECTION: Advice = {
  ...ACCOUNT,
  advice: "connectionId is not a Voice API application of this account that has a webhook URL.",
};
const BAD_TARGET: Advice = { ...CALL, outcome: "INVALID_NUMBER", advice: "Correct the called number." };
const BAD_CALLER: Advice = { ...NUMBER, advice: "The calling number is not an active number of this account." };
/** Inactive, invalid, not E.164. */
const NUMBER_CODES = new Set(["10001", "10002", "10016"]);
/** A resource that does not exist, or a value of the wrong kind. */
const RESOURCE_CODES = new Set(["10005", "10006", "10013", "10015", "10017"]);
/** The account's limit of dials per second; answered as 429. */
const DIALS_PER_SECOND = "90103";

/** It took too long, or the same dial is in progress: a call may have been placed. */
const PROVE_NOTHING = new Set([408, 409]);

/** Returns the message for people: the advice, then Telnyx's own words. */
function compose(advice: string, fault: TelnyxFault): string {
  return `Telnyx: ${advice} (Telnyx says: ${fault.message}; code ${fault.code})`;
}

function explain(fault: TelnyxFault): Advice | null {
  const account = ACCOUNT_ADVICE[fault.code];
  if (account) return { ...ACCOUNT, advice: account };
  const byDetail = BY_DETAIL.find(({ pattern }) => pattern.test(fault.message));
  if (byDetail) return byDetail.meaning;
  if (fault.pointer.endsWith("connection_id") && RESOURCE_CODES.has(fault.code)) return BAD_CONNECTION;
  if (fault.pointer.endsWith("from")) return BAD_CALLER;
  if (fault.pointer.endsWith("to") || NUMBER_CODES.has(fault.code)) return BAD_TARGET;
  return null;
}

/** Copies Telnyx's own header for the seconds until a limit is lifted to Retry-After. */
function withReset(headers: Record<string, string>): Record<string, string> {
  const reset = headers["retry-after"] ?? headers["x-ratelimit-reset"];
  return reset === undefined ? headers : { "retry-after": reset };
}

/** Returns the result of a dial that Telnyx did not accept. */
export function explainDial(reply: CarrierReply): DialResult {
  const fault = readFault(reply);
  const isRefusal = reply.kind === "ANSWER" && reply.status >= 400 && reply.status < 500;
  if (reply.kind === "ANSWER" && (reply.status === 429 || (isRefusal && fault?.code === DIALS_PER_SECOND))) {
    const message = "Telnyx: more dials a second than the account may make; it is tried again.";
    const code = fault?.code ?? "HTTP_429";
    return {
      kind: "REFUSED",
      then: "REQUEUE",
      outcome: "CARRIER_FAILURE",
      code,
      message: fault ? `${message} (${fault.message}; code ${code})` : message,
      retryAfterMs: retryAfterMs(withReset(reply.headers)),
    };
  }
  if (reply.kind === "ANSWER" && PROVE_NOTHING.has(reply.status)) {
    const code = fault?.code ?? `HTTP_${reply.status}`;
    return { kind: "UNCERTAIN", code, message: `Telnyx: ${fault?.message ?? `HTTP ${reply.status}`}` };
  }
  const meaning = isRefusal && fault ? explain(fault) : null;
  if (meaning && fault) {
    const { advice, ...result } = meaning;
    return { kind: "REFUSED", ...result, code: fault.code, message: compose(advice, fault) };
  }
  const general = readDialFailure(reply, "Telnyx", fault);
  if (general) return general;
  const code = fault?.code ?? (reply.kind === "ANSWER" ? `HTTP_${reply.status}` : reply.code);
  const message = `Telnyx refused the call: ${fault?.message ?? code}`;
  return { kind: "REFUSED", then: "TERMINAL", outcome: "CARRIER_FAILURE", code, message };
}

/** Returns the message for an error of the account, whatever the request; null for another error. */
export function explainAccount(fault: TelnyxFault | null): string | null {
  const advice = fault && ACCOUNT_ADVICE[fault.code];
  return advice && fault ? compose(advice, fault) : null;
}

/** The person sent Telnyx STOP, so it accepts no message to them from any number of the messaging profile. */
export const STOP_CODE = "40300";

const MESSAGE_ADVICE: Readonly<Record<string, string>> = {
  10001: "The sending number is not active.",
  10002: "The number is not valid.",
  40001: "The number cannot take messages: it is a landline, or not reachable.",
  40002: "A network took it for spam: send less at once, and other words.",
  40003: "Networks block the sending number as a source of spam: use another, or ask Telnyx's support.",
  40010: "The sending number is not registered for 10DLC: register it in the portal, under Messaging.",
  40012: "The called number is not valid.",
  40013: "The sending number is not valid.",
  40100: "The sending number has no messaging: put it into a messaging profile in the portal.",
  40300: "The person has sent STOP: Telnyx takes no message to them until they send START.",
  40305: "The sending number is not of this account, or in no messaging profile: look at it in the portal.",
  40306: "No alphanumeric sender is set up in the messaging profile.",
  40309: "The messaging profile may not send to this country: allow it in the portal.",
  40310: "The called number is not valid.",
  40312: "The messaging profile is disabled: enable it in the portal.",
  40314: "Messaging is disabled on the account: ask Telnyx's support.",
  40315: "The sending number is held back because too many of its messages failed or were spam.",
  40321: "The messaging profile has no number that can be used.",
  40329: "The toll-free number is not verified yet: portal, Messaging.",
};

/** Returns the message for an error of a message, with advice. */
export function explainMessage(fault: TelnyxFault): string {
  const advice = ACCOUNT_ADVICE[fault.code] ?? MESSAGE_ADVICE[fault.code];
  return advice ? compose(advice, fault) : `Telnyx: ${fault.message} (code ${fault.code})`;
}
