import { InvalidArgumentError } from "commander";

/** Orders of lists of calls. Those by length, latency and cost have only calls that ended with one. */
export const CALLS_SORTED_BY = [
  "createdAt",
  "-createdAt",
  "durationSeconds",
  "-durationSeconds",
  "latency",
  "-latency",
  "cost",
  "-cost",
] as const;

/** Token bucket of each credential of a workspace. */
export interface RateLimit {
  capacity: number;
  refill: number;
  periodSeconds: number;
}

/** Reads CAPACITY/SECONDS or CAPACITY/REFILL/SECONDS; without a refill, the full capacity returns each period. */
export function parseRateLimit(text: string): RateLimit {
  const parts = text.split("/");
  const numbers = parts.map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
  if (parts.length < 2 || parts.length > 3 || !numbers.every((value) => value > 0)) {
    throw new InvalidArgumentError("It is CAPACITY/SECONDS or CAPACITY/REFILL/SECONDS, such as 120/60 or 120/30/60.");
  }
  const [capacity, second, third] = numbers as [number, number, number | undefined];
  if (!Number.isInteger(capacity)) throw new InvalidArgumentError("The capacity is a whole number of requests.");
  return third === undefined
    ? { capacity, refill: capacity, periodSeconds: second }
    : { capacity, refill: second, periodSeconds: third };
}

/** Reads a speed of the sandbox's clock: 1 is real time, 10 ten times faster. */
export function parseSpeed(text: string): number | "instant" {
  if (text === "instant") return text;
  const value = Number(text);
  if (!(value > 0) || text.trim() === "")
    throw new InvalidArgumentError('It is a number such as 1 or 10, or "instant".');
  return value;
}

/** Reads a duration into seconds: 90, 90s, 15m, 12h, 30d. */
export function parseSeconds(text: string): number {
  const match = /^(\d+)([smhd]?)$/.exec(text);
  const seconds = match ? Number(match[1]) * { s: 1, m: 60, h: 3600, d: 86_400 }[(match[2] || "s") as "s"] : 0;
  if (seconds <= 0)
    throw new InvalidArgumentError("It is a number of seconds, or one with s, m, h or d: 3600, 12h, 30d.");
  return seconds;
}

/** Reads a whole number above zero. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("It is a whole number above zero.");
  return value;
}

/** Reads a whole number above zero, or null from the word none. */
export function parseCountOrNone(text: string): number | null {
  return text === "none" ? null : parseCount(text);
}

/** Reads A,B,C; drops spaces and empty parts. */
export function parseList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Reads delays in seconds: 30,60,120. */
export function parseDelays(text: string): number[] {
  const delays = parseList(text).map(Number);
  if (delays.length === 0 || !delays.every((value) => value >= 0 && Number.isFinite(value))) {
    throw new InvalidArgumentError("It is a list of seconds, such as 30,60,120.");
  }
  return delays;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Collects key=value pairs; the value may hold further equals signs. */
export function collectPairs(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is key=value, such as city=Berlin.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** JSON features missing from TypeScript's types: the source text of each value, and texts that are written as they are. */
interface NewerJson {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
}

/** Reads a JSON object. A whole number that JavaScript would round is sent with the digits that were typed. */
export function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    const json = JSON as unknown as NewerJson;
    value = json.parse(text, (_name, item, { source = "" }) =>
      typeof item === "number" && /^-?\d{16,}$/.test(source) && String(item) !== source ? json.rawJSON(source) : item,
    );
  } catch (error) {
    throw new InvalidArgumentError(`It is not valid JSON: ${(error as Error).message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new InvalidArgumentError('It is a JSON object, such as {"crm":"42"}.');
  }
  return value as Record<string, unknown>;
}

/** Reads a JSON object, or null from the word none. */
export function parseJsonObjectOrNone(text: string): Record<string, unknown> | null {
  return text === "none" ? null : parseJsonObject(text);
}

/** Reads a number to call; drops spaces, dashes, dots and brackets. */
export function parseNumber(text: string): string {
  const number = text.replace(/[\s().-]/g, "");
  if (!/^\+[1-9]\d{6,14}$/.test(number)) {
    throw new InvalidArgumentError("It is a number with its country code, such as +12025550100.");
  }
  return number;
}
