import { RE2JS } from "re2js";

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const EMAIL = /^[^\s@<>()",;:\\[\]]{1,64}@[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))+$/i;
const URI = /^[a-z][a-z0-9+.-]{0,30}:[^\s<>"{}|\\^`]{1,2048}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Checked formats, as in RFC 3339 and RFC 4122: a time carries its offset. Each check takes time proportional to the
 * text; other formats are annotations only.
 */
export const FORMATS: Record<string, (text: string) => boolean> = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": (text) => /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  email: (text) => text.length <= 254 && EMAIL.test(text),
  uri: (text) => URI.test(text),
  uuid: (text) => UUID.test(text),
};

/**
 * RE2 as the regular expressions of ajv, so that `^(a+)+$` from a user cannot hang the process. ajv keeps one
 * expression per `toString()`; without it all patterns would be the first one met.
 */
export const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text: string) => compiled.test(text), toString: () => pattern };
  },
  { code: "linearRegExp" },
);
