import { meetsAll, type SuccessCondition } from "#src/authoring/flows/success-condition.ts";
import { answeredBy } from "#src/interactions/calls/answered.ts";
import { latencyOf } from "#src/interactions/calls/latency.ts";
import { NO_NUMBER } from "#src/interactions/calls/new-row.ts";
import { isTerminal, type RowStatus } from "#src/interactions/calls/states.ts";
import type { Conversation } from "./conversation.ts";
import { type FieldValue, flattenFields, readFieldValues } from "./field-values.ts";
import { isMark, leftFailed, readMarks } from "./marks.ts";

/** Ways in which calls are made: dialled by us, answered by us, or held over a web page. */
export const CHANNELS = ["OUTBOUND", "INBOUND", "WEB"] as const;
export type Channel = (typeof CHANNELS)[number];

/** A call with what its results are computed from. */
export interface CountedCall extends Conversation {
  job_id: string;
  flow_api_id: string | null;
  flow_version: number | null;
  phone_number_id: string;
  direction: string;
  status: RowStatus;
  outcome: string | null;
  reason: string | null;
  attempts_made: number;
  ended_at: Date | null;
  /** True when the person was erased or the conversation is past its retention. */
  is_forgotten: boolean;
  /** Conditions of the flow for a success; null: completed, not cut off, with valid outputs, and no tool failed. */
  success: SuccessCondition[] | null;
  extracted_fields: Record<string, unknown> | null;
  duration_ms: number | null;
  billed: string;
  simulated: string;
  human_requested: boolean;
  model_ms: number[] | null;
  dials: { at: Date; phoneNumberId: string; outcome: string | null }[];
}

/** Dimensions that a call counts under: quarter of an hour, job, flow, version, number, channel. */
export type Dimensions = [
  bucketAt: string,
  jobId: string,
  flowApiId: string,
  flowVersion: number,
  phoneNumberId: string,
  channel: Channel,
];

/** Figures of a part, in the order of SUM_COLUMNS. */
export type Figures = number[];

/** Columns of `result_sums` that are added up. Amounts of money are beside them, as exact decimals. */
export const SUM_COLUMNS = [
  "calls",
  "dialled",
  "persons",
  "machines",
  "talked",
  "goals",
  "call_ms",
  "dials",
  "dial_persons",
  "dial_machines",
] as const;

/** Part of a call's contribution, under one key. */
export interface SumPart {
  key: [...Dimensions, outcome: string, reason: string];
  figures: Figures;
  billed: string;
  simulated: string;
}

/** Measures of a call, by which lists of calls are sorted. */
export interface Measures {
  duration_ms: number | null;
  latency_ms: number | null;
  /** Exact decimals that the database adds up. */
  cost: [billed: string, simulated: string];
}

/** Contribution of a call to the sums. */
export interface Contribution {
  sums: SumPart[];
  values: { under: Dimensions; fields: FieldValue[] } | null;
}

const QUARTER_MS = 900_000;
const MAX_REASON = 60;
const FINISHED = new Set(["ANSWERED", "TRANSFERRED"]);
/** Limits that end a conversation while it goes on. LIMIT_SILENCE ends one in which nobody speaks any more. */
const CUT_OFF = new Set(["LIMIT_DURATION", "LIMIT_TURNS", "LIMIT_TOOL_CALLS", "LIMIT_COST"]);

/** Returns the start of the quarter of an hour (ISO 8601, UTC). Every zone's offset is a multiple of one. */
function quarterOf(at: Date): string {
  return new Date(Math.floor(at.getTime() / QUARTER_MS) * QUARTER_MS).toISOString();
}

/**
 * Returns the contribution of a call. A call that is not over adds its dials alone. One that was forgotten loses its
 * fields and keeps what else it added `before`, because its transcript and its costs may be gone.
 */
export function contributionOf(call: CountedCall, before: Contribution | null): Contribution {
  if (call.is_forgotten && before && isWhole(before)) return { sums: before.sums, values: marksOf(before) };
  const parts = new Map<string, SumPart>();
  for (const dial of call.dials) addDial(parts, call, dial);
  if (call.ended_at === null || !isTerminal(call.status)) return { sums: [...parts.values()], values: null };
  const under = dimensionsOf(call, call.dials.at(-1)?.at ?? call.ended_at, call.phone_number_id);
  const isPerson = addCall(partOf(parts, under, call.outcome ?? "", call.reason ?? ""), call);
  const fields = call.is_forgotten || !isPerson ? [] : readFieldValues(call.extracted_fields);
  const values = [...fields, ...readMarks(call.tool_lines, call.human_requested)];
  return { sums: [...parts.values()], values: values.length > 0 ? { under, fields: values } : null };
}

function marksOf({ values }: Contribution): Contribution["values"] {
  const marks = values?.fields.filter(isMark) ?? [];
  return values && marks.length > 0 ? { ...values, fields: marks } : null;
}

/** Returns the measures of a call, as its own page shows them. */
export function measuresOf({ duration_ms, waited_ms, model_ms, billed, simulated }: CountedCall): Measures {
  return { duration_ms, latency_ms: latencyOf(waited_ms, model_ms ?? []).p50Ms, cost: [billed, simulated] };
}

/** True where a call was counted after its end. */
function isWhole({ sums }: Contribution): boolean {
  return sums.some(({ figures }) => figures[0] === 1);
}

/** Adds a call that is over; true when a person answered. */
function addCall(part: SumPart, call: CountedCall): boolean {
  const party = answeredBy(call.outcome);
  const isPerson = party === "PERSON";
  // A transcript that is gone no longer shows who spoke.
  const talked = isPerson && (call.is_forgotten || call.has_spoken);
  add(part, {
    calls: 1,
    dialled: Number(call.attempts_made > 0),
    persons: Number(isPerson),
    machines: Number(party === "MACHINE"),
    talked: Number(talked),
    goals: Number(isSuccess(call, isPerson, talked)),
    call_ms: call.duration_ms ?? 0,
  });
  part.billed = call.billed;
  part.simulated = call.simulated;
  return isPerson;
}

function isSuccess(call: CountedCall, isPerson: boolean, talked: boolean): boolean {
  if (call.success === null) return talked && isComplete(call);
  return isPerson && meetsAll(call.success, flattenFields(call.extracted_fields));
}

/**
 * True for a conversation that came to its own end, whose outputs fit their schemas and have a value at least, and whose
 * tools worked.
 */
function isComplete(call: CountedCall): boolean {
  const { status, outcome, reason, has_outputs: hasOutputs, outputs_fit: outputsFit } = call;
  const isOver = status === "COMPLETED" && FINISHED.has(outcome ?? "") && !CUT_OFF.has(reason ?? "");
  const isFilled = !hasOutputs || readFieldValues(call.extracted_fields).length > 0;
  return isOver && outputsFit && isFilled && !leftFailed(call.tool_lines);
}

function addDial(parts: Map<string, SumPart>, call: CountedCall, dial: CountedCall["dials"][number]): void {
  const who = answeredBy(dial.outcome);
  const part = partOf(parts, dimensionsOf(call, dial.at, dial.phoneNumberId), dial.outcome ?? "", "");
  add(part, { dials: 1, dial_persons: Number(who === "PERSON"), dial_machines: Number(who === "MACHINE") });
}

function dimensionsOf(call: CountedCall, at: Date, phoneNumberId: string): Dimensions {
  const dialledOut = call.phone_number_id === NO_NUMBER ? "WEB" : "OUTBOUND";
  const channel = call.direction === "INBOUND" ? "INBOUND" : dialledOut;
  return [quarterOf(at), call.job_id, call.flow_api_id ?? "", call.flow_version ?? 0, phoneNumberId, channel];
}

function partOf(parts: Map<string, SumPart>, under: Dimensions, outcome: string, reason: string): SumPart {
  const key: SumPart["key"] = [...under, outcome, reason.slice(0, MAX_REASON)];
  const name = JSON.stringify(key);
  const part = parts.get(name) ?? { key, figures: SUM_COLUMNS.map(() => 0), billed: "0", simulated: "0" };
  parts.set(name, part);
  return part;
}

function add(part: SumPart, figures: Partial<Record<(typeof SUM_COLUMNS)[number], number>>): void {
  for (const [i, column] of SUM_COLUMNS.entries()) part.figures[i] = (part.figures[i] ?? 0) + (figures[column] ?? 0);
}
