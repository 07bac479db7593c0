import { AppError, type Fault } from "#src/platform/kernel/errors.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";

/** The deepest nesting of a JSON body: JSON.stringify overflows its stack at 5,000 arrays (measured). */
export const MAX_DEPTH = 64;
/** The deepest nesting of JSON kept as text: PostgreSQL's and JavaScript's parsers take thousands. */
export const MAX_EXACT_DEPTH = 512;
const MAX_FAULTS = 20;

/**
 * Matches the dotted paths of the parts of a body that are kept as their exact text, so that they may hold any JSON.
 */
export type ExactText = RegExp;

/** Matches every path. */
export const ANY_JSON: ExactText = /^/;

/** `contextData` of a call, a chat and the rows of a job. */
export const EXACT_CONTEXT: ExactText = /^(rows[.][0-9]+[.])?contextData$/;

/** The same parts among the arguments of an MCP tool, also of one that another runs. */
export const EXACT_ARGUMENTS: ExactText = /^params[.]arguments[.](arguments[.])?(rows[.][0-9]+[.])?contextData$/;

/**
 * Parses a caller's JSON body. Refuses (400, with the path of each fault) values that our storage or code could not
 * return unchanged: deep nesting, `__proto__` keys, NUL characters, lone surrogates, and numbers that overflow. Parts
 * matched by `exact` are kept as text and may hold any of these.
 */
export function parseJson(text: string, exact?: ExactText): unknown {
  assertDepth(text, exact ? MAX_EXACT_DEPTH : MAX_DEPTH);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError("INVALID_JSON", `The body is not valid JSON: ${(error as Error).message}`);
  }
  const faults: Fault[] = [];
  inspect(value, "", 0, exact, faults);
  if (faults.length > 0) throw new AppError("INVALID_BODY", faults[0]?.message, faults);
  return value;
}

/**
 * Reads a JSON text that was kept exactly, for templates and models. Drops what a database could not store (NUL, lone
 * surrogates, `__proto__`), and clamps numbers that overflow to the largest there is. Keeps digits as `readDigits`.
 */
export function readExactText(text: string): unknown {
  return storable(readDigits(text));
}

/**
 * Parses a JSON text. A whole number with more digits than JavaScript holds, such as an id of another system, becomes
 * the text of its digits instead of another number.
 */
export function readDigits(text: string): unknown {
  // Most texts have no such number, and are read several times as fast without a look at each value.
  return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  if (!Number.isFinite(value) || !/^-?\d+$/.test(source) || String(value) === source) return value;
  return BigInt(source) === BigInt(value as number) ? value : source;
}

function storable(value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (typeof value === "number") return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
  if (Array.isArray(value)) return value.map(storable);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(members.map(([name, member]) => [toStorableText(name), storable(member)]));
}

function assertDepth(text: string, limit: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 92) i++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 91 || char === 123) {
      if (++depth > limit) throw tooDeep(limit);
    } else if (char === 93 || char === 125) depth--;
  }
}

function tooDeep(limit: number): AppError {
  return new AppError("INVALID_JSON", `The body nests deeper than ${limit} levels.`, [
    { path: "", code: "TOO_DEEP", message: `At most ${limit} levels of objects and arrays.` },
  ]);
}

/** Looks for values that could not be returned unchanged; `depth` counts the objects and arrays around the value. */
function inspect(value: unknown, path: string, depth: number, exact: ExactText | undefined, faults: Fault[]): void {
  if (faults.length >= MAX_FAULTS) return;
  if (typeof value === "string") inspectString(value, path, faults);
  else if (typeof value === "number") {
    if (!Number.isFinite(value)) faults.push(fault(path, "NUMBER_TOO_LARGE", "is a number too large to keep."));
  } else if (value !== null && typeof value === "object") {
    if (exact?.test(path)) return;
    if (depth >= MAX_DEPTH) throw tooDeep(MAX_DEPTH);
    if (Array.isArray(value)) {
      value.forEach((item, i) => inspect(item, join(path, String(i)), depth + 1, exact, faults));
    } else inspectObject(value, path, depth, exact, faults);
  }
}

function inspectObject(
  value: object,
  path: string,
  depth: number,
  exact: ExactText | undefined,
  faults: Fault[],
): void {
  for (const [key, item] of Object.entries(value)) {
    const at = join(path, key);
    if (key === "__proto__") faults.push(fault(at, "KEY_NOT_ALLOWED", "is a key that is not allowed."));
    inspectString(key, at, faults);
    inspect(item, at, depth + 1, exact, faults);
  }
}

/** Adds faults of a text that the database could not store: NUL (22021) and lone surrogates (22P02). */
export function inspectString(value: string, path: string, faults: Fault[]): void {
  if (value.includes("\u0000")) faults.push(fault(path, "NUL_CHARACTER", "holds a NUL character."));
  else if (!value.isWellFormed()) faults.push(fault(path, "LONE_SURROGATE", "holds half of a surrogate pair."));
}

function fault(path: string, code: string, rest: string): Fault {
  const shown = path.replaceAll("\u0000", "").toWellFormed().slice(0, 200);
  return { path: shown, code, message: `${shown || "The body"} ${rest}` };
}

function join(path: string, key: string): string {
  return path ? `${path}.${key}` : key;
}

/** The raw texts of the reply being written; writing is synchronous, so one list is enough. */
let raws: string[] = [];

/** JSON text that must reach the caller exactly as it is (contextData). */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /**
   * Writes a placeholder. No stored text holds NUL (input with it is refused), so placeholders cannot occur by chance.
   */
  toJSON(): string {
    raws.push(this.text);
    return `\u0000${raws.length - 1}\u0000`;
  }
}

/** Returns the JSON text of a reply; every `RawJson` inside appears as its exact text. */
export function stringifyReply(value: unknown): string {
  raws = [];
  const text = JSON.stringify(value);
  if (raws.length === 0) return text;
  const texts = raws;
  return text.replace(/"\\u0000(\d+)\\u0000"/g, (_mark, index: string) => texts[Number(index)] as string);
}

/**
 * Returns the exact text of the value at `path` inside a JSON text that has already been parsed. A key written twice
 * counts with its last value, as in JSON.parse. Undefined when there is none.
 */
export function rawSlice(text: string, path: (string | number)[]): string | undefined {
  let start = skipSpace(text, 0);
  for (const step of path) {
    const found = typeof step === "number" ? findItem(text, start, step) : findMember(text, start, step);
    if (found === undefined) return undefined;
    start = found;
  }
  return text.slice(start, skipValue(text, start));
}

/** Returns the exact texts of all items of the array at `path`. */
export function rawItems(text: string, path: (string | number)[]): string[] {
  const array = rawSlice(text, path);
  const items: string[] = [];
  if (array?.[0] !== "[") return items;
  let at = skipSpace(array, 1);
  while (array[at] !== "]") {
    const end = skipValue(array, at);
    items.push(array.slice(at, end));
    at = skipSpace(array, end);
    if (array[at] === ",") at = skipSpace(array, at + 1);
  }
  return items;
}

/**
 * Returns the exact texts of all members of the object in an already parsed text; for a key written twice, the last.
 */
export function rawMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text[at] !== "}") {
    const keyEnd = skipValue(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    members.set(JSON.parse(text.slice(at, keyEnd)) as string, text.slice(start, end));
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return members;
}

function findItem(text: string, open: number, index: number): number | undefined {
  if (text[open] !== "[") return undefined;
  let at = skipSpace(text, open + 1);
  for (let i = 0; text[at] !== "]"; i++) {
    if (i === index) return at;
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return undefined;
}

function findMember(text: string, open: number, key: string): number | undefined {
  if (text[open] !== "{") return undefined;
  let found: number | undefined;
  let at = skipSpace(text, open + 1);
  while (text[at] !== "}") {
    const keyEnd = skipValue(text, at);
    const name = JSON.parse(text.slice(at, keyEnd)) as string;
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (name === key) found = value;
    at = skipSpace(text, skipValue(text, value));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && " \t\r\n".includes(text[at] as string)) at++;
  return at;
}

/** Returns the index just behind the value that starts at `at`. */
function skipValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return skipString(text, at);
  if (first !== "{" && first !== "[") {
    while (at < text.length && !" \t\r\n,]}".includes(text[at] as string)) at++;
    return at;
  }
  let depth = 0;
  for (;;) {
    const char = text[at];
    if (char === undefined) return at;
    if (char === '"') {
      at = skipString(text, at);
      continue;
    }
    if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
    at++;
  }
}

function skipString(text: string, at: number): number {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
  return at + 1;
}
