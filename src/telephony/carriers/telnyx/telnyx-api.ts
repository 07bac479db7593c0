import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { asObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import {
  callCarrier,
  type CarrierFault,
  type CarrierReply,
  type CarrierRequest,
} from "#src/telephony/carriers/carrier-http.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";

/** Address of Telnyx's API, unless the account's settings name another. */
export const TELNYX_API_URL = "https://api.telnyx.com/v2";

/** One request to Telnyx, by its path after the version. */
export interface TelnyxRequest {
  method: CarrierRequest["method"];
  /** With a leading slash; variable parts are already encoded. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  signal: AbortSignal;
  /** Throws when the request must not be sent any more. */
  beforeSend?: (() => void) | undefined;
}

/** Sends a request to Telnyx with the keys of one account; never throws. */
export type TelnyxApi = (request: TelnyxRequest) => Promise<CarrierReply>;

/** Creates the API client for one key. */
export function createTelnyxApi(fetch: SafeFetch, apiKey: string, apiUrl: string | undefined): TelnyxApi {
  const base = (apiUrl ?? TELNYX_API_URL).replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${apiKey}` };
  return ({ method, path, query, body, signal, beforeSend }) => {
    const search = query ? `?${new URLSearchParams(query).toString()}` : "";
    const url = base + path + search;
    return callCarrier(fetch, { method, url, headers, signal, beforeSend, ...(body ? { body } : {}) });
  };
}

/** Encodes external input as one part of a path. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** True for a successful answer. */
export function isSuccess(reply: CarrierReply): boolean {
  return reply.kind === "ANSWER" && reply.status >= 200 && reply.status < 300;
}

/** Returns the `data` of an answer, or null where it has none. */
export function readData(reply: CarrierReply): JsonObject | null {
  return reply.kind === "ANSWER" ? asObject(asObject(reply.json)?.["data"]) : null;
}

/** Returns the items of a list answer; drops items that are not objects. */
export function readList(reply: CarrierReply): JsonObject[] {
  const data = reply.kind === "ANSWER" ? asObject(reply.json)?.["data"] : null;
  return Array.isArray(data) ? data.map(asObject).filter((item) => item !== null) : [];
}

/** Returns the cursor of the next page; null after the last. */
export function readNextPage(reply: CarrierReply): string | null {
  const meta = reply.kind === "ANSWER" ? asObject(asObject(reply.json)?.["meta"]) : null;
  return asText(asObject(meta?.["cursors"])?.["after"]);
}

/** Telnyx's error, and the field of the request that it blames. */
export interface TelnyxFault extends CarrierFault {
  /** JSON pointer into the request, such as `/to`; empty where it names none. */
  pointer: string;
}

/** Returns the first error of an answer, in Telnyx's own words; null where it names none. */
export function readFault(reply: CarrierReply): TelnyxFault | null {
  if (reply.kind !== "ANSWER") return null;
  return readError(asObject(reply.json)?.["errors"]);
}

/** Returns the first error of a list, as answers and messages hold them. */
export function readError(errors: unknown): TelnyxFault | null {
  const error = Array.isArray(errors) ? asObject(errors[0]) : null;
  if (!error) return null;
  const code = error["code"];
  const words = [error["title"], error["detail"]].filter((text) => asText(text) !== null).join(": ");
  const source = asObject(error["source"]);
  return {
    code: typeof code === "string" || typeof code === "number" ? String(code) : "UNKNOWN",
    message: words || "no reason given",
    pointer: asText(source?.["pointer"]) ?? asText(source?.["parameter"]) ?? "",
  };
}
