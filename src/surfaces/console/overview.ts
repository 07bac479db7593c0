import { sumEndedCalls } from "#src/interactions/results/ended-calls.ts";
import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";

/** The most calls whose response times are read. */
const MAX_TIMED = 200;
/** The most jobs and attempts at deliveries among which one that succeeded is looked for. */
const MAX_TRIED = 1_000;
const HOUR_MS = 3_600_000;
const HOURS = 24;

const Percentiles = Type.Object({ p50Ms: nullable(Type.Number()), p95Ms: nullable(Type.Number()) });

/** State of a workspace, for the first page. */
export const Overview = Type.Object(
  {
    asOf: Timestamp,
    calls: Type.Object({
      total: Type.Integer({ description: "Calls that are over, by their last dial, as GET /results counts them." }),
      byOutcome: Type.Record(Type.String(), Type.Integer(), { description: "Without calls that were never dialled." }),
      ended: Type.Object(
        { person: Type.Integer(), machine: Type.Integer(), nobody: Type.Integer() },
        { description: "The same calls, by who was on the line." },
      ),
      byHour: Type.Array(
        Type.Object({
          hour: Timestamp,
          ended: Type.Integer(),
          reached: Type.Integer(),
          machine: Type.Integer(),
          byOutcome: Type.Record(Type.String(), Type.Integer()),
        }),
        { description: "The same calls by hour. reached: a person was on the line; machine: a machine." },
      ),
      since: Timestamp,
      waiting: Type.Integer({ description: "Calls that just ended and are added within seconds." }),
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
      hasJob: Type.Boolean({ description: `One of the newest ${MAX_TRIED} call jobs was started.` }),
      hasChat: Type.Boolean(),
      hasDelivery: Type.Boolean({ description: `One of the newest ${MAX_TRIED} attempts delivered a webhook.` }),
      hasMcpRequest: Type.Boolean({ description: "The MCP server was asked, as far as the request log goes back." }),
      hasCarrierAccount: Type.Boolean(),
      hasColleague: Type.Boolean({ description: "Somebody was invited or is a member." }),
    }),
  },
  { $id: "Overview" },
);
export type Overview = Static<typeof Overview>;

/** Reads the overview, with bounded work whatever the size of the workspace. */
export async function getOverview(db: Executor, workspaceId: string, at = now()): Promise<Overview> {
  const [preparedJobId, calls, turnLatency, modelLatency, checklist] = await Promise.all([
    findPreparedJob(db, workspaceId),
    readCalls(db, workspaceId, at),
    readTurnLatency(db, workspaceId),
    readModelLatency(db, workspaceId),
    readChecklist(db, workspaceId),
  ]);
  return { asOf: at.toISOString(), calls, turnLatency, modelLatency, preparedJobId, checklist };
}

/**
 * Reads the calls that ended in this hour and the 23 before it. They are those of the results, from the same kept sums,
 * so that no two screens differ.
 */
async function readCalls(db: Executor, workspaceId: string, at: Date): Promise<Overview["calls"]> {
  const since = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS);
  const { rows, waiting } = await sumEndedCalls(db, workspaceId, since);
  const whole = addUp(rows);
  const hours = Map.groupBy(rows, ({ hour }) => hour.toISOString());
  return {
    total: whole.ended,
    ended: { person: whole.reached, machine: whole.machine, nobody: whole.ended - whole.reached - whole.machine },
    byOutcome: countOutcomes(rows),
    byHour: [...hours].map(([hour, some]) => ({ hour, ...addUp(some), byOutcome: countOutcomes(some) })),
    since: since.toISOString(),
    waiting,
  };
}

function addUp(rows: { calls: number; persons: number; machines: number }[]) {
  const sumOf = (name: "calls" | "persons" | "machines") => rows.reduce((sum, row) => sum + row[name], 0);
  return { ended: sumOf("calls"), reached: sumOf("persons"), machine: sumOf("machines") };
}

/** Counts the calls that were dialled by their outcomes. */
function countOutcomes(rows: { calls: number; outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, calls } of rows) {
    if (outcome !== "") counts[outcome] = (counts[outcome] ?? 0) + calls;
  }
  return counts;
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
  const newest = (table: string, column: string, order: string) =>
    sql`(select ${sql.raw(column)} from ${sql.raw(table)} where workspace_id = ${workspaceId}
          order by ${sql.raw(order)} desc limit ${MAX_TRIED}) n`;
  const row = await first<Overview["checklist"]>(
    db,
    sql`select ${of("credentials where revoked_at is null")} as "hasCredential",
               ${of("credentials where refilled_at > created_at")} as "hasUsedCredential",
               ${of("flows where true")} as "hasFlow",
               ${of("call_attempts where true")} as "hasCall",
               ${of("call_results where true")} as "hasCompletedCall",
               exists (select from ${newest("call_jobs", "started_at", "id")} where started_at is not null) as "hasJob",
               ${of("chat_sessions where true")} as "hasChat",
               exists (select from ${newest("webhook_attempts", "response_status", "created_at")}
                        where response_status between 200 and 299) as "hasDelivery",
               ${of("request_log where path ^@ '/api/mcp'")} as "hasMcpRequest",
               ${of("carrier_accounts where true")} as "hasCarrierAccount",
               (${of("memberships where true")} or ${of("sign_in_links where kind = 'INVITE'")}) as "hasColleague"`,
  );
  return row as Overview["checklist"];
}
