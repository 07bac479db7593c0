import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";

/** Exceptions that the operator opens beyond the public internet. */
export interface OutboundGuardOptions {
  /** Opens loopback, private and shared ranges for everybody; link-local and metadata addresses stay closed. */
  allowPrivateNetwork: boolean;
  /** Opens one port of one host name or address, as `host:port` (IPv6 in brackets). */
  allow: readonly string[];
}

/** Decides which targets a workspace's requests may have. Both methods throw VALIDATION_FAILED. */
export interface OutboundGuard {
  /** Parses a URL once and checks everything that can be known before its name is resolved. */
  checkUrl(url: string): URL;
  /** Checks one address that a host name resolves to. */
  assertAddress(hostname: string, ip: string, port: number): void;
}

/** Checks the URL in a field of a request; a refusal names the field. */
export function checkUrlField(guard: OutboundGuard, field: string, code: string, url: string): void {
  try {
    guard.checkUrl(url);
  } catch (error) {
    throw error instanceof AppError ? fieldError(field, code, error.message) : error;
  }
}

type AddressScope = "PUBLIC" | "PRIVATE" | "FORBIDDEN";

/** Ranges of ipaddr.js that `allowPrivateNetwork` opens; overlay networks use carrierGradeNat. */
const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
/** Metadata addresses, which hand out a machine's credentials; 168.63.129.16 is Azure's and looks public. */
const METADATA_ADDRESSES = new Set(
  ["168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"].map((text) =>
    ipaddr.parse(text).toString(),
  ),
);
const METADATA_NAMES = new Set(["metadata.google.internal", "metadata.goog", "metadata.tencentyun.com"]);
/** Names that mean this machine or this network by convention (RFC 6761, 6762, 8375, ICANN's .internal). */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|home\.arpa)$/;
/**
 * The range of public IPv6 addresses. ipaddr.js calls [::7f00:1] unicast, which is 127.0.0.1 in an obsolete notation.
 */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];
/** Ports from 1024 up of services that would take a line of HTTP for one of their own commands. */
const BAD_PORTS = new Set([
  1433, 1521, 2049, 2375, 3306, 3389, 5432, 5900, 6000, 6379, 6665, 6666, 6667, 6668, 6669, 6697, 9042, 10_080, 11_211,
  27_017,
]);
const FIRST_FREE_PORT = 1024;

/** Says how an address that is refused can be allowed. */
export function howToOpen(host: string, port: number): string {
  return `The operator opens it by starting the server with OUTBOUND_ALLOW=${host.includes(":") ? `[${host}]` : host}:${port}.`;
}

/** True for an address of this machine or of a private network. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && PRIVATE_RANGES.has(ipaddr.process(address).range());
}

/** Creates a guard for one configuration. Throws an Error for an entry of `allow` that is not `host:port`. */
export function createOutboundGuard({ allowPrivateNetwork, allow }: OutboundGuardOptions): OutboundGuard {
  const opened = new Set(allow.map(readAllowed));
  const isOpened = (hostname: string, port: number) => opened.has(`${bareHost(hostname)}:${port}`);

  function assertAddress(hostname: string, ip: string, port: number): void {
    if (isOpened(hostname, port) || isOpened(ip, port)) return;
    const addressScope = classify(ip);
    if (addressScope === "PUBLIC" || (addressScope === "PRIVATE" && allowPrivateNetwork)) return;
    throw refused(`${hostname} is, or stands for, a private or reserved address. ${howToOpen(hostname, port)}`);
  }

  function checkUrl(text: string): URL {
    const url = readUrl(text);
    const port = portOf(url);
    if (isOpened(url.hostname, port)) return url;
    if (isIP(bareHost(url.hostname))) assertAddress(bareHost(url.hostname), bareHost(url.hostname), port);
    else assertName(bareHost(url.hostname), port, allowPrivateNetwork);
    assertPort(port);
    return url;
  }

  return { checkUrl, assertAddress };
}

/** Returns the port of a URL, which may be the default of its scheme. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** Returns a URL's host without the brackets of IPv6 and without the trailing dot of a full name. */
export function bareHost(hostname: string): string {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

function refused(message: string): AppError {
  return new AppError("VALIDATION_FAILED", `The URL is refused: ${message}`);
}

/**
 * Parses a URL. The WHATWG parser drops tabs and line ends, takes a backslash for a slash and adds missing slashes.
 * Other parsers do not, so a URL that needs any of it is refused.
 */
function readUrl(text: string): URL {
  if (!/^https?:\/\/[^/\\]/i.test(text)) throw refused("it must start with http:// or https:// and name a host.");
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text)) throw refused("it holds a space, a backslash or a control character.");
  const url = URL.parse(text);
  if (!url) throw refused("it cannot be read.");
  if (url.username !== "" || url.password !== "") throw refused("it must not hold a user name or a password.");
  return url;
}

function assertName(name: string, port: number, allowPrivateNetwork: boolean): void {
  const isLocal = LOCAL_NAME.test(name) || !name.includes(".");
  if (METADATA_NAMES.has(name) || (isLocal && !allowPrivateNetwork)) {
    throw refused(`${name} is a name inside the network. ${howToOpen(name, port)}`);
  }
}

function assertPort(port: number): void {
  const isWeb = port === 80 || port === 443;
  if (!isWeb && (port < FIRST_FREE_PORT || BAD_PORTS.has(port))) throw refused(`port ${port} is not one for HTTP.`);
}

function classify(ip: string): AddressScope {
  // ipaddr.js also reads 0177.1 and 0x7f000001; an address that comes from a resolver is never written so.
  if (isIP(ip) === 0) return "FORBIDDEN";
  const address = ipaddr.process(ip.replace(/%.*$/, ""));
  if (METADATA_ADDRESSES.has(address.toString())) return "FORBIDDEN";
  const range = address.range();
  if (PRIVATE_RANGES.has(range)) return "PRIVATE";
  if (range !== "unicast") return "FORBIDDEN";
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6) ? "FORBIDDEN" : "PUBLIC";
}

function readAllowed(entry: string): string {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(entry.trim()) ?? [];
  const url = URL.parse(`http://${host}/`);
  const isPlain = url !== null && url.pathname === "/" && url.port === "" && url.username === "" && !host.includes("/");
  if (!isPlain || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`OUTBOUND_ALLOW: "${entry}" is not host:port.`);
  }
  return `${bareHost(url.hostname)}:${Number(port)}`;
}
