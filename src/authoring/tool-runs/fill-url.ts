import { fillText } from "./fill-template.ts";
import { ToolFailure } from "./tool-failure.ts";

const OUTPUT = /\{\{[^{}]*\}\}/g;
const AUTHORITY = /^(https?:\/\/)([^/?#\\]*)([^]*)$/i;

/**
 * Fills in the templates of a URL. Each value is percent-encoded, so that it can change neither scheme nor host, nor
 * the number of path segments, nor add a query parameter. A template in the host takes letters, digits, dots and
 * hyphens.
 */
export function fillUrl(template: string, variables: Record<string, unknown>): URL {
  const [, scheme = "", authority = "", rest = ""] = AUTHORITY.exec(withoutBraces(template)) ?? [];
  if (scheme === "") throw new ToolFailure("URL_INVALID", "The tool's address cannot be read.");
  const outputs = template.match(OUTPUT) ?? [];
  const values = outputs.map((output) => fillText(output, variables));
  const hosts = countMarks(authority);
  const host = putIn(authority, values.slice(0, hosts).map(toHostPart));
  const [path = "", ...query] = rest.split(/(?=[?#])/);
  const inPath = countMarks(path);
  const filledPath = putInPath(path, values.slice(hosts, hosts + inPath));
  const filledQuery = putIn(query.join(""), values.slice(hosts + inPath).map(encode));
  const url = URL.parse(scheme + host + filledPath + filledQuery);
  const expected = URL.parse(scheme + host + putIn(path, Array<string>(inPath).fill("x")));
  const isAsWritten =
    url !== null && url.host === expected?.host && countSegments(url) === countSegments(expected) && !url.username;
  if (!isAsWritten) throw new ToolFailure("URL_INVALID", "A value does not fit the tool's address.");
  return url;
}

/** Placeholder of each output: a character that no URL holds. */
const MARK = "\u0001";
function withoutBraces(template: string): string {
  return template.replaceAll(MARK, "").replaceAll(OUTPUT, MARK);
}

function countMarks(text: string): number {
  return text.split(MARK).length - 1;
}

function countSegments(url: URL): number {
  return url.pathname.split("/").length;
}

function putIn(text: string, values: string[]): string {
  let i = 0;
  return text.replaceAll(MARK, () => values[i++] ?? "");
}

function putInPath(path: string, values: string[]): string {
  let i = 0;
  return path
    .split("/")
    .map((segment) => {
      const own = values.slice(i, (i += countMarks(segment)));
      for (const value of own) assertPathValue(value);
      const filled = putIn(segment, own.map(encode));
      // DELETE /people/{{ id }} without an id would be DELETE /people/.
      if (own.length > 0 && (filled === "" || /^(\.|%2e){1,2}$/i.test(filled))) {
        throw new ToolFailure("URL_INVALID", "A value that the tool's address needs is missing or is not one.");
      }
      return filled;
    })
    .join("/");
}

/** Refuses values that climb or end the path early: some servers decode %2F before they read the path. */
function assertPathValue(value: string): void {
  const climbs = value.split(/[/\\]/).some((part) => part === "." || part === "..");
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (climbs || /[\u0000-\u001f\u007f]/.test(value)) {
    throw new ToolFailure("URL_INVALID", "A value does not fit the tool's address.");
  }
}

function toHostPart(value: string): string {
  if (/^[A-Za-z0-9.-]{1,253}$/.test(value)) return value;
  throw new ToolFailure("URL_INVALID", "A value does not fit the host of the tool's address.");
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
