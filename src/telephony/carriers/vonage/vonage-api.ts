import { createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { AccountKeys } from "#src/telephony/carriers/account.ts";
import { type CarrierReply, type CarrierRequest, callCarrier } from "#src/telephony/carriers/carrier-http.ts";

/** Authentication of a request: as the application (JWT) or as the account (API key and secret). */
export type VonageProof = "APPLICATION" | "ACCOUNT";

/** One request, by its path at the host. */
export interface VonageRequest {
  method: CarrierRequest["method"];
  /** `api`: calls, messages, applications, reports. `rest`: numbers and balance. */
  host: "api" | "rest";
  path: string;
  proof: VonageProof;
  query?: Record<string, string>;
  body?: URLSearchParams | object;
  /** Throws when the request must not be sent any more. */
  beforeSend?: (() => void) | undefined;
}

const ORIGINS = { api: "https://api.nexmo.com", rest: "https://rest.nexmo.com" } as const;
/** The lifetime that the vendor's own SDK uses. */
const TOKEN_SECONDS = 900;

/** Client of one Vonage account. */
export class VonageApi {
  readonly apiKey: string;
  readonly applicationId: string;
  /** Null: the private key is not a PEM of an RSA key. */
  readonly privateKey: KeyObject | null;
  readonly #basic: string;
  readonly #origins: Record<"api" | "rest", string>;
  readonly #fetch: SafeFetch;
  readonly #now: () => number;

  constructor(keys: AccountKeys, fetch: SafeFetch, now: () => number) {
    const { apiKey = "", applicationId = "", apiUrl } = keys.settings;
    this.apiKey = apiKey;
    this.applicationId = applicationId.toLowerCase();
    this.privateKey = readPrivateKey(keys.secrets.privateKey ?? "");
    this.#basic = createBasicHeader(apiKey, keys.secrets.apiSecret ?? "");
    const origin = apiUrl?.replace(/\/+$/, "");
    this.#origins = origin ? { api: origin, rest: origin } : ORIGINS;
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Sends one request; never throws. */
  call(request: VonageRequest, signal: AbortSignal): Promise<CarrierReply> {
    const { method, host, path, proof, query, body, beforeSend } = request;
    const search = query ? `?${new URLSearchParams(query).toString()}` : "";
    return callCarrier(this.#fetch, {
      method,
      url: `${this.#origins[host]}${path}${search}`,
      headers: { authorization: proof === "ACCOUNT" ? this.#basic : this.#createBearer() },
      ...(body === undefined ? {} : { body }),
      signal,
      beforeSend,
    });
  }

  #createBearer(): string {
    return this.privateKey
      ? `Bearer ${createApplicationToken(this.applicationId, this.privateKey, this.#now())}`
      : "Bearer ";
  }
}

/** Returns the header for an account's key and secret. */
export function createBasicHeader(apiKey: string, apiSecret: string): string {
  return `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}`;
}

/** Creates the token of an application: a JWT signed with its private key (RFC 7519, RS256). */
export function createApplicationToken(applicationId: string, privateKey: KeyObject, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1_000);
  const claims = { application_id: applicationId, iat: issuedAt, exp: issuedAt + TOKEN_SECONDS, jti: randomUUID() };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

/** Reads the private key; keys pasted into one line have `\n` written out. */
function readPrivateKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem.replaceAll("\\n", "\n"));
    return key.asymmetricKeyType === "rsa" ? key : null;
  } catch {
    return null;
  }
}

/** Converts a number to Vonage's form: E.164 without "+". */
export function toVonageNumber(number: string): string {
  return number.replace(/^\+/, "");
}

/** Converts a number of Vonage's to E.164; null for a withheld one, a name, or an address. */
export function fromVonageNumber(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\+?[1-9]\d{4,14}$/.test(text) ? `+${toVonageNumber(text)}` : null;
}
