import { findSpokenDigits } from "./digit-words.ts";
import { MONTH_NAMES, readMonth, writeMonth } from "./months.ts";
import { isIban, isLuhn, type StandIns } from "./stand-ins.ts";
import { foldWords } from "./words.ts";

/** Kinds of personal data that are removed. */
export const PERSONAL_KINDS = [
  "NAME",
  "EMAIL",
  "PHONE",
  "DIGITS",
  "CARD",
  "IBAN",
  "URL",
  "ID",
  "BIRTH_DATE",
  "ADDRESS",
  "DATA",
] as const;
export type PersonalKind = (typeof PERSONAL_KINDS)[number];

/** A part of a text that is personal. */
export interface Span {
  kind: PersonalKind;
  start: number;
  end: number;
  /** The same key for the same thing, however it is written. */
  key: string;
  write: (standIns: StandIns) => string;
}

const PHONE_DIGITS = 9;
const OLDEST_YEAR = 1900;

const AT = "at|arroba|ät|aet|at-zeichen|klammeraffe|arobase|snabel-?a|kringla";
const DOT = "dot|punto|punkt|point";
// Words spoken for signs within an address, and the sign.
const SIGNS: [string, string][] = [
  ["underscore|unterstrich|gui[oó]n bajo|tiret bas|understreck", "_"],
  ["dash|hyphen|minus|bindestrich|gui[oó]n|tiret|bindestreck", "-"],
  ["plus", "+"],
];
const SIGN = SIGNS.map(([words]) => words).join("|");
const NAME_PART = "[\\p{L}\\p{N}_%+-]{1,64}";
// Letter by letter, or as a word.
const SPELLED_PART = `(?:[\\p{L}\\p{N}](?:\\s[\\p{L}\\p{N}](?![\\p{L}\\p{N}])){2,40}|${NAME_PART})`;
const EMAIL = new RegExp("[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63})*", "giu");
const SPOKEN_EMAIL = new RegExp(
  `(?<![\\p{L}\\p{N}])(${SPELLED_PART}(?:(?:\\.|\\s+(?:${DOT}|${SIGN})\\s+)${SPELLED_PART}){0,10})(\\s+(?:${AT})\\s+)` +
    `(${SPELLED_PART}(?:(?:\\.|\\s+(?:${DOT}|${SIGN})\\s+)${NAME_PART}){1,10})`,
  "giu",
);
const URL_WITH_QUERY = /(?:https?:\/\/|www\.)[^\s<>"']*[?#@][^\s<>"']*/giu;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/giu;
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}\b/gu;
// Six digits or more: fewer identify nobody. Points and dashes count as separators, colons do not: those are times.
const DIGITS = /\+?\(?\d(?:[\s().\-/\u00a0\u2011]{0,3}\d){5,}/gu;
const DATE = /(?<!\d)(?:(\d{4})([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3(\d{4}))(?!\d)/gu;
const ISO_DATE = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/gu;
const NUMERIC_DATE = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/gu;
const DAY_FIRST = new RegExp(
  `(?<!\\d)(\\d{1,2})(\\.|st|nd|rd|th|er|º)?( (?:of |de )?)(${MONTH_NAMES})(,? (?:de |del )?)(\\d{4})(?!\\d)`,
  "giu",
);
const MONTH_FIRST = new RegExp(`(?<!\\p{L})(${MONTH_NAMES})( )(\\d{1,2})(st|nd|rd|th)?(,? )(\\d{4})(?!\\d)`, "giu");

const CAPITAL = "\\p{Lu}[\\p{L}\\p{M}'’-]*";
// Each with its stand-in; {0} is the number of the stand-in.
const STREETS: [RegExp, string][] = (
  [
    [
      `\\d{1,5}[A-Za-z]? (?:${CAPITAL} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Way|Place|Square|Terrace|Close|Crescent)`,
      "{0} Example Street",
    ],
    [
      `(?:${CAPITAL} )?\\p{Lu}?\\p{L}*(?:straße|strasse|str\\.|weg|platz|allee|gasse|damm|ufer) \\d{1,4} ?[a-z]?`,
      "Beispielstraße {0}",
    ],
    [`(?:${CAPITAL} )?\\p{Lu}\\p{L}*(?:gatan|vägen|gränd|torget|allén|stigen) \\d{1,4} ?[A-Z]?`, "Exempelgatan {0}"],
    [
      `\\d{1,4}(?: bis| ter)?,? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Cc]hemin|[Ii]mpasse|[Aa]llée|[Qq]uai)(?: (?:de|du|des|la|le|les))* (?:[dl]['’])?${CAPITAL}(?: ${CAPITAL}){0,3}`,
      "{0} rue Exemple",
    ],
    [
      `(?:[Cc]alle|[Aa]venida|[Aa]vda\\.?|[Pp]laza|[Pp]aseo|[Cc]amino|[Cc]arretera)(?: (?:de|del|la|las|los|el))* ${CAPITAL}(?: (?:de |la |del )*${CAPITAL}){0,3},? (?:n[úu]mero )?\\d{1,4}`,
      "Calle Ejemplo {0}",
    ],
  ] as const
).map(([pattern, standIn]) => [new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "gu"), standIn]);

/** Returns the parts of a text that look personal by their form alone. A date counts when it can be a date of birth. */
export function findPatterns(text: string, thisYear: number): Span[] {
  return [
    ...findEmails(text),
    ...matches(text, URL_WITH_QUERY, "URL", (found) => ({ key: found, write: (by) => by.url(found) })),
    ...matches(text, UUID, "ID", (found) => ({ key: found, write: (by) => by.uuid(found.toLowerCase()) })),
    ...findIbans(text),
    ...findBirthDates(text, thisYear),
    ...STREETS.flatMap(([pattern, standIn]) => findStreets(text, pattern, standIn)),
    ...findDigits(text, thisYear),
    ...findSpokenDigits(text).map(({ start, end, digits, write }) => ({
      kind: kindOfDigits(digits),
      start,
      end,
      key: digits.replace(/^0+/, ""),
      write: (by: StandIns) => write(standInDigits(by, digits)),
    })),
  ];
}

type Made = Pick<Span, "key" | "write"> & { kind?: PersonalKind };

function matches(text: string, pattern: RegExp, kind: PersonalKind, make: (found: string) => Made | null): Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const made = make(match[0]);
    return made === null ? [] : [{ kind, start: match.index, end: match.index + match[0].length, ...made }];
  });
}

function findEmails(text: string): Span[] {
  const written = matches(text, EMAIL, "EMAIL", (found) => emailOf(found, (email) => email));
  const spoken = matches(text, SPOKEN_EMAIL, "EMAIL", (found) => {
    const parts = new RegExp(SPOKEN_EMAIL.source, "iu").exec(found);
    if (!parts) return null;
    const at = parts[2] ?? " at ";
    const dot = new RegExp(`\\s(?:${DOT})\\s`, "iu").exec(found)?.[0] ?? ".";
    const signs = [[DOT, "."] as const, ...SIGNS];
    const spelled = signs.reduce(
      (text, [words, sign]) => text.replaceAll(new RegExp(`\\s+(?:${words})\\s+`, "giu"), sign),
      found.replace(at, "@"),
    );
    const plain = spelled.replaceAll(/\s+/gu, "");
    return emailOf(plain, (email) => email.replace("@", at).replaceAll(".", dot));
  });
  return [...written, ...spoken];
}

function emailOf(plain: string, write: (email: string) => string): Made {
  const key = plain.toLowerCase();
  return { key, write: (by) => write(by.email(key)) };
}

function findIbans(text: string): Span[] {
  return matches(text, IBAN, "IBAN", (found) => {
    const key = found.replaceAll(/[ -]/g, "");
    return isIban(key) ? { key, write: (by) => refill(found, by.iban(key), /[A-Z0-9]/g) } : null;
  });
}

function findDigits(text: string, thisYear: number): Span[] {
  // A date that is no date of birth is not an identifying number.
  const searched = text.replaceAll(DATE, (found, first?: string, _by?: string, _then?: string, last?: string) =>
    Number(first ?? last) > lastBirthYear(thisYear) ? "#".repeat(found.length) : found,
  );
  return matches(searched, DIGITS, "DIGITS", (found) => {
    const digits = found.replaceAll(/\D/g, "");
    const write = (by: StandIns) => refill(found, standInDigits(by, digits), /\d/g);
    return { kind: kindOfDigits(digits), key: digits.replace(/^0+/, ""), write };
  });
}

function kindOfDigits(digits: string): PersonalKind {
  if (isCard(digits)) return "CARD";
  return digits.length >= PHONE_DIGITS && digits.length <= 15 ? "PHONE" : "DIGITS";
}

/** Returns the stand-in of digits; for a payment card it is a card number. */
export function standInDigits(by: StandIns, digits: string): string {
  return isCard(digits) ? by.card(digits) : by.digits(digits);
}

function isCard(digits: string): boolean {
  return digits.length >= 13 && digits.length <= 19 && isLuhn(digits);
}

/** Replaces the characters that the pattern finds by others. */
function refill(found: string, characters: string, pattern: RegExp): string {
  let at = 0;
  return found.replaceAll(pattern, (was) => characters[at++] ?? was);
}

function findStreets(text: string, pattern: RegExp, standIn: string): Span[] {
  return matches(text, pattern, "ADDRESS", (found) => {
    const key = foldWords(found).join(" ");
    return { key, write: (by) => standIn.replace("{0}", String(by.street(key))) };
  });
}

function lastBirthYear(thisYear: number): number {
  return thisYear - 3;
}

function findBirthDates(text: string, thisYear: number): Span[] {
  const made = (year: string, one: string, other: string, write: (day: number) => string): Made | null => {
    if (Number(year) < OLDEST_YEAR || Number(year) > lastBirthYear(thisYear)) return null;
    // Day and month in sorted order, because the text does not tell which is which.
    const key = [Number(year), ...[Number(one), Number(other)].sort((a, b) => a - b)].join("-");
    return { key, write: (by) => write(by.birthDay(key)) };
  };
  const parts = (found: string, pattern: RegExp) => new RegExp(pattern.source, "iu").exec(found) ?? [];
  return [
    ...matches(text, ISO_DATE, "BIRTH_DATE", (found) => {
      const [, year = "", by = "", month = "", day = ""] = parts(found, ISO_DATE);
      return made(year, month, day, (n) => ["1970", pad(n, month), pad(n, day)].join(by));
    }),
    ...matches(text, NUMERIC_DATE, "BIRTH_DATE", (found) => {
      const [, one = "", by = "", other = "", year = ""] = parts(found, NUMERIC_DATE);
      return made(year, one, other, (n) => [pad(n, one), pad(n, other), "1970"].join(by));
    }),
    ...matches(text, DAY_FIRST, "BIRTH_DATE", (found) => {
      const [, day = "", , of = " ", month = "", then = " ", year = ""] = parts(found, DAY_FIRST);
      const dot = found[day.length] === "." ? "." : "";
      return made(year, day, String(readMonth(month)), (n) => `${n}${dot}${of}${writeMonth(month, n)}${then}1970`);
    }),
    ...matches(text, MONTH_FIRST, "BIRTH_DATE", (found) => {
      const [, month = "", , day = "", , then = " ", year = ""] = parts(found, MONTH_FIRST);
      return made(year, day, String(readMonth(month)), (n) => `${writeMonth(month, n)} ${n}${then}1970`);
    }),
  ];
}

function pad(n: number, like: string): string {
  return String(n).padStart(like.length, "0");
}
