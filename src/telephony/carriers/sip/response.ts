import { readTag } from "./name-addr.ts";
import { SipHeaders, type SipRequest, type SipResponse } from "./sip-message.ts";

/** The usual phrase of each status; others are sent without one. */
const REASONS: Record<number, string> = {
  100: "Trying",
  180: "Ringing",
  183: "Session Progress",
  200: "OK",
  202: "Accepted",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  415: "Unsupported Media Type",
  420: "Bad Extension",
  480: "Temporarily Unavailable",
  481: "Call/Transaction Does Not Exist",
  482: "Loop Detected",
  483: "Too Many Hops",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  489: "Bad Event",
  491: "Request Pending",
  500: "Server Internal Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "Version Not Supported",
  603: "Decline",
};

/** Contents of a response besides those copied from the request. */
export interface ResponseParts {
  /** For a request that came without a tag in To; a 100 has none. */
  toTag?: string;
  headers?: Iterable<[name: string, value: string]>;
  body?: Buffer;
}

/** Creates a response to a request (RFC 3261, 8.2.6); Record-Route is repeated where it makes a dialog (12.1.1). */
export function createResponse(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const headers = new SipHeaders();
  for (const name of ["Via", "From", "To", "Call-ID", "CSeq"]) {
    for (const value of request.headers.getAll(name)) headers.add(name, value);
  }
  const to = headers.get("To") ?? "";
  if (status > 100 && parts.toTag && readTag(to) === null) headers.set("To", `${to};tag=${parts.toTag}`);
  if (request.method === "INVITE" && status > 100 && status < 300) {
    for (const value of request.headers.getAll("Record-Route")) headers.add("Record-Route", value);
  }
  for (const value of status === 100 ? request.headers.getAll("Timestamp") : []) headers.set("Timestamp", value);
  for (const [name, value] of parts.headers ?? []) headers.add(name, value);
  const body = parts.body ?? Buffer.alloc(0);
  return { kind: "RESPONSE", status, reason: REASONS[status] ?? "", headers, body };
}
