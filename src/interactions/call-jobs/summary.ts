import { ROW_OUTCOMES, ROW_STATUSES } from "#src/interactions/calls/states.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { countOnce } from "./row-sums.ts";
import { findCounted, listJobNumbers, listRowGroups, type RowGroup } from "./summary-store.ts";

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
  const job = await findCounted(tx, workspaceId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
  if (!job.has_sums) await countOnce(tx, workspaceId, jobId);
  const groups = await listRowGroups(tx, workspaceId, jobId);
  const counted = groups.filter(({ part }) => part === "COUNTED");
  const over = counted.filter(({ status }) => status !== "WAITING_FOR_RETRY");
  return {
    jobId,
    asOf: now().toISOString(),
    statuses: countStatuses(groups).map(([status, sum]) => ({ status, count: sum })),
    outcomes: countBy(over, "outcome").map(([outcome, sum]) => ({ outcome, count: sum })),
    errors: countBy(over, "error_code")
      .slice(0, MOST_ERRORS)
      .map(([code, sum]) => ({ code, count: sum })),
    retries: listRetries(counted),
    numbers: await listJobNumbers(tx, workspaceId, jobId),
  } as CallJobSummary;
}

/** Rows that are nothing else are QUEUED. */
function countStatuses(groups: RowGroup[]): [string, number][] {
  const shown = groups.flatMap(({ part, status, count: rows }): [string, number][] => {
    if (part === "ALL") return [["QUEUED", rows]];
    const from = part === "OPENING" ? status : "QUEUED";
    return [
      [from, -rows],
      [part === "OPENING" ? "WAITING_FOR_WINDOW" : status, rows],
    ];
  });
  return sumUp(shown);
}

function countBy(groups: RowGroup[], name: "outcome" | "error_code"): [string, number][] {
  return sumUp(groups.filter((group) => group[name] !== "").map((group) => [group[name], group.count]));
}

/** Adds up what has the same name, the most frequent first. */
function sumUp(counts: [string, number][]): [string, number][] {
  const sums = new Map<string, number>();
  for (const [name, rows] of counts) sums.set(name, (sums.get(name) ?? 0) + rows);
  return [...sums].filter(([, sum]) => sum > 0).toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}

function listRetries(counted: RowGroup[]): CallJobSummary["retries"] {
  const retries = new Map<number, CallJobSummary["retries"][number]>();
  for (const { attempts_made: made, count: rows, first_due: first, last_due: last } of counted) {
    if (first === null || last === null) continue;
    const sum = (retries.get(made)?.count ?? 0) + rows;
    retries.set(made, { attempt: made + 1, count: sum, firstAt: first.toISOString(), lastAt: last.toISOString() });
  }
  return [...retries.values()].toSorted((a, b) => a.attempt - b.attempt);
}
