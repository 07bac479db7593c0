import { isIP } from "node:net";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { type Fault, toError } from "#src/platform/kernel/errors.ts";

const LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const HOST = new RegExp(`^(\\*\\.)?${LABEL}(\\.${LABEL})*\\.?$`, "i");
const MAX_HOST_LENGTH = 255;
const OUTPUT = /\{\{[^{}]*\}\}/g;

/** Returns the faults of a list of hosts: an entry is a name, *.name or an address, each with or without a port. */
export function findHostFaults(hosts: readonly string[], path: string): Fault[] {
  return hosts.flatMap((host, i) =>
    isHost(host)
      ? []
      : [{ path: `${path}.${i}`, code: "HOST", message: "is not a host such as example.com or *.example.com:8443." }],
  );
}

function isHost(text: string): boolean {
  const [, bracketed, plain = "", port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return isIP(text) === 6;
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  if (isIP(text) === 6) return true;
  // Digits and dots alone can only be an address.
  if (/^[\d.]+$/.test(plain)) return isIP(plain) === 4;
  return plain.length <= MAX_HOST_LENGTH && HOST.test(plain);
}

/** Returns the faults of a URL template. Its host is checked now unless it contains a template. */
export function findUrlFaults(guard: OutboundGuard, template: string, hasAllowList: boolean): Fault[] {
  const path = "apiUrl";
  const refuse = (code: string, message: string): Fault[] => [{ path, code, message }];
  if (!/^https?:\/\//i.test(template)) return refuse("URL", "must start with http:// or https://, written out.");
  const filled = template.replaceAll(OUTPUT, "x");
  if (/\{\{|\}\}|\{%|%\}/.test(filled)) return refuse("TEMPLATE", "may hold {{ … }} only, each one closed.");
  const authority = /^https?:\/\/([^/?#\\]*)/i.exec(filled)?.[1] ?? "";
  const written = /^https?:\/\/([^/?#\\]*)/i.exec(template.replaceAll(OUTPUT, "\u0001"))?.[1] ?? "";
  if (!written.includes("\u0001")) {
    try {
      guard.checkUrl(filled);
      return [];
    } catch (error) {
      return refuse("NOT_ALLOWED", toError(error).message);
    }
  }
  if (authority.includes("@") || !URL.canParse(filled) || /\s/.test(filled)) return refuse("URL", "cannot be read.");
  // Words of a conversation must not choose where the tool's credentials are sent.
  if (!hasAllowList) return refuse("HOST", "has a template in its host, so networkAllowList must name the hosts.");
  return [];
}
