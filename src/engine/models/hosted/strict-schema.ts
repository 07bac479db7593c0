import type { JsonSchema } from "#src/engine/models/models.ts";
import type { Member, Shape, ShapedSchema } from "./schema-shape.ts";

/** OpenAI's documented limits of a strict schema. */
const MAX_MEMBERS = 5_000;
const MAX_LEVELS = 10;
const MAX_NAME_CHARACTERS = 120_000;
const MAX_ENUM_VALUES = 1_000;
const LONG_ENUM_VALUES = 250;
const MAX_LONG_ENUM_CHARACTERS = 15_000;

/** Notation for optional members. */
export type OptionalMembers =
  /** Required, with null for absent: OpenAI's strict mode has no other form. */
  | "NULLABLE"
  /** Not required. */
  | "OPTIONAL";

/**
 * Writes a shape as a schema of the few keywords that every vendor's constrained decoding accepts: type, properties,
 * required, additionalProperties: false, items, anyOf, enum, description, $defs and $ref. Null where it breaks OpenAI's
 * limits on size or nesting.
 */
export function writeSchema({ root, places }: ShapedSchema, optional: OptionalMembers): JsonSchema | null {
  const writer = new SchemaWriter(places, optional);
  const body = writer.write(root);
  const definitions = [...places].map(([place, shape]) => [writer.nameOf(place), writer.write(shape)] as const);
  const schema = definitions.length === 0 ? body : { ...body, $defs: Object.fromEntries(definitions) };
  // A reference at the top would leave the top without a type.
  if (schema.type !== "object") return null;
  return writer.isWithinLimits && levelsOf(root, places, new Set()) <= MAX_LEVELS ? schema : null;
}

class SchemaWriter {
  readonly #places: ReadonlyMap<string, Shape>;
  readonly #names: string[];
  readonly #optional: OptionalMembers;
  #members = 0;
  #nameCharacters = 0;
  #enumValues = 0;
  #hasLongEnum = false;
  #hasLookAlikes = false;

  constructor(places: ReadonlyMap<string, Shape>, optional: OptionalMembers) {
    this.#places = places;
    this.#names = [...places.keys()];
    this.#optional = optional;
  }

  get isWithinLimits(): boolean {
    return (
      this.#members <= MAX_MEMBERS &&
      this.#nameCharacters <= MAX_NAME_CHARACTERS &&
      this.#enumValues <= MAX_ENUM_VALUES &&
      !this.#hasLongEnum &&
      !this.#hasLookAlikes
    );
  }

  nameOf(place: string): string {
    return `place${this.#names.indexOf(place)}`;
  }

  write(shape: Shape): JsonSchema {
    const { description } = shape;
    // Keywords beside a reference are refused.
    if (shape.kind === "REF") return { $ref: `#/$defs/${this.nameOf(shape.place)}` };
    return { ...this.#writeBody(shape), ...(description === undefined ? {} : { description }) };
  }

  #writeBody(shape: Exclude<Shape, { kind: "REF" }>): JsonSchema {
    switch (shape.kind) {
      case "SCALAR":
        return { type: shape.type };
      case "ENUM":
        return this.#writeEnum(shape.values);
      case "ARRAY":
        return { type: "array", items: this.write(shape.items) };
      case "OBJECT":
        return this.#writeObject(shape.members);
      case "UNION":
        this.#hasLookAlikes ||= this.#optional === "NULLABLE" && this.#lookAlike(shape.of);
        return this.#writeUnion(shape.of.map((one) => this.write(one)));
    }
  }

  /**
   * True when two objects look alike to the decoder, which tells them apart by the name or the constant value of their
   * first member.
   */
  #lookAlike(alternatives: Shape[]): boolean {
    const leads = alternatives.flatMap((shape) => {
      const target = shape.kind === "REF" ? this.#places.get(shape.place) : shape;
      const lead = target?.kind === "OBJECT" ? inOrder(target.members)[0] : undefined;
      return lead ? [{ name: lead[0], constant: constantOf(lead[1]) }] : [];
    });
    return leads.some(({ name, constant }, i) =>
      leads
        .slice(i + 1)
        .filter((other) => other.name === name)
        .some((other) => [constant, other.constant].includes(undefined) || constant === other.constant),
    );
  }

  #writeObject(members: (Shape & { kind: "OBJECT" })["members"]): JsonSchema {
    this.#members += members.size;
    const isKept = this.#optional === "OPTIONAL";
    const properties = inOrder(members).map(([name, { shape, isRequired }]) => {
      this.#nameCharacters += name.length;
      const written = this.write(shape);
      return [name, isRequired || isKept ? written : this.#orNull(written)] as const;
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      required: [...members].filter(([, { isRequired }]) => isRequired || !isKept).map(([name]) => name),
      additionalProperties: false,
    };
  }

  #writeEnum(values: unknown[]): JsonSchema {
    const texts = values.filter((value) => typeof value === "string");
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    this.#enumValues += values.length;
    this.#nameCharacters += characters;
    this.#hasLongEnum ||= texts.length > LONG_ENUM_VALUES && characters > MAX_LONG_ENUM_CHARACTERS;
    const types = [...new Set(values.map(typeOf))];
    const [type, ...others] = types;
    if (others.length === 0) return { type, enum: values };
    return this.#writeUnion(types.map((one) => ({ type: one, enum: values.filter((value) => typeOf(value) === one) })));
  }

  #orNull(schema: JsonSchema): JsonSchema {
    const { description, ...body } = schema;
    const alternatives = Array.isArray(body.anyOf) ? (body.anyOf as JsonSchema[]) : [body];
    if (alternatives.some(({ type }) => type === "null")) return schema;
    return {
      ...this.#writeUnion([...alternatives, { type: "null" }]),
      ...(description === undefined ? {} : { description }),
    };
  }

  #writeUnion(schemas: JsonSchema[]): JsonSchema {
    const flat = schemas.flatMap((one) =>
      Array.isArray(one.anyOf) && one.description === undefined ? (one.anyOf as JsonSchema[]) : [one],
    );
    return { anyOf: flat };
  }
}

/** Sorts the members with a single possible value first. */
function inOrder(members: ReadonlyMap<string, Member>): [string, Member][] {
  const isConstant = ([, member]: [string, Member]): boolean => constantOf(member) !== undefined;
  return [...members].toSorted((a, b) => Number(isConstant(b)) - Number(isConstant(a)));
}

/** Returns the one value that a member has; an optional member may be null too, so it has none. */
function constantOf({ shape, isRequired }: Member): unknown {
  return isRequired && shape.kind === "ENUM" && shape.values.length === 1 ? shape.values[0] : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

/** Counts the levels of objects and arrays; a reference is followed once. */
function levelsOf(shape: Shape, places: ReadonlyMap<string, Shape>, seen: Set<string>): number {
  switch (shape.kind) {
    case "OBJECT":
      return (
        1 +
        deepest(
          [...shape.members.values()].map((member) => member.shape),
          places,
          seen,
        )
      );
    case "ARRAY":
      return 1 + levelsOf(shape.items, places, seen);
    case "UNION":
      return deepest(shape.of, places, seen);
    case "REF": {
      const target = places.get(shape.place);
      if (!target || seen.has(shape.place)) return 0;
      return levelsOf(target, places, new Set([...seen, shape.place]));
    }
    default:
      return 0;
  }
}

function deepest(shapes: Shape[], places: ReadonlyMap<string, Shape>, seen: Set<string>): number {
  return Math.max(0, ...shapes.map((shape) => levelsOf(shape, places, seen)));
}
