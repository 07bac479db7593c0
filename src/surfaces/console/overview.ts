import { type Answered, answeredBy } from "#src/interactions/calls/answered.ts";
import { isTerminal, type RowStatus } from "#src/interactions/calls/states.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";

/** The most calls that are read; beyond it, the figures cover the newest ones. */
const MAX_CALLS = 50_000;
/** The most calls whose response times are read. */
const MAX_TIMED = 200;
const DAY_MS = 86_400_000;

const Percentiles = Type.Object({ p50Ms: nullable(Type.Number()), p95Ms: nullable(Type.Number()) });

/** State of a workspace, for the first page. */
export const Overview = Type.Object(
  {
    asOf: Timestamp,
    calls: Type.Object({
      total: Type.Integer({ description: "Placed or taken in the last 24 hours." }),
      byStatus: Type.Record(Type.String(), Type.Integer()),
      byOutcome: Type.Record(Type.String(), Type.Integer()),
      ended: Type.Object(
        { person: Type.Integer(), machine: Type.Integer(), nobody: Type.Integer() },
        { description: "Calls that are over, by who was on the line." },
      ),
      byHour: Type.Array(
        Type.Object({ hour: Timestamp, ended: Type.Integer(), reached: Type.Integer(), machine: Type.Integer() }),
        {
          description:
            "Calls that are over, by the hour of their start. reached: a person was on the line; machine: a machine.",
        },
      ),
      isPartial: Type.Boolean({ description: `True where only the newest ${MAX_CALLS} were counted.` }),
    }),
    turnLatency: Percentiles,
    modelLatency: Percentiles,
    preparedJobId: nullable(Uuid),
    checklist: Type.Object({
      hasCredential: Type.Boolean(),
      hasUsedCredential: Type.Boolean({ description: "A key or client made a request." }),
      hasFlow: Type.Boolean(),
      hasCall: Type.Boolean(),
      hasCompletedCall: Type.Boolean(),
      hasJob: Type.Boolean({ description: "A call job was started." }),
      hasChat: Type.Boolean(),
      hasDelivery: Type.Boolean({ description: "A webhook was delivered." }),
      hasMcpRequest: Type.Boolean({ description: "The MCP server was asked, as far as the request log goes back." }),
      hasCarrierAccount: Type.Boolean(),
      hasColleague: Type.Boolean({ description: "Somebody was invited or is a member." }),
    }),
  },
  { $id: "Overview" },
);
export type Overview = Static<typeof Overview>;

/** Reads the overview, with bounded work whatever the size of the workspace. */
export async function getOverview(db: Executor, workspaceId: string, now = new Date()): Promise<Overview> {
  const preparedJobId = await findPreparedJob(db, workspaceId);
  const [calls, turnLatency, modelLatency, checklist] = await Promise.all([
    readCalls(db, workspaceId, preparedJobId, now),
    readTurnLatency(db, workspaceId),
    readModelLatency(db, workspaceId),
    readChecklist(db, workspaceId),
  ]);
  return { asOf: now.toISOString(), calls, turnLatency, modelLatency, preparedJobId, checklist };
}

/** Reads the calls of the last 24 hours. Ids follow the clock, so the key finds the newest rows. */
async function readCalls(
  db: Executor,
  workspaceId: string,
  preparedJobId: string | null,
  now: Date,
): Promise<Overview["calls"]> {
  const hex = Math.floor(now.getTime() - DAY_MS)
    .toString(16)
    .padStart(12, "0");
  const since = `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  const rows = await all<{ hour: Date; status: RowStatus; outcome: string | null; count: number }>(
    db,
    sql`select date_trunc('hour', created_at) as hour, status, outcome, count(*) as count
          from (select created_at, status, outcome from call_rows
                 where workspace_id = ${workspaceId} and id >= ${since}::uuid
                   and job_id is distinct from ${preparedJobId}::uuid order by id desc limit ${MAX_CALLS}) r
         group by 1, 2, 3 order by 1`,
  );
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  const hours = [...new Set(rows.map((row) => row.hour.toISOString()))];
  const sumOf = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(fits).reduce((sum, row) => sum + row.count, 0);
  const group = (name: (row: (typeof rows)[number]) => string | null) => {
    const names = new Set(rows.map(name).filter((one) => one !== null));
    return Object.fromEntries([...names].map((one) => [one, sumOf((row) => name(row) === one)]));
  };
  // A row that waits for its next attempt still shows the last one's outcome.
  const endedBy = (who: Answered, hour?: string) =>
    sumOf(
      (row) =>
        isTerminal(row.status) &&
        answeredBy(row.outcome) === who &&
        (hour === undefined || row.hour.toISOString() === hour),
    );
  return {
    total,
    ended: { person: endedBy("PERSON"), machine: endedBy("MACHINE"), nobody: endedBy("NOBODY") },
    byStatus: group((row) => row.status),
    byOutcome: group((row) => row.outcome),
    byHour: hours.map((hour) => ({
      hour,
      ended: sumOf((row) => isTerminal(row.status) && row.hour.toISOString() === hour),
      reached: endedBy("PERSON", hour),
      machine: endedBy("MACHINE", hour),
    })),
    isPartial: total >= MAX_CALLS,
  };
}

const newestResults = (workspaceId: string) => sql`
  (select c.transcript, c.model_ms from call_results c where c.workspace_id = ${workspaceId}
    order by c.row_id desc limit ${MAX_TIMED}) c`;

/** Reads how long people waited for an answer, in calls of real audio. */
async function readTurnLatency(db: Executor, workspaceId: string) {
  const row = await first<{ p50Ms: number | null; p95Ms: number | null }>(
    db,
    sql`select percentile_disc(0.5) within group (order by ms) as "p50Ms",
               percentile_disc(0.95) within group (order by ms) as "p95Ms"
          from ${newestResults(workspaceId)},
               lateral (select (t -> 'latency' ->> 'totalMs')::float8 as ms from json_array_elements(c.transcript) t) v
         where ms is not null`,
  );
  return row ?? { p50Ms: null, p95Ms: null };
}

/** Reads how long models took for their first words. */
async function readModelLatency(db: Executor, workspaceId: string) {
  const row = await first<{ p50Ms: number | null; p95Ms: number | null }>(
    db,
    sql`select percentile_disc(0.5) within group (order by ms) as "p50Ms",
               percentile_disc(0.95) within group (order by ms) as "p95Ms"
          from ${newestResults(workspaceId)},
               lateral (select m::float8 as ms from json_array_elements_text(c.model_ms) m) v`,
  );
  return row ?? { p50Ms: null, p95Ms: null };
}

/** Returns the demo's job while it has not been started: a workspace's first job, if any. */
async function findPreparedJob(db: Executor, workspaceId: string): Promise<string | null> {
  const job = await first<{ id: string; pause_reason: string | null }>(
    db,
    sql`select id, pause_reason from call_jobs where workspace_id = ${workspaceId} order by id limit 1`,
  );
  return job?.pause_reason === "NOT_STARTED" ? job.id : null;
}

async function readChecklist(db: Executor, workspaceId: string): Promise<Overview["checklist"]> {
  const of = (rest: string) => sql`exists (select 1 from ${sql.raw(rest)} and workspace_id = ${workspaceId})`;
  const row = await first<Overview["checklist"]>(
    db,
    sql`select ${of("credentials where revoked_at is null")} as "hasCredential",
               ${of("credentials where refilled_at > created_at")} as "hasUsedCredential",
               ${of("flows where true")} as "hasFlow",
               ${of("call_attempts where true")} as "hasCall",
               ${of("call_results where true")} as "hasCompletedCall",
               ${of("call_jobs where started_at is not null")} as "hasJob",
               ${of("chat_sessions where true")} as "hasChat",
               ${of("webhook_attempts where response_status between 200 and 299")} as "hasDelivery",
               ${of("request_log where path ^@ '/api/mcp'")} as "hasMcpRequest",
               ${of("carrier_accounts where true")} as "hasCarrierAccount",
               (${of("memberships where true")} or ${of("sign_in_links where kind = 'INVITE'")}) as "hasColleague"`,
  );
  return row as Overview["checklist"];
}
