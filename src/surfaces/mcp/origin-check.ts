import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#src/platform/kernel/errors.ts";

/**
 * Refuses requests that another site's page made a browser send: a Host that is not this service's name (DNS
 * rebinding), or an Origin that is not its own. A service on a loopback address accepts every loopback name.
 */
export function assertOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const own = new URL(publicUrl);
  const host = readHostname(`http://${headers.host ?? ""}`);
  if (host === undefined || !isOwn(host, own.hostname)) {
    throw new AppError("FORBIDDEN", `This is not the server of that name. Its address is ${publicUrl} (PARLEY_URL).`);
  }
  const { origin } = headers;
  if (origin === undefined || origin === own.origin) return;
  const from = readHostname(origin);
  if (from !== undefined && isLoopback(from) && isLoopback(own.hostname)) return;
  throw new AppError("FORBIDDEN", "Pages of another origin may not call this server.");
}

function isOwn(host: string, own: string): boolean {
  return host === own || (isLoopback(host) && isLoopback(own));
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function readHostname(url: string): string | undefined {
  return URL.parse(url)?.hostname || undefined;
}
