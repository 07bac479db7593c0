import { invalidValue, ScimFault } from "./scim-fault.ts";

/** Attributes of a SCIM resource by their names in small letters: SCIM does not distinguish case (RFC 7643, 2.1). */
export type Attributes = Map<string, unknown>;

const MAX_TEXT = 1_000;

/** Reads a JSON object into its attributes. */
export function readAttributes(value: unknown): Attributes {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ScimFault(400, "The value must be a JSON object.", "invalidSyntax");
  return new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member as unknown]));
}

/** Reads a text; null when it is absent, null or empty. */
export function readText(value: unknown, name: string): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string" && value.length <= MAX_TEXT && !/\p{Cc}/u.test(value)) return value;
  throw invalidValue(`${name} must be a text of at most ${MAX_TEXT} characters.`);
}

/** Reads a boolean, which Microsoft Entra ID sends as "True" or "False". */
export function readBoolean(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text === "true" || text === "false") return text === "true";
  throw invalidValue(`${name} must be true or false.`);
}

/** Reads the items of a multi-valued attribute; a single one may stand for a list. */
export function readItems(value: unknown): Attributes[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(readAttributes);
}

/** One operation of a PATCH. */
export interface PatchOperation {
  op: "add" | "replace" | "remove";
  /** Without the prefix of the schema; null: the value names the attributes. */
  path: string | null;
  value: unknown;
}

const SCHEMA_PREFIX = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/i;
const MAX_OPERATIONS = 1_000;

/**
 * Reads the operations of a PATCH (RFC 7644, 3.5.2). One without a path becomes one for each attribute that its value
 * names, as Okta sends them; names of operations may be in capitals, as Microsoft Entra ID sends them.
 */
export function readPatch(body: unknown): PatchOperation[] {
  const operations = readAttributes(body).get("operations");
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw new ScimFault(400, `Operations must be a list of 1 to ${MAX_OPERATIONS}.`, "invalidSyntax");
  return operations.flatMap(readOperation);
}

function readOperation(given: unknown): PatchOperation[] {
  const attributes = readAttributes(given);
  const op = String(attributes.get("op")).toLowerCase();
  const path = attributes.get("path");
  const value = attributes.get("value");
  if (op !== "add" && op !== "replace" && op !== "remove")
    throw new ScimFault(400, "op must be add, replace or remove.", "invalidSyntax");
  if (typeof path === "string" && path !== "") return [{ op, path: path.replace(SCHEMA_PREFIX, ""), value }];
  if (op === "remove") throw new ScimFault(400, "A remove needs a path.", "noTarget");
  return Array.from(readAttributes(value), ([name, member]) => ({
    op,
    path: name.replace(SCHEMA_PREFIX, ""),
    value: member,
  }));
}

/** Reads a comparison such as `userName eq "ada"`; the attribute is in small letters. */
export function readEquals(text: string): { attribute: string; value: string } {
  const found = /^\s*([\w.$-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i.exec(text);
  try {
    if (found) return { attribute: (found[1] as string).toLowerCase(), value: String(JSON.parse(found[2] as string)) };
  } catch {
    // Not a text of JSON, so no filter either.
  }
  throw new ScimFault(400, 'Filters have the form: attribute eq "value".', "invalidFilter");
}
