import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ABSOLUTE_SECONDS } from "#src/tenancy/users/sessions.ts";

/** Characters of a token in a cookie. */
export const TOKEN_LENGTH = 43;

/** Name and attributes of the session's cookie at a public address. */
export interface CookieStyle {
  name: string;
  attributes: string;
}

/**
 * Returns the cookie's name and attributes. Under https the cookie is bound to this very origin (`__Host-`). Browsers
 * share cookies among the ports of a host, so under plain http the name contains the port: two servers on one machine
 * keep theirs apart.
 */
export function cookieStyle(publicUrl: string): CookieStyle {
  const { protocol, port } = new URL(publicUrl);
  const common = "Path=/; HttpOnly; SameSite=Lax";
  if (protocol === "https:") return { name: "__Host-parley", attributes: `${common}; Secure` };
  return { name: `parley_${port || "80"}`, attributes: common };
}

/** Returns the token in a request's cookie. */
export function readToken(headers: IncomingHttpHeaders, { name }: CookieStyle): string | undefined {
  for (const pair of (headers.cookie ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return /^[0-9A-Za-z]{43}$/.test(value) ? value : undefined;
  }
  return undefined;
}

/** Returns the header that stores a token in the browser, a session's unless another life is given. */
export function keepToken(
  token: string,
  { name, attributes }: CookieStyle,
  seconds = ABSOLUTE_SECONDS,
): Record<string, string> {
  return { "set-cookie": `${name}=${token}; ${attributes}; Max-Age=${seconds}` };
}

/** Returns the cookie of a step of a sign-in: its token is no session's, and is never taken for one. */
export function stepCookie({ name, attributes }: CookieStyle, step: "second" | "passkey" | "sign-on"): CookieStyle {
  return { name: `${name}_${step}`, attributes };
}

/** Returns the header that makes the browser delete it. */
export function forgetToken({ name, attributes }: CookieStyle): Record<string, string> {
  return { "set-cookie": `${name}=; ${attributes}; Max-Age=0` };
}

/**
 * Returns the CSRF token of a session, which our pages can know and other origins cannot. It is derived from the
 * session's token, so nothing is stored.
 */
export function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("csrf").digest("base64url");
}

/** True when a request carries the CSRF token. */
export function showsCsrfToken(headers: IncomingHttpHeaders, csrfToken: string): boolean {
  const given = Buffer.from(String(headers["x-csrf-token"] ?? ""));
  const wanted = Buffer.from(csrfToken);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
