import { LOCALE } from "#web/i18n/language.ts";
import { t, translateName } from "#web/i18n/t.ts";

const DAY_MS = 86_400_000;

/** Duration of a call or a place in it, such as `4:05` or `1:02:09`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return "–";
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const tail = String(rest).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** Span of time such as `56 s`, `8 min 5 s` or `2 d 8 h 49 min`, for what nobody listens to; seconds up to an hour. */
export function formatSpan(seconds: number): string {
  const whole = seconds < 3_599.5 ? Math.round(seconds) : Math.round(seconds / 60) * 60;
  const minutes = Math.floor(whole / 60);
  const parts = [
    [Math.floor(minutes / 1_440), (count: number) => t`${count} d`],
    [Math.floor(minutes / 60) % 24, (count: number) => t`${count} h`],
    [minutes % 60, (count: number) => t`${count} min`],
    [whole % 60, (count: number) => t`${count} s`],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, say]) => say(count));
  return said.join(" ") || t`${0} s`;
}

/** Duration such as `840 ms` or `1.24 s`. */
export function formatMilliseconds(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 0.5) return "< 1 ms";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${formatDecimal(ms / 1_000, 2)} s`;
}

const wholeNumber = new Intl.NumberFormat(LOCALE);
const shortNumber = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });

/** Number with the separators of the viewer's language. */
export function formatNumber(value: number): string {
  return wholeNumber.format(value);
}

/** Number that was computed, such as a mean: with one digit after the point, or three where it is small. */
export function formatComputed(value: number): string {
  return value.toLocaleString(LOCALE, { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 });
}

/** Number with so many digits after the point, or the comma. */
export function formatDecimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Number such as `12K` or `3M`; below 10,000 in full. */
export function formatShortNumber(value: number): string {
  return value < 10_000 ? wholeNumber.format(value) : shortNumber.format(value);
}

/** A decimal text as money; small amounts keep four digits. */
export function formatMoney(amount: string | number, currency: string): string {
  const value = Number(amount);
  const digits = value !== 0 && Math.abs(value) < 1 ? 4 : 2;
  try {
    return new Intl.NumberFormat(LOCALE, { style: "currency", currency, minimumFractionDigits: digits }).format(value);
  } catch {
    return `${value.toFixed(digits)} ${currency}`;
  }
}

/** A share from 0 to 1 as `37 %`. */
export function formatShare(share: number | null): string {
  if (share === null) return "–";
  const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 });
  return share > 0 && share < 0.005 ? `<${percent.format(0.01)}` : percent.format(share);
}

/** Day and minute in the viewer's time zone; with the year unless it is the current one. */
export function formatTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return at.toLocaleString(LOCALE, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", ...year });
}

const DAY = { weekday: "short", year: "numeric", month: "short", day: "numeric", timeZone: "UTC" } as const;

/** A day such as 2026-11-30, in the viewer's form and with its weekday; any other text as it is. */
export function formatDay(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  const at = new Date(day);
  return Number.isNaN(at.getTime()) ? day : at.toLocaleDateString(LOCALE, DAY);
}

const MOMENT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * A day or a moment as an extracted field holds it, in the viewer's form: a moment keeps the clock on which it was said,
 * with that clock's distance from UTC. Any other text as it is.
 */
export function formatWhen(text: string): string {
  const [, clock, offset = ""] = MOMENT.exec(text) ?? [];
  const at = new Date(`${clock}Z`);
  if (clock === undefined || Number.isNaN(at.getTime())) return formatDay(text);
  const shown = at.toLocaleString(LOCALE, { ...DAY, hour: "2-digit", minute: "2-digit" });
  return offset === "" ? shown : `${shown} UTC${offset === "Z" ? "" : offset}`;
}

/** Time to the second, in the viewer's time zone. */
export function formatTimeFully(iso: string): string {
  return new Date(iso).toLocaleString(LOCALE, { dateStyle: "medium", timeStyle: "long" });
}

/** The same moment in UTC, for comparing with logs. */
export function formatUtc(iso: string): string {
  return `${new Date(iso)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "")} UTC`;
}

/** Relative time such as `just now`, `12 min ago`, `in 3 h`; a date beyond a week. */
export function formatAgo(iso: string, nowMs = Date.now()): string {
  const pastMs = nowMs - Date.parse(iso);
  const distanceMs = Math.abs(pastMs);
  if (distanceMs > 7 * DAY_MS) return formatTime(iso);
  const text = describeDistance(distanceMs);
  if (text === null) return t`just now`;
  return pastMs > 0 ? t`${text} ago` : t`in ${text}`;
}

function describeDistance(ms: number): string | null {
  if (ms < 45_000) return null;
  if (ms < 3_600_000) return t`${Math.round(ms / 60_000)} min`;
  if (ms < DAY_MS) return t`${Math.round(ms / 3_600_000)} h`;
  return t`${Math.round(ms / DAY_MS)} d`;
}

/** End reason of a call that the carrier ended: its outcome after the prefix CARRIER. */
const CARRIER_END =
  /^CARRIER_(ANSWERED|VOICEMAIL|CALL_SCREENED|IVR|FAX|BUSY|NO_ANSWER|REJECTED|INVALID_NUMBER|UNREACHABLE)$/;

/** Words of constants that are spelt in capitals. */
const ABBREVIATIONS = /\b(ivr|http|sms|sip|api|url|csv)\b/g;

/**
 * Constant in words: `QUEUED` as `Queued`, `NO_ANSWER` as `No answer`, `CARRIER_BUSY` as `Busy (carrier)`,
 * `LIMIT_DURATION` as `Duration limit`, `HTTP_503` as `HTTP 503`.
 */
export function formatName(constant: string): string {
  const sent = CARRIER_END.exec(constant)?.[1];
  if (sent !== undefined) return t`${formatName(sent)} (carrier)`;
  const words = constant
    .replace(/^CARRIER_(?=CARRIER_)/, "")
    .replace(/^LIMIT_(.+)$/, "$1_LIMIT")
    .toLowerCase()
    .replaceAll("_", " ")
    .replaceAll(ABBREVIATIONS, (letters) => letters.toUpperCase());
  return translateName(words.charAt(0).toUpperCase() + words.slice(1));
}

/** Size such as `12 KB` or `3.4 MB`. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return "–";
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${formatDecimal(bytes / 1_000_000, 1)} MB`;
}
