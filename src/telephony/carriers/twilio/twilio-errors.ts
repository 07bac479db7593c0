import type { CarrierFault, CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type { CallOutcome, DialResult } from "#src/telephony/carriers/carrier.ts";

/** Name for people. */
export const TWILIO_NAME = "Twilio";

/** The person sent Twilio STOP. */
export const OPTED_OUT_CODE = 21_610;

/** Wait when the account's limit of concurrent calls is used up: one of them ends soon. */
const CROWDED_MS = 5_000;

interface Meaning {
  /** Advice for the fix. */
  advice: string;
  /** The call can be tried again later; without this it is over. */
  waits?: boolean;
  outcome?: CallOutcome;
  blame?: "NUMBER" | "ACCOUNT";
}

const KEYS = "Check the Account SID and the Auth Token (or the API key) in the Twilio Console.";
const FUNDS = "Twilio suspends accounts without funds: see Billing in the Twilio Console.";
const OWNED = "The number must be bought in, or verified for, the Twilio account whose keys were given.";
const GEO = "Allow the country under Voice > Settings > Geo permissions in the Twilio Console.";
const INVALID = "Correct the number, or remove it.";
const REACH = "PARLEY_URL must be an address that the internet reaches over HTTPS.";
const TRIAL = "A trial account reaches verified numbers only: verify the number, or upgrade the account.";
const SUPPORT = "Ask Twilio's support why the account may not do this.";

const account = (advice: string): Meaning => ({ advice, waits: true, blame: "ACCOUNT" });
const number = (advice: string): Meaning => ({ advice, waits: true, blame: "NUMBER" });

/** Codes of Twilio's error dictionary, with the party at fault and the fix. */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  10_001: account(FUNDS),
  10_002: account("A trial account cannot do this: upgrade it."),
  10_004: { advice: "Too many calls of the account run at once.", waits: true },
  20_003: account(KEYS),
  20_005: account(FUNDS),
  20_006: account("The API key lacks the permission for this."),
  20_008: account("These are test credentials, which reach nobody: enter the live ones."),
  20_403: account("The API key lacks the permission for this."),
  20_404: account(KEYS),
  21_201: { advice: INVALID, outcome: "INVALID_NUMBER" },
  21_202: { advice: "Premium numbers are not called.", outcome: "INVALID_NUMBER" },
  21_203: { advice: GEO },
  21_205: account(REACH),
  21_206: account(REACH),
  21_208: account(REACH),
  21_209: account(REACH),
  21_210: number(OWNED),
  21_211: { advice: INVALID, outcome: "INVALID_NUMBER" },
  21_212: number(OWNED),
  21_213: number(OWNED),
  21_214: { advice: "The network does not reach the number.", outcome: "UNREACHABLE" },
  21_215: { advice: GEO },
  21_216: { advice: SUPPORT, outcome: "REJECTED" },
  21_217: { advice: INVALID, outcome: "INVALID_NUMBER" },
  21_219: { advice: TRIAL },
  21_266: { advice: "A number cannot call itself.", outcome: "INVALID_NUMBER" },
  21_404: account("A trial account may hold one number: upgrade it."),
  21_408: { advice: "Allow the country under Messaging > Settings > Geo permissions in the Twilio Console." },
  21_422: { advice: "Somebody else has the number: choose another one." },
  21_606: number("The number cannot send messages from this account: choose one with SMS."),
  21_608: { advice: TRIAL },
  21_609: account(REACH),
  21_610: { advice: "The person has told this number STOP, and can undo it by writing START.", outcome: "REJECTED" },
  21_611: { advice: "Too many messages of the number wait.", waits: true },
  21_612: { advice: "Messages do not go from this number to that one." },
  21_614: { advice: "The number takes no messages.", outcome: "INVALID_NUMBER" },
  21_615: number("The country asks for an address: add one in the Twilio Console under Regulatory compliance."),
  21_631: number("The country asks for an address: add one in the Twilio Console under Regulatory compliance."),
  21_649: number("The country asks for a bundle of papers: see Regulatory compliance in the Twilio Console."),
  21_651: number("The address does not meet the country's rules: see Regulatory compliance in the Twilio Console."),
  21_712: number("Add the number to the senders of the Messaging Service."),
  30_002: account(FUNDS),
  30_034: number("Register the number for A2P 10DLC in the Twilio Console."),
  63_007: number("Register the number as a WhatsApp sender in the Twilio Console."),
  63_016: { advice: "WhatsApp takes free text for 24 hours after the person wrote: send a template." },
  63_018: { advice: "WhatsApp's limit of messages is reached.", waits: true },
};

/** Returns Twilio's code of a refusal; null for an answer without one. */
export function readCode(reply: CarrierReply): number | null {
  const code = (reply.kind === "ANSWER" ? (reply.json as { code?: unknown } | null) : null)?.code;
  return typeof code === "number" && Number.isSafeInteger(code) ? code : null;
}

/** Returns Twilio's error for a refusal, in its words and with advice; null for an answer without a code. */
export function readFault(reply: CarrierReply): CarrierFault | null {
  const code = readCode(reply);
  if (reply.kind === "FAILED" || code === null) return null;
  const { message } = reply.json as { message?: unknown };
  return toFault(code, typeof message === "string" ? message : null);
}

/** Returns the error for the code in a report or a look-up. */
export function toFault(code: number, said: string | null): CarrierFault {
  const advice = MEANINGS[code]?.advice;
  const words = `${(said ?? "The message was not delivered.").slice(0, 500)} (Twilio error ${code})`;
  return { code: `TWILIO_${code}`, message: advice ? `${words} ${advice}` : words };
}

/** Returns the party at fault for a refusal; undefined when it concerns this request only. */
export function blameOf(reply: CarrierReply): "NUMBER" | "ACCOUNT" | undefined {
  const known = MEANINGS[readCode(reply) ?? 0]?.blame;
  if (known) return known;
  const isSignIn = reply.kind === "ANSWER" && (reply.status === 401 || reply.status === 403);
  return isSignIn && readCode(reply) === null ? "ACCOUNT" : undefined;
}

/** True when a refused request may be tried again later. */
export function mayWait(reply: CarrierReply): boolean {
  if (reply.kind === "FAILED") return !reply.sent;
  return reply.status === 429 || MEANINGS[readCode(reply) ?? 0]?.waits === true;
}

/** Returns the refusal of a dial by Twilio's own code; null for an unknown code, when the HTTP status decides. */
export function readDialRefusal(reply: CarrierReply): DialResult | null {
  if (reply.kind === "FAILED" || reply.status < 400 || reply.status > 499 || reply.status === 429) return null;
  const meaning = MEANINGS[readCode(reply) ?? 0];
  const fault = readFault(reply);
  if (!meaning || !fault) return null;
  const { waits = false, outcome = "CARRIER_FAILURE", blame } = meaning;
  return {
    kind: "REFUSED",
    then: waits ? "REQUEUE" : "TERMINAL",
    outcome,
    code: fault.code,
    message: `${TWILIO_NAME}: ${fault.message}`,
    ...(blame ? { blame } : {}),
    ...(waits && !blame ? { retryAfterMs: CROWDED_MS } : {}),
  };
}
