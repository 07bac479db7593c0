import { parseJsonText } from "./json-text.ts";
import { isPending, type RecordedToolCall } from "./recorded-call.ts";

/** A mock in the form that suites use. */
export interface WrittenMock {
  when?: Record<string, unknown>;
  returns?: unknown;
  fails?: string;
  takesMs?: number;
}

const FAILED = "failed: ";
const MAX_DELAY_MS = 3_600_000;

/** Makes mocks that answer like the tools of a call. The last answer of each tool also applies to any other input. */
export function makeMocks(calls: RecordedToolCall[], ownTools: readonly string[]): Record<string, WrittenMock[]> {
  const mocks: Record<string, WrittenMock[]> = {};
  for (const name of ownTools) {
    const made = calls.filter((call) => call.name === name);
    const answered = made.filter(({ result, isHidden }) => !isHidden && !isPending(result));
    const byInput = new Map(answered.map((call) => [JSON.stringify(call.input), call]));
    const last = answered.at(-1);
    const own =
      byInput.size > 1 ? [...byInput.values()].map((call) => ({ when: exactly(call.input), ...answer(call) })) : [];
    mocks[name] = [...own, last ? answer(last) : { returns: {} }];
  }
  return mocks;
}

/** Returns the knowledge that the agent found, as one passage for each search. */
export function makeKnowledge(calls: RecordedToolCall[]): { title: string; text: string }[] {
  const texts = calls.filter(({ name, result }) => name === "search_knowledge" && !result.startsWith(FAILED));
  return [...new Set(texts.map(({ result }) => result))].map((text, i) => ({ title: `Passage ${i + 1}`, text }));
}

function exactly(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, toMatcher(value)]));
}

/** Returns a matcher that accepts only this value. */
export function toMatcher(value: unknown): unknown {
  return value !== null && typeof value === "object" ? { is: value } : value;
}

function answer({ result, tookMs }: RecordedToolCall): WrittenMock {
  const takesMs = Math.min(MAX_DELAY_MS, Math.round(tookMs));
  const took = takesMs > 0 ? { takesMs } : {};
  if (result.startsWith(FAILED))
    return { fails: result.slice(FAILED.length, 2_000 + FAILED.length) || "failed", ...took };
  return { returns: parseJsonText(result), ...took };
}
