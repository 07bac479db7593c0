import { oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { instantOf, isTimeZone, localTimeIn } from "#src/platform/kernel/time-zones.ts";
import { CHANNELS } from "./contribution.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 92;
const DATE = "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$";
const plain = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000]*$", description }));

/** Filters of results in a query. */
export const resultsQuery = {
  from: Type.Optional(
    Type.String({
      pattern: DATE,
      description: `First day, in \`timeZone\`. Default: ${DEFAULT_DAYS} days up to \`to\`; with jobId, the job's first.`,
    }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: DATE,
      description: `Last day, in \`timeZone\`; without jobId at most ${MAX_DAYS} days. Default: today.`,
    }),
  ),
  lastDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: "This many days up to `to`, in place of `from`." }),
  ),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, description: "IANA zone of the days and of the hours. Default: UTC." }),
  ),
  jobId: Type.Optional(Uuid),
  flowApiId: plain(200, "apiId of a flow."),
  flowVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Needs flowApiId." })),
  phoneNumberId: Type.Optional(Uuid),
  channel: Type.Optional(
    oneOf(CHANNELS, "OUTBOUND: we dialled. INBOUND: people called our number. WEB: calls from a web page."),
  ),
  goalField: plain(
    120,
    "A call succeeds when this extracted field has goalValue; nested ones by their path, such as visit.attending. Default: a person answered and spoke, the call COMPLETED, no limit cut it off, every structured output is valid, not all are empty, and no tool was left failed.",
  ),
  goalValue: plain(60, "true or false, a date (YYYY-MM-DD), a number with three digits, or a text. Needs goalField."),
};

const ResultsQuery = Type.Object(resultsQuery);
export type ResultsQuery = Static<typeof ResultsQuery>;

/** Filters that were checked. */
export interface ResultFilters {
  workspaceId: string;
  /** Null: from the first. */
  from: Date | null;
  /** Not included. */
  to: Date;
  /** First and last day as they were asked for or chosen. */
  days: { from: string | null; to: string };
  timeZone: string;
  jobId: string | null;
  flowApiId: string | null;
  flowVersion: number | null;
  phoneNumberId: string | null;
  channel: string | null;
  goal: { field: string; value: string } | null;
}

/** Checks the filters of a query and fills in defaults; 422 for those that contradict each other. */
export function readFilters(workspaceId: string, query: ResultsQuery, atMs = nowMs()): ResultFilters {
  const timeZone = query.timeZone ?? "UTC";
  if (!isTimeZone(timeZone)) throw fieldError("timeZone", "TIME_ZONE", "is not the IANA name of a time zone.");
  const last = readDay("to", query.to) ?? localTimeIn(timeZone, atMs).date;
  const first = readFirstDay(query, last);
  if (first !== null && first > last) throw fieldError("from", "RANGE", "is later than to.");
  if (first !== null && query.jobId === undefined && addDays(first, MAX_DAYS) <= last) {
    throw fieldError("from", "RANGE", `is more than ${MAX_DAYS} days before to. Give a jobId for a longer time.`);
  }
  if (query.flowVersion !== undefined && query.flowApiId === undefined) {
    throw fieldError("flowApiId", "REQUIRED", "is needed with flowVersion.");
  }
  return {
    workspaceId,
    from: first === null ? null : new Date(instantOf(timeZone, `${first}T00:00`)),
    to: new Date(instantOf(timeZone, `${addDays(last, 1)}T00:00`)),
    days: { from: first, to: last },
    timeZone,
    jobId: query.jobId ?? null,
    flowApiId: query.flowApiId ?? null,
    flowVersion: query.flowVersion ?? null,
    phoneNumberId: query.phoneNumberId ?? null,
    channel: query.channel ?? null,
    goal: readGoal(query),
  };
}

function readFirstDay({ from, lastDays, jobId }: ResultsQuery, last: string): string | null {
  if (from !== undefined && lastDays !== undefined) {
    throw fieldError("lastDays", "NOT_ALLOWED", "takes the place of from: send one of them.");
  }
  if (lastDays !== undefined) return addDays(last, 1 - lastDays);
  return readDay("from", from) ?? (jobId === undefined ? addDays(last, 1 - DEFAULT_DAYS) : null);
}

function readGoal({ goalField, goalValue }: ResultsQuery): ResultFilters["goal"] {
  if (goalField === undefined && goalValue === undefined) return null;
  if (goalField === undefined) throw fieldError("goalField", "REQUIRED", "is needed with goalValue.");
  if (goalValue === undefined) throw fieldError("goalValue", "REQUIRED", "is needed with goalField.");
  return { field: goalField, value: goalValue };
}

function readDay(name: string, day: string | undefined): string | null {
  if (day === undefined) return null;
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day || day < "2000" || day > "2200") {
    throw fieldError(name, "FORMAT", "is not a day of the calendar from 2000 on.");
  }
  return day;
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
