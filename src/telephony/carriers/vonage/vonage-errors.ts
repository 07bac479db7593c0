import { type CarrierFault, type CarrierReply, readDialFailure } from "#src/telephony/carriers/carrier-http.ts";
import type { DialResult } from "#src/telephony/carriers/carrier.ts";
import type { NumberResult } from "#src/telephony/carriers/number-provisioning.ts";
import { asJson, asJsonList, asText, type Json } from "./vonage-json.ts";

/** Message for a private key that cannot be read, for which there is no error of Vonage's. */
export const BAD_PRIVATE_KEY =
  "The private key is not an RSA key in PEM form. Paste the private.key file of the Vonage application, or generate a new key pair there.";
const KEYS =
  "Check the API key and secret, the application id and its private key in the Vonage dashboard, and enter them again. See that this server's clock is right, too.";
const BALANCE = "Top up the account's balance in the Vonage dashboard.";

/**
 * Returns Vonage's own words for an error. The voice, messages and applications interfaces answer with problem
 * documents (RFC 9457) whose `type` ends in the code, older parts with `error_title`, the numbers interface with
 * `error-code`.
 */
export function readFault(reply: CarrierReply): CarrierFault | null {
  if (reply.kind === "FAILED") return null;
  const json = asJson(reply.json);
  const code = asText(json["error-code"]) ?? codeOf(json);
  const title = asText(json["error-code-label"]) ?? asText(json.title) ?? asText(json.error_title);
  const details = [asText(json.detail), ...invalidParameters(json).map(({ name, reason }) => `${name}: ${reason}`)];
  const message = [title === code ? null : title, ...details].filter((part) => part !== null).join(": ");
  if (!code && !message) return null;
  return { code: code ?? `HTTP_${reply.status}`, message: message || (code as string) };
}

function codeOf(json: Json): string | null {
  const fragment = /#([\w-]{1,60})$/.exec(asText(json.type) ?? "")?.[1] ?? null;
  const title = asText(json.title);
  return fragment ?? (title && /^\d{1,6}$/.test(title) ? title : asText(json.type));
}

function invalidParameters(json: Json): { name: string; reason: string }[] {
  const list = asJsonList(json.invalid_parameters);
  // Some parts answer with an object by name.
  const entries = list.length > 0 ? list : Object.entries(asJson(json.invalid_parameters)).map(toParameter);
  return entries.map((entry) => ({
    name: asText(entry.name) ?? asText(entry.field) ?? "parameter",
    reason: asText(entry.reason) ?? asText(entry.message) ?? "is not valid",
  }));
}

function toParameter([name, reason]: [string, unknown]): Json {
  return { name, reason };
}

/** Returns the result of a dial. */
export function readDialReply(reply: CarrierReply): DialResult {
  if (reply.kind === "ANSWER" && reply.status >= 200 && reply.status < 300) {
    const providerCallId = asText(asJson(reply.json).uuid);
    if (providerCallId) return { kind: "ACCEPTED", providerCallId };
    return { kind: "UNCERTAIN", code: "NO_CALL_ID", message: "Vonage took the dial and named no call." };
  }
  const fault = readFault(reply);
  const shared = readDialFailure(reply, "Vonage", fault);
  if (shared?.kind === "REFUSED" && shared.blame === "ACCOUNT") return refuseAccess(reply, shared, fault);
  return shared ?? refuseDial(reply, fault);
}

type Refused = DialResult & { kind: "REFUSED" };

/**
 * Returns the refusal of a 401 or 403. 401 concerns the keys; the words of a 403 show whether it concerns the
 * destination or the caller's number.
 */
function refuseAccess(reply: CarrierReply, refused: Refused, fault: CarrierFault | null): Refused {
  const said = fault ? ` Vonage said: ${fault.message}` : "";
  const isForbidden = reply.kind === "ANSWER" && reply.status === 403;
  if (!isForbidden) return { ...refused, message: `Vonage does not accept the account's keys. ${KEYS}${said}` };
  const { blame: _blame, ...base } = refused;
  if (/destination|country|region|permission to (call|send)|geo/i.test(fault?.message ?? "")) {
    const advice = "The account may not call this destination. Ask Vonage to open it, or leave such numbers out.";
    return { ...base, then: "TERMINAL", message: `${advice}${said}` };
  }
  if (/\bfrom\b|caller|sender|own/i.test(fault?.message ?? "")) {
    return { ...base, blame: "NUMBER", message: `${NUMBER_ADVICE}${said}` };
  }
  const advice =
    "The account may not place calls. A trial account calls only numbers that were added to its test numbers; otherwise see that the Voice capability is on for the application.";
  return { ...refused, message: `${advice}${said}` };
}

const NUMBER_ADVICE =
  "The account may not call from this number. Rent it in the same Vonage account and link it to the application.";

/** Returns the refusal of a dial for 400, 402, 404, 422 and the like: nothing was dialled. */
function refuseDial(reply: CarrierReply, fault: CarrierFault | null): DialResult {
  const status = reply.kind === "ANSWER" ? reply.status : 0;
  const code = fault?.code ?? `HTTP_${status}`;
  const said = fault ? ` Vonage said: ${fault.message}` : ` Vonage answered ${status}.`;
  const base = { kind: "REFUSED", code, then: "TERMINAL", outcome: "CARRIER_FAILURE" } as const;
  if (status === 402 || /balance|funds|credit|quota/i.test(`${code} ${said}`)) {
    const message = `The account has not enough money to call. ${BALANCE}${said}`;
    return { ...base, then: "REQUEUE", blame: "ACCOUNT", message };
  }
  const names = reply.kind === "ANSWER" ? invalidParameters(asJson(reply.json)).map(({ name }) => name) : [];
  if (names.some((name) => /^to\b/.test(name))) {
    return { ...base, outcome: "INVALID_NUMBER", message: `Vonage cannot call this number. Check it.${said}` };
  }
  if (names.some((name) => /^from\b/.test(name))) {
    return { ...base, then: "REQUEUE", blame: "NUMBER", message: `${NUMBER_ADVICE}${said}` };
  }
  return { ...base, message: `Vonage refused the call.${said}` };
}

/** Returns the failure of an order about a number; null when it succeeded. */
export function readNumberFailure(reply: CarrierReply): Exclude<NumberResult<never>, { kind: "DONE" }> | null {
  if (reply.kind === "FAILED") return { kind: "UNCERTAIN", code: reply.code, message: `Vonage: ${reply.message}` };
  const fault = readFault(reply);
  const inner = asText(asJson(reply.json)["error-code"]);
  // The numbers interface also answers 200 with an error inside.
  const status = reply.status === 200 && inner !== null ? Number(inner) : reply.status;
  if (status >= 200 && status < 300) return null;
  const code = fault?.code ?? `HTTP_${status}`;
  const said = fault?.message ?? `HTTP ${status}`;
  if (status === 401 || status === 403) {
    const message = `Vonage does not accept the account's keys. ${KEYS} Vonage said: ${said}`;
    return { kind: "REFUSED", code, message, blame: "ACCOUNT" };
  }
  if (status === 402 || /balance|funds|credit/i.test(said)) {
    const message = `The account has not enough money for the number. ${BALANCE} Vonage said: ${said}`;
    return { kind: "REFUSED", code, message, blame: "ACCOUNT" };
  }
  if (status === 429 || status >= 500) return { kind: "UNCERTAIN", code, message: `Vonage cannot tell now: ${said}` };
  if (status === 404 || /not available|not found|does not exist|method failed/i.test(said)) {
    return { kind: "ABSENT", message: `Vonage does not have the number: ${said}` };
  }
  const advice = /address|document|dashboard|compliance/i.test(said)
    ? "Vonage wants papers for numbers of this country: order it in its dashboard, then import it here."
    : "Vonage refuses the order.";
  return { kind: "REFUSED", code, message: `${advice} Vonage said: ${said}`, blame: "NUMBER" };
}
