import type { Flow, JsonObject, Parley } from "@parley/sdk";
import type { Command } from "commander";
import { createClient, openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { writeNewFiles } from "#src/surfaces/cli/new-files.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";

const PERSONA_FILE = "hurried.persona.yaml";

interface InitOptions {
  flow?: string;
  withFlow?: true;
  serve?: true;
}

/** Adds `simulate init`, which writes a first suite and a first persona. */
export function addSimulateInitCommand(simulate: Command, run: Run): void {
  simulate
    .command("init [folder]")
    .description("write a first suite and a persona for a flow of the workspace")
    .option("--flow <id>", "flow by id or apiId; default: the workspace's first")
    .option("--with-flow", "also write the flow as a file, which the suite then tries")
    .option("--serve", "take the sample flow of a server that is started for this alone; implies --with-flow")
    .action(async (folder: string | undefined, options: InitOptions) => {
      // Commander assigns an option that the parent has too to the parent.
      const serve = options.serve ?? simulate.opts<InitOptions>().serve;
      const flow = options.flow ?? simulate.opts<InitOptions>().flow;
      const write = (client: Parley) => init(run, client, folder ?? ".", { flow, withFlow: options.withFlow || serve });
      if (!serve) return write((await openApi(run)).client);
      run.note(run.paint("dim", "Starting a server for this…"));
      const withServer = await run.loadServer();
      return detachable(run.system, "Nothing was written.", (signal) =>
        withServer(run.system, signal, async ({ url, apiKey }) => write(await createClient({ baseUrl: url, apiKey }))),
      );
    });
}

interface InitChoice {
  flow: string | undefined;
  withFlow: boolean | undefined;
}

async function init(run: Run, client: Parley, folder: string, { flow: name, withFlow }: InitChoice): Promise<void> {
  const flow = await chooseFlow(client, name);
  const document = await client.flows.export(flow.id);
  const flowFile = `${slug(flow.apiId)}.flow.json`;
  const files: Record<string, string> = {
    [`${slug(flow.apiId)}.suite.yaml`]: renderSuite(flow, document, withFlow ? flowFile : null),
    [PERSONA_FILE]: PERSONA,
    ...(withFlow ? { [flowFile]: `${JSON.stringify(document, null, 2)}\n` } : {}),
  };
  const paths = writeNewFiles(folder, files);
  await run.print({ files: paths, flow: flow.id }, paths.join("\n"));
  run.hint(`Next: parley simulate ${paths[0]}`);
}

async function chooseFlow(client: Parley, name: string | undefined): Promise<Flow> {
  for await (const flow of client.flows.list()) {
    if (name === undefined || flow.id === name.toLowerCase() || flow.apiId === name) return flow;
  }
  if (name !== undefined) throw new CliError(EXIT.NOT_FOUND, `There is no flow ${name} in this workspace.`);
  throw new CliError(EXIT.NOT_FOUND, "The workspace has no flow yet. Make one, or import one: parley flow import");
}

function slug(apiId: string): string {
  return (
    apiId
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "flow"
  );
}

/** Parts of an exported flow that give a suite its fields and tools. */
interface NamedParts {
  flow: { structuredOutputs?: { schema: JsonObject }[] | null };
  tools: { name?: string | null }[];
  structuredOutputs: { schema?: JsonObject }[];
}

/** Returns the commented suite, with the fields and tools of the flow. */
export function renderSuite(flow: Pick<Flow, "apiId" | "name">, document: NamedParts, flowFile: string | null): string {
  const fields = fieldsOf(document);
  const tools = document.tools.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
  return `# Tries a flow on simulated people: nobody is called, and nothing leaves the server.
# Run it with: parley simulate ${slug(flow.apiId)}.suite.yaml

suite: ${quote(flow.name ?? flow.apiId)}
flow: ${flowFile === null ? quote(flow.apiId) : `{ file: ./${flowFile} }`}

# Who is called, and what a call's rowData would say.
contact: { name: Ada Example, phone: "+12025550100", email: ada@example.com }
variables: {}

# People of your own, beside the built-in ones: parley simulate personas.
personas:
  hurried: { file: ./${PERSONA_FILE} }
${renderTools(tools)}
# Holds for every scenario.
expect:
  # Liquid that was not filled, or a value that was missing.
  neverSays: ["{{", undefined]

scenarios:
  - name: says yes
    persona: agrees
    expect:
      outcome: COMPLETED
${renderFields(fields)}      turns: { atMost: 20 }

  - name: has little time
    persona: hurried
    expect:
      outcome: COMPLETED

  - name: does not want to be called
    persona: opts-out
    expect:
      optOut: true

  - name: voicemail
    persona: voicemail
    # Five conversations with seeds 1 to 5; four of them must pass.
    repeat: 5
    passRate: 0.8
    expect:
      turns: { atMost: 2 }
`;
}

function renderTools(names: string[]): string {
  if (names.length === 0) return "";
  const mocks = names.map((name) => `  ${quote(name)}:\n    - { returns: { ok: true } }`);
  return `\n# What the tools answer. Add "when" for certain inputs, or "fails" for a failure.\ntools:\n${mocks.join("\n")}\n`;
}

function renderFields(fields: string[]): string {
  if (fields.length === 0) return "";
  const lines = fields.map((name) => `        ${quote(name)}: { exists: true }`);
  return `      # Write the values that you expect, such as: true, or { atLeast: 1 }.\n      fields:\n${lines.join("\n")}\n`;
}

function fieldsOf({ flow, structuredOutputs }: NamedParts): string[] {
  const names = [...structuredOutputs, ...(flow.structuredOutputs ?? [])].flatMap(({ schema }) => {
    const { properties } = (schema ?? {}) as { properties?: JsonObject };
    return Object.keys(properties ?? {});
  });
  return [...new Set(names)];
}

/** Formats a text for any place in YAML: a plain word, else in double quotes. */
function quote(text: string): string {
  return /^[A-Za-z][A-Za-z0-9_ -]*[A-Za-z0-9]$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

const PERSONA = `# Somebody to talk to: docs/personas.md has all that may stand here.
name: hurried
description: Says yes, briefly, and answers at once.
kind: PERSON
attitude: AGREES
facts:
  name: Ada Example
`;
