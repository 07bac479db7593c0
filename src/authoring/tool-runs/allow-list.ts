import { isIP } from "node:net";
import { bareHost, portOf } from "#src/platform/http/outbound-guard.ts";

/** True when one of `hosts` (name, *.name or address, each with or without a port) names the URL's host. */
export function isHostAllowed(hosts: readonly string[], url: URL): boolean {
  const host = bareHost(url.hostname).toLowerCase();
  return hosts.some((entry) => {
    const { name, port } = readEntry(entry);
    if (port !== null && port !== portOf(url)) return false;
    // *.example.com covers every name below it, but not example.com itself.
    if (name.startsWith("*.")) return isIP(host) === 0 && host.endsWith(name.slice(1)) && host.length > name.length - 1;
    return host === name;
  });
}

function readEntry(entry: string): { name: string; port: number | null } {
  if (isIP(entry) === 6) return { name: toHost(`[${entry}]`), port: null };
  const [, written = entry, port] = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return { name: toHost(written), port: port === undefined ? null : Number(port) };
}

/** Writes a host as URLs do: IPv6 in its short form, no dot at the end. */
function toHost(written: string): string {
  const wildcard = written.startsWith("*.") ? "*." : "";
  const url = URL.parse(`http://${written.slice(wildcard.length)}/`);
  return wildcard + bareHost(url?.hostname ?? written).toLowerCase();
}
