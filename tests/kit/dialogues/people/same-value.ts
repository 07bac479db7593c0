import { toE164 } from "#src/tenancy/compliance/numbers.ts";
import type { Person } from "./person.ts";

/** True when a field holds what a careful human would have noted. */
export function isSameValue({ flow, language, loose }: Person, name: string, found: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return found === null || found === undefined;
  if (found === null || found === undefined) return false;
  const format = flow.schema.properties[name]?.format;
  if (Array.isArray(wanted)) return Array.isArray(found) && toSet(found) === toSet(wanted);
  if (typeof wanted === "object") return toPlain(found) === toPlain(wanted);
  if (typeof wanted !== "string") return found === wanted;
  const text = typeof found === "string" ? found : JSON.stringify(found);
  if (format === "time") return text.slice(0, 5) === wanted.slice(0, 5);
  if (format === "date-time") return Date.parse(text) === Date.parse(wanted);
  if (format === "phone") return toDigits(text, language) === toDigits(wanted, language);
  if (loose?.includes(name)) return toWords(wanted).every((word) => toWords(text).includes(word));
  return plain(text) === plain(wanted);
}

function toDigits(text: string, language: string): string {
  return (toE164(text, /-([A-Z]{2})/.exec(language)?.[1] ?? "US") ?? text).replaceAll(/\D/g, "");
}

function toSet(values: unknown[]): string {
  return values.map(toPlain).toSorted().join("|");
}

function toPlain(value: unknown): string {
  if (value === null || typeof value !== "object") return plain(String(value));
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return members
    .map(([name, member]) => `${name}=${toPlain(member)}`)
    .toSorted()
    .join(",");
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.!?]+$/, "");
}

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
