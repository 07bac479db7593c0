import { statSync } from "node:fs";
import type { FlowDocument, Parley, SuccessCondition } from "@parley/sdk";
import { type Command, Option } from "commander";
import { findNearest } from "#src/platform/http/nearest-name.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { parseCondition, sayCondition } from "#src/surfaces/cli/success-condition.ts";
import { readText } from "#src/surfaces/cli/suite-files.ts";
import { printable, renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";
import { addFileCommands } from "./file-commands.ts";

interface SuccessOptions {
  when?: SuccessCondition[];
  default?: true;
}

/** Adds `flow list|export|import|prompt|success|pull|diff|push|validate|watch`. */
export function addFlowCommands(program: Command, run: Run): void {
  const flow = program.command("flow").description("flows as files");
  flow
    .command("list")
    .description("list the workspace's flows")
    .action(() => listFlows(run));
  flow
    .command("export <id>")
    .description(
      "write a flow, by id or apiId, with its tools and structured outputs as JSON; credentials are left out",
    )
    .action((id: string) => exportFlow(run, id));
  flow
    .command("import <file.json>")
    .description("make a flow, its tools and structured outputs from such a file, with new ids")
    .action((file: string) => importFlow(run, file));
  flow
    .command("prompt <id>")
    .description("print the system prompt that the sessions of a flow, by id or apiId, give to their model")
    .addOption(new Option("--channel <channel>", "voice or chat").choices(["voice", "chat"]).default("voice"))
    .action((id: string, options: { channel: "voice" | "chat" }) => printPrompt(run, id, options.channel));
  flow
    .command("success <id>")
    .description("print what counts as a success of a flow, by id or apiId, or change it")
    .option(
      "--when <condition>",
      "attending=true, guests>1, slot (is given); repeatable, all must hold",
      parseCondition,
    )
    .option("--default", "go back to the rule that holds without a condition")
    .action((id: string, options: SuccessOptions) => showSuccess(run, id, options));
  addFileCommands(flow, run, ["flows", "tools", "structuredOutputs"]);
}

/** Adds `tool list|pull|diff|push|validate|watch`. */
export function addToolCommands(program: Command, run: Run): void {
  const tool = program.command("tool").description("tools as files");
  tool
    .command("list")
    .description("list the workspace's tools, and those that come with the service")
    .action(() => listTools(run));
  addFileCommands(tool, run, ["tools"]);
}

async function listFlows(run: Run): Promise<void> {
  const flows = await (await openApi(run)).client.flows.list().toArray();
  const rows = flows.map(({ id, apiId, name, version }) => [id, apiId, name, version].map(show));
  await run.print(flows, renderTable(["ID", "API ID", "NAME", "VERSION"], rows));
  if (rows.length === 0) run.hint("None yet. Start from a template: parley init");
}

async function listTools(run: Run): Promise<void> {
  const tools = await (await openApi(run)).client.tools.list();
  const rows = tools.map(({ id, name, toolType, description }) => [id, name, toolType, description].map(show));
  await run.print(tools, renderTable(["ID", "NAME", "TYPE", "WHAT IT DOES"], rows));
}

/** Returns the id of a flow that a person named by its id or its apiId. */
async function findFlowId(flows: Parley["flows"], name: string): Promise<string> {
  if (isUuid(name)) return name;
  const apiIds: string[] = [];
  for await (const { id, apiId } of flows.list({ size: 200 })) {
    if (apiId === name) return id;
    apiIds.push(apiId);
  }
  const nearest = findNearest(name, apiIds);
  const hint = nearest === null ? "parley flow list shows those there are." : `Did you mean ${nearest}?`;
  throw new CliError(EXIT.NOT_FOUND, `There is no flow ${name}. ${hint}`);
}

async function exportFlow(run: Run, id: string): Promise<void> {
  const { flows } = (await openApi(run)).client;
  const document = await flows.export(await findFlowId(flows, id));
  await run.print(document, JSON.stringify(document, null, 2));
  for (const { toolName, header } of document.requiredSecrets) {
    run.note(`Left out: ${nameSecret(header)} of tool ${printable(toolName)}.`);
  }
}

async function printPrompt(run: Run, id: string, channel: "voice" | "chat"): Promise<void> {
  const query = { channel: channel === "chat" ? ("CHAT" as const) : ("VOICE" as const) };
  const { flows } = (await openApi(run)).client;
  const { system, firstMessage, error } = await flows.prompt(await findFlowId(flows, id), query);
  await run.print({ system, firstMessage, error }, system);
  if (firstMessage !== "") run.note(`Says first: ${printable(firstMessage)}`);
  if (error) run.note(`${printable(error.code)}: ${printable(error.message)}`);
}

async function showSuccess(run: Run, name: string, { when, default: isDefault }: SuccessOptions): Promise<void> {
  if (when && isDefault) throw new CliError(EXIT.USAGE, "--default goes without --when.");
  const { flows } = (await openApi(run)).client;
  const id = await findFlowId(flows, name);
  const changes = when !== undefined || isDefault === true;
  const success = changes ? await flows.updateSuccess(id, { conditions: when ?? null }) : await flows.getSuccess(id);
  const said = success.conditions?.map(sayCondition).join("\n");
  await run.print(
    success,
    said ??
      "The person spoke, the call completed, no limit cut it off, its outputs are valid and not all empty, and no tool was left failed.",
  );
  if (changes) run.hint("The calls there are so far are counted anew within minutes.");
}

async function importFlow(run: Run, file: string): Promise<void> {
  const document = readDocument(file);
  const made = await (await openApi(run)).client.flows.import(document);
  const { flow, tools, structuredOutputs, requiredSecrets, unresolved } = made;
  const fields = {
    flow: flow.id,
    apiId: flow.apiId,
    tools: tools.length,
    structuredOutputs: structuredOutputs.length,
  };
  await run.print(made, renderFields(fields));
  warnOfCopy(run, document.flow.apiId, flow.apiId);
  for (const { toolId, toolName, header } of requiredSecrets) {
    run.note(`Still to be set: ${nameSecret(header)} of tool ${printable(toolName)} (${toolId}).`);
  }
  for (const { path, value } of unresolved) {
    run.note(`Left out, since this workspace does not have it: ${printable(path)} ${printable(value)}.`);
  }
  run.hint(`Next: parley call NUMBER --flow ${printable(flow.apiId)} --watch    parley flow pull`);
}

/** Warns when the flow of a file exists already, since the server then makes another one beside it. */
function warnOfCopy(run: Run, wanted: unknown, apiId: string): void {
  if (typeof wanted !== "string" || wanted === "" || wanted === apiId) return;
  run.warn(
    `${printable(wanted)} exists already, so this is a copy: ${printable(apiId)}. To change the existing flow in files: parley flow pull, then parley flow push.`,
  );
}

/** Names the place of a secret: a header, or a text of the body by its path. */
function nameSecret(header: string): string {
  return header.startsWith("apiBody.") ? printable(header) : `header ${printable(header)}`;
}

function readDocument(file: string): FlowDocument {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CliError(EXIT.USAGE, `${file} is a folder. Name the flow.json in it.`);
  }
  const text = readText(file, `There is no file ${file}.`);
  try {
    return JSON.parse(text) as FlowDocument;
  } catch (error) {
    throw new CliError(EXIT.USAGE, `${file} is not JSON: ${toError(error).message}`);
  }
}
