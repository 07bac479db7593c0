/** Types of the values that a field's calls are listed by. */
export const FIELD_TYPES = ["BOOLEAN", "NUMBER", "DATE", "TEXT"] as const;
/**
 * Kinds of values. REST counts values that are not kept one by one, because a field had too many different ones. TOOL and
 * WISH are marks, which are no values of fields.
 */
export type ValueKind = (typeof FIELD_TYPES)[number] | "REST" | "TOOL" | "WISH";

/** A value of a field as it is counted: numbers rounded, texts cut, dates without their time. */
export interface FieldValue {
  field: string;
  kind: ValueKind;
  value: string;
  /** The number before it was rounded; 0 for other kinds. */
  total: number;
}

/** Fields of one call that are counted. */
const MAX_FIELDS = 60;
const MAX_NAME = 120;
/** A longer text is a sentence, which hardly comes twice: it counts as filled, and is not kept. */
const MAX_TEXT = 60;
const MAX_DEPTH = 4;
/** Digits that a counted number keeps: a median is off by at most half a percent. */
const DIGITS = 3;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:$|T\d{2}:\d{2})/;

/** Returns the counted values of a call's extracted fields; nested ones by their dotted path, empty ones left out. */
export function readFieldValues(fields: Record<string, unknown> | null): FieldValue[] {
  if (fields === null) return [];
  const found = new Map<string, FieldValue>();
  collect(fields, "", 1, found);
  return [...found.values()];
}

function collect(object: object, prefix: string, depth: number, found: Map<string, FieldValue>): void {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    if (found.size >= MAX_FIELDS) return;
    const field = (prefix + key).slice(0, MAX_NAME).replaceAll("\u0000", "").toWellFormed();
    if (value === null || value === undefined) continue;
    const isNested = typeof value === "object" && !Array.isArray(value);
    if (isNested && depth < MAX_DEPTH) collect(value, `${field}.`, depth + 1, found);
    else {
      const read = readValue(value);
      if (read) found.set(field, { field, ...read });
    }
  }
}

/** Returns the values of a call's extracted fields as they are, nested ones by their dotted path. */
export function flattenFields(fields: Record<string, unknown> | null): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (object: object, prefix: string, depth: number): void => {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      const isNested = typeof value === "object" && value !== null && !Array.isArray(value);
      if (isNested && depth < MAX_DEPTH) walk(value, `${prefix}${key}.`, depth + 1);
      else found.set(prefix + key, value);
    }
  };
  if (fields !== null) walk(fields, "", 1);
  return found;
}

/** Returns how a value is counted; null for an empty one. */
export function readValue(value: unknown): Omit<FieldValue, "field"> | null {
  if (typeof value === "boolean") return { kind: "BOOLEAN", value: String(value), total: 0 };
  if (typeof value === "number")
    return { kind: "NUMBER", value: String(Number(value.toPrecision(DIGITS))), total: value };
  const text = (typeof value === "string" ? value : JSON.stringify(value)).trim();
  if (text === "") return null;
  if (DATE.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10))))
    return { kind: "DATE", value: text.slice(0, 10), total: 0 };
  if (text.length > MAX_TEXT) return { kind: "REST", value: "", total: 0 };
  return { kind: "TEXT", value: text.replaceAll("\u0000", "").toWellFormed(), total: 0 };
}

/** Different values that a field keeps within a quarter of an hour, by kind; what comes later counts as REST. */
const MOST_KEPT: Record<ValueKind, number> = {
  BOOLEAN: 50,
  NUMBER: 300,
  DATE: 100,
  TEXT: 40,
  REST: 400,
  TOOL: 400,
  WISH: 400,
};

/** Returns the value as it is counted beside those that its field has already. */
export function keepOrRest(value: FieldValue, kept: ReadonlySet<string>): FieldValue {
  if (kept.has(nameOfValue(value)) || kept.size < MOST_KEPT[value.kind]) return value;
  return { ...value, kind: "REST", value: "" };
}

/** Returns a value's name among those of its field. */
export function nameOfValue({ kind, value }: Pick<FieldValue, "kind" | "value">): string {
  return `${kind}|${value}`;
}
