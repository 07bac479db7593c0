import { asObject } from "#src/platform/kernel/json-object.ts";

/** A part of a path: a member or place, and the item of a list that has a member with a value. */
const PART = /^([^[\]]*)(?:\[([^[\]=]+)=([^[\]]*)\])?$/;
/** Most paths that a preview lists, and the longest text of a sample. */
const MOST_PATHS = 200;
const SAMPLE_LENGTH = 200;

/** A place in a delivery, and its value there. */
export interface FoundPath {
  path: string;
  sample: unknown;
}

/**
 * Returns the value at a path; undefined when there is none. `lead.phones.0` takes members and places, and
 * `fields[name=phone].value` the item of a list whose member `name` is `phone`. `$` is the whole. A member of the whole
 * that is named like the path comes first, because form fields have names such as `lead[phone]`.
 */
export function readPath(whole: unknown, path: string): unknown {
  if (path === "$") return whole;
  const named = memberOf(whole, path);
  if (named !== undefined) return named;
  let value = whole;
  for (const part of path.split(/\.(?![^[]*\])/)) {
    const [, name = "", key, wanted] = PART.exec(part) ?? [];
    if (name !== "") value = memberOf(value, name);
    else if (key === undefined) return undefined;
    if (key !== undefined) value = findItem(value, key, wanted as string);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Lists the paths of the texts, numbers and truth values of a delivery, each with its value. */
export function listPaths(whole: unknown): FoundPath[] {
  const found: FoundPath[] = [];
  const visit = (value: unknown, path: string): void => {
    if (found.length >= MOST_PATHS) return;
    if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(inner, path === "" ? name : `${path}.${name}`);
    } else if (path !== "" && readPath(whole, path) === value) {
      found.push({ path, sample: typeof value === "string" ? value.slice(0, SAMPLE_LENGTH).toWellFormed() : value });
    }
  };
  visit(whole, "");
  return found;
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder =
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, name) &&
    !(Array.isArray(value) && name === "length");
  return isHolder ? (value as Record<string, unknown>)[name] : undefined;
}

function findItem(value: unknown, key: string, wanted: string): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.find((item: unknown) => {
    const member = memberOf(asObject(item), key);
    return (typeof member === "string" || typeof member === "number") && String(member) === wanted;
  });
}
