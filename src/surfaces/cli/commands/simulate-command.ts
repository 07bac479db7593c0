import { writeFileSync } from "node:fs";
import type { Parley, Simulation, StartSimulation } from "@parley/sdk";
import { ApiError, NotFoundError } from "@parley/sdk/errors";
import type { Command } from "commander";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { createClient, openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { exitCodeOf, followSimulation } from "#src/surfaces/cli/follow-simulation.ts";
import { collect, parseCount } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { type LoadedSuite, loadSuite, readText } from "#src/surfaces/cli/suite-files.ts";
import { printable, renderTable } from "#src/surfaces/cli/table.ts";
import { addSimulateCallCommands } from "./simulate-call-commands.ts";
import { addSimulateInitCommand } from "./simulate-init-command.ts";
import { addSimulateRehearseCommand } from "./simulate-rehearse-command.ts";

interface SimulateOptions {
  serve?: true;
  flow?: string;
  draft?: true;
  only?: string[];
  repeat?: number;
  seed?: number;
  audio?: true;
  compare?: string;
  report?: string;
  junit?: string;
}

const AFTER_HELP = `
Exit codes: 0 all passed, 6 something failed, 2 a suite that cannot be run.
In CI, with nothing installed but this program:  parley simulate --serve --junit report.xml suites/*.yaml`;

/** Adds `simulate SUITE…` and `simulate init`. */
export function addSimulateCommands(program: Command, run: Run): void {
  const simulate = program
    .command("simulate [suite.yaml...]")
    .description("try a flow on simulated people as test suites say; nobody is called")
    .option("--serve", "start a server for this alone, with a sample workspace, and take it away afterwards")
    .option("--flow <flow>", "another flow than the suites': id, apiId, or an exported .json file")
    .option("--draft", "the draft of --flow, not what is published")
    .option("--only <scenario>", "this scenario; repeatable", (text, before: string[] | undefined) =>
      collect(text, before),
    )
    .option("--repeat <n>", "conversations of each scenario", parseCount)
    .option("--seed <n>", "seed of the first conversation of each scenario", parseCount)
    .option("--audio", "through the whole audio path, in real time")
    .option("--compare <run>", "id of the run to compare with, or none; default: the last of the same suite and flow")
    .option("--report <file>", "also write the runs with their reports to a file, as JSON")
    .option("--junit <file>", "also write the result as JUnit XML")
    .addHelpText("after", AFTER_HELP)
    .action((suites: string[], options: SimulateOptions) => simulateAll(run, suites, options));
  addSimulateInitCommand(simulate, run);
  addSimulateCallCommands(simulate, run);
  addSimulateRehearseCommand(simulate, run);
  simulate
    .command("personas")
    .description("list the people and machines that suites may name")
    .action(() => listPersonas(run));
}

async function listPersonas(run: Run): Promise<void> {
  const personas = await (await openApi(run)).client.simulations.personas();
  const rows = personas.map(({ name, kind, description }) => [name, kind, description]);
  await run.print(personas, renderTable(["NAME", "KIND", "WHO"], rows));
}

async function simulateAll(run: Run, paths: string[], options: SimulateOptions): Promise<void> {
  if (paths.length === 0) {
    throw new CliError(EXIT.USAGE, "Name a suite: parley simulate suite.yaml. A first one: parley simulate init");
  }
  if (options.draft && options.flow === undefined) throw new CliError(EXIT.USAGE, "--draft goes with --flow.");
  // The engine is loaded on demand: other commands start without it.
  const { listSuiteFiles } = await import("#src/workbench/simulations/read-suite.ts");
  const suites = paths.map((path) => loadSuite(path, listSuiteFiles));
  const flow = readFlowOption(options);
  const stop = new AbortController();
  const release = run.system.onInterrupt(() => stop.abort(new CliError(EXIT.INTERRUPTED, "Cancelled.")));
  const work = async (client: Parley) => {
    const runs: Simulation[] = [];
    for (const suite of suites)
      runs.push(await simulateOne(run, client, toRequest(suite, flow, options), suite.path, stop.signal));
    await writeFiles(client, runs, options);
    run.exitCode = exitCodeOf(runs);
  };
  try {
    if (options.serve) {
      run.note(run.paint("dim", "Starting a server for this run…"));
      const withServer = await run.loadServer();
      await withServer(run.system, stop.signal, async ({ url, apiKey }) =>
        work(await createClient({ baseUrl: url, apiKey })),
      );
    } else {
      await work((await openApi(run)).client);
    }
  } finally {
    release();
  }
}

function readFlowOption({ flow, draft }: SimulateOptions): StartSimulation["flow"] {
  if (flow === undefined) return undefined;
  if (!flow.endsWith(".json")) return draft ? { draft: flow } : flow;
  try {
    return { document: JSON.parse(readText(flow, `There is no file ${flow}.`)) as Record<string, unknown> };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.USAGE, `${flow} is not JSON: ${toError(error).message}`);
  }
}

function toRequest(
  { text, files }: LoadedSuite,
  flow: StartSimulation["flow"],
  options: SimulateOptions,
): StartSimulation {
  return {
    suite: text,
    files,
    ...(flow !== undefined && { flow }),
    ...(options.only !== undefined && { only: options.only }),
    ...(options.repeat !== undefined && { repeat: options.repeat }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.audio && { mode: "AUDIO" as const }),
    ...(options.compare !== undefined && { compareWith: options.compare }),
  };
}

/** Runs one suite to its end and prints the result. */
async function simulateOne(
  run: Run,
  client: Parley,
  request: StartSimulation,
  path: string,
  signal: AbortSignal,
): Promise<Simulation> {
  const started = await start(client, request, path);
  return followSimulation(run, client, started.id, signal);
}

/** Starts a run. A faulty suite is a usage error, with its place in the form that editors understand. */
async function start(client: Parley, request: StartSimulation, path: string): Promise<Simulation> {
  try {
    return await client.simulations.start(request);
  } catch (error) {
    if (error instanceof NotFoundError && request.flow !== undefined) throw error;
    if (!(error instanceof ApiError) || ![400, 404, 422].includes(error.status)) throw error;
    throw new CliError(EXIT.USAGE, describeFaults(path, error));
  }
}

function describeFaults(path: string, error: ApiError): string {
  const details = error.details as { path?: string; message?: string }[];
  if (details.length === 0) return `${path}: ${printable(error.message)}`;
  return details
    .map((detail) => {
      const place = /^line (\d+), column (\d+): /.exec(detail.message ?? "");
      const where = (detail.path ?? "").replace(/^suite\.?/, "");
      const at = place ? `${path}:${place[1]}:${place[2]}` : path;
      return `${at} ${printable(`${where} ${(detail.message ?? "").slice(place?.[0].length ?? 0)}`.trim())}`;
    })
    .join("\n");
}

async function writeFiles(client: Parley, runs: Simulation[], { report, junit }: SimulateOptions): Promise<void> {
  if (report !== undefined) write(report, `${JSON.stringify(runs.length === 1 ? runs[0] : runs, null, 2)}\n`);
  if (junit === undefined) return;
  const ended = runs.filter((one) => one.report !== null);
  const documents = await Promise.all(ended.map(({ id }) => client.simulations.junit(id)));
  write(junit, joinJUnit(documents));
}

/** Joins the JUnit documents of several suites into one. */
function joinJUnit(documents: string[]): string {
  if (documents.length === 1) return documents[0] as string;
  const inner = documents.map((text) => /<testsuites[^>]*>([\s\S]*)<\/testsuites>/.exec(text)?.[1]?.trim() ?? "");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${inner.join("\n")}\n</testsuites>\n`;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CliError(EXIT.ERROR, `${path} cannot be written: ${codeOf(error) ?? toError(error).message}`);
  }
}
