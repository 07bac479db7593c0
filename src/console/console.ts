import { cookieStyle, type CookieStyle } from "./cookie.ts";

/** How the dashboard is served at a public address. */
export interface ConsoleSettings {
  cookie: CookieStyle;
  /** False: passwords would cross a network in the clear, so nobody signs in. */
  isSafe: boolean;
}

/** Reads the settings off the public address; `insecureSignIn` is the operator's word that plain http will do. */
export function readConsoleSettings(publicUrl: string, insecureSignIn: boolean): ConsoleSettings {
  const { protocol, hostname } = new URL(publicUrl);
  const isSafe = protocol === "https:" || isLoopback(hostname) || insecureSignIn;
  return { cookie: cookieStyle(publicUrl), isSafe };
}

/** True for names of this very machine, as they stand in URLs. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(hostname);
}
