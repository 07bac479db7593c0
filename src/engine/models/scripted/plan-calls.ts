import type { JsonSchema, ToolCall, ToolOffer, TurnRequest } from "#src/engine/models/models.ts";
import type { Dialogue, Item } from "./dialogue.ts";
import { isTransfer, SYSTEM_TOOLS } from "./tool-names.ts";

/** A tool call to make. */
export type PlannedCall = Pick<ToolCall, "name" | "input">;

/**
 * Returns the calls that are possible now: a search for the person's question, and tools whose parameters are all
 * known.
 */
export function planCalls(dialogue: Dialogue, { tools }: TurnRequest): PlannedCall[] {
  const calls: PlannedCall[] = [];
  if (dialogue.question !== undefined && isOffered(tools, "search_knowledge"))
    calls.push({ name: "search_knowledge", input: { query: dialogue.question } });
  if (dialogue.isUnconfirmed || (dialogue.phase === "ENDED" && dialogue.end !== "COMPLETED")) return calls;
  for (const { name, inputSchema } of tools) {
    if (SYSTEM_TOOLS.has(name) || isTransfer(name)) continue;
    const input = fillInput(dialogue, inputSchema);
    if (input && !wasMade(dialogue, name, input)) calls.push({ name, input });
  }
  return calls;
}

/** True when the turn may use a tool with that name. */
export function isOffered(tools: ToolOffer[], name: string): boolean {
  return tools.some((tool) => tool.name === name);
}

/** True when the call was made with the same input; after a correction the tool is called again. */
function wasMade({ calls }: Dialogue, name: string, input: Record<string, unknown>): boolean {
  const wanted = JSON.stringify(input);
  return [...calls.values()].some((made) => made.name === name && JSON.stringify(made.input) === wanted);
}

interface Filling {
  dialogue: Dialogue;
  /** True when at least one value is an answer. */
  usesAnswer: boolean;
  isComplete: boolean;
}

/**
 * Returns the input of a tool. Undefined while a value is missing or still to be asked, or when no value is an answer.
 */
function fillInput(dialogue: Dialogue, schema: JsonSchema): Record<string, unknown> | undefined {
  const filling: Filling = { dialogue, usesAnswer: false, isComplete: true };
  const input = fillObject(filling, schema, []);
  return filling.isComplete && filling.usesAnswer ? input : undefined;
}

const MAX_DEPTH = 3;

function fillObject(filling: Filling, schema: JsonSchema, path: string[]): Record<string, unknown> {
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  const input: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    if (!isRecord(property)) continue;
    const value = fillParameter(filling, property, [...path, name]);
    if (value !== undefined) input[name] = value;
    else if (required.includes(name)) filling.isComplete = false;
  }
  return input;
}

function fillParameter(filling: Filling, schema: JsonSchema, path: string[]): unknown {
  if (isRecord(schema.properties) && path.length < MAX_DEPTH) {
    const inner = fillObject(filling, schema, path);
    return Object.keys(inner).length > 0 ? inner : undefined;
  }
  const { dialogue } = filling;
  const item = [...dialogue.items, ...dialogue.others].find(({ field }) => isNamed(field.path, path));
  if (item) {
    const answer = dialogue.answers.has(item) ? toType(dialogue.answers.get(item), schema) : undefined;
    if (answer !== undefined) filling.usesAnswer = true;
    else if (isStillToCome(dialogue, item)) filling.isComplete = false;
    if (answer !== undefined) return answer;
  }
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  return item ? undefined : toType(dialogue.briefing.known[path.at(-1) ?? ""], schema);
}

function isStillToCome(dialogue: Dialogue, item: Item): boolean {
  return dialogue.phase !== "ENDED" && dialogue.items.indexOf(item) >= dialogue.at && !dialogue.answers.has(item);
}

/** True when a parameter names a field: "appointment_day" matches `appointmentDay` and `appointment.day`. */
function isNamed(field: string[], parameter: string[]): boolean {
  const wanted = plain(parameter.join(""));
  return [plain(field.at(-1) ?? ""), plain(field.join(""))].some(
    (name) => name === wanted || name === plain(parameter.at(-1) ?? ""),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Converts a value to the parameter's type; undefined when that is impossible. */
function toType(value: unknown, { type }: JsonSchema): unknown {
  if (value === undefined || value === null || value === "") return undefined;
  if (type === "string") return typeof value === "object" ? undefined : `${value as string | number | boolean}`;
  if (type === "number" || type === "integer") {
    const number = typeof value === "boolean" || typeof value === "object" ? NaN : Number(value);
    return Number.isFinite(number) ? number : undefined;
  }
  if (type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (type === "array") return Array.isArray(value) ? value : [value];
  return value;
}

function isRecord(value: unknown): value is JsonSchema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
