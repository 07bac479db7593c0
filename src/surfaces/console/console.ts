import type { CookieStyle } from "./cookie.ts";

/** Settings with which the dashboard is served at a public address. */
export interface ConsoleSettings {
  cookie: CookieStyle;
  /** False: passwords would cross a network unencrypted, so sign-in is refused. */
  isSafe: boolean;
  /** Days after which recordings are deleted; 0: never. */
  recordingRetentionDays: number;
  /** True when new recordings are encrypted. */
  sealsRecordings: boolean;
}

/** True where passwords cannot be read on the way: over https, or without leaving the machine. */
export function isSafeOrigin(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

/** True for host names of this machine, as written in URLs. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(hostname);
}
