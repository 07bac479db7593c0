import { type Command, Option } from "commander";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import {
  collectPairs,
  parseCountOrNone,
  parseJsonObjectOrNone,
  parseList,
  parseRateLimit,
  parseSpeed,
  type RateLimit,
} from "#src/surfaces/cli/option-parsers.ts";
import { isSameServer, profilePath, readProfiles, saveProfile } from "#src/surfaces/cli/profile.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { readServerAddress } from "#src/surfaces/cli/server-address.ts";
import { renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";

/** A workspace in the operator interface. */
interface Workspace {
  id: string;
  name: string;
  mode: "SANDBOX" | "LIVE";
  sandboxSpeed: number | "instant";
  rateLimit: RateLimit;
  defaultFlowId: string | null;
  defaultPhoneNumberId: string | null;
  countries: string[] | null;
  timeZone: string;
  callingWindow: { windows: { start: string; end: string }[] } | null;
  createdAt: string;
}

/** Members of a new workspace that the command line itself reads. */
interface CreatedWorkspace {
  workspaceId: string;
  apiKey?: string;
  flow?: { id: string; apiId: string };
}

interface SharedOptions {
  rateLimit?: RateLimit;
  sandboxSpeed?: number | "instant";
  countries?: string[];
  timeZone?: string;
  callingWindow?: Record<string, unknown> | null;
  maxAttemptsPerDay?: number | null;
  attemptGapMinutes?: number | null;
}

interface CreateOptions extends SharedOptions {
  name: string;
  sample?: true;
  mode: "SANDBOX" | "LIVE";
  use?: true;
}

interface UpdateOptions extends SharedOptions {
  name?: string;
  defaultFlow?: string;
  defaultNumber?: string;
  credentialDays?: number | null;
  requireSecondFactor?: boolean;
}

interface TopUpOptions {
  note?: string;
  reference?: string;
}

interface PriceOptions {
  set?: Record<string, string>;
  currency?: string;
  creditLimit?: string;
  lowBalance?: string;
}

/** Adds `workspace create|list|update|top-up|prices`. */
export function addWorkspaceCommands(program: Command, run: Run): void {
  const workspace = program.command("workspace").description("make and set up workspaces (operator)");
  const create = workspace
    .command("create")
    .description("make a workspace with an API key; secrets are shown once")
    .requiredOption("--name <name>", "name of the workspace")
    .option("--sample", "fill it with a working example of each thing")
    .addOption(
      new Option("--mode <mode>", "SANDBOX never reaches a carrier; fixed for good")
        .choices(["SANDBOX", "LIVE"])
        .default("SANDBOX"),
    )
    .option("--use", "make it the profile of this server, in place of the one kept");
  addSharedOptions(create).action((options: CreateOptions) => createWorkspace(run, options));
  workspace
    .command("list")
    .description("list all workspaces")
    .action(() => listWorkspaces(run));
  const update = workspace
    .command("update <id>")
    .description("change what is given, leave the rest")
    .option("--name <name>", "new name")
    .option("--default-flow <id>", "flow of calls that name none (id or apiId)")
    .option("--default-number <id>", "number of calls that name none (id or number)")
    .option("--credential-days <count>", "longest life of new keys and clients, or none", parseCountOrNone)
    .option("--require-second-factor", "let only people with a second factor in; keys are unaffected")
    .option("--no-require-second-factor", "let everybody in again");
  addSharedOptions(update).action((id: string, options: UpdateOptions) => updateWorkspace(run, id, options));
  addBillingCommands(workspace, run);
}

function addBillingCommands(workspace: Command, run: Run): void {
  workspace
    .command("top-up <id> <amount>")
    .description("add to the balance, such as 25.00; a correction is negative, after --")
    .option("--note <text>", "what it is for")
    .option("--reference <id>", "your own id of the payment; a repeat adds nothing")
    .action((id: string, amount: string, options: TopUpOptions) => topUp(run, id, amount, options));
  workspace
    .command("prices <id>")
    .description("show or change prices, currency and credit limit")
    .option("--set <kind=price>", "unit price, such as SMS_SEGMENT=0.01; KIND=default takes it back", collectPairs)
    .option("--currency <code>", "ISO 4217; only while the ledger is empty")
    .option("--credit-limit <amount>", "how far below zero the balance may go, or none; 0 is prepaid")
    .option("--low-balance <amount>", "balance below which it reads as low, or none")
    .action((id: string, options: PriceOptions) => changePrices(run, id, options));
}

function addSharedOptions(command: Command): Command {
  return command
    .option("--rate-limit <limit>", "CAPACITY[/REFILL]/SECONDS of each credential, such as 120/60", parseRateLimit)
    .option("--sandbox-speed <speed>", "clock of the sandbox: 1 is real time, 10, or instant", parseSpeed)
    .option("--countries <codes>", "countries that may be dialled, such as US,DE", parseList)
    .option("--time-zone <zone>", "zone of local times, such as Europe/Berlin")
    .option(
      "--calling-window <json>",
      "when LIVE calls without a window of their own may go out, as JSON or none; 08:00-21:00 at the number",
      parseJsonObjectOrNone,
    )
    .option("--max-attempts-per-day <count>", "dials of one number in its day, or none; 3 when LIVE", parseCountOrNone)
    .option("--attempt-gap-minutes <count>", "from one dial of a number to its next, or none", parseCountOrNone);
}

async function createWorkspace(run: Run, { use, ...body }: CreateOptions): Promise<void> {
  const { env } = run.system;
  const created = await callOperator<CreatedWorkspace>(env, "workspace.create", body);
  await run.print(created, renderFields(created));
  const url = readServerAddress(env)?.url;
  if (created.apiKey === undefined || url === undefined) return;
  const path = profilePath(env);
  const isKnown = readProfiles(path).some((profile) => isSameServer(profile.url, url));
  const isSaved = use === true || !isKnown;
  if (isSaved) {
    saveProfile(path, { url, apiKey: created.apiKey, workspaceId: created.workspaceId, mode: body.mode });
    run.note(`Saved as the profile of ${url} in ${path}.`);
  } else {
    run.hint(`Your profile for ${url} stays as it is; --use would have replaced it. The key above is shown only now.`);
  }
  // Without a profile of its own, a command would call from the workspace of the one that is kept.
  const key = isSaved ? "" : "PARLEY_API_KEY=<the key above> ";
  if (created.flow) run.hint(`Next: ${key}parley call +12025550100 --flow ${created.flow.apiId} --watch`);
}

async function listWorkspaces(run: Run): Promise<void> {
  const found = await callOperator<Workspace[]>(run.system.env, "workspace.list", {});
  const rows = found.map(({ id, name, mode, sandboxSpeed, rateLimit, timeZone, callingWindow }) => {
    const { capacity, refill, periodSeconds } = rateLimit;
    return [
      id,
      name,
      mode,
      show(sandboxSpeed),
      `${capacity}/${refill}/${periodSeconds}`,
      timeZone,
      describe(mode, callingWindow),
    ];
  });
  await run.print(found, renderTable(["ID", "NAME", "MODE", "SPEED", "RATE LIMIT", "ZONE", "CALLS"], rows));
  if (found.length === 0) run.hint("None yet. Make one: parley workspace create --name Demo --sample");
}

/** Summarises the calling window: the hours, or the number of windows. */
function describe(mode: Workspace["mode"], rules: Workspace["callingWindow"]): string {
  const [first, ...rest] = rules?.windows ?? [];
  if (mode === "SANDBOX" || !first) return "any hour";
  return rest.length === 0 ? `${first.start}-${first.end}` : `${rest.length + 1} windows`;
}

async function updateWorkspace(run: Run, id: string, options: UpdateOptions): Promise<void> {
  const { requireSecondFactor: requiresSecondFactor, ...rest } = options;
  const body = { id, ...rest, requiresSecondFactor };
  const updated = await callOperator<Workspace>(run.system.env, "workspace.update", body);
  await run.print(updated, renderFields(updated));
}

async function topUp(run: Run, id: string, amount: string, options: TopUpOptions): Promise<void> {
  const balance = await callOperator<{ repeated: boolean }>(run.system.env, "workspace.topup", {
    id,
    amount,
    ...options,
  });
  await run.print(balance, renderFields(balance));
  if (balance.repeated) run.hint("This reference was topped up before; nothing was added.");
}

async function changePrices(run: Run, id: string, options: PriceOptions): Promise<void> {
  const { set, currency, creditLimit, lowBalance } = options;
  const prices =
    set && Object.fromEntries(Object.entries(set).map(([kind, price]) => [kind, unless("default", price)]));
  const billing = await callOperator<object>(run.system.env, "workspace.prices", {
    id,
    ...(prices ? { prices } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...(creditLimit === undefined ? {} : { creditLimit: unless("none", creditLimit) }),
    ...(lowBalance === undefined ? {} : { lowBalanceThreshold: unless("none", lowBalance) }),
  });
  await run.print(billing, renderFields(billing));
}

/** Returns the value, or null for the word that removes a setting. */
function unless(word: string, value: string): string | null {
  return value === word ? null : value;
}
