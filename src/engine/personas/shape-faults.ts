import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import type { FileFault } from "./persona-schema.ts";

type TypeError = ReturnType<typeof Errors>[number];

const MAX_DEPTH = 12;
const MAX_PARTS = 5_000;
const MAX_CHARACTERS = 200_000;

/**
 * Returns the faults of a value against the schema's shape, in the words of the schema's descriptions. Bounded for any
 * value.
 */
export function findShapeFaults(schema: TSchema, value: unknown): FileFault[] {
  const unsafe = findUnsafe(value);
  if (unsafe) return [unsafe];
  const errors = Errors(schema, value);
  const unions = errors.filter(({ keyword }) => keyword === "anyOf").map(({ schemaPath }) => `${schemaPath}/anyOf/`);
  const faults = errors
    .filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(union)))
    .flatMap((error) => toFaults(schema, error));
  const seen = new Set<string>();
  return faults.filter(({ path, message }) => !seen.has(`${path} ${message}`) && seen.add(`${path} ${message}`));
}

function toFaults(schema: TSchema, error: TypeError): FileFault[] {
  const path = toPath(error.instancePath);
  const node = findNode(schema, error.schemaPath);
  if (error.keyword === "additionalProperties") {
    const known = Object.keys((node?.properties as object | undefined) ?? {}).join(", ");
    return error.params.additionalProperties.map((name) => ({
      path: join(path, name),
      message: `is not known; known are ${known}`,
    }));
  }
  if (error.keyword === "required") {
    return error.params.requiredProperties.map((name) => ({ path: join(path, name), message: "is missing" }));
  }
  // The fault of the object already reports an unknown property.
  if (error.keyword === "boolean") return [];
  const description = node?.description;
  return [{ path, message: typeof description === "string" ? `must be ${description}` : error.message }];
}

function findNode(schema: TSchema, schemaPath: string): Record<string, unknown> | undefined {
  let node: unknown = schema;
  for (const step of schemaPath.split("/").slice(1)) node = (node as Record<string, unknown> | undefined)?.[step];
  return node as Record<string, unknown> | undefined;
}

function toPath(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : join(path, step)), "");
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Returns the first part that is unsafe to check: too deep, too large in all, or text that cannot be stored. */
function findUnsafe(value: unknown): FileFault | null {
  let parts = 0;
  let characters = 0;
  const visit = (part: unknown, path: string, depth: number): FileFault | null => {
    if (typeof part === "string") {
      characters += part.length;
      if (!part.isWellFormed() || part.includes("\0"))
        return { path, message: "holds characters that no text may hold" };
    }
    if (++parts > MAX_PARTS || characters > MAX_CHARACTERS) return { path: "", message: "is too large" };
    if (typeof part !== "object" || part === null) return null;
    if (depth === MAX_DEPTH) return { path, message: `is nested more than ${MAX_DEPTH} levels deep` };
    for (const [name, inner] of Object.entries(part)) {
      const fault = visit(inner, Array.isArray(part) ? `${path}[${name}]` : join(path, name), depth + 1);
      if (fault) return fault;
    }
    return null;
  };
  return visit(value, "", 0);
}
