import type { CallOutcome } from "#src/telephony/carriers/carrier.ts";
import { OUTCOME_BY_SIP } from "#src/telephony/carriers/sip-outcomes.ts";
import { parseParams, parseWhole, splitOutside } from "./sip-grammar.ts";
import type { SipResponse } from "./sip-message.ts";

/** Meaning of a final response other than 2xx and 3xx for the call. */
export interface ResponseOutcome {
  outcome: CallOutcome;
  /** REQUEUE: nobody was rung, and the same call may work later. */
  then: "REQUEUE" | "TERMINAL";
  /** The trunk refuses the number itself, not this call: every other call from it would be refused too. */
  blame?: "NUMBER";
  retryAfterMs?: number;
  /** For example `SIP_486`. */
  code: string;
  sipCode: number;
  /** For people, with the trunk's own words. */
  message: string;
}

/** Events before the final response. */
export interface BeforeResponse {
  /** A 180 or 183 had come: a phone may have rung, so the dial is not repeated as if it had not. */
  rang: boolean;
  /** We had sent a CANCEL because the ring timeout was over. */
  cancelled: boolean;
}

/**
 * Party that a trunk's own refusal concerns: LIMIT, the calls that the trunk carries at once; DESTINATION, the called
 * number; NUMBER, ours or the account behind it.
 */
type Refusal = "LIMIT" | "DESTINATION" | "NUMBER";

/** Release causes of Q.850 that are more precise than the status beside them. */
const BY_CAUSE: ReadonlyMap<number, CallOutcome> = new Map([
  [1, "INVALID_NUMBER"],
  [2, "UNREACHABLE"],
  [3, "UNREACHABLE"],
  [17, "BUSY"],
  [18, "NO_ANSWER"],
  [19, "NO_ANSWER"],
  [20, "UNREACHABLE"],
  [21, "REJECTED"],
  [22, "INVALID_NUMBER"],
  [27, "UNREACHABLE"],
  [28, "INVALID_NUMBER"],
]);

/** Gateways send these in place of the telephone network's own reason, so a cause beside them takes precedence. */
const VAGUE = new Set([400, 403, 480, 487, 500, 502, 503, 504, 603]);
/**
 * Words of a trunk's own refusal, first match first. The D codes are Telnyx's (developers.telnyx.com, SIP Response
 * Codes); other trunks have words only. A 403 without any is taken for the called side's.
 */
const REFUSALS: readonly [Refusal, RegExp][] = [
  [
    "LIMIT",
    /\bD(?:1|2|3|22)\b|\b(?:channels?|concurrent|simultaneous|sessions?|calls per second|cps)\b.{0,30}\b(?:limit|exceed|reached)|(?:too many|no (?:free|available)) (?:channels|calls)/i,
  ],
  [
    "DESTINATION",
    /\bD(?:11|12|13|24)\b|destination|diall?ed|called (?:number|party)|callee|whitelist|countr(?:y|ies)|international|premium|rate per minute|\btrial\b/i,
  ],
  [
    "NUMBER",
    /\bD(?:1[04-9]|2[5-9]|3[01568])\b|credential|password|auth|regist|balance|credit|fund|payment|suspend|disabled|caller.?id|originat|calling (?:party )?number|(?:un|not )verified|not owned|account|voice profile/i,
  ],
];
/** Telnyx refuses a blocked account and an inactive connection with 404, the status of a number that does not exist. */
const BLOCKED_BEHIND_404 = /\bD1[89]\b/;
/** Twilio's code and words; a 603 of an inactive account has them too (Twilio's changelog of 2022-07-11). */
const TWILIO_ERROR = "X-Twilio-Error";
const DEFAULT_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 300_000;
const MAX_WORDS_CHARS = 200;

/** Reads a final response of 400 or more to an INVITE. */
export function readOutcome(response: SipResponse, before: BeforeResponse): ResponseOutcome {
  const { status, headers } = response;
  const words = wordsOf(response);
  const base = { code: `SIP_${status}`, sipCode: status, message: describe(response, words) };
  const cause = VAGUE.has(status) ? readCause(headers.getAll("Reason")) : null;
  const reported = cause === null ? undefined : BY_CAUSE.get(cause);
  // A cancelled far end may answer with anything; the true reason is that we gave up.
  if (before.cancelled && (status === 487 || status >= 500) && status < 600) {
    return { ...base, outcome: "NO_ANSWER", then: "TERMINAL" };
  }
  const refusal = readRefusal(response, words);
  if (refusal === "NUMBER") {
    return { ...base, outcome: "CARRIER_FAILURE", then: before.rang ? "TERMINAL" : "REQUEUE", blame: "NUMBER" };
  }
  if (refusal === "DESTINATION") return { ...base, outcome: "CARRIER_FAILURE", then: "TERMINAL" };
  if (refusal !== "LIMIT" && reported !== undefined) return { ...base, outcome: reported, then: "TERMINAL" };
  if (refusal === "LIMIT" || status === 503) {
    const retry = { then: "REQUEUE", retryAfterMs: readRetryAfter(headers.get("Retry-After")) } as const;
    return { ...base, outcome: "CARRIER_FAILURE", ...(before.rang ? { then: "TERMINAL" } : retry) };
  }
  return { ...base, outcome: OUTCOME_BY_SIP[status] ?? "CARRIER_FAILURE", then: "TERMINAL" };
}

function readRefusal({ status, headers }: SipResponse, words: string): Refusal | null {
  if (status === 401 || status === 402 || status === 407) return "NUMBER";
  if (status === 404) return BLOCKED_BEHIND_404.test(words) ? "NUMBER" : null;
  const isTrunks = status === 403 || (status === 603 && headers.get(TWILIO_ERROR) !== undefined);
  return isTrunks ? (REFUSALS.find(([, pattern]) => pattern.test(words))?.[0] ?? null) : null;
}

/** Returns the Q.850 cause of a Reason header (RFC 3326); null when it has none. */
export function readCause(reasons: readonly string[]): number | null {
  for (const reason of reasons) {
    const [protocol = ""] = reason.split(";", 1);
    if (protocol.trim().toUpperCase() !== "Q.850") continue;
    const cause = parseWhole(parseParams(reason.slice(protocol.length))?.get("cause") ?? "", 127);
    if (cause !== null) return cause;
  }
  return null;
}

/** Returns the reason phrase, Twilio's error, and the texts of Warning and Reason. */
function wordsOf({ reason, headers }: SipResponse): string {
  const warnings = headers.getAll("Warning").map((value) => /^\d{3} \S+ "(.*)"$/s.exec(value)?.[1] ?? "");
  const texts = headers.getAll("Reason").map((value) => {
    const [protocol = ""] = splitOutside(value, ";");
    return parseParams(value.slice(protocol.length))?.get("text") ?? "";
  });
  const words = [reason, ...headers.getAll(TWILIO_ERROR), ...warnings, ...texts].map((text) =>
    text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(),
  );
  return [...new Set(words.filter((text) => text !== ""))].join("; ").slice(0, MAX_WORDS_CHARS);
}

const ADVICE: ReadonlyMap<number, string> = new Map([
  [401, "Check the username and password of the number's trunk."],
  [402, "Check the balance of the trunk's account."],
  [403, "Check with the trunk's provider what this number may call."],
  [407, "Check the username and password of the number's trunk."],
  [415, "Check which codecs the trunk takes."],
  [488, "Check which codecs and which encryption the trunk takes."],
  [606, "Check which codecs and which encryption the trunk takes."],
]);

function describe({ status }: SipResponse, words: string): string {
  const said = words === "" ? `The trunk answered ${status}.` : `The trunk answered ${status}: ${words}.`;
  const advice = ADVICE.get(status);
  return advice === undefined ? said : `${said} ${advice}`;
}

/** Reads seconds, which may be followed by a comment or parameters (RFC 3261, 20.33). */
function readRetryAfter(value: string | undefined): number {
  const seconds = parseWhole(/^\d{1,10}/.exec(value ?? "")?.[0] ?? "", 2 ** 32);
  return seconds === null ? DEFAULT_RETRY_MS : Math.min(LONGEST_RETRY_MS, Math.max(1_000, seconds * 1_000));
}
