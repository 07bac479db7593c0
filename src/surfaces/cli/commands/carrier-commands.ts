import { type Command, InvalidArgumentError } from "commander";
import { EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import { collectPairs, parseList } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { addSecretOptions, askSecret, readSecrets, type SecretOptions } from "#src/surfaces/cli/secret-input.ts";
import { renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";
import { workspaceOf } from "./credential-commands.ts";

/** Field of a carrier's account, as the server describes it. */
interface Field {
  name: string;
  label: string;
  isSecret: boolean;
  isRequired: boolean;
}

interface Provider {
  provider: string;
  callsPerSecond: number;
  fields: Field[];
}

interface Account {
  id: string;
  provider: string;
  label: string;
  status: string;
  statusMessage: string | null;
  callsPerSecond: number;
  phoneNumbers: number;
}

type CheckedAccount = Account & { check: { kind: "WORKS" | "REFUSED" | "UNREACHABLE"; message: string } };

interface SharedOptions extends SecretOptions {
  label?: string;
  set?: Record<string, string>;
  callsPerSecond?: number;
  unchecked?: true;
}

interface AddOptions extends SharedOptions {
  workspace?: string;
}

interface UpdateOptions extends SharedOptions {
  unset?: string[];
}

/** Adds `carrier add|list|check|update|remove|fields`. */
export function addCarrierCommands(program: Command, run: Run): void {
  const carrier = program.command("carrier").description("accounts with carriers (operator)");
  const add = carrier
    .command("add <carrier>")
    .description("keep an account, once its carrier takes it; secrets are asked for without showing them")
    .option("--workspace <id>", "workspace, of mode LIVE; default: your profile's");
  addSharedOptions(add).action((name: string, options: AddOptions) => addAccount(run, name, options));
  carrier
    .command("list")
    .description("list accounts and how they are, without their secrets")
    .option("--workspace <id>", "of this workspace only")
    .action(({ workspace }: { workspace?: string }) => listAccounts(run, workspace));
  carrier
    .command("check <id>")
    .description("ask the carrier whether an account works; one that works again gets its numbers back")
    .action(async (id: string) =>
      printChecked(run, await callOperator<CheckedAccount>(run.system.env, "carrier.check", { id })),
    );
  const update = carrier
    .command("update <id>")
    .description("change what is given, leave the rest; the carrier is asked at once")
    .option("--unset <list>", "settings to take away", parseList);
  addSharedOptions(update).action((id: string, options: UpdateOptions) => updateAccount(run, id, options));
  addPlainCommands(carrier, run);
}

function addPlainCommands(carrier: Command, run: Run): void {
  carrier
    .command("remove <id>")
    .description("forget an account that no number uses")
    .action(async (id: string) =>
      run.print(await callOperator<object>(run.system.env, "carrier.remove", { id }), `Removed ${id}.`),
    );
  carrier
    .command("fields <carrier>")
    .description("what an account of a carrier is made of")
    .action((name: string) => listFields(run, name));
}

function addSharedOptions(command: Command): Command {
  return addSecretOptions(command)
    .option("--label <text>", "what you call the account")
    .option("--set <name=value>", "a setting; see: parley carrier fields", collectPairs)
    .option("--ask <list>", "further secrets to ask for", parseList)
    .option("--calls-per-second <number>", "pace of the account, as the carrier allows it", parsePace)
    .option("--unchecked", "keep it even when the carrier cannot be reached now");
}

function parsePace(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It is a number above zero, such as 1 or 0.5.");
  return value;
}

async function addAccount(run: Run, name: string, options: AddOptions): Promise<void> {
  const workspaceId = workspaceOf(run, options.workspace);
  const { fields } = await callOperator<Provider>(run.system.env, "carrier.fields", { provider: name });
  const secrets = await readSecrets(run, options);
  const settings: Record<string, string> = { ...options.set };
  for (const field of fields.filter(({ isRequired }) => isRequired)) {
    if (field.isSecret) secrets[field.name] ??= await askSecret(run, field.name, field.label);
    else if (settings[field.name] === undefined && run.system.canAsk)
      settings[field.name] = (await run.system.ask(`${field.label}: `)).trim();
  }
  const body = { provider: name, workspaceId, settings, secrets, ...plainOptions(options) };
  await printChecked(run, await callOperator<CheckedAccount>(run.system.env, "carrier.add", body));
}

async function updateAccount(run: Run, id: string, options: UpdateOptions): Promise<void> {
  const secrets = await readSecrets(run, options);
  const unset = Object.fromEntries((options.unset ?? []).map((name) => [name, null]));
  const body = { id, settings: { ...options.set, ...unset }, secrets, ...plainOptions(options) };
  await printChecked(run, await callOperator<CheckedAccount>(run.system.env, "carrier.update", body));
}

function plainOptions({ label, callsPerSecond, unchecked }: SharedOptions): object {
  return { label, callsPerSecond, unchecked };
}

async function printChecked(run: Run, account: CheckedAccount): Promise<void> {
  const { check, ...shown } = account;
  await run.print(account, renderFields({ ...shown, check: check.message }));
  if (check.kind === "REFUSED") run.exitCode = EXIT.ERROR;
  if (check.kind === "UNREACHABLE") run.exitCode = EXIT.SERVER;
}

async function listAccounts(run: Run, workspaceId: string | undefined): Promise<void> {
  const found = await callOperator<Account[]>(run.system.env, "carrier.list", { workspaceId });
  const rows = found.map(({ id, provider, label, status, callsPerSecond, phoneNumbers, statusMessage }) =>
    [id, provider, label, status, callsPerSecond, phoneNumbers, statusMessage].map(show),
  );
  await run.print(found, renderTable(["ID", "CARRIER", "LABEL", "STATUS", "PER SECOND", "NUMBERS", "MESSAGE"], rows));
}

async function listFields(run: Run, name: string): Promise<void> {
  const found = await callOperator<Provider>(run.system.env, "carrier.fields", { provider: name });
  const rows = found.fields.map(({ name: field, isSecret, isRequired, label }) => [
    field,
    isSecret ? "secret" : "setting",
    isRequired ? "required" : "optional",
    label,
  ]);
  await run.print(found, renderTable(["NAME", "KIND", "", "WHAT IT IS"], rows));
}
