import { join } from "node:path";
import type { Command } from "commander";
import { findTemplate, type FlowTemplate, listTemplates } from "#src/authoring/flow-templates/flow-templates.ts";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import { nameAsTyped } from "#src/surfaces/cli/as-typed.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { writeNewFiles } from "#src/surfaces/cli/new-files.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderTable } from "#src/surfaces/cli/table.ts";

/** Adds `init`, which lists the flows to start from, or writes one with its suite into a folder. */
export function addInitCommand(program: Command, run: Run): void {
  program
    .command("init [template]")
    .description("write a flow to start from, with its test suite; without a name, list them")
    .option("--dir <folder>", "where to write it; default: a folder of the template's name")
    .action((name: string | undefined, { dir }: { dir?: string }) => {
      if (name !== undefined) return writeTemplate(run, chooseTemplate(name), dir ?? name);
      if (dir !== undefined) throw new CliError(EXIT.USAGE, "--dir goes with the name of a template.");
      return printTemplates(run);
    });
}

async function printTemplates(run: Run): Promise<void> {
  const templates = listTemplates().map(({ document: _document, suite: _suite, ...listed }) => listed);
  const rows = templates.map(({ name, description }) => [name, description]);
  await run.print(templates, renderTable(["TEMPLATE", "WHAT IT DOES"], rows));
  run.hint("Next: parley init TEMPLATE");
}

function chooseTemplate(name: string): FlowTemplate {
  const template = findTemplate(name);
  if (template) return template;
  const names = listTemplates().map((one) => one.name);
  throw new CliError(
    EXIT.NOT_FOUND,
    `There is no template ${name}.${askNearest(name, names)} There are: ${names.join(", ")}.`,
  );
}

async function writeTemplate(run: Run, template: FlowTemplate, folder: string): Promise<void> {
  const files = {
    "flow.json": `${JSON.stringify(template.document, null, 2)}\n`,
    "suite.yaml": template.suite,
    "README.md": nameAsTyped(renderReadme(template, folder), run.system.env),
  };
  const paths = writeNewFiles(folder, files, " with --dir");
  await run.print({ files: paths, template: template.name }, paths.join("\n"));
  run.hint(`Next: parley simulate ${join(folder, "suite.yaml")}    parley flow import ${join(folder, "flow.json")}`);
}

function renderReadme({ title, description, collects, tools }: FlowTemplate, folder: string): string {
  const mocked =
    tools.length === 0
      ? ""
      : `\nIts tools (${tools.join(", ")}) answer from \`mockConfig\` in flow.json. To call your own system, set \`apiUrl\` and
\`apiHeaders\`, and \`mockConfig.enabled\` to false.\n`;
  return `# ${title}

${description} It collects: ${collects.join(", ")}.

Adapt \`masterPrompt\`, \`firstMessage\` and the defaults of \`localVariables\` in flow.json, and try it on simulated
people, in the folder where you ran \`parley init\`. \`--serve\` needs no running server:

\`\`\`
parley simulate --serve ${join(folder, "suite.yaml")}
\`\`\`

Then make the flow with its tools and outputs in your workspace:

\`\`\`
parley flow import ${join(folder, "flow.json")}
\`\`\`

From then on the flow is there, and a second import makes a copy. To change it in files, get it with \`parley flow pull\`.
${mocked}`;
}
