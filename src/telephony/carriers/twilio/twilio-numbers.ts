import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type {
  NumberCapability,
  NumberProvisioning,
  NumberResult,
  NumberWish,
  OfferedNumber,
  OwnedNumber,
} from "#src/telephony/carriers/number-provisioning.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { readList, readSuccess, textOf } from "./twilio-api.ts";
import { blameOf, mayWait, readCode, readFault, TWILIO_NAME } from "./twilio-errors.ts";

/** Kinds of numbers by how often people pick up: numbers that look local first. */
const KINDS = ["Local", "Mobile", "National", "TollFree"];
/** Countries whose numbers Twilio finds by area code; elsewhere it searches by prefix. */
const BY_AREA_CODE = new Set(["US", "CA"]);
const TAKEN_CODE = 21_422;

type Row = Record<string, unknown>;

/** Creates the number provisioning of one account. */
export function createTwilioNumbers(twilio: TwilioAccount): NumberProvisioning {
  return {
    search: (wish, signal) => search(twilio, wish, signal),
    findOwned: (number, signal) => findOwned(twilio, number, signal),
    async buy(number, signal) {
      const fields = [["PhoneNumber", number] as const, ...hooksOf(twilio)];
      const reply = await twilio.api.send({ method: "POST", path: "/IncomingPhoneNumbers.json", fields, signal });
      return readOwned(reply);
    },
    configure: (number, signal) => configure(twilio, number, signal),
    async release({ externalId }, signal) {
      const path = `/IncomingPhoneNumbers/${encodeURIComponent(externalId)}.json`;
      const reply = await twilio.api.send({ method: "DELETE", path, signal });
      const isDone = reply.kind === "ANSWER" && reply.status >= 200 && reply.status < 300;
      return isDone ? { kind: "DONE", value: null } : fail(reply);
    },
  };
}

async function search(
  { api }: TwilioAccount,
  { countryCode, areaCode, limit }: NumberWish,
  signal: AbortSignal,
): Promise<NumberResult<OfferedNumber[]>> {
  const begin = areaCode === null ? null : beginOf(countryCode, areaCode);
  const fields = [
    ["VoiceEnabled", "true"],
    ["PageSize", String(Math.min(1_000, Math.max(1, limit)))],
  ] as [string, string][];
  if (areaCode !== null && BY_AREA_CODE.has(countryCode)) fields.push(["AreaCode", areaCode]);
  else if (begin !== null) fields.push(["Contains", begin.slice(1)]);
  for (const kind of KINDS) {
    const path = `/AvailablePhoneNumbers/${encodeURIComponent(countryCode)}/${kind}.json`;
    const reply = await api.send({ method: "GET", path, fields, signal });
    // Not every country has every kind of number.
    if (reply.kind === "ANSWER" && reply.status === 404) continue;
    const rows = readList(reply, "available_phone_numbers");
    if (!rows) return fail(reply);
    const offers = rows.map(toOffer).filter((offer) => offer !== null);
    const fitting = offers.filter(({ number }) => begin === null || number.startsWith(begin));
    if (fitting.length > 0) return { kind: "DONE", value: fitting.slice(0, limit) };
  }
  return { kind: "DONE", value: [] };
}

function beginOf(countryCode: string, areaCode: string): string | null {
  return isSupportedCountry(countryCode) ? `+${getCountryCallingCode(countryCode)}${areaCode}` : null;
}

function toOffer(row: Row): OfferedNumber | null {
  const number = textOf(row, "phone_number");
  return number === null ? null : { number, capabilities: readCapabilities(row), monthlyPrice: null };
}

function readCapabilities(row: Row): NumberCapability[] {
  const can = (row.capabilities ?? {}) as Row;
  // The list of available numbers writes SMS in capitals, the list of owned numbers does not.
  const pairs: [NumberCapability, unknown][] = [
    ["VOICE", can.voice],
    ["SMS", can.sms ?? can.SMS],
  ];
  return pairs.filter(([, has]) => has === true).map(([name]) => name);
}

async function findOwned(
  { api }: TwilioAccount,
  number: string,
  signal: AbortSignal,
): Promise<NumberResult<OwnedNumber>> {
  const fields = [["PhoneNumber", number]] as const;
  const reply = await api.send({ method: "GET", path: "/IncomingPhoneNumbers.json", fields, signal });
  const rows = readList(reply, "incoming_phone_numbers");
  if (!rows) return fail(reply);
  const owned = rows.map(toOwned).find((candidate) => candidate?.number === number);
  if (owned) return { kind: "DONE", value: owned };
  return { kind: "ABSENT", message: `${TWILIO_NAME}: the account does not hold ${number}.` };
}

/** Points a number at us; an application or a trunk that it stays bound to would get its calls instead. */
async function configure(
  twilio: TwilioAccount,
  { externalId }: OwnedNumber,
  signal: AbortSignal,
): Promise<NumberResult<OwnedNumber>> {
  const path = `/IncomingPhoneNumbers/${encodeURIComponent(externalId)}.json`;
  const first = await twilio.api.send({ method: "POST", path, fields: hooksOf(twilio), signal });
  const row = readSuccess(first);
  if (!row) return readOwned(first);
  const bindings = [
    ["voice_application_sid", "VoiceApplicationSid"],
    ["sms_application_sid", "SmsApplicationSid"],
    ["trunk_sid", "TrunkSid"],
  ] as const;
  const bound = bindings.filter(([name]) => textOf(row, name) !== null);
  if (bound.length === 0) return readOwned(first);
  const cleared = bound.map(([, name]) => [name, ""] as const);
  const fields = [...cleared, ...hooksOf(twilio)];
  return readOwned(await twilio.api.send({ method: "POST", path, fields, signal }));
}

function hooksOf({ hook }: TwilioAccount): (readonly [string, string])[] {
  return [
    ["VoiceUrl", hook("calls")],
    ["VoiceMethod", "POST"],
    ["StatusCallback", hook("call-ends")],
    ["StatusCallbackMethod", "POST"],
    ["SmsUrl", hook("messages")],
    ["SmsMethod", "POST"],
  ];
}

function readOwned(reply: CarrierReply): NumberResult<OwnedNumber> {
  const owned = toOwned(readSuccess(reply) ?? {});
  return owned ? { kind: "DONE", value: owned } : fail(reply);
}

function toOwned(row: Row): OwnedNumber | null {
  const number = textOf(row, "phone_number");
  const externalId = textOf(row, "sid");
  if (number === null || externalId === null) return null;
  return { number, externalId, capabilities: readCapabilities(row) };
}

function fail(reply: CarrierReply): Exclude<NumberResult<never>, { kind: "DONE" }> {
  if (reply.kind === "FAILED") {
    return { kind: "UNCERTAIN", code: reply.code, message: `${TWILIO_NAME} did not answer: ${reply.message}` };
  }
  const fault = readFault(reply);
  const code = fault?.code ?? `HTTP_${reply.status}`;
  const message = `${TWILIO_NAME}: ${fault?.message ?? `answered HTTP ${reply.status}.`}`;
  if (reply.status === 404 || readCode(reply) === TAKEN_CODE) return { kind: "ABSENT", message };
  const isRefused = reply.status >= 400 && reply.status < 500 && reply.status !== 408;
  const isOver = isRefused && (!mayWait(reply) || blameOf(reply) !== undefined);
  if (!isOver) return { kind: "UNCERTAIN", code, message };
  return { kind: "REFUSED", code, message, blame: blameOf(reply) ?? "NUMBER" };
}
