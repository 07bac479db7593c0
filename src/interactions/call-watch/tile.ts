import type { FilledOutput } from "#src/engine/conversation/plan.ts";
import type { Tone } from "#src/engine/sentiment/judge.ts";

/** Content of the tile of a live call besides its row; small, since hundreds are read each second. */
export interface CallTile {
  /** Side that spoke last; null before the first words. */
  role: "ASSISTANT" | "USER" | null;
  /** Their words, cut. */
  text: string;
  /** The person's wait for the agent's latest answer; null in text, and before the first. */
  latencyMs: number | null;
  tone: Tone;
  /** Fields that the call has filled so far, cut. */
  fields: Record<string, string>;
  /** Number of fields that its flow asks for. */
  wanted: number;
  /** True for a call that is held in text: nobody can be heard. */
  isText: boolean;
}

const MAX_TEXT = 160;
const MAX_FIELDS = 6;
const MAX_VALUE = 40;
const MAX_NAME = 40;

/** Returns the end of a long text, which is what was said last. */
export function cutLine(text: string): string {
  return text.length <= MAX_TEXT ? text : `… ${text.slice(-MAX_TEXT).toWellFormed()}`;
}

/** Returns the fields of filled outputs, each output's members in one. */
export function fieldsOf(outputs: Record<string, FilledOutput>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([name, { value }]) =>
      typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [[name, value]],
    ),
  );
}

/** Returns the latest fields that have a value, cut. */
export function cutFields(fields: Record<string, unknown>): Record<string, string> {
  const filled = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return Object.fromEntries(filled.slice(-MAX_FIELDS).map(([name, value]) => [name.slice(0, MAX_NAME), show(value)]));
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE - 1).toWellFormed()}…`;
}
