import { ROW_OUTCOMES, ROW_STATUSES } from "#src/interactions/calls/states.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { findJob } from "./store.ts";
import { listErrorCodes, listJobNumbers, listRowGroups, type RowGroupCount } from "./summary-store.ts";

const MOST_ERRORS = 20;
const count = Type.Integer();

/** Counts of a job's rows by state and outcome, and the use of its numbers. */
export const CallJobSummary = Type.Object(
  {
    jobId: Uuid,
    asOf: Timestamp,
    statuses: Type.Array(Type.Object({ status: oneOf(ROW_STATUSES), count }), {
      description: "Rows by the status that they show now.",
    }),
    outcomes: Type.Array(Type.Object({ outcome: oneOf(ROW_OUTCOMES), count }), {
      description: "Rows that are over, by outcome.",
    }),
    errors: Type.Array(Type.Object({ code: Type.String(), count }), {
      description: `Rows that are over with an error, by its code; the ${MOST_ERRORS} most frequent.`,
    }),
    retries: Type.Array(Type.Object({ attempt: Type.Integer(), count, firstAt: Timestamp, lastAt: Timestamp }), {
      description:
        "Rows that wait for another attempt, or for the calling window before it: by its number, and between when and when they are due.",
    }),
    numbers: Type.Array(
      Type.Object({
        phoneNumberId: Uuid,
        phoneNumber: Type.String(),
        status: Type.String(),
        activeCalls: Type.Integer({ description: "Calls of this job." }),
        maxCalls: nullable(Type.Integer({ description: "The job's share; null: as many as the number takes." })),
        numberActiveCalls: Type.Integer({ description: "Calls of the number, whatever they belong to." }),
        numberMaxCalls: Type.Integer(),
      }),
    ),
  },
  { $id: "CallJobSummary" },
);
export type CallJobSummary = Static<typeof CallJobSummary>;

/** Sums up a job's rows; 404 when there is no such job. */
export async function summarizeJob(tx: Executor, workspaceId: string, jobId: string): Promise<CallJobSummary> {
  if (!(await findJob(tx, workspaceId, jobId))) throw new AppError("NOT_FOUND");
  const groups = await listRowGroups(tx, workspaceId, jobId);
  const over = groups.filter(({ outcome }) => outcome !== null);
  return {
    jobId,
    asOf: now().toISOString(),
    statuses: countBy(groups, ({ status }) => status).map(([status, sum]) => ({ status, count: sum })),
    outcomes: countBy(over, ({ outcome }) => outcome as string).map(([outcome, sum]) => ({ outcome, count: sum })),
    errors: await listErrorCodes(tx, workspaceId, jobId, MOST_ERRORS),
    retries: listRetries(groups),
    numbers: await listJobNumbers(tx, workspaceId, jobId),
  } as CallJobSummary;
}

function countBy(groups: RowGroupCount[], nameOf: (group: RowGroupCount) => string): [string, number][] {
  const sums = new Map<string, number>();
  for (const group of groups) sums.set(nameOf(group), (sums.get(nameOf(group)) ?? 0) + group.count);
  return [...sums].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}

function listRetries(groups: RowGroupCount[]): CallJobSummary["retries"] {
  const waiting = groups.filter(({ is_retry }) => is_retry);
  const attempts = [...new Set(waiting.map(({ attempts_made }) => attempts_made))].toSorted((a, b) => a - b);
  return attempts.map((made) => {
    const group = waiting.filter(({ attempts_made }) => attempts_made === made);
    const times = group.flatMap(({ first_due, last_due }) => [Number(first_due), Number(last_due)]);
    return {
      attempt: made + 1,
      count: group.reduce((sum, part) => sum + part.count, 0),
      firstAt: new Date(Math.min(...times)).toISOString(),
      lastAt: new Date(Math.max(...times)).toISOString(),
    };
  });
}
