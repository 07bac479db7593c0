import { RETRYABLE_OUTCOMES } from "#src/interactions/calls/states.ts";
import type { Database } from "#src/platform/db/database.ts";
import { EXACT_CONTEXT } from "#src/platform/http/json.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { CallJob, CreateCallJob, type JobSettings, LooseCallJob } from "./call-jobs.ts";
import { CancelledCall, cancelCall } from "./cancel-call.ts";
import { changeJob, PatchCallJob } from "./change.ts";
import { AppendedRows, AppendRows, appendRows, RetriedRows, retryFailed } from "./extend.ts";
import { Preflight, preflightJob, preflightNew } from "./preflight.ts";
import type { WebhookParts } from "./webhook.ts";

const PATH = "/api/external/v1/call-jobs";
const READ = ["CALL_JOBS_READ"];
const WRITE = ["CALL_JOBS_WRITE"];
const common = { audience: "external", tag: "Call jobs" } as const;
const params = Type.Object({ jobId: Uuid });
const NamedRows = Type.Object({ rows: CreateCallJob.properties.rows });
/** Maximum size of a list of rows as JSON. */
const MAX_JSON_BYTES = 20 * 1024 * 1024;

/** Dependencies of the routes that change a job after its creation, besides the database. */
export interface LiveJobContext extends WebhookParts {
  /** Wakes dispatcher and task worker of this process. */
  wake(): void;
}

/** Routes that change jobs and waiting calls, and the preflight. */
export function liveJobRoutes(database: Database, context: LiveJobContext): Route[] {
  return [
    patchRoute(database, context),
    ...extendRoutes(context),
    ...preflightRoutes(database, context),
    cancelRoute(context),
  ];
}

function cancelRoute(context: LiveJobContext): Route {
  return route({
    audience: "external",
    method: "POST",
    path: "/api/external/v1/call-rows/{rowId}/cancel",
    access: WRITE,
    tag: "Calls",
    summary: "Cancel a call that waits for its first or next attempt (extension)",
    description:
      "It is CANCELLED with endReason CANCELLED_BY_USER and never dialled; the last waiting row completes its job. 409 for a call that is over or is being dialled, which POST /call-rows/{rowId}/end ends.",
    idempotent: true,
    params: Type.Object({ rowId: Uuid }),
    replies: { 200: CancelledCall },
    run: ({ tx, caller, params: { rowId } }) => cancelCall(tx, caller.workspaceId, rowId),
    afterCommit: () => context.wake(),
  });
}

function patchRoute({ db }: Database, context: LiveJobContext): Route {
  return route({
    ...common,
    method: "PATCH",
    path: `${PATH}/{jobId}`,
    access: WRITE,
    summary: "Change a call job while it runs (extension)",
    description:
      "Fields that are sent take the place of the stored ones, each as a whole; null clears. 409 once the job is over, and for what can no longer change; 422 for another startAt, flow, number or status.",
    params,
    body: PatchCallJob,
    replies: { 200: CallJob },
    run: ({ caller, params: { jobId }, body }) =>
      db.transaction().execute((tx) => changeJob(tx, context, caller.workspaceId, jobId, body)),
    afterCommit: () => context.wake(),
  });
}

function extendRoutes(context: LiveJobContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{jobId}/rows`,
      access: WRITE,
      summary: "Add rows to a call job (extension)",
      description:
        "Rows whose externalId the job has already are left out. A job that was COMPLETED starts a new run and completes once more.",
      params,
      body: AppendRows,
      namedBody: NamedRows,
      exactText: EXACT_CONTEXT,
      bodyLimit: MAX_JSON_BYTES,
      idempotent: true,
      replies: { 200: AppendedRows },
      run: ({ caller, params: { jobId }, body, bodyText, tx }) =>
        appendRows(tx, caller.workspaceId, jobId, body, bodyText),
      afterCommit: () => context.wake(),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{jobId}/retry-failed`,
      access: WRITE,
      summary: "Dial the failed rows of a call job again, with fresh attempts (extension)",
      description:
        "Never rows in which a person was reached or opted out, that were blocked, whose variables the retention deleted, or of which nobody can tell whether they rang. A job that was COMPLETED starts a new run and completes once more. Of very many rows the first are back when this answers, and moreFollow is true. 409 while none of the job's phone numbers is ACTIVE.",
      params,
      query: Type.Object({
        outcome: Type.Optional(
          Type.Array(oneOf(RETRYABLE_OUTCOMES), { description: "Only rows of these outcomes. Repeat it for several." }),
        ),
      }),
      idempotent: true,
      replies: { 200: RetriedRows },
      run: ({ caller, params: { jobId }, query, tx }) => retryFailed(tx, caller.workspaceId, jobId, query.outcome),
      afterCommit: () => context.wake(),
    }),
  ];
}

function preflightRoutes({ db }: Database, context: LiveJobContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/preflight`,
      access: WRITE,
      summary: "Tell who a call job would skip, and why, before it is made (extension)",
      description: "Takes the JSON body of POST /call-jobs and writes nothing.",
      body: LooseCallJob,
      namedBody: CreateCallJob,
      exactText: EXACT_CONTEXT,
      bodyLimit: MAX_JSON_BYTES,
      replies: { 200: Preflight },
      run: ({ caller, body, bodyText }) =>
        preflightNew(db, context, caller.workspaceId, body as JobSettings & typeof body, bodyText),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{jobId}/preflight`,
      operationId: "preflightCallJobById",
      access: READ,
      summary: "Tell which waiting rows of a call job would be skipped now, and why (extension)",
      description: "Writes nothing.",
      params,
      replies: { 200: Preflight },
      run: ({ caller, params: { jobId } }) => preflightJob(db, caller.workspaceId, jobId),
    }),
  ];
}
