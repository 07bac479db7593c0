import { parseParams, parseWhole, type SipParams, writeParams } from "./sip-grammar.ts";
import { parseHostPort, writeHostPort } from "./sip-uri.ts";

/** One entry of Via. */
export interface Via {
  /** Upper case: UDP, TCP, TLS, or any other value received. */
  transport: string;
  host: string;
  port: number | null;
  /** All parameters, including branch, received and rport. */
  params: SipParams;
}

/** Prefix of a branch that is unique for its transaction (RFC 3261, 8.1.1.7). */
export const BRANCH_COOKIE = "z9hG4bK";

/** Reads one Via; null when malformed. */
export function parseVia(value: string): Via | null {
  const match = /^SIP\s*\/\s*2\.0\s*\/\s*([\w\-.!%*+`'~]+)\s+([^\s;]+(?:\s*:\s*\d+)?)\s*(;.*)?$/is.exec(value.trim());
  if (!match) return null;
  const [, transport, sentBy, paramText] = match as unknown as [string, string, string, string | undefined];
  const place = parseHostPort(sentBy.replaceAll(/\s/g, ""));
  const params = parseParams(paramText ?? "");
  return place && params ? { transport: transport.toUpperCase(), ...place, params } : null;
}

/** Writes one Via. */
export function writeVia(via: Via): string {
  return `SIP/2.0/${via.transport} ${writeHostPort(via.host, via.port)}${writeParams(via.params)}`;
}

/** Returns the branch; null when there is none. */
export function branchOf(via: Via): string | null {
  return via.params.get("branch") ?? null;
}

/** True when the sender asks for the answer at its source port (RFC 3581). */
export function asksForRport(via: Via): boolean {
  return via.params.has("rport");
}

/** Returns the source port that the far end filled in; null when it did not. */
export function rportOf(via: Via): number | null {
  return parseWhole(via.params.get("rport") ?? "", 65_535);
}
