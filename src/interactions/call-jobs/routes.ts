import { CallRow } from "#src/interactions/calls/call-row.ts";
import { readRows, rowFilterQuery } from "#src/interactions/calls/list-rows.ts";
import { RETRYABLE_OUTCOMES } from "#src/interactions/calls/states.ts";
import type { Database } from "#src/platform/db/database.ts";
import { mediaType, readBodyText } from "#src/platform/http/body.ts";
import { runInTurn } from "#src/platform/http/heavy-requests.ts";
import {
  canonicalJson,
  hashParts,
  type IdempotentRequest,
  readIdempotencyKey,
  runOnce,
} from "#src/platform/http/idempotency.ts";
import { EXACT_CONTEXT, parseJson } from "#src/platform/http/json.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { Reply, type RequestOf, type Route, route } from "#src/platform/http/route.ts";
import { E164, oneOf, type Static, TimestampInput, Type, Uuid } from "#src/platform/http/schemas.ts";
import { readSort, sortQuery } from "#src/platform/http/sorting.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { compileUnknownCheck } from "#src/platform/http/unknown-members.ts";
import { readMultipart, type Spooled, spool } from "#src/platform/http/upload.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import {
  CallJob,
  CreateCallJob,
  CreatedCallJob,
  JobSettings,
  LooseCallJob,
  RowFaultSchema,
  toCallJob,
} from "./call-jobs.ts";
import { cancelJob, getJob, pauseJob, resumeJob } from "./control.ts";
import { createFromCsv, createFromJson } from "./create.ts";
import { liveJobRoutes } from "./live-routes.ts";
import { JOB_STATUSES } from "./states.ts";
import { countJobs, findJob, JOBS_SORTED_BY, listJobs, listRowErrors } from "./store.ts";
import { CallJobSummary, summarizeJob } from "./summary.ts";
import type { WebhookParts } from "./webhook.ts";

const PATH = "/api/external/v1/call-jobs";
const READ = ["CALL_JOBS_READ"];
const WRITE = ["CALL_JOBS_WRITE"];
const common = { audience: "external", tag: "Call jobs" } as const;
const params = Type.Object({ jobId: Uuid });
const MAX_JSON_BYTES = 20 * 1024 * 1024;
/** Maximum size of a CSV. */
const MAX_CSV_BYTES = 2 * 1024 ** 3;
/** Allowance for the rest of a form: the payload of at most 1 MiB and the headers of its parts. */
const MAX_FORM_BYTES = 2 * 1024 * 1024;

/** Dependencies of the job routes besides the database. */
export interface JobContext extends WebhookParts {
  publicUrl: string;
  spool: SpoolRoom;
  /** Wakes dispatcher and task worker of this process. */
  wake(): void;
}

const CSV_WINDOW = '{"windows":[{"days":["MON","TUE","WED"],"start":"09:00","end":"18:00"}]}';

/** Query of a text/csv creation: the settings that fit in a query. */
const csvQuery = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "What people see in lists." })),
  flowId: Type.Optional(Type.String({ maxLength: 200, description: "uuid or apiId of a saved flow." })),
  flowApiId: Type.Optional(Type.String({ maxLength: 200, description: "apiId of a saved flow." })),
  fromPhoneNumber: Type.Optional(Type.Array(E164, { maxItems: 200, description: "Repeat it for several." })),
  startAt: Type.Optional(
    Type.String({
      ...TimestampInput,
      description: "ISO 8601 with a zone; nothing is dialled before it. Default: now.",
    }),
  ),
  maxConcurrency: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: "Most calls of the job at once." }),
  ),
  maxAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: "As in retryConfig of the body." })),
  retryOn: Type.Optional(Type.Array(oneOf(RETRYABLE_OUTCOMES), { description: "As in retryConfig of the body." })),
  delaysSeconds: Type.Optional(
    Type.Array(Type.String({ pattern: "^\\d{1,7}$" }), { maxItems: 10, description: "As in retryConfig of the body." }),
  ),
  callingWindow: Type.Optional(
    Type.String({ maxLength: 8_192, description: "JSON, as in the body.", examples: [CSV_WINDOW] }),
  ),
  completionWebhookUrl: Type.Optional(
    Type.String({ maxLength: 2_048, description: "Address that gets call_job.completed." }),
  ),
});
type CsvQuery = Static<typeof csvQuery>;

const checkJson = compileCheck(LooseCallJob, "INVALID_BODY", "VALIDATION_FAILED");
const findUnknownJson = compileUnknownCheck(CreateCallJob, [CreatedCallJob]);
const findUnknownSettings = compileUnknownCheck(JobSettings, [CallJob]);
const checkSettings = compileCheck(JobSettings, "INVALID_BODY", "VALIDATION_FAILED");

/** Routes of call jobs. */
export function callJobRoutes(database: Database, context: JobContext): Route[] {
  return [
    createRoute(database, context),
    ...readRoutes(database),
    ...rowRoutes(database, context),
    ...controlRoutes(database, context),
    ...liveJobRoutes(database, context),
  ];
}

function createRoute(database: Database, context: JobContext): Route {
  return route({
    ...common,
    method: "POST",
    path: PATH,
    access: WRITE,
    summary: "Create a call job from JSON or CSV",
    description:
      "JSON body, text/csv with the settings in the query, or multipart with `file` and `payload` (settings as JSON, a field or a file). A CSV is UTF-8, or UTF-16 with a byte order mark; its separator is told from the header or from a first line `sep=;`. Takes an Idempotency-Key. Bad rows are reported by line and do not stop the rest; more than 10,000 lines are imported after the answer (status IMPORTING).",
    query: csvQuery,
    body: CreateCallJob,
    bodyKind: "STREAM",
    bodyLimit: MAX_CSV_BYTES + MAX_FORM_BYTES,
    consumes: ["application/json", "text/csv", "multipart/form-data"],
    replies: { 200: CreatedCallJob },
    run: (request) => createJob(database, context, request as unknown as RequestOf<unknown, CsvQuery, unknown>),
    afterCommit: () => context.wake(),
  });
}

type CreateRequest = RequestOf<unknown, CsvQuery, unknown>;

async function createJob(database: Database, context: JobContext, request: CreateRequest): Promise<unknown> {
  const { workspaceId } = request.caller;
  const type = mediaType(request.headers["content-type"]);
  const rules = { room: context.spool, caller: workspaceId, maxBytes: MAX_CSV_BYTES, text: true };
  if (type === "text/csv") {
    const spooled = await spool(request.stream, rules);
    const settings = fromQuery(request.query);
    return createSpooled(database, context, request, settings, spooled, JSON.stringify(settings));
  }
  if (type === "multipart/form-data") {
    const { file, payload } = await readMultipart(request.headers, request.stream, rules);
    return createSpooled(
      database,
      context,
      request,
      payload === null ? {} : () => parseJson(payload),
      file,
      canonicalJson(payload ?? ""),
    );
  }
  const text = await readBodyText(request.stream as never, MAX_JSON_BYTES);
  const body = parseJson(text, EXACT_CONTEXT);
  checkJson(body);
  request.warnings.inspect(findUnknownJson, body);
  return runInTurn(workspaceId, text.length, () =>
    once(database, request, { bodyHash: hashParts([canonicalJson(text)]), box: boxFor(context, body) }, (tx) =>
      createFromJson(tx, context, workspaceId, body as Parameters<typeof createFromJson>[3], text),
    ),
  );
}

async function createSpooled(
  database: Database,
  context: JobContext,
  request: CreateRequest,
  settings: unknown,
  spooled: Spooled,
  settingsText: string,
): Promise<unknown> {
  try {
    const checked = typeof settings === "function" ? (settings as () => unknown)() : settings;
    checkSettings(checked);
    request.warnings.inspect(findUnknownSettings, checked);
    const { workspaceId } = request.caller;
    return await runInTurn(workspaceId, spooled.bytes, () =>
      once(
        database,
        request,
        { bodyHash: hashParts([settingsText, spooled.sha256]), box: boxFor(context, checked) },
        (tx) => createFromCsv(tx, context, workspaceId, checked as JobSettings, spooled),
      ),
    );
  } finally {
    await spooled.remove();
  }
}

/** Returns what seals the kept reply: one about a job with a completion webhook shows its signing secret. */
function boxFor({ box }: JobContext, settings: unknown): SecretBox | undefined {
  return (settings as JobSettings).completionWebhook ? box : undefined;
}

/** Runs the effect in one transaction, and once for an Idempotency-Key. */
async function once(
  { db }: Database,
  request: CreateRequest,
  identity: Pick<IdempotentRequest, "bodyHash" | "box">,
  effect: (tx: Parameters<typeof runOnce>[0]) => Promise<unknown>,
): Promise<unknown> {
  const key = readIdempotencyKey(request.headers);
  return db.transaction().execute((tx) => {
    if (key === undefined) return effect(tx);
    const { caller, warnings } = request;
    const reply = async () => new Reply(200, warnings.attach(await effect(tx)));
    return runOnce(tx, { caller, route: `POST ${PATH}`, key, ...identity }, reply);
  });
}

function fromQuery(query: CsvQuery): JobSettings {
  const { fromPhoneNumber, maxAttempts, retryOn, delaysSeconds, callingWindow, completionWebhookUrl, ...plain } = query;
  const retry = {
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(retryOn === undefined ? {} : { retryOn }),
    ...(delaysSeconds === undefined ? {} : { delaysSeconds: delaysSeconds.map(Number) }),
  };
  return {
    ...plain,
    ...(fromPhoneNumber ? { fromPhoneNumbers: fromPhoneNumber } : {}),
    ...(callingWindow === undefined ? {} : { callingWindow: readJson(callingWindow) }),
    ...(Object.keys(retry).length > 0 ? { retryConfig: retry } : {}),
    ...(completionWebhookUrl ? { completionWebhook: { url: completionWebhookUrl } } : {}),
  } as JobSettings;
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    const message = "callingWindow is not valid JSON.";
    throw new AppError("INVALID_QUERY", message, [{ path: "callingWindow", code: "FORMAT", message }]);
  }
}

function readRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List call jobs, newest first",
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(
          Type.Array(oneOf(JOB_STATUSES), { description: "Only jobs in one of these states. Repeat it for several." }),
        ),
        name: Type.Optional(
          Type.String({
            maxLength: 200,
            pattern: "^[^\\u0000]*$",
            description: "Only jobs whose name holds this text.",
          }),
        ),
        sort: sortQuery(JOBS_SORTED_BY, "Default: -createdAt. Names are sorted in any case."),
      }),
      replies: { 200: pageOf(CallJob, "CallJobPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const filter = { statuses: query.status, name: query.name };
        const rows = await listJobs(db, caller.workspaceId, filter, readSort(query.sort, "-createdAt"), page);
        return toPage(page, rows.map(toCallJob), () => countJobs(db, caller.workspaceId, filter));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{jobId}`,
      access: READ,
      summary: "Read a call job",
      params,
      replies: { 200: CallJob },
      run: ({ caller, params: { jobId } }) => getJob(db, caller.workspaceId, jobId),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{jobId}/summary`,
      access: READ,
      summary: "Sum up a call job: rows by status and outcome, waiting retries, its numbers (extension)",
      params,
      replies: { 200: CallJobSummary },
      run: ({ caller, params: { jobId } }) => summarizeJob(db, caller.workspaceId, jobId),
    }),
  ];
}

function rowRoutes(database: Database, { publicUrl }: JobContext): Route[] {
  const { db } = database;
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{jobId}/rows`,
      access: READ,
      summary: "List the rows of a call job, in the order they came",
      params,
      query: Type.Object({ ...pageQuery, ...rowFilterQuery }),
      replies: { 200: pageOf(CallRow, "CallRowPage") },
      async run({ caller, params: { jobId }, query }) {
        await getJob(db, caller.workspaceId, jobId);
        return readRows(database, publicUrl, caller.workspaceId, query, jobId);
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{jobId}/row-errors`,
      access: READ,
      summary: "List the lines that were not taken (extension)",
      params,
      query: Type.Object({ page: pageQuery.page, size: pageQuery.size }),
      replies: {
        200: Type.Object({
          content: Type.Array(RowFaultSchema),
          page: Type.Integer(),
          size: Type.Integer(),
          totalElements: Type.Integer(),
          totalPages: Type.Integer(),
          first: Type.Boolean(),
          last: Type.Boolean(),
        }),
      },
      async run({ caller, params: { jobId }, query }) {
        const job = await findJob(db, caller.workspaceId, jobId);
        if (!job) throw new AppError("NOT_FOUND");
        const { page, size } = readPage(query);
        const content = await listRowErrors(db, caller.workspaceId, jobId, { page, size });
        const totalElements = job.rejected_rows;
        const totalPages = Math.ceil(totalElements / size);
        return { content, page, size, totalElements, totalPages, first: page === 0, last: page >= totalPages - 1 };
      },
    }),
  ];
}

function controlRoutes({ db }: Database, context: JobContext): Route[] {
  const actions = [
    { name: "pause", summary: "Pause a call job: live calls go on, no new ones start (extension)", act: pauseJob },
    { name: "resume", summary: "Let a paused call job go on (extension)", act: resumeJob },
    { name: "cancel", summary: "Cancel a call job: what waits is never dialled (extension)", act: cancelJob },
  ];
  return actions.map(({ name, summary, act }) =>
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{jobId}/${name}`,
      access: WRITE,
      summary,
      params,
      replies: { 200: CallJob },
      run: ({ caller, params: { jobId } }) => db.transaction().execute((tx) => act(tx, caller.workspaceId, jobId)),
      afterCommit: () => context.wake(),
    }),
  );
}
