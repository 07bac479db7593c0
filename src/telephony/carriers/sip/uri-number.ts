import { parseNameAddr } from "./name-addr.ts";
import type { SipRequest } from "./sip-message.ts";
import { parseUri } from "./sip-uri.ts";

/** A number in E.164 never begins with 0, so "00" before one is the international prefix. */
const INTERNATIONAL_PREFIX = /^(?:\+|00)/;

/** Returns the phone number of a name-addr's sip: or tel: URI, as it is written there; empty when it has none. */
export function readNumber(value: string): string {
  const uri = parseUri(parseNameAddr(value)?.uri ?? "");
  if (!uri) return "";
  const user = uri.scheme === "tel" ? uri.number : (uri.user ?? "");
  const [digits = ""] = user.split(";", 1);
  // An international prefix of up to four digits (0011 in Australia) may stand before the 15 of E.164.
  return /^\+?\d{3,19}$/.test(digits) ? digits : "";
}

/**
 * Returns the numbers that an INVITE names as called: that of the Request-URI, then that of To. Trunks that we register
 * with send our Contact as Request-URI, and the number in To.
 */
export function readCalledNumbers({ headers, uri }: SipRequest): string[] {
  return [readNumber(`<${uri}>`), readNumber(headers.get("To") ?? "")].filter((number) => number !== "");
}

/** True when a number, as a trunk writes it, is the one in E.164: with "+", with "00", or with neither. */
export function isSameNumber(written: string, e164: string): boolean {
  return written.replace(INTERNATIONAL_PREFIX, "") === e164.replace(INTERNATIONAL_PREFIX, "");
}
