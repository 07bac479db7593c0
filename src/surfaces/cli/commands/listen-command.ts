import { type Command, InvalidArgumentError } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { Forwarded, Heard } from "#src/surfaces/cli/listen.ts";
import { parseList } from "#src/surfaces/cli/option-parsers.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";
import { printable } from "#src/surfaces/cli/table.ts";

const TYPE_WIDTH = 23;

/** Adds `listen`, which shows the workspace's webhooks and forwards them to this machine. */
export function addListenCommand(program: Command, run: Run): void {
  program
    .command("listen")
    .description("show the workspace's webhooks as they come, and forward them to an address of this machine")
    .option("--forward-to <url>", "send each event there, such as http://localhost:3000/hook", parseTarget)
    .option("--events <types>", "only these, such as session.ended,call_job.completed", parseList)
    .addHelpText("after", "\nA job's completion is heard when the job has a completionWebhook, whatever its address.")
    .action((options: { forwardTo?: string; events?: string[] }) => listenFor(run, options));
}

function parseTarget(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new InvalidArgumentError("It is an http or https URL, such as http://localhost:3000/hook.");
  }
  return text;
}

async function listenFor(run: Run, { forwardTo, events }: { forwardTo?: string; events?: string[] }): Promise<void> {
  const { listen, LISTENED_EVENTS } = await import("#src/surfaces/cli/listen.ts");
  const unknown = events?.find((type) => !LISTENED_EVENTS.includes(type));
  if (unknown !== undefined) {
    throw new CliError(EXIT.USAGE, `There is no event ${unknown}. There are ${LISTENED_EVENTS.join(", ")}.`);
  }
  const begun = (secret: string, address: string) => {
    run.note(`Listening${forwardTo === undefined ? "" : ` and forwarding to ${forwardTo}`}. Ctrl-C ends it.`);
    run.note(`Signing secret of what is forwarded: ${secret}`);
    run.hint(`A job is heard with this address as its completionWebhook.url: ${address}`);
  };
  const { client } = await openApi(run);
  const options = { events: events ?? LISTENED_EVENTS, forwardTo };
  const hear = (heard: Heard) => run.print(heard, describe(run, heard));
  await detachable(run.system, "No longer listening.", (signal) =>
    listen(run, client, options, { begun, hear }, signal),
  );
}

function describe({ system }: Run, { eventType, event, forwarded }: Heard): string {
  const { occurredAt, session, job } = event as {
    occurredAt?: string;
    session?: { id?: string; status?: string };
    job?: { id?: string; status?: string };
  };
  const subject = session ?? job;
  const parts = [
    (occurredAt ?? "").slice(11, 19),
    eventType.padEnd(TYPE_WIDTH),
    subject?.id ?? "",
    (subject?.status ?? "").padEnd(11),
  ];
  const line = printable(parts.join("  ")).trimEnd();
  if (forwarded === null) return line;
  const isTaken = "status" in forwarded && forwarded.status >= 200 && forwarded.status < 300;
  return `${line}  ${system.style(isTaken ? "green" : "red", `-> ${answerOf(forwarded)}`, "OUT")}`;
}

function answerOf(forwarded: Forwarded): string {
  const answer = "status" in forwarded ? String(forwarded.status) : `not forwarded: ${printable(forwarded.error)}`;
  return `${answer} (${forwarded.durationMs} ms)`;
}
