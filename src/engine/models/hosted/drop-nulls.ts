import { isOfType, isRecord, type Shape, type ShapedSchema } from "./schema-shape.ts";

/** Number of steps into a value, through members, items and references, after which the rest is left unchanged. */
const MAX_STEPS = 200;

/**
 * Removes the nulls that stand for members left out, as strict mode writes them. A null that the schema itself allows
 * stays. In a value that does not fit its shape, only the nulls that can be told apart are removed.
 */
export function dropNulls({ root, places }: ShapedSchema, value: unknown): unknown {
  return new NullDropper(places).drop(root, value, MAX_STEPS);
}

class NullDropper {
  readonly #places: ReadonlyMap<string, Shape>;

  constructor(places: ReadonlyMap<string, Shape>) {
    this.#places = places;
  }

  drop(shape: Shape, value: unknown, steps: number): unknown {
    if (steps === 0) return value;
    const down = (one: Shape, part: unknown): unknown => this.drop(one, part, steps - 1);
    switch (shape.kind) {
      case "REF":
        return down(this.#target(shape.place), value);
      case "ARRAY":
        return Array.isArray(value) ? value.map((item) => down(shape.items, item)) : value;
      case "UNION": {
        const fitting = shape.of.find((one) => this.#fits(one, value, steps - 1));
        return fitting ? down(fitting, value) : value;
      }
      case "OBJECT": {
        if (!isRecord(value)) return value;
        const kept = Object.entries(value).flatMap(([name, part]) => {
          const member = shape.members.get(name);
          if (!member) return [[name, part]];
          const isLeftOut = part === null && !member.isRequired && !this.#fits(member.shape, null, steps - 1);
          return isLeftOut ? [] : [[name, down(member.shape, part)]];
        });
        return Object.fromEntries(kept) as unknown;
      }
      default:
        return value;
    }
  }

  /** True when a value has this shape, with null for members that are left out. */
  #fits(shape: Shape, value: unknown, steps: number): boolean {
    if (steps === 0) return false;
    const fits = (one: Shape, part: unknown): boolean => this.#fits(one, part, steps - 1);
    switch (shape.kind) {
      case "SCALAR":
        return isOfType(value, shape.type);
      case "ENUM":
        return shape.values.includes(value as string);
      case "ARRAY":
        return Array.isArray(value) && value.every((item) => fits(shape.items, item));
      case "UNION":
        return shape.of.some((one) => fits(one, value));
      case "REF":
        return fits(this.#target(shape.place), value);
      case "OBJECT":
        return (
          isRecord(value) &&
          Object.keys(value).every((name) => shape.members.has(name)) &&
          [...shape.members].every(([name, member]) => {
            const part = Object.hasOwn(value, name) ? value[name] : undefined;
            if (part === undefined || (part === null && !member.isRequired)) return !member.isRequired;
            return fits(member.shape, part);
          })
        );
    }
  }

  #target(place: string): Shape {
    return this.#places.get(place) as Shape;
  }
}
