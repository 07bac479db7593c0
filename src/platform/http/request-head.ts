import type { IncomingMessage } from "node:http";
import { AppError } from "#src/platform/kernel/errors.ts";

/** Name or address and port (RFC 3986, 3.2.2); empty where the target has no authority. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

/**
 * Refuses a request whose head a server must refuse by RFC 9112: 400 for a Host header that is missing (3.2; not in
 * HTTP/1.0), repeated or malformed, 501 for a transfer coding other than chunked (6.1).
 */
export function assertHead({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  const { host, "transfer-encoding": coding } = headers;
  if (host === undefined) {
    if (httpVersion === "1.1") throw hostError("is missing");
  } else {
    if (!HOST.test(host)) throw hostError("is no host and port");
    if (countHosts(rawHeaders) > 1) throw hostError("is there more than once");
  }
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") {
    throw new AppError("NOT_IMPLEMENTED", "The only transfer coding that is understood is chunked.");
  }
}

/** Address of a client that reset its connection before anybody asked for it. */
const GONE = "unknown";

/** An address as some proxies write it into X-Forwarded-For, with the client's port: those of Azure and IIS. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/i;

/**
 * Returns the address of a request's client, without a port. Fastify's is undefined once the connection is reset, whatever
 * its type.
 */
export function addressOf({ ip }: { ip: string | undefined }): string {
  const [, inBrackets, before] = WITH_PORT.exec(ip ?? "") ?? [];
  return inBrackets ?? before ?? ip ?? GONE;
}

/** Counts Host headers in the raw list, because Node keeps only the first of several. */
function countHosts(rawHeaders: string[] = []): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

function hostError(rest: string): AppError {
  return new AppError("INVALID_HEADER", `Host ${rest}.`, [{ path: "Host", code: "FORMAT", message: `Host ${rest}.` }]);
}
