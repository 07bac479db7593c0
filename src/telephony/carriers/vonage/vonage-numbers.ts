import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type {
  NumberCapability,
  NumberProvisioning,
  NumberResult,
  NumberWish,
  OfferedNumber,
  OwnedNumber,
} from "#src/telephony/carriers/number-provisioning.ts";
import { fromVonageNumber, toVonageNumber } from "./vonage-api.ts";
import { configureApplication } from "./vonage-application.ts";
import { readNumberFailure } from "./vonage-errors.ts";
import { asJson, asJsonList, asText, type Json } from "./vonage-json.ts";
import type { VonageParts } from "./vonage-parts.ts";

const MOST_OFFERED = 100;
const ALREADY_OWNED = /already own|your account/i;

/**
 * The numbers of a Vonage account. Vonage gives a number no id and needs its country with every order, so the id here
 * holds both: `GB:447700900000`.
 */
export class VonageNumbers implements NumberProvisioning {
  readonly #parts: VonageParts;

  constructor(parts: VonageParts) {
    this.#parts = parts;
  }

  async search(wish: NumberWish, signal: AbortSignal): Promise<NumberResult<OfferedNumber[]>> {
    const { countryCode, areaCode, limit } = wish;
    const prefix = areaCode === null ? null : toPrefix(countryCode, areaCode);
    const query = {
      country: countryCode,
      features: "VOICE",
      size: String(Math.min(MOST_OFFERED, Math.max(1, limit))),
      ...(prefix === null ? {} : { pattern: prefix, search_pattern: "0" }),
    };
    const reply = await this.#ask("/number/search", query, signal);
    const failure = readNumberFailure(reply);
    if (failure) return failure;
    const offered = listOf(reply).flatMap((json) => readOffered(json) ?? []);
    return { kind: "DONE", value: offered.slice(0, limit) };
  }

  async findOwned(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>> {
    const query = { pattern: toVonageNumber(number), search_pattern: "0", size: "10" };
    const reply = await this.#ask("/account/numbers", query, signal);
    const failure = readNumberFailure(reply);
    if (failure) return failure;
    const owned = listOf(reply)
      .flatMap((json) => readOwned(json) ?? [])
      .find((entry) => entry.number === number);
    if (owned) return { kind: "DONE", value: owned };
    const message = `The Vonage account does not hold ${number}. Rent it there, or enter the account that holds it.`;
    return { kind: "ABSENT", message };
  }

  async buy(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>> {
    const country = parsePhoneNumberFromString(number)?.country;
    if (!country) return { kind: "ABSENT", message: `${number} belongs to no country that Vonage sells numbers of.` };
    const failure = readNumberFailure(await this.#order("/number/buy", { country, number }, signal));
    if (failure?.kind === "REFUSED" && !ALREADY_OWNED.test(failure.message)) return failure;
    if (failure && failure.kind !== "REFUSED") return failure;
    const owned = await this.findOwned(number, signal);
    if (owned.kind === "DONE" || failure) return owned;
    // The list may lag behind the acknowledged order, or its request may have failed.
    const capabilities: NumberCapability[] = ["VOICE"];
    return { kind: "DONE", value: { number, externalId: toExternalId(country, number), capabilities } };
  }

  async configure(number: OwnedNumber, signal: AbortSignal): Promise<NumberResult<OwnedNumber>> {
    const application = await configureApplication(this.#parts, signal);
    if (application.kind !== "DONE") return application;
    const order = { country: countryOf(number), number: number.number };
    const extra = { app_id: this.#parts.api.applicationId };
    const failure = readNumberFailure(await this.#order("/number/update", order, signal, extra));
    return failure ?? { kind: "DONE", value: number };
  }

  async release(number: OwnedNumber, signal: AbortSignal): Promise<NumberResult<null>> {
    const order = { country: countryOf(number), number: number.number };
    const failure = readNumberFailure(await this.#order("/number/cancel", order, signal));
    return failure ?? { kind: "DONE", value: null };
  }

  #ask(path: string, query: Record<string, string>, signal: AbortSignal): Promise<CarrierReply> {
    return this.#parts.api.call({ method: "GET", host: "rest", path, proof: "ACCOUNT", query }, signal);
  }

  #order(
    path: string,
    { country, number }: { country: string; number: string },
    signal: AbortSignal,
    extra: Record<string, string> = {},
  ): Promise<CarrierReply> {
    const body = new URLSearchParams({ country, msisdn: toVonageNumber(number), ...extra });
    return this.#parts.api.call({ method: "POST", host: "rest", path, proof: "ACCOUNT", body }, signal);
  }
}

function toPrefix(countryCode: string, areaCode: string): string | null {
  const isKnown = (getCountries() as string[]).includes(countryCode);
  return isKnown ? `${getCountryCallingCode(countryCode as CountryCode)}${areaCode}` : null;
}

function listOf(reply: CarrierReply): Json[] {
  return reply.kind === "ANSWER" ? asJsonList(asJson(reply.json).numbers) : [];
}

function readOffered(json: Json): OfferedNumber | null {
  const number = fromVonageNumber(json.msisdn);
  if (!number) return null;
  const amount = asText(json.cost);
  // Vonage states prices in euros whatever the account pays in (documentation of its numbers interface).
  return { number, capabilities: readFeatures(json), monthlyPrice: amount ? { amount, currency: "EUR" } : null };
}

function readOwned(json: Json): OwnedNumber | null {
  const number = fromVonageNumber(json.msisdn);
  const country = asText(json.country);
  if (!number || !country) return null;
  return { number, externalId: toExternalId(country, number), capabilities: readFeatures(json) };
}

function readFeatures(json: Json): NumberCapability[] {
  const features = Array.isArray(json.features) ? (json.features as unknown[]) : [];
  return (["VOICE", "SMS"] as const).filter((capability) => features.includes(capability));
}

function toExternalId(country: string, number: string): string {
  return `${country}:${toVonageNumber(number)}`;
}

function countryOf({ externalId, number }: OwnedNumber): string {
  const [, country] = /^([A-Z]{2}):/.exec(externalId) ?? [];
  return country ?? parsePhoneNumberFromString(number)?.country ?? "";
}
