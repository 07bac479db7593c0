import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import {
  callCarrier,
  type CarrierFault,
  type CarrierReply,
  type CarrierRequest,
} from "#src/telephony/carriers/carrier-http.ts";
import { asObject, asText, type JsonObject } from "#src/telephony/carriers/socket-json.ts";

/** Where Telnyx is asked unless the account's settings name another place. */
export const TELNYX_API_URL = "https://api.telnyx.com/v2";

/** One question to Telnyx, by its path behind the version. */
export interface TelnyxRequest {
  method: CarrierRequest["method"];
  /** With a leading slash; what varies in it is already encoded. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  signal: AbortSignal;
  /** Throws when the request must not leave any more. */
  beforeSend?: (() => void) | undefined;
}

/** Asks Telnyx with the keys of one account; never throws. */
export type TelnyxApi = (request: TelnyxRequest) => Promise<CarrierReply>;

/** An interface to the account of one key. */
export function createTelnyxApi(fetch: SafeFetch, apiKey: string, apiUrl: string | undefined): TelnyxApi {
  const base = (apiUrl ?? TELNYX_API_URL).replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${apiKey}` };
  return ({ method, path, query, body, signal, beforeSend }) => {
    const search = query ? `?${new URLSearchParams(query).toString()}` : "";
    const url = base + path + search;
    return callCarrier(fetch, { method, url, headers, signal, beforeSend, ...(body ? { body } : {}) });
  };
}

/** A part of a path that came from outside. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** True for an answer that says yes. */
export function isSuccess(reply: CarrierReply): boolean {
  return reply.kind === "ANSWER" && reply.status >= 200 && reply.status < 300;
}

/** The `data` of an answer, or null where it has none. */
export function readData(reply: CarrierReply): JsonObject | null {
  return reply.kind === "ANSWER" ? asObject(asObject(reply.json)?.["data"]) : null;
}

/** The items of an answer that lists; what is no object is left out. */
export function readList(reply: CarrierReply): JsonObject[] {
  const data = reply.kind === "ANSWER" ? asObject(reply.json)?.["data"] : null;
  return Array.isArray(data) ? data.map(asObject).filter((item) => item !== null) : [];
}

/** The cursor of the page that follows; null after the last. */
export function readNextPage(reply: CarrierReply): string | null {
  const meta = reply.kind === "ANSWER" ? asObject(asObject(reply.json)?.["meta"]) : null;
  return asText(asObject(meta?.["cursors"])?.["after"]);
}

/** What Telnyx says of a failure, and which field of the request it blames. */
export interface TelnyxFault extends CarrierFault {
  /** JSON pointer into the request, such as `/to`; empty where it names none. */
  pointer: string;
}

/** The first error of an answer, in Telnyx's own words; null where it names none. */
export function readFault(reply: CarrierReply): TelnyxFault | null {
  if (reply.kind !== "ANSWER") return null;
  return readError(asObject(reply.json)?.["errors"]);
}

/** The first of a list of errors as answers and messages hold them. */
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
