import type { RehearseJob } from "@parley/sdk";
import type { Command } from "commander";
import { toError } from "#src/platform/kernel/errors.ts";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { parseCount } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { readText } from "#src/surfaces/cli/suite-files.ts";
import { printable } from "#src/surfaces/cli/table.ts";

interface RehearseOptions {
  job?: string;
  sample?: number;
  seed?: number;
}

const AFTER_HELP = `
A file holds what POST /simulations/rehearsals takes, as YAML:
  job: { flowApiId: appointment-reminder, rowCount: 2000, maxConcurrency: 20 }
  population:
    - { persona: agrees, share: 60 }
    - { line: NO_ANSWER, attempts: 1, persona: agrees, share: 20 }
    - { line: BUSY, share: 10 }
    - { line: VOICEMAIL, share: 10 }`;

/** Adds `simulate rehearse`, the forecast of a call job. */
export function addSimulateRehearseCommand(simulate: Command, run: Run): void {
  simulate
    .command("rehearse [job.yaml]")
    .description("forecast a call job: how long, how much, with what outcomes; nobody is called")
    .option("--job <id>", "a job that exists: its waiting rows")
    .option("--sample <n>", "conversations that are held to know how long people talk; default 50", parseCount)
    .option("--seed <n>", "another draw of the same population", parseCount)
    .addHelpText("after", AFTER_HELP)
    // Commander assigns an option that the parent has too to the parent.
    .action((path: string | undefined, options: RehearseOptions) =>
      rehearse(run, path, { ...simulate.opts<RehearseOptions>(), ...options }),
    );
}

async function rehearse(run: Run, path: string | undefined, { job, sample, seed }: RehearseOptions): Promise<void> {
  const file = path === undefined ? {} : await readFile(path);
  if (path === undefined && job === undefined) {
    throw new CliError(EXIT.USAGE, "Name a job: parley simulate rehearse --job ID, or a file that describes one.");
  }
  const request: RehearseJob = {
    ...file,
    ...(job !== undefined && { jobId: job }),
    ...(sample !== undefined && { sample }),
    ...(seed !== undefined && { seed }),
  };
  const forecast = await (await openApi(run)).client.simulations.rehearse(request);
  const { renderForecast } = await import("#src/workbench/simulations/rehearsal/render-forecast.ts");
  await run.print(forecast, printableLines(renderForecast(forecast as never)));
}

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

async function readFile(path: string): Promise<RehearseJob> {
  // It takes longer to load than most commands run.
  const { parse } = await import("yaml");
  const text = readText(path, `There is no file ${path}.`);
  try {
    const value: unknown = parse(text, { maxAliasCount: 20 });
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as RehearseJob;
  } catch (error) {
    throw new CliError(EXIT.USAGE, `${path} cannot be read: ${toError(error).message}`);
  }
  throw new CliError(EXIT.USAGE, `${path} must hold a mapping with job or jobId, and population.`);
}
