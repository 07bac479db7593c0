import type { Parley, StartReplay } from "@parley/sdk";
import type { Command } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { exitCodeOf, followSimulation } from "#src/surfaces/cli/follow-simulation.ts";
import { collect, parseCount } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { printable } from "#src/surfaces/cli/table.ts";

interface ReplayOptions {
  flow?: string;
  draft?: true;
  flowVersion?: number;
  last?: number;
  job?: string;
  call?: string[];
}

/** Adds `simulate from-call` and `simulate replay`. */
export function addSimulateCallCommands(simulate: Command, run: Run): void {
  simulate
    .command("from-call <rowId>")
    .description("print a suite made from a call, without personal data; read it before you share it")
    .action((rowId: string) => fromCall(run, rowId));
  simulate
    .command("replay")
    .description("speak the recorded side of past calls to a flow, and tell what differs")
    .option("--flow <id>", "flow by id or apiId")
    .option("--draft", "its draft, not what is published")
    .option("--flow-version <n>", "this version of it", parseCount)
    .option("--last <n>", "so many of its last calls; default 20", parseCount)
    .option("--job <id>", "only calls of this job")
    .option("--call <rowId>", "this call instead; repeatable", (text, before: string[] | undefined) =>
      collect(text, before),
    )
    // Commander assigns an option that the parent has too to the parent.
    .action((options: ReplayOptions) => replay(run, { ...simulate.opts<ReplayOptions>(), ...options }));
}

async function fromCall(run: Run, rowId: string): Promise<void> {
  const proposal = await (await openApi(run)).client.simulations.fromCall(rowId);
  await run.print(proposal, proposal.suite.trimEnd());
  for (const note of proposal.notes) run.note(run.paint("yellow", printable(note)));
  const removed = proposal.removed.map(({ kind, count }) => `${count} ${kind}`).join(", ");
  run.hint(removed === "" ? "Nothing personal was found." : `Replaced: ${removed}.`);
}

async function replay(run: Run, options: ReplayOptions): Promise<void> {
  if (options.flow === undefined) throw new CliError(EXIT.USAGE, "Name the flow: parley simulate replay --flow ID");
  const { client } = await openApi(run);
  const stop = new AbortController();
  const release = run.system.onInterrupt(() => stop.abort(new CliError(EXIT.INTERRUPTED, "Cancelled.")));
  try {
    run.exitCode = await replayOnce(run, client, toRequest(options.flow, options), stop.signal);
  } finally {
    release();
  }
}

async function replayOnce(run: Run, client: Parley, request: StartReplay, signal: AbortSignal): Promise<number> {
  const started = await client.simulations.replay(request);
  return exitCodeOf([await followSimulation(run, client, started.id, signal)]);
}

function toRequest(flowId: string, { draft, flowVersion, last, job, call }: ReplayOptions): StartReplay {
  return {
    flowId,
    ...(draft && { draft }),
    ...(flowVersion !== undefined && { version: flowVersion }),
    ...(last !== undefined && { last }),
    ...(job !== undefined && { jobId: job }),
    ...(call !== undefined && { rowIds: call }),
  };
}
