import { type Command, InvalidArgumentError } from "commander";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";

const LOOK_MS = 500;
const MOST_SECONDS = 86_400;

interface Drain {
  state: "RUNNING" | "DRAINING";
  liveCalls: number;
  /** ISO 8601 UTC. */
  deadline: string;
}

/** Adds `drain`. */
export function addDrainCommand(program: Command, run: Run): void {
  program
    .command("drain")
    .description("stop the server without cutting off live calls (operator)")
    .option("--seconds <n>", "live calls may go on for so long; DRAIN_SECONDS of the server if left out", readSeconds)
    .option("--no-wait", "return at once, not when the server has stopped")
    .addHelpText("after", "\nRun it again with --seconds to change the deadline; 0 ends live calls with a goodbye.")
    .action((options: { seconds?: number; wait: boolean }) => drain(run, options));
}

async function drain(run: Run, { seconds, wait }: { seconds?: number; wait: boolean }): Promise<void> {
  const { env } = run.system;
  const begun = await callOperator<Drain>(env, "drain", { seconds });
  if (!wait) return run.print(begun, describe(begun));
  run.note(describe(begun));
  const farewell = "The server goes on draining. Come back with: parley drain";
  await detachable(run.system, farewell, (signal) => untilStopped(run, begun, signal));
  await run.print({ state: "STOPPED" }, "The server has stopped.");
}

/** Prints the number of live calls whenever it changes, until the server is gone. */
async function untilStopped(run: Run, begun: Drain, signal: AbortSignal): Promise<void> {
  let last = begun;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    signal.throwIfAborted();
    const status = await callOperator<Drain>(run.system.env, "drain.status", {}).catch(explainGone);
    // A supervisor may have started another one meanwhile.
    if (status?.state !== "DRAINING") return;
    if (status.liveCalls !== last.liveCalls || status.deadline !== last.deadline) run.note(describe(status));
    last = status;
  }
}

/** Returns null for an error that says that the server is gone. */
function explainGone(error: unknown): null {
  if (error instanceof CliError && error.exitCode === EXIT.SERVER) return null;
  throw error;
}

function describe({ liveCalls, deadline }: Drain): string {
  if (liveCalls === 0) return "Nothing new is begun, and no call is live: the server stops.";
  return `Nothing new is begun. ${liveCalls === 1 ? "1 live call" : `${liveCalls} live calls`}, until ${deadline}.`;
}

function readSeconds(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= MOST_SECONDS) return value;
  throw new InvalidArgumentError(`It is a whole number of seconds, at most ${MOST_SECONDS}.`);
}
