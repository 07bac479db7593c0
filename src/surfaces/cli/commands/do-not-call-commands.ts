import { readFile } from "node:fs/promises";
import type { DoNotCallSource, OptOutReviewState } from "@parley/sdk";
import type { Command } from "commander";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { printable, renderFields, renderTable } from "#src/surfaces/cli/table.ts";

interface ListOptions {
  source?: DoNotCallSource;
  startsWith?: string;
}

/**
 * Adds `dnc list|add|remove|import|export|reviews|confirm|dismiss` for the do-not-call ledger and its pending reviews.
 */
export function addDoNotCallCommands(program: Command, run: Run): void {
  const dnc = program.command("dnc").description("numbers that are neither called nor written to");
  dnc
    .command("list")
    .description("list the ledger by number")
    .option("--source <source>", "STOP_KEYWORD, SPOKEN_REFUSAL, OPERATOR or SANDBOX")
    .option("--starts-with <digits>", "how the number begins, such as +4930")
    .action((options: ListOptions) => list(run, options));
  dnc
    .command("add <numbers...>")
    .description("add numbers in E.164")
    .option("--note <text>", "why, kept with each number")
    .action((numbers: string[], { note }: { note?: string }) => add(run, numbers, note));
  dnc
    .command("remove <number>")
    .description("take a number out; the reason is audited")
    .requiredOption("--reason <text>", "why")
    .option("--consent <text>", "how and when the person agreed; needed for what they asked for themselves")
    .action((number: string, why: { reason: string; consent?: string }) => remove(run, number, why));
  dnc
    .command("import <file.csv>")
    .description("add the numbers of a CSV: a column number, optionally note")
    .action((file: string) => importFile(run, file));
  dnc
    .command("export")
    .description("print the ledger as CSV: parley dnc export > ledger.csv")
    .action(() => exportAll(run));
  addReviewCommands(dnc, run);
}

function addReviewCommands(dnc: Command, run: Run): void {
  dnc
    .command("reviews")
    .description("list who may have asked for no more contact, and is left alone until somebody decides")
    .option("--state <state>", "OPEN, CONFIRMED or DISMISSED", "OPEN")
    .action(({ state }: { state: OptOutReviewState }) => listReviews(run, state));
  for (const decision of ["confirm", "dismiss"] as const) {
    dnc
      .command(`${decision} <reviewId>`)
      .description(decision === "confirm" ? "put the person of a review on the list" : "lift the hold of a review")
      .option("--note <text>", "why, kept with the review")
      .action((id: string, { note }: { note?: string }) => decide(run, { decision, id, note }));
  }
}

async function listReviews(run: Run, state: OptOutReviewState): Promise<void> {
  const reviews = await Array.fromAsync((await openApi(run)).client.optOutReviews.list({ state, size: 200 }));
  const rows = reviews.map(({ id, number, contactId, reason, createdAt, quotes }) => {
    return [id, number ?? contactId ?? "", reason, createdAt, printable(quotes[0]?.text ?? "")];
  });
  await run.print(reviews, renderTable(["review", "who", "reason", "since", "words"], rows));
}

async function decide(
  run: Run,
  { decision, id, note }: { decision: "confirm" | "dismiss"; id: string; note: string | undefined },
): Promise<void> {
  const review = await (
    await openApi(run)
  ).client.optOutReviews.decide(id, {
    decision: decision === "confirm" ? "CONFIRM" : "DISMISS",
    ...(note !== undefined && { note }),
  });
  const who = review.number ?? review.contactId;
  await run.print(review, decision === "confirm" ? `${who} is on the list.` : `${who} may be called again.`);
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const entries = await Array.fromAsync((await openApi(run)).client.doNotCall.list({ ...options, size: 1_000 }));
  const rows = entries.map(({ number, source, note, createdAt }) => [number, source, createdAt, printable(note ?? "")]);
  await run.print(entries, renderTable(["number", "source", "since", "note"], rows));
}

async function add(run: Run, numbers: string[], note: string | undefined): Promise<void> {
  const added = await (await openApi(run)).client.doNotCall.add({ numbers, ...(note !== undefined && { note }) });
  const { added: fresh, alreadyListed } = added;
  await run.print(added, renderFields({ added: fresh, alreadyListed }));
}

async function remove(run: Run, number: string, why: { reason: string; consent?: string }): Promise<void> {
  await (await openApi(run)).client.doNotCall.remove(number, why);
  await run.print({ removed: number }, `${number} may be called again.`);
}

async function importFile(run: Run, file: string): Promise<void> {
  let csv: string;
  try {
    csv = await readFile(file, "utf8");
  } catch (error) {
    throw new CliError(EXIT.USAGE, `${file} cannot be read: ${codeOf(error) ?? toError(error).message}`);
  }
  const imported = await (await openApi(run)).client.doNotCall.import({ csv });
  const { added, alreadyListed, errorCount } = imported;
  await run.print(imported, renderFields({ added, alreadyListed, errorCount }));
  for (const { line, message } of imported.errors) run.note(`Line ${line} ${printable(message)}`);
}

async function exportAll(run: Run): Promise<void> {
  const { doNotCall } = (await openApi(run)).client;
  if (run.options.json) return list(run, {});
  await run.system.writeOut(await doNotCall.export());
}
