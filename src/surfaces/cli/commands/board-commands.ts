import type { ResultBoard, ResultsGetQuery } from "@parley/sdk";
import type { Command } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderTable } from "#src/surfaces/cli/table.ts";

/** Adds `results boards list|show`; `print` shows the results of a board's filters. */
export function addBoardCommands(
  results: Command,
  run: Run,
  print: (run: Run, query: ResultsGetQuery) => Promise<void>,
): void {
  const boards = results.command("boards").description("saved views of results");
  boards
    .command("list")
    .description("list the workspace's boards")
    .action(() => listBoards(run));
  boards
    .command("show <board>")
    .description("print the results of a board, by its name or id, as they are now")
    .action(async (name: string) => print(run, (await findBoard(run, name)).filters));
}

async function listBoards(run: Run): Promise<void> {
  const boards = await (await openApi(run)).client.results.boards();
  const rows = boards.map(({ id, name, filters, cards }) => [id, name, sayFilters(filters), cards.join(", ")]);
  await run.print(boards, renderTable(["ID", "NAME", "FILTERS", "CARDS"], rows));
  if (rows.length === 0) run.hint("None yet. Save one in the dashboard, under Analytics.");
}

function sayFilters(filters: ResultBoard["filters"]): string {
  return Object.entries(filters)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(" ");
}

async function findBoard(run: Run, name: string): Promise<ResultBoard> {
  const boards = await (await openApi(run)).client.results.boards();
  const board = boards.find((one) => one.id === name.toLowerCase() || one.name === name);
  if (board) return board;
  const names = boards.map((one) => one.name).join(", ");
  throw new CliError(
    EXIT.NOT_FOUND,
    `There is no board ${name}. ${names === "" ? "There are none." : `There are: ${names}.`}`,
  );
}
