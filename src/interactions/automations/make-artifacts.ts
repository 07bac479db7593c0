import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import type { ArtifactRow } from "./artifact-sql.ts";
import { ArtifactWriter } from "./artifact-writer.ts";
import { csvHeader, csvLine, toJsonRow } from "./report/csv.ts";
import { reportHtml } from "./report/html.ts";
import { Tally, type TallyResult } from "./report/tally.ts";
import { findReportJob, listCompletedJobs, readRowPages, type ReportJob, type RowScope } from "./row-pages.ts";
import type { AutomationRow, RunRow } from "./store.ts";

/** A run in progress: its transaction, automation and abort signal. */
interface Work {
  tx: Executor;
  workspaceId: string;
  automation: AutomationRow;
  run: RunRow;
  signal: AbortSignal;
}

/** Makes the artifacts of a run in its transaction; returns their ids. */
export function makeArtifacts(work: Work): Promise<string[]> {
  switch (work.automation.kind) {
    case "CALL_JOB_REPORT":
      return makeReport(work);
    case "DAILY_DIGEST":
      return makeDigest(work);
    case "EXPORT":
      return makeExport(work);
  }
}

async function makeReport(work: Work): Promise<string[]> {
  const { tx, workspaceId, run } = work;
  const jobId = run.parameters.callJobId ?? work.automation.call_job_id;
  const job = jobId ? await findReportJob(tx, workspaceId, jobId) : undefined;
  if (!job) throw new AppError("NOT_FOUND", "The call job of this report does not exist.");
  const { timeZone } = await getWorkspace(tx, workspaceId);
  const scope: RowScope = { kind: "JOB", jobId: job.id, filter: null };
  const tally = await tallyRows(work, scope, timeZone);
  const jobRun = run.parameters.callJobRun ?? job.run;
  const metadata = { callJobId: job.id, callJobRun: jobRun, rows: tally.result.calls };
  const name = `${slug(job.name)}-${jobRun}`;
  const title = `Report of ${job.name}`;
  const table = await writeTable(work, scope, tally.columns, { name, title: `${title}: rows`, metadata });
  const summary = { callJob: { ...toJobSummary(job), run: jobRun }, ...tally.result };
  const json = await writeJson(work, summary, { name, title: `${title}: summary`, metadata });
  const page = reportHtml({
    title,
    about: `Run ${jobRun}, ${job.status.toLowerCase()} ${job.completed_at?.toISOString() ?? ""}`,
    figures: figuresOf(tally.result),
    tally: tally.result,
  });
  const html = await writeOne(work, page, { ...HTML, name: `${name}.html`, title, metadata });
  return [table, json, html];
}

async function makeDigest(work: Work): Promise<string[]> {
  const { tx, workspaceId, automation, run } = work;
  const from = new Date(run.parameters.from ?? automation.covered_until);
  const until = new Date(run.parameters.until ?? run.created_at);
  const span = { from: from.toISOString(), until: until.toISOString() };
  const timeZone = automation.schedule?.timeZone ?? "UTC";
  const { result } = await tallyRows(work, { kind: "ENDED", from, until }, timeZone);
  const completed = await listCompletedJobs(tx, workspaceId, { from, until });
  const jobs = completed.jobs.map(toJobSummary);
  const { count: completedJobCount } = completed;
  const metadata = { ...span, rows: result.calls };
  const name = `digest-${span.until.slice(0, 16).replaceAll(":", "")}`;
  const period = `${writeTime(from, timeZone)} to ${writeTime(until, timeZone)}, ${timeZone}`;
  const title = `${automation.name}: ${period}`;
  const words = digestText(title, result, jobs, completedJobCount);
  const text = await writeOne(work, words, { ...TEXT, name: `${name}.txt`, title, metadata });
  const summary = { ...span, completedJobs: jobs, completedJobCount, ...result };
  const json = await writeJson(work, summary, { name, title, metadata });
  const page = reportHtml({
    title: automation.name,
    about: `Calls that ended from ${period}`,
    figures: [...figuresOf(result), ["Jobs finished", completedJobCount]],
    tally: result,
    jobs,
    moreJobs: completedJobCount - jobs.length,
  });
  const html = await writeOne(work, page, { ...HTML, name: `${name}.html`, title, metadata });
  return [text, json, html];
}

/** Formats a moment by the clock of a zone, such as 2026-11-21 08:00. */
function writeTime(at: Date, timeZone: string): string {
  // The Swedish locale writes dates in the form of ISO 8601.
  return at.toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
}

async function makeExport(work: Work): Promise<string[]> {
  const { automation, run } = work;
  const jobId = automation.call_job_id;
  const scope: RowScope = { kind: jobId === null ? "HISTORY" : "JOB", jobId, filter: automation.export };
  const name = `${slug(automation.name)}-${run.created_at.toISOString().slice(0, 16).replaceAll(":", "")}`;
  const about = { name, title: automation.name, metadata: { callJobId: jobId } };
  if (automation.export?.format === "JSON") return [await writeRows(work, scope, about)];
  const { columns } = await tallyRows(work, scope, "UTC");
  return [await writeTable(work, scope, columns, about)];
}

interface About {
  /** File name without its ending. */
  name: string;
  title: string;
  metadata: Record<string, unknown>;
}

const TEXT = { type: "TEXT", mime_type: "text/plain; charset=utf-8" } as const;
const HTML = { type: "HTML", mime_type: "text/html; charset=utf-8" } as const;
const JSON_TYPE = { type: "JSON", mime_type: "application/json" } as const;
const TABLE = { type: "TABLE", mime_type: "text/csv; charset=utf-8" } as const;

async function tallyRows(work: Work, scope: RowScope, timeZone: string): Promise<Tally> {
  const tally = new Tally(timeZone);
  for await (const rows of readRowPages(work.tx, work.workspaceId, scope)) {
    work.signal.throwIfAborted();
    for (const row of rows) tally.add(row);
  }
  return tally;
}

async function writeTable(work: Work, scope: RowScope, columns: string[], about: About): Promise<string> {
  const writer = new ArtifactWriter(work.tx, work.workspaceId);
  await writer.write(csvHeader(columns));
  for await (const rows of readRowPages(work.tx, work.workspaceId, scope)) {
    work.signal.throwIfAborted();
    await writer.write(rows.map((row) => csvLine(row, columns)).join(""));
  }
  return writer.close({ ...ownerOf(work), ...TABLE, ...about, name: `${about.name}.csv` });
}

async function writeRows(work: Work, scope: RowScope, about: About): Promise<string> {
  const writer = new ArtifactWriter(work.tx, work.workspaceId);
  let before = "[\n";
  for await (const rows of readRowPages(work.tx, work.workspaceId, scope)) {
    work.signal.throwIfAborted();
    await writer.write(before + rows.map((row) => JSON.stringify(toJsonRow(row))).join(",\n"));
    before = ",\n";
  }
  await writer.write(before === "[\n" ? "[]\n" : "\n]\n");
  return writer.close({ ...ownerOf(work), ...JSON_TYPE, ...about, name: `${about.name}.json` });
}

function writeJson(work: Work, value: object, about: About): Promise<string> {
  return writeOne(work, `${JSON.stringify(value, null, 2)}\n`, { ...JSON_TYPE, ...about, name: `${about.name}.json` });
}

async function writeOne(
  work: Work,
  text: string,
  about: Pick<ArtifactRow, "type" | "mime_type" | "name" | "title" | "metadata">,
): Promise<string> {
  const writer = new ArtifactWriter(work.tx, work.workspaceId);
  await writer.write(text);
  return writer.close({ ...ownerOf(work), ...about });
}

function ownerOf({ automation, run }: Work): Pick<ArtifactRow, "automation_id" | "run_id"> {
  return { automation_id: automation.id, run_id: run.id };
}

function figuresOf(tally: TallyResult): [string, string | number | null][] {
  const { person, machine, nobody } = tally.ended;
  const ended = person + machine + nobody;
  return [
    ["Calls", tally.calls],
    ["Reached a person", person],
    ["Reached, of calls that ended", ended === 0 ? null : `${Math.round((person / ended) * 1000) / 10} %`],
    ["Answered by a machine", machine],
    ["Not reached", nobody],
    ["Attempts", tally.attempts.total],
    ["Median talk, s", tally.durationSeconds.p50],
    ["95 % talk up to, s", tally.durationSeconds.p95],
  ];
}

function digestText(
  title: string,
  tally: TallyResult,
  jobs: ReturnType<typeof toJobSummary>[],
  jobCount: number,
): string {
  const more = jobCount - jobs.length;
  const lines = [
    title,
    "",
    ...figuresOf(tally).map(([label, value]) => `${label}: ${value ?? "-"}`),
    `Jobs finished: ${jobCount}`,
    ...jobs.map(
      (job) =>
        `  ${job.name}: ${job.reachedRows} of ${job.totalRows} reached, ${job.machineRows} machines (${job.status})`,
    ),
    ...(more > 0 ? [`  ${more} more jobs`] : []),
    ...tally.byOutcome.map(({ value, count }) => `${value}: ${count}`),
  ];
  return `${lines.join("\n")}\n`;
}

function toJobSummary(job: ReportJob) {
  return {
    id: job.id,
    name: job.name,
    status: job.status,
    run: job.run,
    flowApiId: job.flow_api_id,
    totalRows: job.total_rows,
    processedRows: job.processed_rows,
    successfulRows: job.successful_rows,
    reachedRows: job.reached_rows,
    machineRows: job.machine_rows,
    errorRows: job.error_rows,
    rejectedRows: job.rejected_rows,
    startedAt: job.started_at?.toISOString() ?? null,
    completedAt: job.completed_at?.toISOString() ?? null,
  };
}

/** Returns a file name that every file system accepts. */
function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-");
  return plain.slice(0, 60).replaceAll(/^-|-$/g, "").toLowerCase() || "report";
}
