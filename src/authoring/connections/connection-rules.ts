import { isIP } from "node:net";
import { fieldError } from "#src/platform/kernel/errors.ts";
import type { ConnectionChange } from "./connection-fields.ts";
import type { CustomProvider, Method, ProviderName } from "./providers.ts";

/** Addresses of a connection. */
interface Addresses {
  provider: ProviderName;
  method: Method;
  baseUrl: string | null;
  custom: CustomProvider | null;
}

/** Reads the origin of a connection's own server. */
export function readBaseUrl(url: string | null): string | null {
  return url === null ? null : readOrigin("baseUrl", url);
}

/** Reads the addresses of a CUSTOM provider; its origins in their usual form, each once. */
export function readCustom(custom: NonNullable<ConnectionChange["custom"]>): CustomProvider {
  const origins = custom.apiOrigins.map((url, i) => readOrigin(`custom.apiOrigins.${i}`, url));
  return { ...custom, apiOrigins: [...new Set(origins)] };
}

/** Throws a 422 that names the first address that is missing, not for its provider, or not allowed by `check`. */
export function assertAddresses(check: (field: string, url: string) => void, addresses: Addresses): void {
  const { provider, method, baseUrl, custom } = addresses;
  if (provider === "CUSTOM" && baseUrl !== null) {
    throw fieldError("baseUrl", "PROVIDER", "is not for CUSTOM, whose addresses are in custom.");
  }
  if (provider !== "CUSTOM" && custom !== null) throw fieldError("custom", "PROVIDER", "is for CUSTOM alone.");
  if (provider === "CUSTOM" && custom === null) throw fieldError("custom", "REQUIRED", "is required for CUSTOM.");
  if (method === "OAUTH" && custom) {
    for (const field of ["authorizationUrl", "tokenUrl"] as const) {
      if (!custom[field]) throw fieldError(`custom.${field}`, "REQUIRED", "is required for OAUTH.");
    }
  }
  const { authorizationUrl, tokenUrl, revocationUrl, apiOrigins = [] } = custom ?? {};
  const named = Object.entries({ baseUrl, ...prefix({ authorizationUrl, tokenUrl, revocationUrl }) });
  const all = [...named, ...apiOrigins.map((url, i): [string, string] => [`custom.apiOrigins.${i}`, url])];
  for (const [field, url] of all) {
    if (!url) continue;
    check(field, url);
    assertEncrypted(field, new URL(url));
  }
}

function prefix(fields: Record<string, string | null | undefined>): Record<string, string | null | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`custom.${name}`, value]));
}

function readOrigin(field: string, text: string): string {
  const url = URL.parse(text.trim());
  const isOrigin = url !== null && url.origin !== "null" && url.pathname === "/" && !url.search && !url.username;
  if (!isOrigin) throw fieldError(field, "ORIGIN", "is not scheme and host alone, such as https://api.example.com.");
  return url.origin;
}

/** Refuses to send secrets unencrypted, except to addresses, which are of this machine or of a private network. */
function assertEncrypted(field: string, { protocol, hostname }: URL): void {
  if (protocol === "https:" || isIP(hostname) !== 0 || hostname === "localhost") return;
  throw fieldError(field, "NOT_ENCRYPTED", "must begin with https://, since secrets are sent there.");
}
