import type { CallEvent, CallRow, CreateCall, QueuedCall, TranscriptTurn } from "@parley/sdk";
import { type Command, Option } from "commander";
import { fictionalCode } from "#src/platform/kernel/e164.ts";
import { type ApiSession, openApi } from "#src/surfaces/cli/api-session.ts";
import { confirmDial } from "#src/surfaces/cli/dial-guard.ts";
import { EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { CALLS_SORTED_BY, collectPairs, parseJsonObject, parseNumber } from "#src/surfaces/cli/option-parsers.ts";
import { formatDuration } from "#src/surfaces/cli/progress.ts";
import { follow, type Run } from "#src/surfaces/cli/run.ts";
import { printable, renderFields, renderTable } from "#src/surfaces/cli/table.ts";

interface CallOptions {
  flow?: string;
  from?: string;
  name?: string;
  email?: string;
  data?: Record<string, string>;
  context?: Record<string, unknown>;
  watch?: true;
  yes?: true;
}

/** The options of `call` by the fields of the API that they set, where a fault may name them. */
const OPTION_OF = {
  flowId: "--flow",
  fromPhoneNumber: "--from",
  contactName: "--name",
  contactEmail: "--email",
  rowData: "--data",
  contextData: "--context",
};

const SPEAKERS: Record<TranscriptTurn["role"], string> = {
  ASSISTANT: "Agent",
  USER: "Person",
  SYSTEM: "System",
  TOOL: "Tool",
};

interface SortOptions {
  sort?: (typeof CALLS_SORTED_BY)[number];
}

/** Columns of a call's state in front of its number: those of the longest that a talk has. */
const STATE_WIDTH = "in progress".length;

/** Calls that `calls list` shows: a screenful. */
const LISTED = 50;

/** Adds `call NUMBER` and `calls list|watch`. */
export function addCallCommands(program: Command, run: Run): void {
  program
    .command("call")
    .description("place one call")
    .argument("<number>", "whom to call, such as +12025550100", parseNumber)
    .option("--flow <id>", "flow by id or apiId; default: the workspace's")
    .option("--from <number>", "calling number; default: the workspace's", parseNumber)
    .option("--name <name>", "name of the contact")
    .option("--email <address>", "e-mail of the contact")
    .option("--data <key=value>", "what the agent may know; repeatable", collectPairs)
    .option("--context <json>", "JSON object that comes back unchanged", parseJsonObject)
    .option("--watch", "follow it to its end; exit code 6 when it did not succeed")
    .option("--yes", "do not ask before a LIVE call")
    .action((number: string, options: CallOptions) => placeCall(run, number, options));
  const calls = program.command("calls").description("calls that were placed");
  calls
    .command("list")
    .description("list the latest calls, those of jobs among them")
    .addOption(new Option("--sort <field>", "the order; a minus turns it around").choices(CALLS_SORTED_BY))
    .action((options: SortOptions) => listCalls(run, options));
  calls
    .command("watch <id>")
    .description("follow a call to its end, or show one that has ended")
    .action(async (id: string) => watchCall(run, await openApi(run), id));
}

async function placeCall(run: Run, number: string, options: CallOptions): Promise<void> {
  run.optionOf = OPTION_OF;
  const session = await openApi(run);
  const from = options.from === undefined ? [] : [options.from];
  const onlyFictional = fictionalCode(number) !== null;
  await confirmDial(run, session, { count: 1, onlyFictional, from, confirmed: options.yes === true });
  const queued = await session.client.calls.create(toCreateCall(number, options));
  if (!options.watch) {
    await run.print(queued, `${queued.status}  ${queued.rowId}`);
    run.hint(`Next: parley calls watch ${queued.rowId}`);
    return;
  }
  await announce(run, queued);
  await watchCall(run, session, queued.rowId, queued.status);
}

async function listCalls(run: Run, { sort }: SortOptions): Promise<void> {
  const { content } = await (
    await openApi(run)
  ).client.callHistory
    .list({ size: LISTED, ...(sort && { sort }) })
    .first();
  const rows = content.map((row) => [
    row.id,
    row.customerNumber,
    row.flowApiId ?? "",
    row.status,
    row.outcome ?? "",
    row.durationSeconds === null ? "" : formatDuration(row.durationSeconds),
    row.createdAt,
  ]);
  await run.print(content, renderTable(["ID", "NUMBER", "FLOW", "STATUS", "OUTCOME", "LENGTH", "CREATED"], rows));
  if (rows.length === 0) run.hint("None yet. Place one: parley call +12025550100 --watch");
}

async function announce(run: Run, queued: QueuedCall): Promise<void> {
  if (run.options.json) await run.print({ type: "queued", call: queued }, "");
  else
    run.note(
      run.paint(
        "dim",
        `${"queued".padEnd(STATE_WIDTH)} ${queued.customerNumber} from ${queued.fromPhoneNumber}  (${queued.rowId})`,
      ),
    );
}

function toCreateCall(customerNumber: string, options: CallOptions): CreateCall {
  return {
    customerNumber,
    ...(options.flow !== undefined && { flowId: options.flow }),
    ...(options.from !== undefined && { fromPhoneNumber: options.from }),
    ...(options.name !== undefined && { contactName: options.name }),
    ...(options.email !== undefined && { contactEmail: options.email }),
    ...(options.data !== undefined && { rowData: options.data }),
    ...(options.context !== undefined && { contextData: options.context }),
  };
}

/** Follows a call to its end; `announced` is the status that the person has read already. */
async function watchCall(run: Run, { client }: ApiSession, id: string, announced?: string): Promise<void> {
  // Written one after the other, so that lines keep their order when standard output is slow.
  let written = Promise.resolve();
  const onEvent = (event: CallEvent) => {
    if (event.type === "status" && event.status === announced && !run.options.json) return;
    written = written.then(() => printEvent(run, event));
  };
  const row = await follow(run, "the call", `parley calls watch ${id}`, (signal) =>
    client.calls.wait(id, { onEvent, signal }),
  );
  await written;
  if (row.status !== "COMPLETED") run.exitCode = EXIT.ENDED_WITH_FAILURES;
}

async function printEvent(run: Run, event: CallEvent): Promise<void> {
  if (run.options.json) return run.print(toLine(event), "");
  if (event.type === "status") {
    const { customerNumber, fromPhoneNumber } = event.row;
    const words = event.status.toLowerCase().replaceAll("_", " ");
    run.note(run.paint("dim", `${words.padEnd(STATE_WIDTH)} ${customerNumber} from ${fromPhoneNumber}`));
  } else if (event.type === "turn") await run.print(null, renderTurn(run, event.turn));
  else await run.print(null, renderResult(run, event.row));
}

/** Returns the JSON line of an event. Status lines leave the row out: each would repeat the whole transcript. */
function toLine(event: CallEvent): object {
  if (event.type === "status") return { type: event.type, status: event.status, rowId: event.row.id };
  return event.type === "turn" ? { type: event.type, turn: event.turn } : event;
}

function renderTurn(run: Run, turn: TranscriptTurn): string {
  const speaker = SPEAKERS[turn.role].padEnd(6);
  const cut = turn.interrupted ? run.system.style("dim", " (interrupted)", "OUT") : "";
  const time = run.system.style("dim", formatDuration(turn.startMs / 1000).padStart(5), "OUT");
  return `${time}  ${run.system.style("cyan", speaker, "OUT")}  ${printable(turn.content)}${cut}`;
}

function renderResult(run: Run, row: CallRow): string {
  const colour = row.status === "COMPLETED" ? "green" : "red";
  const duration = row.durationSeconds === null ? null : formatDuration(row.durationSeconds);
  const facts = [row.outcome, row.endReason, duration, row.error?.message].filter((fact) => typeof fact === "string");
  const lines = [[run.system.style(colour, row.status, "OUT"), ...facts.map(printable)].join("  ")];
  if (Object.keys(row.extractedFields).length > 0) lines.push(renderFields(row.extractedFields));
  for (const [name, output] of Object.entries(row.structuredOutputs)) {
    if (!output.valid) lines.push(`${printable(name)} is not valid: ${printable(output.errors.join("; "))}`);
  }
  return lines.join("\n");
}
