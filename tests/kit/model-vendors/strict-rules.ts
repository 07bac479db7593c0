/**
 * OpenAI's documented rules of strict schemas (guide "Structured Outputs", section "Supported schemas"), written from
 * the guide without looking at the code under test.
 */
type Json = Record<string, unknown>;

const KEYWORDS = new Set(
  `type properties required additionalProperties items anyOf enum const description title $ref $defs definitions
   pattern format multipleOf maximum exclusiveMaximum minimum exclusiveMinimum minItems maxItems`.split(/\s+/),
);
const FORMATS = new Set("date-time time date duration email hostname ipv4 ipv6 uuid".split(" "));
const TYPES = new Set("string number boolean integer object array null".split(" "));

interface Count {
  members: number;
  characters: number;
  enumValues: number;
}

/** Lists the reasons for which strict mode refuses a schema; empty when it accepts it. */
export function findStrictFaults(schema: unknown): string[] {
  const faults: string[] = [];
  if (!isObject(schema)) return ["the schema is no object"];
  if (schema.type !== "object") faults.push('schema must have type "object"');
  if ("anyOf" in schema) faults.push("the top must not be anyOf");
  const count: Count = { members: 0, characters: 0, enumValues: 0 };
  const root = schema;

  const visit = (at: unknown, path: string, level: number): void => {
    if (!isObject(at)) return void faults.push(`${path}: no schema object`);
    for (const keyword of Object.keys(at))
      if (!KEYWORDS.has(keyword)) faults.push(`${path}: ${keyword} is not permitted`);
    if (typeof at.$ref === "string") {
      if (Object.keys(at).length > 1) faults.push(`${path}: $ref cannot have keywords beside it`);
      if (resolve(root, at.$ref) === undefined) faults.push(`${path}: ${at.$ref} leads nowhere`);
      return;
    }
    if (level > 10) faults.push(`${path}: more than 10 levels`);
    if (!("type" in at) && !("anyOf" in at)) faults.push(`${path}: must have a type`);
    for (const type of listOf(at.type)) if (!TYPES.has(String(type))) faults.push(`${path}: type ${String(type)}`);
    if (typeof at.format === "string" && !FORMATS.has(at.format)) faults.push(`${path}: format ${at.format}`);
    visitEnum(at, path);
    if (listOf(at.type).includes("object")) visitObject(at, path, level);
    if (listOf(at.type).includes("array")) {
      if (!("items" in at)) faults.push(`${path}: array schema missing items`);
      else visit(at.items, `${path}[]`, level + 1);
    }
    if ("anyOf" in at) {
      if (!Array.isArray(at.anyOf) || at.anyOf.length === 0) faults.push(`${path}: anyOf is empty`);
      listOf(at.anyOf).forEach((one, i) => visit(one, `${path}|${i}`, level));
      visitLeads(at, path);
    }
    for (const [name, one] of Object.entries((at.$defs ?? at.definitions ?? {}) as Json)) {
      count.characters += name.length;
      visit(one, `$defs.${name}`, 1);
    }
  };

  const visitObject = (at: Json, path: string, level: number): void => {
    const properties = (at.properties ?? {}) as Json;
    const names = Object.keys(properties);
    if (at.additionalProperties !== false) faults.push(`${path}: additionalProperties must be false`);
    const required = new Set(listOf(at.required));
    for (const name of names) if (!required.has(name)) faults.push(`${path}: required must name ${name}`);
    for (const name of required)
      if (!names.includes(String(name))) faults.push(`${path}: required names ${String(name)}`);
    count.members += names.length;
    for (const name of names) {
      count.characters += name.length;
      visit(properties[name], `${path}.${name}`, level + 1);
    }
  };

  const visitEnum = (at: Json, path: string): void => {
    const values = "const" in at ? [at.const] : listOf(at.enum);
    if ("enum" in at && values.length === 0) faults.push(`${path}: enum is empty`);
    if (new Set(values).size < values.length) faults.push(`${path}: enum holds a value twice`);
    const types = listOf(at.type).map(String);
    for (const value of values) {
      if (types.length > 0 && !types.some((type) => isOf(type, value))) {
        faults.push(`${path}: enum value ${JSON.stringify(value)} does not validate against ${types.join()}`);
      }
    }
    const texts = values.filter((value) => typeof value === "string");
    const characters = texts.join("").length;
    count.enumValues += values.length;
    count.characters += characters;
    if (texts.length > 250 && characters > 15_000) faults.push(`${path}: enum of more than 15,000 characters`);
  };

  /** "Objects provided via 'anyOf' must not share identical first keys", unless that key distinguishes them. */
  const visitLeads = (at: Json, path: string): void => {
    const leads = new Map<string, unknown[]>();
    for (const one of listOf(at.anyOf)) {
      const target = isObject(one) && typeof one.$ref === "string" ? resolve(root, one.$ref) : one;
      if (!isObject(target) || target.type !== "object") continue;
      const [lead] = Object.entries((target.properties ?? {}) as Record<string, Json>);
      if (!lead) continue;
      const values = "const" in lead[1] ? [lead[1].const] : listOf(lead[1].enum);
      leads.set(lead[0], [...(leads.get(lead[0]) ?? []), values.length === 1 ? JSON.stringify(values) : {}]);
    }
    for (const [name, marks] of leads) {
      const isReported = marks.every((mark) => typeof mark === "string") && new Set(marks).size === marks.length;
      if (marks.length > 1 && !isReported) faults.push(`${path}: objects of anyOf share the first key ${name}`);
    }
  };

  visit(schema, "$", 0);
  if (count.members > 5_000) faults.push("more than 5,000 properties");
  if (count.characters > 120_000) faults.push("more than 120,000 characters of names and values");
  if (count.enumValues > 1_000) faults.push("more than 1,000 enum values");
  return faults;
}

function resolve(root: Json, ref: string): unknown {
  if (ref === "#") return root;
  let at: unknown = root;
  for (const step of ref.split("/").slice(1)) at = isObject(at) ? at[step] : undefined;
  return at;
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return type === typeof value && value !== null;
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
