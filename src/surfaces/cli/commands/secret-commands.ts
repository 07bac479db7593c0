import type { Command } from "commander";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";

const LOOK_MS = 500;

/** Progress of a rotation, as the server shows it. */
interface Rotation {
  state: "NONE" | "RUNNING" | "DONE";
  startedAt: string | null;
  finishedAt: string | null;
  resealed: Record<string, number>;
  unreadable: Record<string, number>;
  formerRecordings: number;
  formerFile: string | null;
  formerIsKnown: boolean;
}

/** Adds `secret rotate|status`. */
export function addSecretCommands(program: Command, run: Run): void {
  const secret = program.command("secret").description("change the secret that seals stored credentials (operator)");
  secret
    .command("rotate")
    .description("change over to the new PARLEY_SECRET, or to a generated one, while the servers run")
    .option("--no-wait", "return at once; the servers go on by themselves")
    .addHelpText("after", "\nWith PARLEY_SECRET set, first start every node with it and PARLEY_SECRET_PREVIOUS.")
    .action(({ wait }: { wait: boolean }) => rotate(run, wait));
  secret
    .command("status")
    .description("show how far a change is")
    .action(async () => show(run, await callOperator<Rotation>(run.system.env, "secret.status", {})));
}

async function rotate(run: Run, waits: boolean): Promise<void> {
  const begun = await callOperator<Rotation>(run.system.env, "secret.rotate", {});
  if (!waits) return show(run, begun);
  const farewell = "The servers go on by themselves. See: parley secret status";
  await show(run, await detachable(run.system, farewell, (signal) => untilDone(run, begun, signal)));
}

async function untilDone(run: Run, begun: Rotation, signal: AbortSignal): Promise<Rotation> {
  let last = begun;
  let seen = -1;
  while (last.state === "RUNNING") {
    const count = sumOf(last.resealed);
    if (count !== seen) run.note(run.paint("dim", `${count} values sealed anew …`));
    seen = count;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    signal.throwIfAborted();
    last = await callOperator<Rotation>(run.system.env, "secret.status", {});
  }
  return last;
}

async function show(run: Run, rotation: Rotation): Promise<void> {
  await run.print(rotation, describe(rotation));
  if (rotation.state !== "DONE") return;
  for (const [what, count] of Object.entries(rotation.unreadable)) {
    run.warn(`${count} of the ${what} open with neither secret. They were left as they are: enter them again.`);
  }
  if (rotation.formerFile !== null) {
    run.hint(`The former secret was moved to ${rotation.formerFile}, which no server reads.`);
  } else if (rotation.formerIsKnown) {
    run.hint("Remove PARLEY_SECRET_PREVIOUS from every node, and start them again one after the other.");
  }
  run.hint(
    "Backups from before open with the former secret alone: keep it, elsewhere, as long as them, or make a backup now.",
  );
  if (rotation.formerRecordings === 0) return;
  run.hint(
    `${rotation.formerRecordings} encrypted recordings from before stay as they are on the disk. The servers read them; somebody who has the files and the former secret still can, too.`,
  );
}

function describe({ state, finishedAt, resealed }: Rotation): string {
  if (state === "NONE") return "The secret was never changed.";
  const count = sumOf(resealed);
  if (state === "RUNNING") return `The secret is being changed: ${count} values sealed anew so far.`;
  return `Nothing is left under the former secret: ${count} values sealed anew, ended ${finishedAt}.`;
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
