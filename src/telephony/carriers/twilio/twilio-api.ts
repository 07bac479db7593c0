import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { AccountKeys } from "#src/telephony/carriers/account.ts";
import { callCarrier, type CarrierReply } from "#src/telephony/carriers/carrier-http.ts";

const DEFAULT_URL = "https://api.twilio.com";
const VERSION = "2010-04-01";

/** One request below the account's own address. */
export interface TwilioOrder {
  method: "GET" | "POST" | "DELETE";
  /** Path after the account, with its leading slash; ".json" is the account itself. */
  path: string;
  /** Names and values; names may repeat. In the body of a POST, in the query of any other request. */
  fields?: readonly (readonly [string, string])[];
  signal: AbortSignal;
  /** Authenticates as the account itself, even where an API key was given. */
  asAccount?: boolean;
  /** Throws when the request must not be sent any more. */
  beforeSend?: (() => void) | undefined;
}

/** Client of Twilio's REST API for one account. */
export class TwilioApi {
  readonly #fetch: SafeFetch;
  readonly #baseUrl: string;
  readonly #account: string;
  readonly #requests: string;
  /** True when requests use an API key and not the account's own token. */
  readonly usesKey: boolean;

  constructor({ settings, secrets }: AccountKeys, fetch: SafeFetch) {
    const { accountSid = "", apiKeySid, apiUrl = DEFAULT_URL } = settings;
    const { authToken = "", apiKeySecret } = secrets;
    this.#fetch = fetch;
    this.#baseUrl = `${apiUrl.replace(/\/+$/, "")}/${VERSION}/Accounts/${accountSid}`;
    this.#account = toBasic(accountSid, authToken);
    this.usesKey = Boolean(apiKeySid && apiKeySecret);
    this.#requests = apiKeySid && apiKeySecret ? toBasic(apiKeySid, apiKeySecret) : this.#account;
  }

  /** Sends one request; never throws. */
  send({ method, path, fields = [], signal, asAccount, beforeSend }: TwilioOrder): Promise<CarrierReply> {
    const values = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]));
    const query = method !== "POST" && fields.length > 0 ? `?${values.toString()}` : "";
    return callCarrier(this.#fetch, {
      method,
      url: `${this.#baseUrl}${path}${query}`,
      headers: { authorization: asAccount ? this.#account : this.#requests },
      ...(method === "POST" ? { body: values } : {}),
      signal,
      beforeSend,
    });
  }
}

function toBasic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}

/** Returns the object of a successful answer; null for a failure, and for an answer that is not an object. */
export function readSuccess(reply: CarrierReply): Record<string, unknown> | null {
  if (reply.kind === "FAILED" || reply.status < 200 || reply.status > 299) return null;
  return asRecord(reply.json);
}

/** Returns the objects of a list in a successful answer; null for a failure, and for an answer without that list. */
export function readList(reply: CarrierReply, name: string): Record<string, unknown>[] | null {
  const list = readSuccess(reply)?.[name];
  return Array.isArray(list) ? list.map(asRecord).filter((item) => item !== null) : null;
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** Returns a field that is a non-empty text, else null. */
export function textOf(record: Record<string, unknown>, name: string): string | null {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : null;
}
