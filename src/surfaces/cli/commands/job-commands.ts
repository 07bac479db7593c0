import type { CallRow, RowError, RowStatus } from "@parley/sdk";
import { type Command, Option } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CALLS_SORTED_BY, collect, parseCount } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderTable, show } from "#src/surfaces/cli/table.ts";
import { addJobCreateCommand } from "./job-create-command.ts";
import { watchJob } from "./job-watch.ts";

interface RowsOptions {
  status?: string[];
  limit?: number;
  sort?: (typeof CALLS_SORTED_BY)[number];
  errors?: true;
}

const JOBS_SORTED_BY = ["createdAt", "-createdAt", "name", "-name"] as const;

/** Default number of table rows: a screenful. */
const TABLE_ROWS = 50;
/** The largest page of the API. */
const PAGE_ROWS = 200;

/** Adds `jobs create|list|watch|rows|export|pause|resume|cancel`. */
export function addJobCommands(program: Command, run: Run): void {
  const jobs = program.command("jobs").description("many calls at once");
  addJobCreateCommand(jobs, run);
  jobs
    .command("list")
    .description("list the latest jobs")
    .addOption(new Option("--sort <field>", "the order; a minus turns it around").choices(JOBS_SORTED_BY))
    .action((options: { sort?: (typeof JOBS_SORTED_BY)[number] }) => listJobs(run, options.sort));
  jobs
    .command("watch <id>")
    .description("show a job's progress to its end; exit code 6 when rows failed")
    .action(async (id: string) => watchJob(run, await openApi(run), id));
  jobs
    .command("rows <id>")
    .description("list the rows of a job")
    .option("--status <status>", "only these, such as FAILED; repeatable", collect)
    .option("--limit <n>", `how many; default ${TABLE_ROWS}, with --json all`, parseCount)
    .addOption(new Option("--sort <field>", "the order; a minus turns it around").choices(CALLS_SORTED_BY))
    .option("--errors", "the lines of the CSV that could not become rows")
    .action((id: string, options: RowsOptions) => listRows(run, id, options));
  jobs
    .command("export <id>")
    .description("write all rows as CSV; cells that a spreadsheet would run as formulas are made harmless")
    .action((id: string) => exportRows(run, id));
  for (const action of ["pause", "resume", "cancel"] as const) {
    jobs
      .command(`${action} <id>`)
      .description(
        { pause: "start no more calls", resume: "go on with a paused job", cancel: "end a job; live calls go on" }[
          action
        ],
      )
      .action((id: string) => changeJob(run, id, action));
  }
}

async function listJobs(run: Run, sort: (typeof JOBS_SORTED_BY)[number] | undefined): Promise<void> {
  const { content } = await (await openApi(run)).client.jobs.list({ size: TABLE_ROWS, ...(sort && { sort }) }).first();
  const rows = content.map((job) => [
    job.id,
    job.name,
    job.status,
    `${job.processedRows}/${job.totalRows}`,
    String(job.successfulRows),
    String(job.errorRows),
    job.createdAt,
  ]);
  await run.print(content, renderTable(["ID", "NAME", "STATUS", "DONE", "OK", "FAILED", "CREATED"], rows));
  if (rows.length === 0) run.hint("None yet. Start one: parley jobs create FILE.csv --watch");
}

async function listRows(run: Run, id: string, options: RowsOptions): Promise<void> {
  const { jobs } = (await openApi(run)).client;
  const limit = options.limit ?? (run.options.json ? Number.POSITIVE_INFINITY : TABLE_ROWS);
  const size = Math.min(limit, PAGE_ROWS);
  if (options.errors) {
    await printList(run, jobs.rowErrors(id, { size }), limit, ["LINE", "COLUMN", "CODE", "MESSAGE"], toErrorCells);
    return;
  }
  const status = options.status as RowStatus[] | undefined;
  const rows = jobs.rows(id, { size, ...(status && { status }), ...(options.sort && { sort: options.sort }) });
  await printList(run, rows, limit, ["ID", "NUMBER", "CONTACT", "STATUS", "OUTCOME", "ATTEMPTS", "RESULT"], toRowCells);
}

function toErrorCells(error: RowError): string[] {
  return [String(error.line), show(error.column), error.code, show(error.message)];
}

function toRowCells(row: CallRow): string[] {
  const extracted = Object.entries(row.extractedFields).map(([name, value]) => `${name}=${show(value)}`);
  const result = extracted.join(" ") || show(row.error?.message);
  return [
    row.id,
    row.customerNumber,
    show(row.contactName),
    row.status,
    show(row.outcome),
    String(row.attempt),
    show(result),
  ];
}

/** Prints a table of the first `limit` items, or a JSON array of any length, written as it arrives. */
async function printList<T>(
  run: Run,
  items: AsyncIterable<T>,
  limit: number,
  heading: string[],
  toCells: (item: T) => string[],
): Promise<void> {
  const table: string[][] = [];
  let count = 0;
  let hasMore = false;
  for await (const item of items) {
    if (count === limit) {
      hasMore = true;
      break;
    }
    if (run.options.json) await run.system.writeOut(`${count === 0 ? "[" : ",\n"}${JSON.stringify(item)}`);
    else table.push(toCells(item));
    count++;
  }
  if (run.options.json) await run.system.writeOut(count === 0 ? "[]\n" : "]\n");
  else await run.print(null, renderTable(heading, table));
  if (hasMore) run.hint(`Only the first ${limit}. More with --limit N.`);
}

async function exportRows(run: Run, id: string): Promise<void> {
  const rows = (await openApi(run)).client.jobs.rows(id, { size: PAGE_ROWS });
  if (run.options.json) return printList(run, rows, Number.POSITIVE_INFINITY, [], () => []);
  const { exportCsv } = await import("#src/surfaces/cli/csv-export.ts");
  await exportCsv(rows, (text) => run.system.writeOut(text));
}

async function changeJob(run: Run, id: string, action: "pause" | "resume" | "cancel"): Promise<void> {
  const job = await (await openApi(run)).client.jobs[action](id);
  await run.print(job, `${job.status}  ${job.id}  ${job.processedRows}/${job.totalRows} rows done`);
  if (action === "pause") run.hint(`Go on with: parley jobs resume ${id}`);
}
