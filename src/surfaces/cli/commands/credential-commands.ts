import type { Command } from "commander";
import { findProfile } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { callOperator } from "#src/surfaces/cli/operator-client.ts";
import { parseList, parseSeconds } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";

interface WorkspaceOption {
  workspace?: string;
}

interface KeyOptions extends WorkspaceOption {
  name?: string;
  permissions?: string[];
  expiresIn?: number;
  expiresAt?: string;
  addresses?: string[];
}

interface ClientOptions extends WorkspaceOption {
  name?: string;
  permissions: string[];
  tokenLifetime?: number;
  expiresAt?: string;
  addresses?: string[];
}

interface LimitOptions extends WorkspaceOption {
  expiresAt?: string;
  addresses?: string[];
}

interface RotateOptions extends WorkspaceOption {
  overlap?: number;
}

type Row = Record<string, unknown>;
type Rotated = Row & { credential: Row; former: Row };

const ADDRESSES = "networks that may use it, such as 203.0.113.0/24,2001:db8::/32";

/** Adds `key create|list|limits|rotate|revoke`. */
export function addKeyCommands(program: Command, run: Run): void {
  const key = program.command("key").description("API keys of a workspace (operator)");
  key
    .command("create")
    .description("make an API key; it is shown once")
    .option("--workspace <id>", "workspace; default: your profile's")
    .option("--name <name>", "what the key is for")
    .option("--permissions <list>", "A,B; default: all", parseList)
    .option("--expires-in <time>", "seconds, or 12h, 30d; default: never", parseSeconds)
    .option("--expires-at <time>", "instead of it, such as 2027-01-31T00:00:00Z")
    .option("--addresses <list>", ADDRESSES, parseList)
    .action(async ({ workspace, expiresIn, addresses, ...rest }: KeyOptions) => {
      const limits = { expiresInSeconds: expiresIn, allowedAddresses: addresses };
      const body = { workspaceId: workspaceOf(run, workspace), ...rest, ...limits };
      await printOnce(run, await callOperator<Row>(run.system.env, "key.create", body));
    });
  addListCommand(key, run, "key.list");
  addLimitCommands(key, run, "key");
  key
    .command("revoke <id>")
    .description("end a key; it is refused from the next request on")
    .action(async (id: string) =>
      printDone(run, await callOperator<Row>(run.system.env, "key.revoke", { id }), `Revoked ${id}.`),
    );
}

/** Adds `client create|list|permissions|limits|rotate|revoke`. */
export function addClientCommands(program: Command, run: Run): void {
  const client = program.command("client").description("OAuth clients of a workspace (operator)");
  client
    .command("create")
    .description("make an OAuth client; its secret is shown once")
    .option("--workspace <id>", "workspace; default: your profile's")
    .option("--name <name>", "what the client is for")
    .option("--permissions <list>", "A,B; none: it may only answer tool-task webhooks", parseList, [])
    .option("--token-lifetime <time>", "seconds, or 12h; at most 24 hours", parseSeconds)
    .option("--expires-at <time>", "such as 2027-01-31T00:00:00Z; default: never")
    .option("--addresses <list>", ADDRESSES, parseList)
    .action(async ({ workspace, tokenLifetime, addresses, ...rest }: ClientOptions) => {
      const limits = { tokenLifetimeSeconds: tokenLifetime, allowedAddresses: addresses };
      const body = { workspaceId: workspaceOf(run, workspace), ...rest, ...limits };
      await printOnce(run, await callOperator<Row>(run.system.env, "client.create", body));
    });
  addListCommand(client, run, "client.list");
  addLimitCommands(client, run, "client");
  client
    .command("permissions <clientId>")
    .description("replace a client's permissions, from its next request on")
    .requiredOption("--set <list>", "A,B; empty for none", parseList)
    .action(async (clientId: string, { set }: { set: string[] }) => {
      const answer = await callOperator<Row>(run.system.env, "client.permissions", { clientId, permissions: set });
      await printDone(run, answer, `${clientId} may now: ${set.join(", ") || "nothing"}.`);
    });
  client
    .command("revoke <clientId>")
    .description("end a client and its tokens")
    .action(async (clientId: string) =>
      printDone(run, await callOperator<Row>(run.system.env, "client.revoke", { clientId }), `Revoked ${clientId}.`),
    );
}

function addLimitCommands(parent: Command, run: Run, kind: "key" | "client"): void {
  parent
    .command("limits <id>")
    .description("change when it expires and from where it is accepted, from its next request on")
    .option("--workspace <id>", "workspace; default: your profile's")
    .option("--expires-at <time>", "such as 2027-01-31T00:00:00Z, or never")
    .option("--addresses <list>", `${ADDRESSES}, or all`, parseList)
    .action(async (id: string, { workspace, expiresAt, addresses }: LimitOptions) => {
      const answer = await callOperator<Row>(run.system.env, `${kind}.limits`, {
        workspaceId: workspaceOf(run, workspace),
        id,
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === "never" ? null : expiresAt }),
        ...(addresses === undefined ? {} : { allowedAddresses: addresses.join() === "all" ? null : addresses }),
      });
      await run.print(answer, renderFields(answer));
    });
  parent
    .command("rotate <id>")
    .description("make another in its place, shown once; the former one goes on for a day, or as long as you say")
    .option("--workspace <id>", "workspace; default: your profile's")
    .option("--overlap <time>", "seconds, or 12h, 7d; at most 30d", parseSeconds)
    .action(async (id: string, { workspace, overlap }: RotateOptions) => {
      const body = { workspaceId: workspaceOf(run, workspace), id, overlapSeconds: overlap };
      const { credential, former, ...secret } = await callOperator<Rotated>(run.system.env, `${kind}.rotate`, body);
      await run.print({ credential, former, ...secret }, renderFields({ id: credential.id, ...secret }));
      run.hint(`Keep the secret now: it is not shown again. The former one works until ${show(former.expiresAt)}.`);
    });
}

function addListCommand(parent: Command, run: Run, command: "key.list" | "client.list"): void {
  parent
    .command("list")
    .description("list them, without their secrets")
    .option("--workspace <id>", "workspace; default: your profile's")
    .action(async ({ workspace }: WorkspaceOption) => {
      const found = await callOperator<Row[]>(run.system.env, command, { workspaceId: workspaceOf(run, workspace) });
      const names = Object.keys(found[0] ?? { id: "" });
      const rows = found.map((row) =>
        names.map((name) => show(Array.isArray(row[name]) ? row[name].join(",") : row[name])),
      );
      await run.print(
        found,
        renderTable(
          names.map((name) => name.toUpperCase()),
          rows,
        ),
      );
    });
}

/** Returns the given workspace, or the profile's. */
export function workspaceOf(run: Run, given: string | undefined): string {
  const id = given ?? findProfile(run).workspaceId;
  if (id === undefined)
    throw new CliError(EXIT.USAGE, "Which workspace? Add --workspace ID; see: parley workspace list");
  return id;
}

async function printOnce(run: Run, created: Row): Promise<void> {
  await run.print(created, renderFields(created));
  run.hint("Keep the secret now: it is not shown again.");
}

async function printDone(run: Run, answer: Row, text: string): Promise<void> {
  await run.print(answer, text);
}
