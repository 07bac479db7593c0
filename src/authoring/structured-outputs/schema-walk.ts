import { RE2JS } from "re2js";
import type { Fault } from "#src/platform/kernel/errors.ts";

/** One place of a schema that holds a schema, with the places that judge the same or a lower part of a value. */
export interface SchemaPlace {
  /** Judged together with this one on the same part of the value. */
  inPlace: string[];
  /** Judged on one member of an object each, no two on the same member. */
  members: string[];
  /** Judged on any member of an object. */
  anyMember: string[];
  /** Judged on the items of an array. */
  items: string[];
}

/** Every place of a schema by its JSON Pointer ("#" is the top), and the faults that make the schema unusable. */
export interface SchemaSurvey {
  places: Map<string, SchemaPlace>;
  faults: Fault[];
}

type Relation = keyof SchemaPlace | "none";

const ONE: Record<string, Relation> = {
  not: "inPlace",
  if: "inPlace",
  then: "inPlace",
  else: "inPlace",
  additionalProperties: "anyMember",
  propertyNames: "anyMember",
  unevaluatedProperties: "anyMember",
  items: "items",
  contains: "items",
  unevaluatedItems: "items",
};
const LIST: Record<string, Relation> = { allOf: "inPlace", anyOf: "inPlace", oneOf: "inPlace", prefixItems: "items" };
const MAP: Record<string, Relation> = {
  properties: "members",
  patternProperties: "anyMember",
  dependentSchemas: "inPlace",
  dependencies: "inPlace",
  $defs: "none",
  definitions: "none",
};

/**
 * Keywords that name or refer to other schemas. One local way to refer to a schema is enough, and the only bounded one.
 */
const REFUSED = new Set(["$data", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$anchor"]);

const MAX_PLACES = 2_000;
const MAX_PATTERNS = 64;
const MAX_PATTERN_CHARACTERS = 500;
/** Limit of RE2 instructions; `.{1,500}` has about 1,000. The time of a match is this times the length of the text. */
const MAX_PATTERN_PROGRAM = 2_000;

/** Surveys every place of a schema that is already known to be small and shallow. */
export function surveySchema(schema: Record<string, unknown>): SchemaSurvey {
  const walk = new SchemaWalk();
  walk.enter(schema, "#", "");
  walk.linkRefs();
  return { places: walk.places, faults: walk.faults };
}

class SchemaWalk {
  readonly places = new Map<string, SchemaPlace>();
  readonly faults: Fault[] = [];
  readonly #refs: { from: SchemaPlace; target: string; path: string }[] = [];
  #patterns = 0;

  enter(schema: unknown, pointer: string, path: string): void {
    if (this.places.size >= MAX_PLACES) {
      if (this.places.size === MAX_PLACES)
        this.#fault(path, "TOO_LARGE", `must hold at most ${MAX_PLACES} subschemas.`);
      return;
    }
    const place: SchemaPlace = { inPlace: [], members: [], anyMember: [], items: [] };
    this.places.set(pointer, place);
    if (!isRecord(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const at = path === "" ? keyword : `${path}.${keyword}`;
      this.#inspectKeyword(keyword, value, at, place, pointer);
      this.#descend(keyword, value, at, place, pointer);
    }
  }

  /** Links each $ref to the place it names, once every place is known. */
  linkRefs(): void {
    for (const { from, target, path } of this.#refs) {
      if (this.places.has(target)) from.inPlace.push(target);
      else this.#fault(path, "REF", "must point at a schema within this one, such as #/$defs/address.");
    }
  }

  #inspectKeyword(keyword: string, value: unknown, at: string, place: SchemaPlace, pointer: string): void {
    if (REFUSED.has(keyword)) this.#fault(at, "NOT_ALLOWED", `${keyword} is not allowed; refer to #/$defs/… by $ref.`);
    if (keyword === "$id" && pointer !== "#") this.#fault(at, "NOT_ALLOWED", "$id is allowed at the top only.");
    if (isRecord(value) && "$data" in value && !(keyword in ONE) && !(keyword in MAP) && !HOLDS_DATA.has(keyword)) {
      this.#fault(at, "NOT_ALLOWED", "$data is not allowed.");
    }
    if (keyword === "pattern" && typeof value === "string") this.#inspectPattern(value, at);
    if (keyword === "patternProperties" && isRecord(value)) {
      for (const pattern of Object.keys(value)) this.#inspectPattern(pattern, `${at}.${pattern}`);
    }
    if (keyword === "$ref" && typeof value === "string") this.#noteRef(value, at, place);
  }

  #noteRef(ref: string, path: string, from: SchemaPlace): void {
    if (ref !== "#" && !ref.startsWith("#/")) {
      return this.#fault(path, "REMOTE_REF", "may only point at places within the schema (#/…).");
    }
    let target = ref;
    try {
      target = decodeURIComponent(ref);
    } catch {
      // A stray % names no place; linkRefs reports it.
    }
    this.#refs.push({ from, target, path });
  }

  #inspectPattern(pattern: string, path: string): void {
    if (++this.#patterns === MAX_PATTERNS + 1)
      this.#fault(path, "TOO_LARGE", `must be one of at most ${MAX_PATTERNS} patterns.`);
    if (this.#patterns > MAX_PATTERNS) return;
    if (pattern.length > MAX_PATTERN_CHARACTERS) {
      return this.#fault(path, "PATTERN", `must be at most ${MAX_PATTERN_CHARACTERS} characters long.`);
    }
    try {
      const size = RE2JS.compile(pattern).programSize();
      if (size > MAX_PATTERN_PROGRAM) this.#fault(path, "PATTERN", "is too large: use smaller repeat counts.");
    } catch {
      this.#fault(
        path,
        "PATTERN",
        "is not a regular expression that runs in linear time (RE2 syntax, no look-around).",
      );
    }
  }

  #descend(keyword: string, value: unknown, at: string, place: SchemaPlace, pointer: string): void {
    const step = (relation: Relation, child: unknown, key: string | null): void => {
      const childPointer = `${pointer}/${escapePointer(keyword)}${key === null ? "" : `/${escapePointer(key)}`}`;
      if (relation !== "none") place[relation].push(childPointer);
      this.enter(child, childPointer, key === null ? at : `${at}.${key}`);
    };
    const one = own(ONE, keyword);
    const list = own(LIST, keyword);
    const map = own(MAP, keyword);
    if (one) step(one, value, null);
    if (list && Array.isArray(value)) value.forEach((child, i) => step(list, child, String(i)));
    if (map && isRecord(value)) {
      for (const [key, child] of Object.entries(value)) if (!Array.isArray(child)) step(map, child, key);
    }
  }

  #fault(path: string, code: string, message: string): void {
    this.faults.push({ path, code, message });
  }
}

const HOLDS_DATA = new Set(["const", "default", "examples", "enum"]);

function own(table: Record<string, Relation>, keyword: string): Relation | undefined {
  return Object.hasOwn(table, keyword) ? table[keyword] : undefined;
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
