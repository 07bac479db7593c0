import { RE2JS } from "re2js";
import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { isMapping } from "./mapping.ts";

/** Operators of a matcher. A mapping with only these keys is a matcher; any other value is compared for equality. */
export const OPERATORS = ["is", "not", "oneOf", "contains", "matches", "atLeast", "atMost", "exists", "type"] as const;
type Operator = (typeof OPERATORS)[number];

/** Types that the operator `type` accepts. */
export const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"] as const;

const CACHED_PATTERNS = 500;
const patterns = new BoundedMap<string, RE2JS>(CACHED_PATTERNS);

/** Returns a compiled pattern, whose search takes time linear in the text. Throws for a text that is no RE2 pattern. */
export function compilePattern(pattern: string): RE2JS {
  return patterns.getOrMake(pattern, () => RE2JS.compile(pattern));
}

/** True for a mapping whose keys are all operators. */
export function isOperatorMapping(value: unknown): value is Partial<Record<Operator, unknown>> {
  if (!isMapping(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => (OPERATORS as readonly string[]).includes(key));
}

/**
 * True when a value satisfies the matcher. A plain value means deep equality, with matchers allowed inside; undefined
 * is a value that does not exist.
 */
export function matches(matcher: unknown, actual: unknown): boolean {
  if (isOperatorMapping(matcher)) {
    return Object.entries(matcher).every(([operator, operand]) => apply(operator as Operator, operand, actual));
  }
  return compare(matcher, actual, matches);
}

/** True when each value that the matchers name satisfies its matcher; other values may be anything. */
export function matchesPart(matchers: Record<string, unknown>, actual: unknown): boolean {
  return Object.entries(matchers).every(([key, matcher]) => matches(matcher, memberOf(actual, key)));
}

/** Returns an own member of a mapping; undefined where there is none. */
export function memberOf(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function apply(operator: Operator, operand: unknown, actual: unknown): boolean {
  switch (operator) {
    case "is":
      return isSame(operand, actual);
    case "not":
      return !matches(operand, actual);
    case "oneOf":
      return Array.isArray(operand) && operand.some((one) => matches(one, actual));
    case "contains":
      return contains(operand, actual);
    case "matches":
      return typeof actual === "string" && compilePattern(String(operand)).matcher(actual).find();
    case "atLeast":
      return (order(actual, operand) ?? -1) >= 0;
    case "atMost":
      return (order(actual, operand) ?? 1) <= 0;
    case "exists":
      return (actual !== undefined && actual !== null) === operand;
    case "type":
      return isOfType(actual, operand);
  }
}

function isSame(wanted: unknown, actual: unknown): boolean {
  return compare(wanted, actual, isSame);
}

function compare(wanted: unknown, actual: unknown, same: (wanted: unknown, actual: unknown) => boolean): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(actual) && wanted.length === actual.length && wanted.every((item, i) => same(item, actual[i]));
  }
  if (!isMapping(wanted)) return wanted === actual || (wanted === null && actual === undefined);
  if (!isMapping(actual)) return false;
  const keys = new Set([...Object.keys(wanted), ...Object.keys(actual)]);
  return [...keys].every((key) => same(memberOf(wanted, key), memberOf(actual, key)));
}

function contains(operand: unknown, actual: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((item) => matches(operand, item));
  if (typeof actual !== "string") return false;
  return saysWords(actual, String(operand));
}

/** True when a text contains some words, ignoring case and differences of white space. */
export function saysWords(text: string, words: string): boolean {
  return plain(text).includes(plain(words));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim().toLowerCase();
}

/**
 * Compares two values: below zero, zero or above; null where they cannot be ordered. Decimals may be texts, such as
 * amounts of money.
 */
function order(actual: unknown, bound: unknown): number | null {
  const [a, b] = [toNumber(actual), toNumber(bound)];
  if (a !== null && b !== null) return a - b;
  if (typeof actual !== "string" || typeof bound !== "string") return null;
  return actual < bound ? -1 : actual > bound ? 1 : 0;
}

function toNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null || value === undefined;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isMapping(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

/** Describes a matcher for a report. */
export function describeMatcher(matcher: unknown): string {
  if (!isOperatorMapping(matcher)) return describeValue(matcher);
  return Object.entries(matcher)
    .map(([operator, operand]) => describeOperator(operator as Operator, operand))
    .join(" and ");
}

function describeOperator(operator: Operator, operand: unknown): string {
  switch (operator) {
    case "is":
      return describeValue(operand);
    case "not":
      return `not ${describeMatcher(operand)}`;
    case "oneOf":
      return `one of ${Array.isArray(operand) ? operand.map(describeMatcher).join(", ") : ""}`;
    case "contains":
      return `something with ${describeMatcher(operand)}`;
    case "matches":
      return `something like /${String(operand)}/`;
    case "atLeast":
      return `at least ${String(operand)}`;
    case "atMost":
      return `at most ${String(operand)}`;
    case "exists":
      return operand === true ? "any value" : "no value";
    case "type":
      return `of type ${String(operand)}`;
  }
}

/** Describes a value for a report. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
