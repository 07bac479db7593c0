import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from "libphonenumber-js/max";
import { fictionalCode, isE164 } from "#src/platform/kernel/e164.ts";
import { type PlannedNumber, readPlannedNumber } from "./number-plans.ts";

/** Kind of a number for the gate. Anything but ALLOWED stops a dial. */
export type NumberClass = "ALLOWED" | "EMERGENCY" | "PREMIUM" | "SATELLITE" | "INVALID";

export interface ClassifiedNumber {
  /** ISO 3166; ZZ when it cannot be determined. */
  country: string;
  numberClass: NumberClass;
}

/** The sandbox number that stands for a country that is not enabled (docs/sandbox.md). */
const FICTIONAL_FORBIDDEN_COUNTRY = 33;

// Global satellite networks and +979 premium: libphonenumber classifies some of them as plain mobiles (measured).
const SATELLITE = /^\+(870|878|881|882|883)/;
const GLOBAL_PREMIUM = /^\+979/;
const PREMIUM_TYPES = new Set(["PREMIUM_RATE", "SHARED_COST", "UAN", "PAGER", "PERSONAL_NUMBER"]);
/** Short emergency codes that carriers may connect although digits follow, by calling code. */
const EMERGENCY = /^\+(?:1(?:911|112)\d{0,7}|44(?:999|112)\d{0,4}|61(?:000|112)\d{0,4}|\d{1,3}(?:112|911))$/;

const COUNTRY_BY_CALLING_CODE = new Map<string, string>();
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  if (!COUNTRY_BY_CALLING_CODE.has(code)) COUNTRY_BY_CALLING_CODE.set(code, country);
}
COUNTRY_BY_CALLING_CODE.set("1", "US");
COUNTRY_BY_CALLING_CODE.set("44", "GB");
COUNTRY_BY_CALLING_CODE.set("7", "RU");

/** True for the ISO 3166 code of a country that has phone numbers. */
export function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/**
 * Returns a number as people write it in E.164, such as +12025550100 for (202) 555-0100 and the country US; null when it
 * is none. Without a country it must begin with a plus sign or 00. With one, E.164 may also lack its sign.
 */
export function toE164(written: string, country: string | null): string | null {
  const home = country !== null && isCountry(country) ? country : undefined;
  const text = written.trim().replace(/^00(?=[1-9])/, "+");
  const parsed = parsePhoneNumberFromString(text, home);
  const unsigned = home && readUnsigned(text, home, parsed);
  if (unsigned) return unsigned;
  return parsed?.isPossible() && isE164(parsed.number) ? parsed.number : null;
}

/**
 * Returns the number that digits with their country's code but no plus sign mean, as forms and WhatsApp write it; null
 * for other texts, and for a number in its national form. A country with numbers of many lengths may have one of its own
 * that reads so without its trunk zero: 49 151 12345678 is a mobile of Germany, where (04915) 112345678 exists as well.
 */
function readUnsigned(text: string, home: CountryCode, parsed: PhoneNumber | undefined): string | null {
  const digits = /^[\d\s()./-]+$/.test(text) ? text.replaceAll(/\D/g, "") : "";
  if (!digits.startsWith(getCountryCallingCode(home)) || isNationalForm(digits, parsed)) return null;
  return readValid(`+${digits}`);
}

function isNationalForm(digits: string, parsed: PhoneNumber | undefined): boolean {
  return parsed?.formatNational().replaceAll(/\D/g, "") === digits;
}

/** Shorter callers without "+" are extensions of a PBX, although some islands have numbers as short. */
const CALLER_DIGITS = /^\d{7,}$/;

/**
 * Returns the E.164 number that a network means by a caller's digits: with "+" or 00, as people in the called country
 * dial it, or else with neither. Null for what is no valid number. National form comes before E.164 without its sign,
 * because a domestic number such as (51) 98765-4321 may also be a foreign one.
 */
export function readCallerNumber(written: string, calledCountry: string): string | null {
  if (isE164(written)) return readValid(written);
  if (!CALLER_DIGITS.test(written)) return null;
  const foreign = readValid(`+${written.replace(/^00/, "")}`);
  const parsed = isCountry(calledCountry) ? parsePhoneNumberFromString(written, calledCountry) : undefined;
  const home = parsed ? readValid(parsed.number) : null;
  return isNationalForm(written, parsed) ? (home ?? foreign) : (foreign ?? home);
}

function readValid(number: string): string | null {
  const dialable = toDialable(number);
  return isValid(dialable) ? (parsePhoneNumberFromString(dialable)?.number ?? dialable) : null;
}

function isValid(number: string): boolean {
  return isE164(number) && classifyNumber(number).numberClass !== "INVALID";
}

/**
 * Returns the number as it is dialled today. WhatsApp still names accounts by numbers of plans that were replaced: with
 * a 1 after Mexico's 52 (dropped in 2019), and without the 9 before the eight digits of a Brazilian mobile (added until
 * 2016). Its Cloud API takes the dialable number and maps it to the account. Any other number is returned unchanged.
 */
export function toDialable(number: string): string {
  if (isValid(number)) return number;
  const renumbered = number
    .replace(/^\+521(?=\d{10}$)/, "+52")
    .replace(/^\+55[1-9]{2}(?=[6-9]\d{7}$)/, (area) => `${area}9`);
  return isValid(renumbered) ? renumbered : number;
}

/** Classifies an E.164 number once, when its row is stored; the gate reads the result at every dial. */
export function classifyNumber(number: string): ClassifiedNumber {
  const code = fictionalCode(number);
  if (code !== null) return { country: fictionalCountry(number, code), numberClass: "ALLOWED" };
  const { country: exact, callingCode, type } = readPlannedNumber(number) ?? readByLibrary(number);
  const country = exact ?? COUNTRY_BY_CALLING_CODE.get(callingCode) ?? "ZZ";
  if (EMERGENCY.test(number)) return { country, numberClass: "EMERGENCY" };
  if (SATELLITE.test(number)) return { country, numberClass: "SATELLITE" };
  if (GLOBAL_PREMIUM.test(number) || (type !== undefined && PREMIUM_TYPES.has(type))) {
    return { country, numberClass: "PREMIUM" };
  }
  // A number is valid when it has a type; asking for both would match it against every pattern twice.
  return { country, numberClass: type === undefined ? "INVALID" : "ALLOWED" };
}

function readByLibrary(number: string): PlannedNumber {
  const parsed = parsePhoneNumberFromString(number);
  return { country: parsed?.country, callingCode: parsed?.countryCallingCode ?? "", type: parsed?.getType() };
}

function fictionalCountry(number: string, code: number): string {
  if (code === FICTIONAL_FORBIDDEN_COUNTRY) return "ZZ";
  if (number.startsWith("+44")) return "GB";
  return number.startsWith("+61") ? "AU" : "US";
}
