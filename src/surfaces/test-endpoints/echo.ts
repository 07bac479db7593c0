import type { IncomingHttpHeaders } from "node:http";
import { maskHeaders } from "#src/authoring/tools/api-headers.ts";
import { mediaType } from "#src/platform/http/body.ts";
import { parseJson, RawJson } from "#src/platform/http/json.ts";
import { anyObject, anyValue, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";

/** A received request, as it is echoed. */
export const Echo = Type.Object(
  {
    method: Type.String(),
    headers: anyObject("By lower-case name; values that carry credentials are masked."),
    query: anyObject("By name; a parameter that came several times is a list."),
    body: anyValue("The JSON value, the text, or the bytes in base64; null when there was none."),
    bodyEncoding: oneOf(["JSON", "TEXT", "BASE64", "NONE"], "How body is to be read."),
  },
  { $id: "Echo" },
);
export type Echo = Static<typeof Echo>;

/** Parts of a request that are echoed. */
export interface EchoedRequest {
  headers: IncomingHttpHeaders;
  query: Record<string, unknown>;
  bytes: Buffer;
}

/** Returns a request as received, without the credentials in its headers; a JSON body keeps its own text. */
export function toEcho(method: string, request: EchoedRequest): Echo {
  // Parsing and writing again would lose digits and repeated members.
  return describe(method, request, (text) => {
    JSON.parse(text);
    return new RawJson(text);
  });
}

/** Returns the values of an echo's JSON body, to read parameters from; null when there is none that could be stored. */
export function readEchoed({ body }: Echo): unknown {
  if (!(body instanceof RawJson)) return null;
  try {
    return parseJson(body.text);
  } catch {
    return null;
  }
}

function describe(method: string, { headers, query, bytes }: EchoedRequest, read: (text: string) => unknown): Echo {
  return {
    method,
    headers: maskHeaders(headers),
    query: { ...query },
    ...readBody(bytes, mediaType(headers["content-type"]), read),
  };
}

function readBody(bytes: Buffer, type: string, read: (text: string) => unknown): Pick<Echo, "body" | "bodyEncoding"> {
  if (bytes.length === 0) return { body: null, bodyEncoding: "NONE" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { body: bytes.toString("base64"), bodyEncoding: "BASE64" };
  }
  if (type !== "" && !/^application\/([\w.-]+\+)?json$/.test(type)) return { body: text, bodyEncoding: "TEXT" };
  try {
    return { body: read(text), bodyEncoding: "JSON" };
  } catch {
    return { body: text, bodyEncoding: "TEXT" };
  }
}
