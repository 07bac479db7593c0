import type { Command } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { collectPairs } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { printable, renderTable } from "#src/surfaces/cli/table.ts";

interface InstallOptions {
  connection: string;
  set?: Record<string, string>;
}

/** Adds `tool-pack list|show|install` for the tools that are there to start from. */
export function addToolPackCommands(program: Command, run: Run): void {
  const pack = program.command("tool-pack").description("tools for providers, to start from");
  pack
    .command("list")
    .description("list the packs with their tools")
    .action(() => listPacks(run));
  pack
    .command("show <name>")
    .description("show a pack's tools and settings; with --json the whole document")
    .action((name: string) => showPack(run, name));
  pack
    .command("install <name>")
    .description("make a pack's tools for a connection; tools of an earlier installation are brought up to date")
    .requiredOption("--connection <id>", "connection with the pack's provider; see: parley connection list")
    .option("--set <name=value>", "a setting; see: parley tool-pack show", collectPairs)
    .action((name: string, options: InstallOptions) => installPack(run, name, options));
}

async function listPacks(run: Run): Promise<void> {
  const found = await (await openApi(run)).client.toolPacks.list();
  const rows = found.map(({ name, provider, tools }) => [name, provider, tools.map((tool) => tool.name).join(", ")]);
  await run.print(found, renderTable(["NAME", "PROVIDER", "TOOLS"], rows));
}

async function showPack(run: Run, packName: string): Promise<void> {
  const pack = await (await openApi(run)).client.toolPacks.get(packName);
  const { title, description, provider, tools, settings } = pack;
  const settingRows = settings.map(({ name, required, default: usual, description: what }) => [
    name,
    required ? "required" : "optional",
    usual ?? "",
    what,
  ]);
  const parts = [
    `${printable(title)}, for a connection with ${provider}. ${printable(description)}`,
    renderTable(
      ["TOOL", "WHAT IT IS FOR"],
      tools.map(({ name, description: what }) => [name, what]),
    ),
    ...(settings.length > 0 ? [renderTable(["SETTING", "", "DEFAULT", "WHAT IT IS"], settingRows)] : []),
  ];
  await run.print(pack, parts.join("\n\n"));
}

async function installPack(run: Run, name: string, { connection, set = {} }: InstallOptions): Promise<void> {
  const { client } = await openApi(run);
  const installed = await client.toolPacks.install(name, { connectionId: connection, settings: set });
  const rows = installed.tools.map((tool) => [tool.id, tool.name, tool.isNew ? "new" : "brought up to date"]);
  await run.print(installed, renderTable(["ID", "TOOL", ""], rows));
  run.hint("Choose the tools in a flow.");
}
