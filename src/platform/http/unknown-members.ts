import { AppError, type ErrorCode, type Fault } from "#src/platform/kernel/errors.ts";
import { findByLastWord, findNearest } from "./nearest-name.ts";
import { type Static, type TSchema, Type } from "./schemas.ts";

/** The most unknown members that a reply names; the others are only counted. */
export const MAX_NAMED = 20;
/** Characters of a path or name that a reply repeats. */
const MAX_SHOWN = 200;

/** Hint of a warning besides that the member is unknown. */
const NO_EFFECT = ", so it has no effect";

/** In a person's row, the member for names of the caller's own, which are often put beside it instead. */
const OWN_NAMES = "rowData";

/** Errors that may come from a misspelt member. */
const REFUSES_BODY: ReadonlySet<ErrorCode> = new Set(["INVALID_BODY", "VALIDATION_FAILED", "FLOW_SELECTION"]);

/** A member of a body that the route does not know. */
const UnknownMember = Type.Object(
  {
    path: Type.String({ description: "JSON Pointer (RFC 6901) to the member in the body." }),
    member: Type.String({ description: "Name of the member, as sent." }),
    nearest: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "The known name that is most like it; null when none is.",
    }),
    message: Type.String({ description: "What is wrong and what to do." }),
  },
  { $id: "Warning" },
);
export type UnknownMember = Static<typeof UnknownMember>;

/** Members that the object reply of every JSON write may have besides its own. */
export const Warned = Type.Object({
  warnings: Type.Optional(
    Type.Array(UnknownMember, {
      maxItems: MAX_NAMED,
      description:
        "Only in replies to writes: members of the body that have no effect, because nothing of that name is known there, the first 20. Left out when there is none.",
    }),
  ),
  warningsTotal: Type.Optional(
    Type.Integer({ minimum: 1, description: "How many there are; only beside `warnings`." }),
  ),
});

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  patternProperties?: object;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

/** The known names at a place in a body, compiled once from its schema. */
interface Shape {
  /** Shape below each known name; undefined where nothing below is checked. Absent: any name may occur here. */
  members?: ReadonlyMap<string, Shape | undefined>;
  /** Shape of every member with a name of the caller's own. */
  anyMember?: Shape | undefined;
  items?: Shape | undefined;
  /** The names that the caller may set; a misspelt one is compared with these. */
  settable: readonly string[];
}

/** Finds the members of a body that no schema names. */
export type UnknownCheck = (body: unknown) => UnknownMembers | null;

/** Unknown members of one body. */
export interface UnknownMembers {
  warnings: UnknownMember[];
  warningsTotal: number;
}

/**
 * Compiles a body's schema into tables of its names. An object is closed when its declaration lists members and says
 * nothing about others. `replies` are the route's replies, whose members are known too, so that a resource can be sent
 * back as it was read.
 */
export function compileUnknownCheck(body: TSchema, replies: readonly TSchema[] = []): UnknownCheck {
  let shape: Shape | undefined | null = null;
  return (value) => {
    if (shape === null) shape = shapeOf([body as Schema], replies as readonly Schema[]);
    if (shape === undefined) return null;
    const found = new Found();
    walk(value, shape, [], found);
    return found.result();
  };
}

/** True when the schema closes an object somewhere, so that a body can hold an unknown member. */
export function hasKnownMembers(body: TSchema): boolean {
  return shapeOf([body as Schema], []) !== undefined;
}

/** Returns a 422 that names each unknown member, for `Prefer: handling=strict`. */
export function unknownMembersError({ warnings, warningsTotal }: UnknownMembers): AppError {
  const details = warnings.map((one) => toFault(one));
  const more = warningsTotal > 1 ? ` (and ${warningsTotal - 1} more)` : "";
  return new AppError("VALIDATION_FAILED", `${details[0]?.message ?? ""}${more}`, details);
}

/**
 * Adds the unknown members of a body to the error that refuses it: a member that is missing may be there under another
 * name. Errors that are not about the body stay as they are.
 */
export function explainByUnknown(thrown: unknown, found: UnknownMembers | null | undefined): unknown {
  if (!found || !(thrown instanceof AppError) || !REFUSES_BODY.has(thrown.code)) return thrown;
  const known = new Set(thrown.details.map(({ path }) => path));
  const missing = thrown.details.filter(({ code }) => code === "REQUIRED").map(({ path }) => path);
  const added = found.warnings.map((one) => toFault(one, missing)).filter(({ path }) => !known.has(path));
  const [first] = added;
  if (!first) return thrown;
  const details = [...thrown.details, ...added].slice(0, MAX_NAMED);
  return new AppError(thrown.code, `${thrown.message} ${first.message}`, details, thrown.headers);
}

/** Returns the fault of a member; where two names are as near, the one that is `missing` beside it is meant. */
function toFault({ path, member, nearest, message }: UnknownMember, missing: readonly string[] = []): Fault {
  const place = toDots(path);
  const folder = place.slice(0, Math.max(0, place.length - member.length));
  const beside = missing.filter((one) => one.startsWith(folder)).map((one) => one.slice(folder.length));
  const meant = nearest ?? findByLastWord(member, beside);
  const told = meant === null ? message.replace(NO_EFFECT, "") : describe(member, meant);
  return { path: place, code: "UNKNOWN_FIELD", message: told };
}

/** Says that a member is unknown, what that means, and which one was likely meant. */
function describe(member: string, nearest: string | null, effect = ""): string {
  const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
  return `${member} is not a member that is known here${effect}.${hint}`;
}

function toDots(pointer: string): string {
  return pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
}

function shapeOf(inputs: readonly Schema[], replies: readonly Schema[]): Shape | undefined {
  const sent = inputs.flatMap(variants);
  const read = replies.flatMap(variants);
  const items = shapeBelow(
    sent.map((one) => one.items),
    read.map((one) => one.items),
  );
  const extra = sent.map(({ additionalProperties }) => additionalProperties).filter((one) => typeof one === "object");
  const anyMember = shapeBelow(extra, []);
  if (sent.some(isOpen)) return items || anyMember ? { items, anyMember, settable: [] } : undefined;
  const settable = [...new Set(sent.flatMap(({ properties = {} }) => Object.keys(properties)))];
  if (settable.length === 0) return items && { items, settable };
  const names = new Set([...settable, ...read.flatMap(({ properties = {} }) => Object.keys(properties))]);
  const members = new Map<string, Shape | undefined>();
  for (const name of names) {
    const at = (schemas: Schema[]) => schemas.map(({ properties }) => properties?.[name]);
    members.set(name, shapeBelow(at(sent), at(read)));
  }
  return { members, items, settable };
}

function shapeBelow(inputs: (Schema | undefined)[], replies: (Schema | undefined)[]): Shape | undefined {
  const sent = inputs.filter((one) => one !== undefined);
  return sent.length === 0
    ? undefined
    : shapeOf(
        sent,
        replies.filter((one) => one !== undefined),
      );
}

/** Returns a schema's alternatives, and the schema itself where it has properties or no alternatives. */
function variants(schema: Schema): Schema[] {
  const { anyOf = [], oneOf = [], allOf = [], ...own } = schema;
  const below = [...anyOf, ...oneOf, ...allOf].flatMap(variants);
  return below.length === 0 || own.properties ? [own, ...below] : below;
}

/** True where an object may have members of any name. */
function isOpen(schema: Schema): boolean {
  const { $ref, type, properties, patternProperties, additionalProperties } = schema;
  if ($ref !== undefined || patternProperties) return true;
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  if (properties) return false;
  if (schema.enum || schema.const !== undefined) return false;
  return type === undefined || [type].flat().includes("object");
}

function walk(value: unknown, shape: Shape, path: (string | number)[], found: Found): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    if (!shape.items) return;
    for (const [i, item] of value.entries()) {
      path.push(i);
      walk(item, shape.items, path, found);
      path.pop();
    }
    return;
  }
  const { members, anyMember } = shape;
  if (!members && !anyMember) return;
  for (const name of Object.keys(value)) {
    const below = members?.get(name) ?? anyMember;
    if (below) {
      path.push(name);
      walk((value as Record<string, unknown>)[name], below, path, found);
      path.pop();
    } else if (members && !members.has(name)) found.add(path, name, shape.settable);
  }
}

class Found {
  readonly #warnings: UnknownMember[] = [];
  #total = 0;

  add(path: (string | number)[], name: string, settable: readonly string[]): void {
    this.#total++;
    if (this.#warnings.length >= MAX_NAMED) return;
    const nearest = findNearest(name, settable);
    const member = shorten(name);
    const isOwn = nearest === null && settable.includes(OWN_NAMES);
    const advice = isOwn ? ` Variables of the conversation go into ${OWN_NAMES}.` : "";
    const message = describe(member, nearest, NO_EFFECT) + advice;
    this.#warnings.push({ path: shorten(toPointer([...path, name])), member, nearest, message });
  }

  result(): UnknownMembers | null {
    return this.#total === 0 ? null : { warnings: this.#warnings, warningsTotal: this.#total };
  }
}

function toPointer(path: (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}
