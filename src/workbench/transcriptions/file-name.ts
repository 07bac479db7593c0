import { RE2JS } from "re2js";
import { fieldError } from "#src/platform/kernel/errors.ts";

// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/g;
const MAX_NAME_CHARACTERS = 255;
const MAX_PATTERN_CHARACTERS = 500;
/** Limit on RE2 instructions. The time of a match is this number times the length of the name. */
const MAX_PATTERN_PROGRAM = 2_000;
const MAX_GROUPS = 50;

/**
 * Returns a sender's file name in a form that may be shown and matched: the part behind the last slash or backslash,
 * without control characters, at most 255 characters. It is never used as a path. Null when nothing is left.
 */
export function cleanFileName(name: string | null | undefined): string | null {
  const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
  const clean = last.replaceAll(CONTROL_CHARACTERS, "").toWellFormed().trim();
  if (clean === "" || clean === "." || clean === "..") return null;
  return Array.from(clean).slice(0, MAX_NAME_CHARACTERS).join("");
}

/**
 * Returns the key under which a file name is looked up, forgiving differences of case and Unicode form: people write
 * spreadsheets.
 */
export function fileNameKey(name: string): string {
  return (cleanFileName(name) ?? "").normalize("NFC").toLowerCase();
}

/** Checks a job's file-name pattern. Throws a 422 with the reason. */
export function assertPattern(pattern: string): void {
  const path = "fileNamePattern";
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    throw fieldError(path, "TOO_LONG", `must have at most ${MAX_PATTERN_CHARACTERS} characters.`);
  }
  const compiled = compile(pattern);
  if (!compiled) throw fieldError(path, "SYNTAX", "is not a regular expression that RE2 takes.");
  if (compiled.programSize() > MAX_PATTERN_PROGRAM) {
    throw fieldError(path, "TOO_COMPLEX", "is too complex. Use smaller repetitions.");
  }
  const names = Object.keys(compiled.namedGroups());
  if (names.length === 0 || names.length > MAX_GROUPS) {
    throw fieldError(path, "NAMED_GROUPS", `needs 1 to ${MAX_GROUPS} named groups, such as (?<agent>[a-z]+).`);
  }
  if (names.includes("__proto__")) throw fieldError(path, "NAMED_GROUPS", "has a group name that is not allowed.");
}

/** Returns the values of a pattern's named groups in a file name, in linear time; none when it does not match. */
export function matchFileName(pattern: string, fileName: string): Record<string, string> {
  const compiled = compile(pattern);
  const matcher = compiled?.matcher(fileName);
  if (!compiled || !matcher?.find()) return {};
  const found = Object.keys(compiled.namedGroups()).map((name): [string, string | null] => [name, matcher.group(name)]);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ""));
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}
