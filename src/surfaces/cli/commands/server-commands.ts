import type { Command } from "commander";
import { nameAsTyped } from "#src/surfaces/cli/as-typed.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderTable, show } from "#src/surfaces/cli/table.ts";

interface Check {
  name: string;
  ok: boolean;
  message: string;
}

interface SandboxNumber {
  number: string;
  code: string;
  name: string;
  carrierEvents: string;
  rowResult: string;
  shows: string;
}

/** Adds `doctor`, `sandbox numbers` and `sandbox contacts`. */
export function addServerCommands(program: Command, run: Run): void {
  program
    .command("doctor")
    .description("check the server and what it needs")
    .action(() => examine(run));
  const sandbox = program.command("sandbox").description("the built-in simulated carrier");
  sandbox
    .command("numbers")
    .description("list the fictional numbers and what each of them does")
    .action(() => listSandboxNumbers(run));
  sandbox
    .command("contacts")
    .description("print twenty simulated people as a CSV: parley sandbox contacts > demo.csv")
    .action(() => printSandboxContacts(run));
}

async function examine(run: Run): Promise<void> {
  const checks = await runChecks(run);
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, ok, message }) => {
    const mark = run.system.style(ok ? "green" : "red", ok ? "ok  " : "FAIL", "OUT");
    return `${mark}  ${show(name).padEnd(width)}  ${nameAsTyped(show(message), run.system.env)}`;
  });
  await run.print({ checks }, lines.join("\n"));
  if (checks.some((check) => !check.ok) && run.exitCode === EXIT.OK) run.exitCode = EXIT.ERROR;
}

/** Runs the checks. A server that does not answer is a failed check, not an error of the command. */
async function runChecks(run: Run): Promise<Check[]> {
  try {
    return (await callOperator<{ checks: Check[] }>(run.system.env, "doctor", {})).checks;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    run.exitCode = error.exitCode;
    return [
      { name: "node", ok: true, message: process.versions.node },
      { name: "server", ok: false, message: error.message },
    ];
  }
}

async function printSandboxContacts(run: Run): Promise<void> {
  const found = await callOperator<{ csv: string }>(run.system.env, "sandbox.contacts", {});
  await run.print(found, found.csv.trimEnd());
}

async function listSandboxNumbers(run: Run): Promise<void> {
  const found = await callOperator<SandboxNumber[]>(run.system.env, "sandbox.numbers", {});
  const rows = found.map((row) => [row.number, row.name, row.carrierEvents, row.rowResult, row.shows].map(show));
  await run.print(found, renderTable(["NUMBER", "WHO", "CARRIER EVENTS", "ROW RESULT", "SHOWS"], rows));
}
