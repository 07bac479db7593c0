import type { JsonSchema } from "#src/engine/models/models.ts";

/** Types of a value that has no parts. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/**
 * The structure of a JSON Schema without its other rules (lengths, ranges, conditions). Every value that fits the
 * schema, and has no undeclared members, fits its shape.
 */
export type Shape = { description?: string } & (
  | { kind: "SCALAR"; type: ScalarType }
  | { kind: "ENUM"; values: (string | number | boolean | null)[] }
  | { kind: "ARRAY"; items: Shape }
  | { kind: "OBJECT"; members: ReadonlyMap<string, Member> }
  | { kind: "UNION"; of: Shape[] }
  /** A place of the schema by its JSON Pointer, resolved through `ShapedSchema.places`. */
  | { kind: "REF"; place: string }
);

/** One declared member of an object. */
export interface Member {
  shape: Shape;
  isRequired: boolean;
}

/** A schema's shape, and the shapes that it refers to. */
export interface ShapedSchema {
  root: Shape;
  places: ReadonlyMap<string, Shape>;
}

/** Alternatives at one place beyond which a grammar is not worth its size. */
const MAX_ALTERNATIVES = 40;
const MAX_EXPANSIONS = 24;
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
type TypeName = (typeof TYPES)[number];
const ANNOTATIONS = new Set([
  "$ref",
  "description",
  "title",
  "default",
  "examples",
  "deprecated",
  "$comment",
  "$defs",
  "definitions",
]);

/**
 * Returns the shape of a checked schema. Null where it has none: a free-form object or map, a tuple, a place that takes
 * any value, or too many alternatives.
 */
export function shapeOf(schema: JsonSchema): ShapedSchema | null {
  try {
    const reader = new ShapeReader(schema);
    return { root: reader.read(schema), places: reader.places };
  } catch (error) {
    if (error instanceof ShapelessError) return null;
    throw error;
  }
}

class ShapelessError extends Error {}

/** A schema without combinators: one of the parts that apply together. */
type Part = Record<string, unknown>;

class ShapeReader {
  readonly places = new Map<string, Shape>();
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  read(schema: unknown): Shape {
    if (!isRecord(schema)) throw new ShapelessError();
    const description = typeof schema.description === "string" ? { description: schema.description } : {};
    if (typeof schema.$ref === "string" && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))) {
      return { kind: "REF", place: this.#visit(schema.$ref), ...description };
    }
    const shapes = this.#expand(schema, 0).flatMap((parts) => this.#shape(parts));
    return { ...unite(shapes), ...description };
  }

  /** Reads a referenced place once; it may refer to itself. */
  #visit(ref: string): string {
    if (this.places.has(ref)) return ref;
    this.places.set(ref, { kind: "UNION", of: [] });
    this.places.set(ref, this.read(this.#resolve(ref)));
    return ref;
  }

  #resolve(ref: string): unknown {
    let at: unknown = this.#root;
    for (const step of decode(ref).split("/").slice(1)) {
      if (at === null || typeof at !== "object") throw new ShapelessError();
      at = (at as Record<string, unknown>)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    return at;
  }

  /** Returns the alternatives of a schema, each as the parts that apply together. */
  #expand(schema: unknown, depth: number): Part[][] {
    if (schema === true) return [[]];
    if (schema === false) return [];
    if (!isRecord(schema) || depth > MAX_EXPANSIONS) throw new ShapelessError();
    let alternatives: Part[][] = [[schema]];
    const both = (more: Part[][]): void => {
      alternatives = alternatives.flatMap((one) => more.map((other) => [...one, ...other]));
      if (alternatives.length > MAX_ALTERNATIVES) throw new ShapelessError();
    };
    if (typeof schema.$ref === "string") both(this.#expand(this.#resolve(schema.$ref), depth + 1));
    for (const part of listOf(schema.allOf)) both(this.#expand(part, depth + 1));
    for (const keyword of ["anyOf", "oneOf"]) {
      if (Array.isArray(schema[keyword])) both(listOf(schema[keyword]).flatMap((one) => this.#expand(one, depth + 1)));
    }
    for (const conditional of conditionals(schema)) {
      // A conditional part may apply or not, so its members may be present.
      both([[], ...this.#expand(conditional, depth + 1).map((parts) => parts.filter(declaresMembers))]);
    }
    return alternatives;
  }

  /** Returns the shapes of parts that apply together: one for each type that they allow. */
  #shape(parts: Part[]): Shape[] {
    const types = typesOf(parts);
    const values = enumOf(parts);
    if (values) {
      const fitting = values.filter((value) => types === null || types.some((type) => isOfType(value, type)));
      if (fitting.some((value) => value !== null && typeof value === "object")) throw new ShapelessError();
      return fitting.length === 0 ? [] : [{ kind: "ENUM", values: fitting as (string | number | boolean | null)[] }];
    }
    if (types === null) throw new ShapelessError();
    return types.map((type): Shape => {
      if (type === "object") return this.#object(parts);
      return type === "array" ? { kind: "ARRAY", items: this.#items(parts) } : { kind: "SCALAR", type };
    });
  }

  #object(parts: Part[]): Shape {
    if (parts.some(isOpen)) throw new ShapelessError();
    const isClosed = parts.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false);
    const declared = new Map<string, unknown[]>();
    for (const { properties } of parts) {
      if (!isRecord(properties)) continue;
      for (const [name, one] of Object.entries(properties)) declared.set(name, [...(declared.get(name) ?? []), one]);
    }
    const required = new Set(parts.flatMap((part) => listOf(part.required)));
    const members = new Map<string, Member>();
    for (const [name, schemas] of declared) {
      if (schemas.includes(false)) continue;
      const shape = this.read(schemas.length === 1 ? schemas[0] : { allOf: schemas });
      members.set(name, { shape, isRequired: required.has(name) });
    }
    if ((members.size === 0 && !isClosed) || [...required].some((name) => !members.has(String(name)))) {
      throw new ShapelessError();
    }
    return { kind: "OBJECT", members };
  }

  #items(parts: Part[]): Shape {
    if (parts.some(({ prefixItems }) => prefixItems !== undefined)) throw new ShapelessError();
    const items = parts.map((part) => part.items).filter((one) => one !== undefined);
    if (items.length === 0) throw new ShapelessError();
    return this.read(items.length === 1 ? items[0] : { allOf: items });
  }
}

/** Returns the schemas that apply under a condition. */
function conditionals(schema: Part): unknown[] {
  const dependent = isRecord(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : [];
  const both = schema.if === undefined ? [] : [schema.then, schema.else].filter((one) => one !== undefined);
  return [...both, ...dependent].filter((one) => isRecord(one) && declaresMembers(one));
}

function declaresMembers(part: unknown): boolean {
  return isRecord(part) && isRecord(part.properties) && Object.keys(part.properties).length > 0;
}

/** Returns the types that all parts allow; null when none names or implies one. */
function typesOf(parts: Part[]): TypeName[] | null {
  let left: TypeName[] | null = null;
  for (const { type } of parts) {
    if (type === undefined) continue;
    const named = (Array.isArray(type) ? type : [type]) as TypeName[];
    left = left === null ? named : intersect(left, named);
  }
  if (left !== null) return left;
  if (parts.some((part) => isRecord(part.properties) || part.additionalProperties === false)) return ["object"];
  return parts.some((part) => part.items !== undefined) ? ["array"] : null;
}

function intersect(some: TypeName[], others: TypeName[]): TypeName[] {
  return TYPES.filter((type) => {
    const has = (list: TypeName[]): boolean => list.includes(type) || (type === "integer" && list.includes("number"));
    return has(some) && has(others) && (some.includes(type) || others.includes(type));
  });
}

/** Returns the values that all parts allow; null when any value is allowed. */
function enumOf(parts: Part[]): unknown[] | null {
  let left: unknown[] | null = null;
  for (const part of parts) {
    for (const values of [part.enum, "const" in part ? [part.const] : undefined]) {
      if (!Array.isArray(values)) continue;
      left = left === null ? values : left.filter((value) => values.includes(value));
    }
  }
  return left && [...new Set(left)];
}

/** True when the schema allows undeclared members on purpose. */
function isOpen(part: Part): boolean {
  const isWanted = (schema: unknown): boolean => schema === true || isRecord(schema);
  const patterns = isRecord(part.patternProperties) && Object.keys(part.patternProperties).length > 0;
  return isWanted(part.additionalProperties) || isWanted(part.unevaluatedProperties) || patterns;
}

/** Returns one shape for all alternatives; an empty union, which no value fits, when there are none. */
function unite(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "UNION" ? shape.of : [shape]));
  const texts = flat.map((shape) =>
    JSON.stringify(shape, (_key, value: unknown) => (value instanceof Map ? [...value] : value)),
  );
  const distinct = flat.filter((_, i) => texts.indexOf(texts[i] ?? "") === i);
  const [only, ...others] = distinct;
  if (!only || distinct.length > MAX_ALTERNATIVES) throw new ShapelessError();
  return others.length === 0 ? only : { kind: "UNION", of: distinct };
}

/** True when a value has a JSON Schema type. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function decode(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}
