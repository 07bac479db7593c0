import { isE164 } from "#src/platform/kernel/e164.ts";
import { asObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import { type AccountParts, webhookUrl } from "#src/telephony/carriers/account.ts";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import type {
  NumberCapability,
  NumberProvisioning,
  NumberResult,
  NumberWish,
  OfferedNumber,
  OwnedNumber,
} from "#src/telephony/carriers/number-provisioning.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { encodePart, isSuccess, readData, readFault, readList, type TelnyxApi } from "./telnyx-api.ts";
import { explainAccount } from "./telnyx-errors.ts";
import { TELNYX } from "./telnyx-messages.ts";

const MAX_OFFERS = 250;
const FEATURES: Readonly<Record<string, NumberCapability>> = { voice: "VOICE", sms: "SMS" };
/** States in which the account holds a number that works, or soon will. */
const HELD = new Set(["active", "emergency-only", "port-out-pending"]);
const COMING = new Set(["purchase-pending", "port-pending"]);

/** Dependencies of an account's numbers. */
export interface TelnyxNumberParts {
  accountId: string;
  connectionId: string;
  messagingProfileId: string | null;
  api: TelnyxApi;
  account: Pick<AccountParts, "publicUrl">;
}

type Failure = Exclude<NumberResult<never>, { kind: "DONE" }>;

/** The numbers of a Telnyx account. */
export class TelnyxNumbers implements NumberProvisioning {
  readonly #parts: TelnyxNumberParts;

  constructor(parts: TelnyxNumberParts) {
    this.#parts = parts;
  }

  async search(
    { countryCode, areaCode, limit }: NumberWish,
    signal: AbortSignal,
  ): Promise<NumberResult<OfferedNumber[]>> {
    const query = {
      "filter[country_code]": countryCode,
      "filter[features]": "voice",
      "filter[limit]": String(Math.min(MAX_OFFERS, Math.max(1, limit))),
      ...(areaCode ? { "filter[national_destination_code]": areaCode } : {}),
    };
    const reply = await this.#parts.api({ method: "GET", path: "/available_phone_numbers", query, signal });
    if (!isSuccess(reply)) return explain(reply, "search for numbers");
    // A trial account is shown most numbers with their last digits masked.
    return { kind: "DONE", value: readList(reply).flatMap(toOffer).slice(0, limit) };
  }

  async findOwned(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>> {
    const { api } = this.#parts;
    // By the documentation, characters other than digits find nothing.
    const query = { "filter[phone_number]": number.replace("+", "") };
    const reply = await api({ method: "GET", path: "/phone_numbers", query, signal });
    if (!isSuccess(reply)) return explain(reply, "look for the number");
    const all = readList(reply).filter((one) => one["phone_number"] === number);
    const held = all.find((one) => HELD.has(asText(one["status"]) ?? "active"));
    const externalId = asText(held?.["id"]);
    if (externalId) {
      const capabilities = await this.#readCapabilities(externalId, signal);
      return { kind: "DONE", value: { number, externalId, capabilities } };
    }
    const isComing = all.some((one) => COMING.has(asText(one["status"]) ?? ""));
    if (isComing) return { kind: "UNCERTAIN", code: "PURCHASE_PENDING", message: "Telnyx still works on the order." };
    return { kind: "ABSENT", message: `${number} is not a number of this Telnyx account.` };
  }

  /** Returns a number's capabilities: always voice; messages only when messaging is set up for it. */
  async #readCapabilities(externalId: string, signal: AbortSignal): Promise<NumberCapability[]> {
    const path = `/phone_numbers/${encodePart(externalId)}/messaging`;
    const reply = await this.#parts.api({ method: "GET", path, signal });
    const features = asObject(readData(reply)?.["features"]);
    return asObject(features?.["sms"]) ? ["VOICE", "SMS"] : ["VOICE"];
  }

  async buy(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>> {
    const { api, connectionId, messagingProfileId } = this.#parts;
    const body = {
      phone_numbers: [{ phone_number: number }],
      connection_id: connectionId,
      ...(messagingProfileId ? { messaging_profile_id: messagingProfileId } : {}),
    };
    const reply = await api({ method: "POST", path: "/number_orders", body, signal });
    if (!isSuccess(reply)) return explain(reply, `buy ${number}`);
    const failure = readOrder(readData(reply), number);
    if (failure) return failure;
    const found = await this.findOwned(number, signal);
    if (found.kind === "DONE") return found;
    // The list may lag behind the completed order.
    return { kind: "UNCERTAIN", code: "ORDER_DONE", message: `Telnyx sold ${number} and does not show it yet.` };
  }

  async configure(owned: OwnedNumber, signal: AbortSignal): Promise<NumberResult<OwnedNumber>> {
    const { api, connectionId, messagingProfileId } = this.#parts;
    const failure =
      (await this.#pointApplication(signal)) ??
      (messagingProfileId ? await this.#pointProfile(messagingProfileId, signal) : null);
    if (failure) return failure;
    const path = `/phone_numbers/${encodePart(owned.externalId)}`;
    const voice = await api({ method: "PATCH", path, body: { connection_id: connectionId }, signal });
    if (!isSuccess(voice)) return explain(voice, `set up ${owned.number}`);
    if (!messagingProfileId || !owned.capabilities.includes("SMS")) return { kind: "DONE", value: owned };
    const body = { messaging_profile_id: messagingProfileId };
    const messaging = await api({ method: "PATCH", path: `${path}/messaging`, body, signal });
    return isSuccess(messaging)
      ? { kind: "DONE", value: owned }
      : explain(messaging, `set up messages of ${owned.number}`);
  }

  /** Sets the address for reports of calls in their application; dialled calls name their own. */
  async #pointApplication(signal: AbortSignal): Promise<Failure | null> {
    const { api, connectionId } = this.#parts;
    const path = `/call_control_applications/${encodePart(connectionId)}`;
    const found = await api({ method: "GET", path, signal });
    const application = readData(found);
    if (!isSuccess(found) || !application) return explain(found, "read the Voice API application", "ACCOUNT");
    const url = this.#url("calls");
    if (application["webhook_event_url"] === url && application["webhook_api_version"] === "2") return null;
    const body = {
      application_name: asText(application["application_name"]) ?? "Parley",
      webhook_event_url: url,
      webhook_api_version: "2",
    };
    const reply = await api({ method: "PATCH", path, body, signal });
    return isSuccess(reply) ? null : explain(reply, "set up the Voice API application", "ACCOUNT");
  }

  async #pointProfile(profileId: string, signal: AbortSignal): Promise<Failure | null> {
    const path = `/messaging_profiles/${encodePart(profileId)}`;
    const body = { webhook_url: this.#url("messages"), webhook_api_version: "2" };
    const reply = await this.#parts.api({ method: "PATCH", path, body, signal });
    return isSuccess(reply) ? null : explain(reply, "set up the messaging profile", "ACCOUNT");
  }

  #url(path: string): string {
    return webhookUrl(this.#parts.account.publicUrl, TELNYX, this.#parts.accountId, path);
  }

  async release({ externalId, number }: OwnedNumber, signal: AbortSignal): Promise<NumberResult<null>> {
    const path = `/phone_numbers/${encodePart(externalId)}`;
    const reply = await this.#parts.api({ method: "DELETE", path, signal });
    return isSuccess(reply) ? { kind: "DONE", value: null } : explain(reply, `release ${number}`);
  }
}

function toOffer(offer: JsonObject): OfferedNumber[] {
  const number = asText(offer["phone_number"]) ?? "";
  if (!isE164(number)) return [];
  const features = Array.isArray(offer["features"]) ? offer["features"] : [];
  const capabilities = features.flatMap((feature) => FEATURES[asText(asObject(feature)?.["name"]) ?? ""] ?? []);
  const cost = asObject(offer["cost_information"]);
  const amount = asText(cost?.["monthly_cost"]);
  const currency = asText(cost?.["currency"]);
  return [{ number, capabilities, monthlyPrice: amount && currency ? { amount, currency } : null }];
}

/** Returns null for a completed order. Telnyx continues to work on an accepted order. */
function readOrder(order: JsonObject | null, number: string): Failure | null {
  const status = asText(order?.["status"]);
  const id = asText(order?.["id"]) ?? "";
  if (status === "success") return null;
  if (status === "failure") {
    return {
      kind: "REFUSED",
      code: "ORDER_FAILED",
      message: `Telnyx could not sell ${number}; it may be gone.`,
      blame: "NUMBER",
    };
  }
  if (order?.["requirements_met"] === false) {
    const message = `Telnyx wants papers for ${number} before it sells it: give them in the portal, order ${id}.`;
    return { kind: "REFUSED", code: "REQUIREMENTS_NOT_MET", message, blame: "NUMBER", mayStillCome: true };
  }
  return { kind: "UNCERTAIN", code: "ORDER_PENDING", message: `Telnyx works on order ${id} for ${number}.` };
}

/** Returns the failure of an order about a number. A 5xx or no answer proves nothing. */
function explain(reply: CarrierReply, what: string, blame: "NUMBER" | "ACCOUNT" = "NUMBER"): Failure {
  if (reply.kind === "FAILED") {
    return { kind: "UNCERTAIN", code: reply.code, message: `Telnyx could not be reached to ${what}: ${reply.message}` };
  }
  const { status } = reply;
  const fault = readFault(reply);
  const code = fault?.code ?? `HTTP_${status}`;
  const account = explainAccount(fault);
  const said = fault?.message ?? `HTTP ${status}`;
  if (status < 400 || status === 429 || status >= 500) {
    return { kind: "UNCERTAIN", code, message: `Telnyx cannot ${what} now: ${said}` };
  }
  if (account || status === 401 || status === 403) {
    const hint = "the API key may not do this, or the account is a trial";
    return { kind: "REFUSED", code, message: account ?? `Telnyx may not ${what} (${hint}): ${said}`, blame: "ACCOUNT" };
  }
  if (status === 404) return { kind: "ABSENT", message: `Telnyx could not ${what}: ${said}` };
  return { kind: "REFUSED", code, message: `Telnyx refuses to ${what}: ${said}`, blame };
}
