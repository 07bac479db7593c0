import { fieldError } from "#src/platform/kernel/errors.ts";

/**
 * Checks a list of origins in the form that browsers send; no other form would ever match. `path` is their place in the
 * body.
 */
export function readOrigins(origins: string[], path: string): string[] {
  origins.forEach((origin, i) => {
    if (originOf(origin) === origin && !origin.includes("*")) return;
    throw fieldError(
      `${path}.${i}`,
      "FORMAT",
      "must be an origin such as https://www.example.com: scheme, host, port, nothing else.",
    );
  });
  return [...new Set(origins)];
}

/**
 * True when two addresses have the same scheme, host and port: only then do stored secrets stay with a changed address.
 * An address that cannot be read equals only itself; undefined is the address that a provider has by default.
 */
export function isSameOrigin(url: string | undefined, other: string | undefined): boolean {
  return url === other || (url !== undefined && other !== undefined && comparable(url) === comparable(other));
}

function comparable(url: string): string {
  return URL.parse(url)?.origin ?? url;
}

function originOf(text: string): string | null {
  try {
    const { protocol, origin } = new URL(text);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}
