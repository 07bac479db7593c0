import { toMatcher } from "./mocks-of-call.ts";
import { isPending, type RecordedCall, type RecordedToolCall } from "./recorded-call.ts";

/** The longest input that is expected again. Longer ones are free words, which differ between conversations. */
const LONGEST_INPUT = 60;
const SPARE_TURNS = 2;
/** Tools that every conversation calls by itself. */
const UNREMARKABLE = ["end_call", "search_knowledge", "read_record"];

/** Turns the results of a call into expectations of a scenario. */
export function makeExpectations(call: RecordedCall, calls: RecordedToolCall[]): Record<string, unknown> {
  const turns = call.transcript.filter(({ role }) => role === "ASSISTANT").length;
  const outputs = Object.entries(call.outputs).filter(([, output]) => output.valid);
  const tools = listTools(calls);
  return {
    ...(call.outcome === null ? {} : { outcome: call.outcome }),
    ...(call.endReason === null ? {} : { endReason: call.endReason }),
    ...ifAny(
      "fields",
      Object.entries(call.fields).map(([name, value]) => [name, toMatcher(value)] as const),
    ),
    ...ifAny(
      "outputs",
      outputs.map(([name]) => [name, "VALID"] as const),
    ),
    ...(tools.length > 0 ? { tools } : {}),
    optOut: call.outcome === "OPTED_OUT" || calls.some(({ name }) => name === "add_to_do_not_call"),
    turns: { atMost: Math.ceil(turns * 1.5) + SPARE_TURNS },
  };
}

function ifAny(key: string, entries: (readonly [string, unknown])[]): Record<string, unknown> {
  return entries.length > 0 ? { [key]: Object.fromEntries(entries) } : {};
}

function listTools(calls: RecordedToolCall[]): Record<string, unknown>[] {
  const wanted = calls.filter(({ name, result }) => !UNREMARKABLE.includes(name) && !isPending(result));
  const texts = wanted.map(({ name, input, isHidden }) =>
    JSON.stringify(isHidden ? { call: name } : toCall(name, input)),
  );
  return [...new Set(texts)].map((text) => JSON.parse(text) as Record<string, unknown>);
}

function toCall(name: string, input: Record<string, unknown>): Record<string, unknown> {
  const reported = Object.entries(input).filter(([, value]) => JSON.stringify(value ?? null).length <= LONGEST_INPUT);
  return {
    call: name,
    ...ifAny(
      "with",
      reported.map(([key, value]) => [key, toMatcher(value)] as const),
    ),
  };
}
