import type { Query } from "#web/api/http.ts";
import { inSentence, t } from "#web/i18n/t.ts";
import { formatDay, formatName } from "#web/ui/format/format.ts";

/** Name of the parameter of /calls that holds the figure whose calls are shown. */
export const DRILL_PARAM = "result";

/** A figure of the results: what its calls have besides the filters, as the API takes it. */
export type Drill = Record<string, string | number>;

/** Returns the address of the calls that a figure counts. */
export function toDrillHref(query: Query, drill: Drill): string {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...drill })) {
    if (value !== undefined && value !== null && value !== "") all.set(name, String(value as string | number));
  }
  return `/calls?${new URLSearchParams({ [DRILL_PARAM]: all.toString() }).toString()}`;
}

/** Reads a figure from the address, as the API takes it; null where there is none. */
export function readDrill(text: string | null): Query | null {
  if (text === null || text === "") return null;
  return Object.fromEntries(new URLSearchParams(text));
}

const STEPS: Record<string, string> = {
  CALLS: t`All calls that are over`,
  DIALLED: t`Calls that were dialled or came in`,
  ANSWERED_BY_PERSON: t`Calls that a person answered`,
  ANSWERED_BY_MACHINE: t`Calls that a machine answered`,
  TALKED: t`Calls in which the person spoke`,
  SUCCEEDED: t`Calls that succeeded`,
  ASKED_FOR_HUMAN: t`Calls in which the person asked for a human, in vain`,
};
const DAYS = ["", t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];

/** Says which calls a figure counts, fields by their titles. */
export function describeDrill(query: Query, titleOf: (field: string) => string): string {
  const only = (name: string) => (query[name] === undefined ? undefined : String(query[name] as string));
  const { weekday, hour, field, value, valueFrom, valueBelow, outcome, reason, tool } = Object.fromEntries(
    ["weekday", "hour", "field", "value", "valueFrom", "valueBelow", "outcome", "reason", "tool"].map((name) => [
      name,
      only(name),
    ]),
  );
  if (tool !== undefined) return t`Calls in which the tool ${tool} failed`;
  if (weekday !== undefined)
    return t`Calls dialled on a ${DAYS[Number(weekday)] ?? ""} between ${hour ?? ""} and ${Number(hour) + 1} o'clock`;
  if (field !== undefined && value !== undefined) return t`Calls whose ${titleOf(field)} is ${formatDay(value)}`;
  if (field !== undefined)
    return t`Calls whose ${titleOf(field)} is from ${formatDay(valueFrom ?? "")}${valueBelow === undefined ? "" : t` to below ${formatDay(valueBelow)}`}`;
  if (reason !== undefined) return t`Calls that ended with ${formatName(reason)}`;
  if (outcome !== undefined) return t`Calls with the outcome ${formatName(outcome)}`;
  return STEPS[only("step") ?? "CALLS"] ?? t`Calls`;
}

/** True for a figure beside which dials are counted: of an hour, or of a number. Its list has calls all the same. */
export function isOfDials({ weekday, phoneNumberId }: Query): boolean {
  return weekday !== undefined || phoneNumberId !== undefined;
}

/** Says which filters apply: days, flow, version, number and the like. */
export function describeScope(query: Query): string {
  const only = (name: string) => (query[name] === undefined ? undefined : String(query[name] as string));
  const [from, to, zone] = [only("from"), only("to"), only("timeZone")];
  const days =
    from !== undefined && to !== undefined
      ? t`${formatDay(from)} to ${formatDay(to)}${zone === undefined ? "" : ` (${zone})`}`
      : undefined;
  const version = only("flowVersion");
  const flow = only("flowApiId");
  return [
    days,
    flow !== undefined && t`flow ${flow}${version === undefined ? "" : t` version ${version}`}`,
    only("jobId") !== undefined && t`one job`,
    only("phoneNumberId") !== undefined && t`one number`,
    only("channel") !== undefined && inSentence(formatName(only("channel") ?? "")),
  ]
    .filter(Boolean)
    .join(", ");
}
