import { isIPv6 } from "node:net";

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Returns the network of one visitor: an IPv4 address, or the /64 of an IPv6 address, since a visitor with one address
 * of a /64 has them all.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.toLowerCase().split("%", 1);
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/.exec(plain)?.[1];
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain;
  const [head = "", tail] = plain.split("::", 2);
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : GROUPS - first.length - last.length;
  const groups = [...first, ...Array.from({ length: Math.max(0, gap) }, () => "0"), ...last];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
