import { createReadStream, openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { CallJob, CallJobOptions } from "@parley/sdk";
import type { Command } from "commander";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { type ApiSession, openApi } from "#src/surfaces/cli/api-session.ts";
import { checkCsv, type CsvCheck } from "#src/surfaces/cli/csv-check.ts";
import { confirmDial } from "#src/surfaces/cli/dial-guard.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { collect, parseCount, parseDelays, parseList, parseNumber } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { printable, renderFields } from "#src/surfaces/cli/table.ts";
import { watchJob } from "./job-watch.ts";

interface CreateOptions {
  name?: string;
  flow?: string;
  from?: string[];
  maxAttempts?: number;
  retryOn?: string[];
  delays?: number[];
  maxConcurrency?: number;
  startAt?: string;
  webhookUrl?: string;
  watch?: true;
  dryRun?: true;
  yes?: true;
}

/** The options by the fields of the API that they set, where a fault may name them. */
const OPTION_OF = {
  name: "--name",
  flowId: "--flow",
  fromPhoneNumbers: "--from",
  maxConcurrency: "--max-concurrency",
  startAt: "--start-at",
  "completionWebhook.url": "--webhook-url",
  "retryConfig.maxAttempts": "--max-attempts",
  "retryConfig.retryOn": "--retry-on",
  "retryConfig.delaysSeconds": "--delays",
};

/** Adds `jobs create FILE.csv`. */
export function addJobCreateCommand(jobs: Command, run: Run): void {
  jobs
    .command("create <file.csv>")
    .description("call everyone in a CSV; columns beyond the known ones become what the agent may know")
    .option("--name <name>", "name of the job; default: the file's")
    .option("--flow <id>", "flow by id or apiId; default: the workspace's")
    .option(
      "--from <number>",
      "calling number; repeatable; default: the workspace's",
      (text, before: string[] | undefined) => collect(parseNumber(text), before),
    )
    .option("--max-attempts <n>", "attempts for each row, the first included", parseCount)
    .option("--retry-on <outcomes>", "such as BUSY,NO_ANSWER", parseList)
    .option("--delays <seconds>", "waits before the retries, such as 60,300", parseDelays)
    .option("--max-concurrency <n>", "calls under way at once", parseCount)
    .option("--start-at <time>", "not before this time, such as 2026-12-01T09:00:00Z")
    .option("--webhook-url <url>", "where to report the end; PARLEY_WEBHOOK_SECRET is sent as its bearer token")
    .option("--watch", "show the progress to the end; exit code 6 when rows failed")
    .option("--dry-run", "read the file and tell what would be sent; send nothing")
    .option("--yes", "do not ask before LIVE calls")
    .action((file: string, options: CreateOptions) => createJob(run, file, options));
}

async function createJob(run: Run, file: string, options: CreateOptions): Promise<void> {
  run.optionOf = OPTION_OF;
  await assertFile(file);
  const job = toJob(file, options, run.system.env.PARLEY_WEBHOOK_SECRET);
  if (options.dryRun) return rehearse(run, file, job);
  const session = await openApi(run);
  await confirmJob(run, session, file, job, options.yes === true);
  const created = await session.client.jobs.createFromCsv(await openAsBlob(file, { type: "text/csv" }), job);
  printRejected(run, created);
  if (options.watch || !run.options.json) warnOfSecret(run, created);
  if (options.watch) return watchJob(run, session, created.id);
  await run.print(
    created,
    `${created.status}  ${created.id}  ${created.totalRows} ${created.totalRows === 1 ? "row" : "rows"}`,
  );
  run.hint(`Next: parley jobs watch ${created.id}`);
}

async function assertFile(file: string): Promise<void> {
  try {
    if ((await stat(file)).isFile()) return;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new CliError(EXIT.USAGE, `There is no file ${file}.`);
  }
  throw new CliError(EXIT.USAGE, `${file} is not a file.`);
}

type RetryOutcome = NonNullable<NonNullable<CallJobOptions["retryConfig"]>["retryOn"]>[number];

function toJob(file: string, options: CreateOptions, webhookSecret: string | undefined): CallJobOptions {
  const { maxAttempts, retryOn, delays: delaysSeconds } = options;
  const retryConfig: NonNullable<CallJobOptions["retryConfig"]> = {
    ...(maxAttempts !== undefined && { maxAttempts }),
    // The server refuses an outcome that it does not know, and names those that it does.
    ...(retryOn !== undefined && { retryOn: retryOn as RetryOutcome[] }),
    ...(delaysSeconds !== undefined && { delaysSeconds }),
  };
  const proof = webhookSecret ? { authMode: "BEARER" as const, secret: webhookSecret } : {};
  return {
    name: options.name ?? basename(file).replace(/\.csv$/i, ""),
    ...(options.flow !== undefined && { flowId: options.flow }),
    ...(options.from !== undefined && { fromPhoneNumbers: options.from }),
    ...(options.maxConcurrency !== undefined && { maxConcurrency: options.maxConcurrency }),
    ...(options.startAt !== undefined && { startAt: options.startAt }),
    ...(Object.keys(retryConfig).length > 0 && { retryConfig }),
    ...(options.webhookUrl !== undefined && { completionWebhook: { url: options.webhookUrl, ...proof } }),
  };
}

/**
 * Asks before a job that may call real people. The file is only read where its count matters: not for a known sandbox
 * or --yes.
 */
async function confirmJob(
  run: Run,
  session: ApiSession,
  file: string,
  job: CallJobOptions,
  confirmed: boolean,
): Promise<void> {
  if (confirmed || session.mode === "SANDBOX") return;
  const { rows, badRows, numberColumn, onlyFictional } = await readCheck(file);
  await confirmDial(run, session, {
    // Whose numbers are not found here, the server may find: then anybody of them may be rung.
    count: numberColumn === null ? rows : rows - badRows,
    onlyFictional,
    from: job.fromPhoneNumbers ?? [],
    confirmed,
  });
}

function readCheck(file: string): Promise<CsvCheck> {
  return checkCsv(createReadStream(file, "utf8") as AsyncIterable<string>);
}

/** Says what to do about a file: rows that the server refuses do not keep the others from being called. */
function adviceOn({ numberColumn, rows, badRows }: CsvCheck): string {
  if (numberColumn === null || rows === badRows) return "Mend the file first.";
  return badRows === 0
    ? "Leave out --dry-run to create the job."
    : "Mend the file first; without --dry-run the job is created without these rows.";
}

async function rehearse(run: Run, file: string, job: CallJobOptions): Promise<void> {
  const check = await readCheck(file);
  const { columns, numberColumn, rows, badRows } = check;
  const { completionWebhook, ...shown } = job;
  const plan = { ...shown, completionWebhookUrl: completionWebhook?.url };
  const text = renderFields({ file, columns, numberColumn, rows, badRows, ...plan });
  await run.print({ dryRun: true, file, ...check, job: plan }, text);
  if (numberColumn === null) run.warn("The file has no column customerNumber: rename the one with the numbers.");
  for (const { line, message } of numberColumn === null ? [] : check.faults) run.warn(`line ${line}: ${message}`);
  if (numberColumn !== null && rows === 0) run.warn("The file has no line below its columns: add one for each person.");
  run.hint(`Nothing was sent. ${adviceOn(check)}`);
  if (numberColumn === null || badRows > 0 || rows === 0) run.exitCode = EXIT.USAGE;
}

/** Prints the secret that proves the job's webhook, which no later answer has. */
function warnOfSecret(run: Run, { completionWebhook }: CallJob): void {
  const secret = completionWebhook?.signingSecret;
  if (secret) run.warn(`Keep the signing secret of the webhook, it is not shown again: ${printable(secret)}`);
}

/** Rejected lines whose reasons are printed at once. */
const SHOWN_ERRORS = 3;

/** Prints how many lines were refused, and why the first of them were. */
function printRejected(run: Run, job: CallJob & { rowErrors: { line: number; message: string }[] }): void {
  if (!job.rejectedRows) return;
  for (const { line, message } of job.rowErrors.slice(0, SHOWN_ERRORS)) run.warn(`line ${line}: ${printable(message)}`);
  const rejected =
    job.rejectedRows === 1 ? "1 line could not become a row" : `${job.rejectedRows} lines could not become rows`;
  run.warn(`${rejected}. See: parley jobs rows ${job.id} --errors`);
}
