import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Parley } from "@parley/sdk";
import type { Command } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT, exitCodeOf } from "#src/surfaces/cli/exit-codes.ts";
import type { Kind } from "#src/surfaces/cli/flow-files/folder.ts";
import type { Pulled } from "#src/surfaces/cli/flow-files/pull.ts";
import type { Pushed, PushOptions } from "#src/surfaces/cli/flow-files/push.ts";
import type { Comparison } from "#src/surfaces/cli/flow-files/workspace.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";
import { printable, renderTable } from "#src/surfaces/cli/table.ts";

/* The files' side is imported only where it is used: YAML takes longer to load than most commands run. */

interface Place {
  dir: string;
}

const PULL_WORDS = {
  WRITTEN: "written",
  UNCHANGED: "unchanged",
  CHANGED_HERE: "changed here only, kept",
  CONFLICT: "changed here and on the server, kept",
  ONLY_HERE: "not on the server",
} as const;

/**
 * Adds `pull|diff|push|validate|watch` for definitions in files to a command: of flows with the tools and structured
 * outputs beside them, or of tools alone.
 */
export function addFileCommands(parent: Command, run: Run, kinds: readonly Kind[]): void {
  const of = kinds.includes("flows") ? "flows, tools and structured outputs" : "tools";
  const add = (name: string, description: string) =>
    parent.command(name).description(description).option("--dir <folder>", "folder of the files", "parley");
  add("pull", `write the workspace's ${of} to files`)
    .option("--force", "also over files that were changed since the latest pull")
    .action((options: Place & { force?: boolean }) => pullAll(run, kinds, options));
  add("diff", "show what a push would change; exit code 1 when it would change anything")
    .option("--publish", "compare with what is published, not with drafts")
    .action((options: Place & PushOptions) => diffAll(run, kinds, options));
  addPushOptions(add("push", `make the workspace's ${of} equal to the files; a changed flow becomes a draft`))
    .option("--watch", "push again whenever a file changes")
    .action((options: Place & PushOptions & { watch?: boolean }) =>
      options.watch ? watchAll(run, kinds, options) : pushAll(run, kinds, options),
    );
  add("validate", "check the files against the server, which changes nothing")
    .option("--offline", "only what can be checked without a server")
    .option("--publish", "as they would be published")
    .action((options: Place & PushOptions & { offline?: boolean }) =>
      options.offline ? validateOffline(run, kinds, options) : validate(run, kinds, options),
    );
  addPushOptions(add("watch", "push whenever a file changes, until Ctrl-C")).action((options: Place & PushOptions) =>
    watchAll(run, kinds, options),
  );
}

function addPushOptions(command: Command): Command {
  return command
    .option("--publish", "publish what changed")
    .option("--force", "also over what was changed on the server since the latest pull")
    .option("--note <text>", "why, shown in the list of versions")
    .option("--accept-unknown-variables", "publish although a template names a variable that nothing declares");
}

async function pullAll(run: Run, kinds: readonly Kind[], { dir, force = false }: Place & { force?: boolean }) {
  const { compareWith } = await import("#src/surfaces/cli/flow-files/workspace.ts");
  const { pull } = await import("#src/surfaces/cli/flow-files/pull.ts");
  const { mkdirSync } = await import("node:fs");
  const comparison = await compareWith((await openApi(run)).client, dir, kinds);
  mkdirSync(dir, { recursive: true });
  const pulled = pull(comparison, force);
  await run.print(
    pulled,
    renderTable(
      ["FILE", "STATE"],
      pulled.map((one) => [one.path, PULL_WORDS[one.action]]),
    ),
  );
  if (pulled.length === 0) run.hint(`The workspace has no ${kinds.includes("flows") ? "flows" : "tools"} yet.`);
  noteSecrets(run, pulled);
  if (!pulled.some(({ action }) => action === "CONFLICT")) return;
  run.warn("Some files differ from the server and were kept. See them with diff; --force overwrites them.");
  run.exitCode = EXIT.ERROR;
}

function noteSecrets(run: Run, pulled: Pulled[]): void {
  for (const { path, secrets } of pulled) {
    if (secrets.length > 0) run.note(`${path} leaves out ${printable(secrets.join(", "))}.`);
  }
}

async function diffAll(run: Run, kinds: readonly Kind[], { dir, publish = false }: Place & PushOptions) {
  const { compareWith } = await import("#src/surfaces/cli/flow-files/workspace.ts");
  const { onlyOnServer, push, renderDifference } = await import("#src/surfaces/cli/flow-files/push.ts");
  const { client } = await openApi(run);
  const comparison = await compareWith(client, dir, kinds, publish);
  assertSome(dir, comparison.pairs.filter(({ file }) => file).length);
  // Forced, since a difference is shown whoever made it.
  const options = { publish, force: true, acceptUnknownVariables: true, dryRun: true };
  const changes = (await push(client, comparison, run.system.env, options)).filter(isChange);
  const lines = changes.flatMap((change) => renderDifference(comparison, change));
  const missing = onlyOnServer(comparison);
  const shown = lines.map((line) => paintLine(run, printable(line))).join("\n");
  if (run.options.json || lines.length > 0) await run.print({ changes, onlyOnServer: missing }, shown);
  if (lines.length === 0) run.hint("A push would change nothing.");
  for (const path of missing) run.note(`Only on the server: ${printable(path)}. A push leaves it there.`);
  if (changes.length > 0) run.exitCode = EXIT.ERROR;
}

function paintLine({ system }: Run, line: string): string {
  if (line.startsWith("+")) return system.style("green", line, "OUT");
  if (line.startsWith("-")) return system.style("red", line, "OUT");
  return line.startsWith("@@") ? system.style("cyan", line, "OUT") : line;
}

async function pushAll(run: Run, kinds: readonly Kind[], { dir, ...options }: Place & PushOptions): Promise<void> {
  const { compareWith } = await import("#src/surfaces/cli/flow-files/workspace.ts");
  const { push } = await import("#src/surfaces/cli/flow-files/push.ts");
  const { client } = await openApi(run);
  const { publish, force, note, acceptUnknownVariables } = options;
  const chosen = Object.fromEntries(
    Object.entries({ publish, force, note, acceptUnknownVariables }).filter(([, value]) => value !== undefined),
  );
  const comparison = await compareWith(client, dir, kinds, publish);
  assertSome(dir, comparison.pairs.filter(({ file }) => file).length);
  const pushed = await push(client, comparison, run.system.env, { ...chosen, dryRun: false });
  await printPushed(run, pushed);
  if (!publish && pushed.some(({ kind, action }) => kind === "flows" && action === "CHANGED")) {
    const isFit = await warnOfPublication(run, client, comparison);
    const advice = isFit ? "Publish" : "Mend what is said above, then publish";
    run.hint(`Changed flows are drafts. ${advice} them with: parley flow push --publish`);
  }
}

async function printPushed(run: Run, pushed: Pushed[]): Promise<void> {
  const changes = pushed.filter(isChange);
  const rows = changes.map(({ path, action, version, fields }) => [
    path,
    action.toLowerCase(),
    String(version),
    action === "CREATED" ? "" : fields.join(", "),
  ]);
  const text = rows.length > 0 ? renderTable(["FILE", "STATE", "VERSION", "FIELDS"], rows) : "Nothing has changed.";
  await run.print(pushed, text);
}

/** Refuses a folder without files, such as a misspelt one, or one that `init` wrote. */
function assertSome(dir: string, files: number): void {
  if (files > 0) return;
  const exported = join(dir, "flow.json");
  const next = existsSync(exported)
    ? `${exported} is a flow to import. Make it with: parley flow import ${exported}, then: parley flow pull`
    : "Get them with: parley flow pull";
  throw new CliError(EXIT.USAGE, `There are no definitions in ${dir}. ${next}`);
}

function isChange({ action }: Pushed): boolean {
  return action !== "UNCHANGED";
}

async function validate(run: Run, kinds: readonly Kind[], { dir, publish = false }: Place & PushOptions) {
  const { compareWith } = await import("#src/surfaces/cli/flow-files/workspace.ts");
  const { push } = await import("#src/surfaces/cli/flow-files/push.ts");
  const { client } = await openApi(run);
  const comparison = await compareWith(client, dir, kinds, publish);
  assertSome(dir, comparison.pairs.filter(({ file }) => file).length);
  const checked = await push(client, comparison, run.system.env, { publish, force: true, dryRun: true });
  await run.print({ files: checked.length, faults: [] }, `${checked.length} files are valid.`);
  if (!publish) await warnOfPublication(run, client, comparison);
}

/**
 * Warns of what a draft may have and its publication is refused for, such as variables that nothing declares. Returns
 * true when there is nothing.
 */
async function warnOfPublication(run: Run, client: Parley, comparison: Comparison): Promise<boolean> {
  const { push } = await import("#src/surfaces/cli/flow-files/push.ts");
  try {
    await push(client, comparison, run.system.env, { publish: true, force: true, dryRun: true });
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    run.warn(`Publishing would be refused.\n${error.message.split("\n").map(printable).join("\n")}`);
    return false;
  }
}

async function validateOffline(run: Run, kinds: readonly Kind[], { dir }: Place): Promise<void> {
  const { checkFiles } = await import("#src/surfaces/cli/flow-files/check-files.ts");
  const { files, faults, unchecked } = checkFiles(dir, kinds);
  assertSome(dir, files);
  if (faults.length > 0) throw new CliError(EXIT.USAGE, faults.join("\n"));
  await run.print({ files, faults }, `${files} files are valid as far as that shows without a server.`);
  if (unchecked.length > 0)
    run.note(`Not checked, since they have no file, as system tools have none: ${printable(unchecked.join(", "))}.`);
}

async function watchAll(run: Run, kinds: readonly Kind[], options: Place & PushOptions): Promise<void> {
  const { onEachChange } = await import("#src/surfaces/cli/flow-files/watch.ts");
  run.note(`Watching ${options.dir}. Ctrl-C ends it.`);
  await detachable(run.system, "No longer watching.", (signal) =>
    onEachChange(options.dir, kinds, signal, async () => {
      try {
        await pushAll(run, kinds, options);
      } catch (error) {
        // A file that is half written is no reason to stop.
        if (exitCodeOf(error) === EXIT.AUTH) throw error;
        run.report(error);
      }
    }),
  );
}
