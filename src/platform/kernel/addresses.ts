import ipaddr from "ipaddr.js";

/** Addresses seen lately: each request asks for its own, and reading one of IPv6 takes 20 microseconds. */
const known = new Map<string, string | null>();
const MOST_KNOWN = 1_000;
/** Length of the longest address in text, with a zone. */
const LONGEST = 64;

/**
 * Returns an address as the database compares it, or null when it is none: an IPv4 address inside IPv6 as IPv4, and
 * without the zone of a link.
 */
export function plainAddress(address: string): string | null {
  const seen = known.get(address);
  if (seen !== undefined) return seen;
  const plain = readAddress(address);
  if (known.size >= MOST_KNOWN) known.clear();
  if (address.length <= LONGEST) known.set(address, plain);
  return plain;
}

function readAddress(address: string): string | null {
  const [text = ""] = address.split("%", 1);
  // ipaddr.js also reads 0177.1 as IPv4; no socket and no proxy of ours writes an address so.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text).toString();
}

/**
 * Returns the network of one visitor, as text to count by: an IPv4 address, or the start of the /64 of an IPv6 address,
 * since a visitor with one address of a /64 has them all.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (plain === null || ipaddr.IPv4.isValid(plain)) return plain ?? address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString();
}
