import type { CookieStyle } from "./cookie.ts";

/** How the dashboard is served at a public address. */
export interface ConsoleSettings {
  cookie: CookieStyle;
  /** False: passwords would cross a network in the clear, so nobody signs in. */
  isSafe: boolean;
  /** Days after which recordings are deleted; 0: never. */
  recordingRetentionDays: number;
  /** Whether new recordings are encrypted. */
  sealsRecordings: boolean;
}

/** True where passwords reach the server unread: over https, or without leaving the machine. */
export function isSafeOrigin(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname);
}

/** True for names of this very machine, as they stand in URLs. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(hostname);
}
