import { FIELD_LABELS, type FlowFields } from "#web/domain/flow/flow.ts";
import { describeStages } from "#web/domain/stage/stage-words.ts";
import { toStage } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { type DiffLine, diffLines } from "./line-diff.ts";

/** Difference in one field of a flow. */
export interface FieldChange {
  label: string;
  lines: DiffLine[];
}

/**
 * Returns the fields in which two definitions differ, each line by line, stages in words. An empty list or object
 * counts as unset, and the places of stages on their map count as nothing.
 */
export function compareFields(before: FlowFields, after: FlowFields): FieldChange[] {
  return FIELD_LABELS.flatMap(([name, label]) => {
    const [left, right] = [textOf(before, name), textOf(after, name)];
    return left === right ? [] : [{ label, lines: diffLines(left, right) }];
  });
}

function textOf(fields: FlowFields, name: keyof FlowFields): string {
  if (name === "stages") return describeStages((fields.stages ?? []).map(toStage));
  const value = fields[name];
  return typeof value === "number" && name.endsWith("Seconds") ? t`${formatNumber(value)} s` : toText(value);
}

function toText(value: unknown): string {
  const plain = withoutNulls(value);
  if (plain === undefined) return "";
  return typeof plain === "string" ? plain : JSON.stringify(plain, null, 2);
}

function withoutNulls(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return undefined;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item: unknown) => withoutNulls(item) ?? null);
  if (typeof value !== "object") return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const plain = withoutNulls(member);
    return plain === undefined ? [] : [[name, plain] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
