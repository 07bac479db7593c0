import ipaddr from "ipaddr.js";
import { plainAddress } from "#src/platform/kernel/addresses.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";

const MAX_NETWORKS = 100;
/** Prefix of IPv4 addresses inside IPv6 (RFC 4291, 2.5.5.2). */
const MAPPED_BITS = 96;

/**
 * Reads the networks from which a credential may be used, such as 203.0.113.0/24 or 2001:db8::/32; a lone address
 * stands for itself. Throws 422 for one that names no network, or that has bits beyond its prefix: whoever wrote
 * 10.1.2.3/8 meant either the address or 10.0.0.0/8.
 */
export function readNetworks(texts: readonly string[], path: string): string[] {
  if (texts.length === 0 || texts.length > MAX_NETWORKS) {
    throw fieldError(path, "LENGTH", `must name 1 to ${MAX_NETWORKS} networks; leave it out or send null for all.`);
  }
  return [...new Set(texts.map((text) => readNetwork(text.trim(), path)))];
}

function readNetwork(text: string, path: string): string {
  const [written = "", bits] = text.split("/", 2);
  const address = plainAddress(written);
  if (address === null || written.includes("%") || text.split("/").length > 2) throw unreadable(text, path);
  const parsed = ipaddr.parse(address);
  const isMapped = parsed.kind() === "ipv4" && written.includes(":");
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? most : readPrefix(bits) - (isMapped ? MAPPED_BITS : 0);
  if (!(prefix >= 0 && prefix <= most)) throw unreadable(text, path);
  const network = `${address}/${prefix}`;
  const first = (parsed.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(network).toString();
  if (first !== address)
    throw fieldError(path, "FORMAT", `${text} is not the start of a network. Write ${first}/${bits}.`);
  return network;
}

function readPrefix(bits: string): number {
  return /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
}

function unreadable(text: string, path: string): Error {
  return fieldError(path, "FORMAT", `${text.slice(0, 60)} is no network such as 203.0.113.0/24 or 2001:db8::/32.`);
}
